/* Checkers in C, as a measure for the compiled Python: perft and plain alpha-beta over the identical tree.
   The side to move is a constant in every function (each is compiled twice), moves stand in local arrays.
   Built and called by engine.py:  checkers perft DEPTH | checkers alphabeta DEPTH BLACK WHITE KINGS TURN  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t bits;
typedef struct { bits black, white, kings; } position;

#define ALWAYS static inline __attribute__((always_inline))
#define BLACK 0
#define WHITE 1
#define WIN 1000000

static bits BOARD, KING_ROW[2], ROWS[3], CENTRE, GUARD[2];
static int weights[5] = {100, 130, 2, 1, 3};
static long nodes;

ALWAYS bits bit(int square) { return 1ull << (square - 1 + (square - 1) / 8); }
ALWAYS int count(bits b) { return __builtin_popcountll(b); }

static void set_up(void) {
    for (int square = 1; square <= 32; square++) {
        int row = (square - 1) / 4;
        BOARD |= bit(square);
        for (int i = 0; i < 3; i++) if (row >> i & 1) ROWS[i] |= bit(square);
        if (row == 7) KING_ROW[BLACK] |= bit(square);
        if (row == 0) KING_ROW[WHITE] |= bit(square);
    }
    int centre[] = {10, 11, 14, 15, 18, 19, 22, 23};
    for (int i = 0; i < 8; i++) CENTRE |= bit(centre[i]);
    GUARD[BLACK] = bit(1) | bit(3);
    GUARD[WHITE] = bit(30) | bit(32);
}

#define SIDES \
    bits own = turn == BLACK ? p.black : p.white, other = turn == BLACK ? p.white : p.black; \
    bits up = turn == BLACK ? own : own & p.kings, down = turn == BLACK ? own & p.kings : own; \
    bits empty = BOARD ^ own ^ other

ALWAYS bits jumpers(position p, int turn) {
    SIDES;
    return (up & ((other >> 4 & empty >> 8) | (other >> 5 & empty >> 10)))
         | (down & ((other << 4 & empty << 8) | (other << 5 & empty << 10)));
}

ALWAYS int can_step(position p, int turn) {
    SIDES;
    return ((up & (empty >> 4 | empty >> 5)) | (down & (empty << 4 | empty << 5))) != 0;
}

/* A move is one mask: where the piece was, where it ends and all that it takes. */
static int jump(position p, int turn, bits start, bits piece, bits taken, bits *found, int n) {
    SIDES;
    empty |= start;
    bits left = other ^ taken, over, to;
    int before = n;
#define TRY(ways, SHIFT, by) \
    if (start & ways) { over = (piece SHIFT by) & left; to = (over SHIFT by) & empty; \
        if (to) n = jump(p, turn, start, to, taken | over, found, n); }
    TRY(up, <<, 4) TRY(up, <<, 5) TRY(down, >>, 4) TRY(down, >>, 5)
    if (n == before && taken) found[n++] = (start ^ piece) | taken;
    return n;
}

ALWAYS int moves(position p, int turn, bits *found) {
    int n = 0;
    bits pieces = jumpers(p, turn);
    if (pieces) {
        for (; pieces; pieces &= pieces - 1) {
            bits start = pieces & -pieces;
            n = jump(p, turn, start, start, 0, found, n);
        }
        return n;
    }
    SIDES;
#define STEPS(ways, BACK, SHIFT, by) \
    for (bits from = ways & empty BACK by; from; from &= from - 1) { \
        bits start = from & -from; found[n++] = start | start SHIFT by; }
    STEPS(up, >>, <<, 4) STEPS(up, >>, <<, 5)
    if (turn == WHITE || down) { STEPS(down, <<, >>, 4) STEPS(down, <<, >>, 5) }
    return n;
}

ALWAYS position play(position p, int turn, bits move) {
    bits taken = move & (turn == BLACK ? p.white : p.black), path = move ^ taken;
    p.kings &= ~taken;
    p.kings = p.kings & path ? p.kings ^ path : p.kings | (path & KING_ROW[turn]);
    if (turn == BLACK) { p.black ^= path; p.white ^= taken; }
    else { p.white ^= path; p.black ^= taken; }
    return p;
}

