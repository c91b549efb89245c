/* Tic-tac-toe in C, as a measure for the compiled Python: plain alpha-beta to the end of the game over the identical
   tree, twice. The first has the form of abviz's: moves listed in a workspace, a limit of nodes, one function for both
   players. The second is made for this game alone: a function for each player, and moves made one at
   a time. The cells are bits of a board that is four wide. engine.py builds it and calls it. */

#include <stdint.h>

#define FULL 0x777
#define WIN 1000000

static int64_t nodes;

static inline int three(int cells) {
    return (cells & cells >> 1 & cells >> 2) | (cells & cells >> 4 & cells >> 8) | (cells & cells >> 5 & cells >> 10)
         | (cells & cells >> 3 & cells >> 6);
}

/* as in abviz/engine/plain.py */

static struct {
    int64_t limit, nodes, cutoffs, count[66], moves[66][1000];
} work;

static inline int first_moves(int64_t x, int64_t o) {
    return (__builtin_popcountll(x | o) & 1) == 0;
}

static int64_t list_moves(int64_t x, int64_t o, int64_t ply) {
    work.count[ply] = 0;
    if (three(first_moves(x, o) ? o : x)) return 0;
    for (int64_t empty = FULL ^ x ^ o; empty; empty &= empty - 1) work.moves[ply][work.count[ply]++] = empty & -empty;
    return work.count[ply];
}

static int64_t outcome(int64_t x, int64_t o, int64_t ply) {
    int value = first_moves(x, o) ? (three(o) ? -1 : 0) : (three(x) ? 1 : 0);
    return value * (WIN - ply);
}

static int64_t alphabeta(int64_t x, int64_t o, int64_t depth, int64_t alpha, int64_t beta, int64_t ply) {
    work.nodes++;
    if (work.nodes >= work.limit) return 0;
    if (depth <= 0) return outcome(x, o, ply);
    int64_t count = list_moves(x, o, ply);
    if (count == 0) return outcome(x, o, ply);
    int is_max = first_moves(x, o);
    int64_t bv = is_max ? -WIN : WIN;
    for (int64_t i = 0; i < count; i++) {
        int64_t move = work.moves[ply][i];
        int64_t value = alphabeta(is_max ? x | move : x, is_max ? o : o | move, depth - 1, alpha, beta, ply + 1);
        if (is_max) { if (value > bv) bv = value; if (bv > alpha) alpha = bv; }
        else { if (value < bv) bv = value; if (bv < beta) beta = bv; }
        if (alpha >= beta) { work.cutoffs++; break; }
    }
    return bv;
}

int64_t tic_tac_toe_ported(const int64_t *fields, int64_t *searched) {
    work.nodes = 0;
    work.limit = (int64_t)1 << 62;
    int64_t value = alphabeta(fields[0], fields[1], 9, -WIN, WIN, 0);
    *searched = work.nodes;
    return value;
}

/* for this game alone */

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
