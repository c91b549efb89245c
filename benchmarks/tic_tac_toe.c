/* Tic-tac-toe in C, as a measure for the compiled Python: plain alpha-beta to the end of the game over the identical
   tree. The cells are bits of a board that is four wide. engine.py builds it and calls it. */

#include <stdint.h>

#define FULL 0x777
#define WIN 1000000

static int64_t nodes;

static inline int three(int cells) {
    return (cells & cells >> 1 & cells >> 2) | (cells & cells >> 4 & cells >> 8) | (cells & cells >> 5 & cells >> 10)
         | (cells & cells >> 3 & cells >> 6);
}

#define BOTH(name, is_max, next) \
static int name(int x, int o, int alpha, int beta, int ply) { \
    nodes++; \
    if (three(is_max ? o : x)) return is_max ? ply - WIN : WIN - ply; \
    int empty = FULL ^ x ^ o; \
    if (!empty) return 0; \
    int bv = is_max ? -WIN : WIN; \
    for (; empty; empty &= empty - 1) { \
        int cell = empty & -empty; \
        int value = next(is_max ? x | cell : x, is_max ? o : o | cell, alpha, beta, ply + 1); \
        if (is_max) { if (value > bv) bv = value; if (bv > alpha) alpha = bv; } \
        else { if (value < bv) bv = value; if (bv < beta) beta = bv; } \
        if (alpha >= beta) break; \
    } \
    return bv; \
}

static int least(int x, int o, int alpha, int beta, int ply);
BOTH(largest, 1, least)
BOTH(least, 0, largest)

/* The value; the nodes are written into `searched`. */
int64_t tic_tac_toe_alphabeta(const int64_t *fields, int64_t *searched) {
    int x = fields[0], o = fields[1];
    nodes = 0;
    int moved = __builtin_popcount(x | o);
    int value = (moved % 2 ? least : largest)(x, o, -WIN, WIN, 0);
    *searched = nodes;
    return value;
}