ALWAYS int total(position p, int turn) {
    SIDES;
    bits a = up & other >> 4 & empty >> 8, b = up & other >> 5 & empty >> 10;
    bits c = down & other << 4 & empty << 8, d = down & other << 5 & empty << 10;
    if (a | b | c | d) {
        if (!((a | b | c | d) & p.kings)) {
            bits to = turn == BLACK ? a << 8 | b << 10 : c >> 8 | d >> 10;
            bits on = turn == BLACK ? (other >> 4 & empty >> 8) | (other >> 5 & empty >> 10)
                                    : (other << 4 & empty << 8) | (other << 5 & empty << 10);
            if (!(to & on)) return count(a) + count(b) + count(c) + count(d);
        }
        bits found[64];
        return moves(p, turn, found);
    }
    int n = turn == BLACK ? count(up & empty >> 4) + count(up & empty >> 5) : count(down & empty << 4) + count(down & empty << 5);
    if (turn == BLACK ? down : up)
        n += turn == BLACK ? count(down & empty << 4) + count(down & empty << 5) : count(up & empty >> 4) + count(up & empty >> 5);
    return n;
}

ALWAYS int evaluate(position p) {
    bits black = p.black & ~p.kings, white = p.white & ~p.kings, men = black | white;
    return weights[0] * (count(black) - count(white))
         + weights[1] * (count(p.black & p.kings) - count(p.white & p.kings))
         + weights[2] * (count(men & ROWS[0]) + 2 * count(men & ROWS[1]) + 4 * count(men & ROWS[2]) - 7 * count(white))
         + weights[3] * (count(p.black & CENTRE) - count(p.white & CENTRE))
         + weights[4] * (count(black & GUARD[BLACK]) - count(white & GUARD[WHITE]));
}

#define BOTH(name, turn, next) \
static long perft_##name(position p, int depth) { \
    if (depth == 1) return total(p, turn); \
    bits found[64]; \
    int n = moves(p, turn, found); \
    long sum = 0; \
    for (int i = 0; i < n; i++) sum += perft_##next(play(p, turn, found[i]), depth - 1); \
    return sum; \
} \
static int alphabeta_##name(position p, int depth, int alpha, int beta, int ply) { \
    nodes++; \
    int lost = turn == BLACK ? ply - WIN : WIN - ply; \
    if (depth <= 0 && !jumpers(p, turn)) return can_step(p, turn) ? evaluate(p) : lost; \
    bits found[64]; \
    int n = moves(p, turn, found); \
    if (n == 0) return lost; \
    int bv = turn == BLACK ? -WIN : WIN; \
    for (int i = 0; i < n; i++) { \
        int value = alphabeta_##next(play(p, turn, found[i]), depth - 1, alpha, beta, ply + 1); \
        if (turn == BLACK) { if (value > bv) bv = value; if (bv > alpha) alpha = bv; } \
        else { if (value < bv) bv = value; if (bv < beta) beta = bv; } \
        if (alpha >= beta) break; \
    } \
    return bv; \
}

static long perft_white(position p, int depth);
static int alphabeta_white(position p, int depth, int alpha, int beta, int ply);
BOTH(black, BLACK, white)
BOTH(white, WHITE, black)

int main(int argc, char **argv) {
    if (argc != 3 && argc != 7) return 2;
    set_up();
    position p = {0, 0, 0};
    int turn = BLACK, depth = atoi(argv[2]);
    for (int square = 1; square <= 12; square++) p.black |= bit(square), p.white |= bit(33 - square);
    if (argc == 7) {
        p = (position){strtoull(argv[3], 0, 10), strtoull(argv[4], 0, 10), strtoull(argv[5], 0, 10)};
        turn = atoi(argv[6]);
    }
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    long found = 0;
    if (!strcmp(argv[1], "perft")) found = turn == BLACK ? perft_black(p, depth) : perft_white(p, depth);
    else found = (turn == BLACK ? alphabeta_black : alphabeta_white)(p, depth, -WIN, WIN, 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double seconds = to.tv_sec - from.tv_sec + 1e-9 * (to.tv_nsec - from.tv_nsec);
    printf("{\"found\": %ld, \"nodes\": %ld, \"seconds\": %.9f}\n", found, nodes, seconds);
}
