"""The textbook searches, written once for every game: perft, minimax and alpha-beta.

They run as Python and compiled. Values are from MAX's side; `w` is the workspace, and `ply` counts
the moves from the root.
"""

from abviz.engine.workspace import Workspace
from abviz.games.rules import PROVEN, WIN, MoveList, Position


def perft(state: Position, depth: int, w: Workspace, ply: int) -> int:
    """Return the number of move sequences of this length: the usual test of a move generator."""
    if depth == 1:
        return count_moves(state, w, ply)
    if w.limit == 0:
        return 0

    total = 0
    for i in range(list_moves(state, w, ply)):
        child = state.play(w.moves[ply, i])
        # The last ply is counted here: a call for each position would take a quarter more time.
        if depth == 2:
            total += count_moves(child, w, ply + 1)
        else:
            total += perft(child, depth - 1, w, ply + 1)
    return total


def perft_unique(state: Position, depth: int, w: Workspace, ply: int) -> int:
    """Return the same, counting a move that is generated twice once."""
    if w.limit == 0:
        return 0

    total = 0
    count = list_moves(state, w, ply)
    for i in range(count):
        is_new = True
        for j in range(i):
            is_new = is_new and w.moves[ply, j] != w.moves[ply, i]

        if is_new and depth == 1:
            total += 1
        elif is_new:
            total += perft_unique(state.play(w.moves[ply, i]), depth - 1, w, ply + 1)
    return total


def minimax(state: Position, depth: int, w: Workspace, ply: int) -> int:
    w.nodes += 1
    if w.nodes >= w.limit:
        return 0
    if depth <= 0 and (ply >= w.last or not state.hot()):
        return outcome(state, ply) if state.over() else estimate(state, w)

    count = list_moves(state, w, ply)
    if count == 0:
        return outcome(state, ply)

    is_max = state.is_max()
    bv = -WIN if is_max else WIN

    captures = keep_captures(state, w, ply, count) if depth <= 0 else count
    if captures < count:
        count = captures
        w.nodes += 1
        bv = estimate(state, w)

    for i in range(count):
        value = minimax(state.play(w.moves[ply, i]), depth - 1, w, ply + 1)
        bv = max(bv, value) if is_max else min(bv, value)
    return bv


def alphabeta(state: Position, depth: int, alpha: int, beta: int, w: Workspace, ply: int) -> int:
    """Fail-soft, and a tie cuts: the search of `abviz.alphabeta`, node for node."""
    w.nodes += 1
    if w.nodes >= w.limit:
        return 0
    if depth <= 0 and (ply >= w.last or not state.hot()):
        return outcome(state, ply) if state.over() else estimate(state, w)

    count = list_moves(state, w, ply)
    if count == 0:
        return outcome(state, ply)

    is_max = state.is_max()
    bv = -WIN if is_max else WIN

    captures = keep_captures(state, w, ply, count) if depth <= 0 else count
    if captures < count:  # a player who need not capture may also leave the position as it is
        count = captures
        w.nodes += 1
        bv = estimate(state, w)
        if is_max:
            alpha = max(alpha, bv)
        else:
            beta = min(beta, bv)
        if alpha >= beta:
            w.cutoffs += 1
            return bv

    for i in range(count):
        value = alphabeta(state.play(w.moves[ply, i]), depth - 1, alpha, beta, w, ply + 1)
        if is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)

        if alpha >= beta:
            w.cutoffs += 1
            break
    return bv


def list_moves(state: Position, w: Workspace, ply: int) -> int:
    """Write the legal moves at this ply, and return their number."""
    w.count[ply] = 0
    state.moves(MoveList(w, ply))
    return w.count[ply]


def keep_captures(state: Position, w: Workspace, ply: int, count: int) -> int:
    """Keep the moves that capture, and return their number; all moves where none does."""
    kept = 0
    for i in range(count):
        move = w.moves[ply, i]
        if state.gain(move) > 0:
            w.moves[ply, kept] = move
            kept += 1
    return kept if kept else count


def count_moves(state: Position, w: Workspace, ply: int) -> int:
    w.count[ply] = 0
    return state.count(MoveList(w, ply))


def outcome(state: Position, ply: int) -> int:
    """Return the value of the end of the game. A quicker win counts more, a later loss less."""
    value = state.value()
    if value < -1 or value > 1:
        raise ValueError("value() is beyond 1 and -1")
    return value * (WIN - ply)


def estimate(state: Position, w: Workspace) -> int:
    w.evaluations += 1
    total = state.evaluate()

    features = state.features()
    for i in range(len(features)):
        total += features[i] * w.weights[i]

    return min(max(total, -PROVEN), PROVEN)
