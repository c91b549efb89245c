/* Abalone in C, as a measure for the compiled Python: perft and plain alpha-beta over the identical tree.
   engine.py builds it and calls it. */

#include <stdint.h>

typedef uint64_t bits;
typedef struct { bits side[2]; } board; /* black, white */

#define ALWAYS static inline __attribute__((always_inline))
#define WIN 1000000
#define PROVEN (WIN - 1000)
#define LAST 255
#define MOST 256

static bits BOARD, EAST, NE[4], NW[4], NEAR[3]; /* the masks are those of abviz/games/abalone.py, handed in */
static int weights[3];
static int64_t nodes;

ALWAYS int count(bits b) { return __builtin_popcountll(b); }

ALWAYS bits ahead(bits c, int way) {
    switch (way) {
    case 0: return (c & EAST) << 1;
    case 1: return (c & NE[0]) << 6 | (c & NE[1]) << 7 | (c & NE[2]) << 8 | (c & NE[3]) << 9;
    case 2: return (c & NW[0]) << 5 | (c & NW[1]) << 6 | (c & NW[2]) << 7 | (c & NW[3]) << 8;
    case 3: return c >> 1 & EAST;
    case 4: return (c >> 6 & NE[0]) | (c >> 7 & NE[1]) | (c >> 8 & NE[2]) | (c >> 9 & NE[3]);
    default: return (c >> 5 & NW[0]) | (c >> 6 & NW[1]) | (c >> 7 & NW[2]) | (c >> 8 & NW[3]);
    }
}

ALWAYS bits behind(bits c, int way) { return ahead(c, way < 3 ? way + 3 : way - 3); }

ALWAYS int can_push(bits own, bits other, bits stopping) {
    for (int way = 0; way < 6; way++) {
        bits last = other & ~behind(stopping, way), second = other & behind(last, way);
        if (own & behind(own & behind(last | (own & behind(second, way)), way), way)) return 1;
    }
    return 0;
}

ALWAYS int can_move(bits own, bits other) {
    for (int way = 0; way < 6; way++)
        if (own & behind(BOARD ^ own ^ other, way)) return 1;
    return can_push(own, other, own | other);
}

ALWAYS int each(bits marbles, int move, int *found, int n) {
    for (; marbles; marbles &= marbles - 1) found[n++] = __builtin_ctzll(marbles) | move;
    return n;
}

ALWAYS int pushes(bits own, bits other, bits last, int way, int off, int *found, int n) {
    bits two_one = own & behind(own & behind(last, way), way);
    bits three_two = own & behind(own & behind(own & behind(other & behind(last, way), way), way), way);
    n = each(three_two, way << 6 | 3 << 9 | 2 << 11 | off << 13, found, n);
    n = each(own & behind(two_one, way), way << 6 | 3 << 9 | 1 << 11 | off << 13, found, n);
    return each(two_one, way << 6 | 2 << 9 | 1 << 11 | off << 13, found, n);
}

static int moves(bits own, bits other, int *found) {
    int n = 0;
    if (count(own) <= 8 || count(other) <= 8) return 0;
    bits empty = BOARD ^ own ^ other;
    for (int way = 0; way < 6; way++) n = pushes(own, other, other & ~behind(BOARD, way), way, 1, found, n);
    for (int way = 0; way < 6; way++) n = pushes(own, other, other & behind(empty, way), way, 0, found, n);
    for (int way = 0; way < 6; way++) {
        bits one = own & behind(empty, way), two = own & behind(one, way);
        n = each(own & behind(two, way), way << 6 | 3 << 9, found, n);
        n = each(two, way << 6 | 2 << 9, found, n);
        n = each(one, way << 6 | 1 << 9, found, n);
        for (int along = 0; along < 3; along++)
            if (along != way % 3) {
                two = one & behind(one, along);
                n = each(one & behind(two, along), way << 6 | (along + 1) << 14 | 3 << 9, found, n);
                n = each(two, way << 6 | (along + 1) << 14 | 2 << 9, found, n);
            }
    }
    return n;
}

