/* Checkers in C, as a measure for the compiled Python: perft and plain alpha-beta over the identical tree.
   The side to move is a constant in every function (each is compiled twice), moves stand in local arrays.
   engine.py builds it and calls it. */

#include <stdint.h>

typedef uint64_t bits;
typedef struct { bits black, white, kings; } position;

#define ALWAYS static inline __attribute__((always_inline))
#define BLACK 0
#define WHITE 1
#define WIN 1000000
#define MOST 64

/* Square 1 is bit 0; one bit is left out after every two rows. */
#define BIT(square) (1ull << ((square) - 1 + ((square) - 1) / 8))
#define ROW(row) (0xFull << (4 * (row) + (row) / 2))
#define BOARD (ROW(0) | ROW(1) | ROW(2) | ROW(3) | ROW(4) | ROW(5) | ROW(6) | ROW(7))
#define CENTRE (BIT(10) | BIT(11) | BIT(14) | BIT(15) | BIT(18) | BIT(19) | BIT(22) | BIT(23))
#define ROW_1 (ROW(1) | ROW(3) | ROW(5) | ROW(7)) /* the number of a row, in binary digits */
#define ROW_2 (ROW(2) | ROW(3) | ROW(6) | ROW(7))
#define ROW_4 (ROW(4) | ROW(5) | ROW(6) | ROW(7))

static int weights[5]; /* men, kings, advance, centre, bridge */
static int64_t nodes;

ALWAYS int count(bits b) { return __builtin_popcountll(b); }

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

/* A move is one mask: where the piece was, where it ends and all that it takes. A jump that branches is led on by its
   first way in its place; the others come last. */
ALWAYS int jumps(position p, int turn, bits start, bits *found, int n) {
    SIDES;
    empty |= start;
    int i = n;
    found[n++] = 0;
    while (i < n) {
        bits taken = found[i] & other, piece = start ^ found[i] ^ taken, left = other ^ taken, over, to;
        int ways = 0;
#define LEAD_ON(who, SHIFT, by) \
        if (start & who) { \
            over = (piece SHIFT by) & left; to = (over SHIFT by) & empty; \
            if (to) found[ways++ ? n++ : i] = (start ^ to) | taken | over; }
        LEAD_ON(up, <<, 4) LEAD_ON(up, <<, 5) LEAD_ON(down, >>, 4) LEAD_ON(down, >>, 5)
        if (!ways) i++;
    }
    return n;
}

ALWAYS int moves(position p, int turn, bits *found) {
    int n = 0;
    bits pieces = jumpers(p, turn);
    if (pieces) {
        for (; pieces; pieces &= pieces - 1) n = jumps(p, turn, pieces & -pieces, found, n);
        return n;
    }
    SIDES;
#define STEPS(who, BACK, SHIFT, by) \
    for (bits from = who & empty BACK by; from; from &= from - 1) { \
        bits start = from & -from; found[n++] = start | start SHIFT by; }
    STEPS(up, >>, <<, 4) STEPS(up, >>, <<, 5) STEPS(down, <<, >>, 4) STEPS(down, <<, >>, 5)
    return n;
}

ALWAYS position play(position p, int turn, bits move) {
    bits taken = move & (turn == BLACK ? p.white : p.black), path = move ^ taken;
    p.kings &= ~taken;
    p.kings = p.kings & path ? p.kings ^ path : p.kings | (path & (turn == BLACK ? ROW(7) : ROW(0)));
    if (turn == BLACK) { p.black ^= path; p.white ^= taken; }
    else { p.white ^= path; p.black ^= taken; }
    return p;
}

#define TAKE_UP(by) (other >> by & empty >> 2 * by)   /* where who steps up the bits stands to take */
#define TAKE_DOWN(by) (other << by & empty << 2 * by)

/* How many moves there are: by popcounts, unless a jump goes on. */
ALWAYS int total(position p, int turn) {
    SIDES;
    bits found[MOST];
    if (own & p.kings) {
        bits a = up & TAKE_UP(4), b = up & TAKE_UP(5), c = down & TAKE_DOWN(4), d = down & TAKE_DOWN(5);
        if (a | b | c | d) return moves(p, turn, found);
        return count(up & empty >> 4) + count(up & empty >> 5) + count(down & empty << 4) + count(down & empty << 5);
    }
    if (turn == BLACK) {
        bits a = own & TAKE_UP(4), b = own & TAKE_UP(5);
        if (!(a | b)) return count(own & empty >> 4) + count(own & empty >> 5);
        if ((a << 8 | b << 10) & (TAKE_UP(4) | TAKE_UP(5))) return moves(p, turn, found);
        return count(a) + count(b);
    }
    bits a = own & TAKE_DOWN(4), b = own & TAKE_DOWN(5);
    if (!(a | b)) return count(own & empty << 4) + count(own & empty << 5);
    if ((a >> 8 | b >> 10) & (TAKE_DOWN(4) | TAKE_DOWN(5))) return moves(p, turn, found);
    return count(a) + count(b);
}

ALWAYS int evaluate(position p) {
    bits black = p.black & ~p.kings, white = p.white & ~p.kings, men = black | white;
    return weights[0] * (count(black) - count(white))
         + weights[1] * (count(p.black & p.kings) - count(p.white & p.kings))
         + weights[2] * (count(men & ROW_1) + 2 * count(men & ROW_2) + 4 * count(men & ROW_4) - 7 * count(white))
         + weights[3] * (count(p.black & CENTRE) - count(p.white & CENTRE))
         + weights[4] * (count(black & (BIT(1) | BIT(3))) - count(white & (BIT(30) | BIT(32))));
}

/* The last ply of perft is counted without a call. */
#define BOTH(name, turn, next) \
static int64_t perft_##name(position p, int depth) { \
    if (depth == 1) return total(p, turn); \
    bits found[MOST]; \
    int n = moves(p, turn, found); \
    int64_t sum = 0; \
    for (int i = 0; i < n; i++) { \
        position child = play(p, turn, found[i]); \
        sum += depth == 2 ? total(child, !turn) : perft_##next(child, depth - 1); \
    } \
    return sum; \
} \
static int alphabeta_##name(position p, int depth, int alpha, int beta, int ply) { \
    nodes++; \
    int lost = turn == BLACK ? ply - WIN : WIN - ply; \
    if (depth <= 0 && !jumpers(p, turn)) return can_step(p, turn) ? evaluate(p) : lost; \
    bits found[MOST]; \
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

static int64_t perft_white(position p, int depth);
static int alphabeta_white(position p, int depth, int alpha, int beta, int ply);
BOTH(black, BLACK, white)
BOTH(white, WHITE, black)

int64_t checkers_perft(const int64_t *fields, int depth) {
    position p = {fields[0], fields[1], fields[2]};
    return (fields[3] == BLACK ? perft_black : perft_white)(p, depth);
}

/* The value; the nodes are written into `searched`. */
int64_t checkers_alphabeta(const int64_t *fields, int depth, const int64_t *told, int64_t *searched) {
    position p = {fields[0], fields[1], fields[2]};
    for (int i = 0; i < 5; i++) weights[i] = told[i];
    nodes = 0;
    int value = (fields[3] == BLACK ? alphabeta_black : alphabeta_white)(p, depth, -WIN, WIN, 0);
    *searched = nodes;
    return value;
}
