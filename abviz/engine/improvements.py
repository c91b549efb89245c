"""Alpha-beta with the improvements of the course, each behind a switch in the workspace `w`.

With all of them off this is `plain.alphabeta`. Most keep the value; `last` looks deeper;
`reductions` and `beam` may be wrong.
"""

from abviz.engine.plain import alphabeta, list_moves, outcome
from abviz.engine.transposition_table import AT_LEAST, AT_MOST, EXACT, recall, store
from abviz.engine.workspace import HISTORY, LINE, NO_MOVE, Table, Workspace
from abviz.games.rules import WIN, Position

SHALLOW = 2  # at smaller depths sorting and storing cost more than they save
LATE = 3  # moves searched to full depth before reductions begin
BEFORE_ALL = 1 << 60


def improved(
    state: Position, depth: int, alpha: int, beta: int, w: Workspace, table: Table, ply: int
) -> int:
    w.length[ply] = 0
    if depth < SHALLOW:
        return alphabeta(state, depth, alpha, beta, w, ply)
    w.nodes += 1
    if w.nodes >= w.limit:
        return 0

    key = 0
    stored = NO_MOVE
    guesses = w.evaluations + w.borrowed
    if w.table:
        key = state.key()
        answered, value, stored, estimated = recall(table, key, depth, alpha, beta, ply)
        if answered and ply > 0:
            w.hits += 1
            w.borrowed += 1 if estimated else 0
            return value

    count = list_moves(state, w, ply)
    if count == 0:
        return outcome(state, ply)

    is_max = state.is_max()
    sort(state, w, ply, count, stored)

    low, high = alpha, beta
    bv = -WIN if is_max else WIN
    best = NO_MOVE
    for i in range(min(count, w.beam) if w.beam else count):
        bring_forward(w, ply, i, count)
        move = w.moves[ply, i]
        w.following = ply + 1 if w.following == ply and move == w.first[ply] else -1
        child = state.play(move)

        is_late = w.reductions and i >= LATE and depth > SHALLOW
        less = 1 if is_late and state.gain(move) == 0 and not child.hot() else 0
        closed = w.pvs != 0 and i > 0

        # A null window, which only asks whether the move is better than the best so far.
        a = beta - 1 if closed and not is_max else alpha
        b = alpha + 1 if closed and is_max else beta
        value = 0
        looking = True
        while looking:
            value = improved(child, depth - 1 - less, a, b, w, table, ply + 1)
            better = value > alpha if is_max else value < beta
            looking = better and (less > 0 or (closed and alpha < value < beta))
            a, b = alpha, beta
            less = 0
            closed = False
        if w.nodes >= w.limit:
            return 0

        if value > bv if is_max else value < bv:
            bv, best = value, move
            if alpha < value < beta:
                keep_line(w, ply, move)

        if is_max:
            alpha = max(alpha, bv)
        else:
            beta = min(beta, bv)

        if alpha >= beta:
            w.cutoffs += 1
            remember(w, ply, depth, move, is_max)
            break

    if w.table:
        kind = AT_MOST if bv <= low else AT_LEAST if bv >= high else EXACT
        estimated = w.evaluations + w.borrowed > guesses
        store(table, key, depth, bv, kind, best, ply, estimated)
    return bv


def sort(state: Position, w: Workspace, ply: int, count: int, stored: int) -> None:
    """Score every move. They are put in order one by one, since a cutoff may save the rest."""
    is_max = state.is_max()
    for i in range(count):
        move = w.moves[ply, i]
        if w.following == ply and move == w.first[ply]:
            w.scores[ply, i] = BEFORE_ALL + 1
        elif move == stored:
            w.scores[ply, i] = BEFORE_ALL
        else:
            w.scores[ply, i] = score(state, w, ply, move, is_max)


def score(state: Position, w: Workspace, ply: int, move: int, is_max: bool) -> int:
    """Return what a move is sorted by: its captures, then killers, then its history of cuts."""
    total = 0
    if w.captures:
        total += state.gain(move) << 40
    if w.killers and move == w.killer[ply, 0]:
        total += 2 << 38
    elif w.killers and move == w.killer[ply, 1]:
        total += 1 << 38
    if w.history:
        total += w.worth[1 if is_max else 0, place(move)]
    return total


def bring_forward(w: Workspace, ply: int, i: int, count: int) -> None:
    """Move the best of the remaining moves to place i.

    The others keep their order, and so do moves with equal scores.
    """
    best = i
    for j in range(i + 1, count):
        if w.scores[ply, j] > w.scores[ply, best]:
            best = j

    move = w.moves[ply, best]
    worth = w.scores[ply, best]
    for j in range(best, i, -1):
        w.moves[ply, j] = w.moves[ply, j - 1]
        w.scores[ply, j] = w.scores[ply, j - 1]
    w.moves[ply, i] = move
    w.scores[ply, i] = worth


def remember(w: Workspace, ply: int, depth: int, move: int, is_max: bool) -> None:
    """Record a move that cut.

    It will often cut again: at this ply (killers) and anywhere (history).
    """
    if w.killer[ply, 0] != move:
        w.killer[ply, 1] = w.killer[ply, 0]
        w.killer[ply, 0] = move
    w.worth[1 if is_max else 0, place(move)] += depth * depth


def place(move: int) -> int:
    return ((move * 0x1E3779B97F4A7C15) >> 40) & (HISTORY - 1)


def keep_line(w: Workspace, ply: int, move: int) -> None:
    """Write the line from here: the move and then the child's line."""
    n = min(w.length[ply + 1], LINE - 1)
    w.line[ply, 0] = move
    for i in range(n):
        w.line[ply, i + 1] = w.line[ply + 1, i]
    w.length[ply] = n + 1