ALWAYS board play(board b, int turn, int move) {
    bits first = 1ull << (move & 63), own = b.side[turn], other = b.side[!turn];
    int way = move >> 6 & 7, size = move >> 9 & 3, pushed = move >> 11 & 3, along = (move >> 14) - 1;
    if (along >= 0) {
        bits row = first | ahead(first, along);
        if (size == 3) row |= ahead(row, along);
        own ^= row | ahead(row, way);
    } else {
        bits to = first;
        for (int i = 0; i < size; i++) to = ahead(to, way);
        own ^= first | to;
        if (pushed) {
            other ^= to;
            for (int i = 0; i < pushed; i++) to = ahead(to, way);
            if (!(move >> 13 & 1)) other ^= to;
        }
    }
    b.side[turn] = own;
    b.side[!turn] = other;
    return b;
}

ALWAYS int near(bits c) { return count(c & NEAR[0]) + 2 * count(c & NEAR[1]) + 4 * count(c & NEAR[2]); }

ALWAYS int evaluate(board b) {
    bits black = b.side[0], white = b.side[1];
    int liberty = 0;
    for (int way = 0; way < 6; way++) {
        bits free = behind(BOARD ^ black ^ white, way);
        liberty += count(black & free) - count(white & free);
    }
    return weights[0] * (count(black) - count(white)) + weights[1] * (near(black) - near(white)) + weights[2] * liberty;
}

ALWAYS int outcome(board b, int turn, int ply) {
    int value = count(b.side[0]) <= 8 ? -1 : count(b.side[1]) <= 8 ? 1 : turn == 0 ? -1 : 1;
    return value * (WIN - ply);
}

static int64_t perft(board b, int turn, int depth) {
    int found[MOST], n = moves(b.side[turn], b.side[!turn], found);
    if (depth == 1) return n;
    int64_t total = 0;
    for (int i = 0; i < n; i++) total += perft(play(b, turn, found[i]), !turn, depth - 1);
    return total;
}

static int search(board b, int turn, int depth, int alpha, int beta, int ply) {
    int found[MOST];
    bits own = b.side[turn], other = b.side[!turn];
    nodes++;
    if (depth <= 0 && (ply >= LAST || !can_push(own, other, BOARD))) {
        int over = count(own) <= 8 || count(other) <= 8 || !can_move(own, other);
        return over ? outcome(b, turn, ply) : evaluate(b);
    }
    int n = moves(own, other, found);
    if (n == 0) return outcome(b, turn, ply);
    int best = turn == 0 ? -WIN : WIN;
    if (depth <= 0) {
        int kept = 0;
        for (int i = 0; i < n; i++)
            if (found[i] >> 13 & 1) found[kept++] = found[i];
        if (kept && kept < n) {
            n = kept;
            nodes++;
            best = evaluate(b);
            if (turn == 0 && best > alpha) alpha = best;
            if (turn == 1 && best < beta) beta = best;
            if (alpha >= beta) return best;
        }
    }
    for (int i = 0; i < n; i++) {
        int value = search(play(b, turn, found[i]), !turn, depth - 1, alpha, beta, ply + 1);
        if (turn == 0) {
            if (value > best) best = value;
            if (best > alpha) alpha = best;
        } else {
            if (value < best) best = value;
            if (best < beta) beta = best;
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* masks: the board, EAST, four NE, four NW, three NEAR; position: black, white, turn */
void abalone_masks(const int64_t *m) {
    BOARD = m[0], EAST = m[1];
    for (int i = 0; i < 4; i++) NE[i] = m[2 + i], NW[i] = m[6 + i];
    for (int i = 0; i < 3; i++) NEAR[i] = m[10 + i];
}

int64_t abalone_perft(const int64_t *p, int depth) {
    return perft((board){{p[0], p[1]}}, (int)p[2], depth);
}

int64_t abalone_alphabeta(const int64_t *p, int depth, const int64_t *w, int64_t *searched) {
    for (int i = 0; i < 3; i++) weights[i] = (int)w[i];
    nodes = 0;
    int value = search((board){{p[0], p[1]}}, (int)p[2], depth, -WIN, WIN, 0);
    *searched = nodes;
    return value;
}
