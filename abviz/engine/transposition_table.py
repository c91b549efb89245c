"""The transposition table: results of positions that the search may reach again by other moves."""

from abviz.engine.workspace import NO_MOVE, Table
from abviz.games.rules import PROVEN, WIN

EXACT, AT_LEAST, AT_MOST = 0, 1, 2  # what a value means, where the search had a window
ESTIMATED = 4  # the value rests on an estimate, somewhere below


def recall(
    table: Table, key: int, depth: int, alpha: int, beta: int, ply: int
) -> tuple[bool, int, int, bool]:
    """Return whether the table answers, the value, the best move, and whether it is estimated.

    A value is estimated if it rests on an estimate somewhere below. Only a search of the same depth
    answers: a deeper one knows better, but its value would be another.
    """
    slot, entry, move = find(table, key)
    if slot < 0:
        return False, 0, NO_MOVE, True

    value = (entry >> 11) - 2 * WIN
    if value > PROVEN:  # stored as if the position were the root
        value -= ply
    elif value < -PROVEN:
        value += ply

    kind = entry & 3
    fits = (
        kind == EXACT
        or (kind == AT_LEAST and value >= beta)
        or (kind == AT_MOST and value <= alpha)
    )
    return fits and depth_of(entry) == depth, value, move, (entry & ESTIMATED) != 0


def store(
    table: Table, key: int, depth: int, value: int, kind: int, move: int, ply: int, estimated: bool
) -> None:
    """Write into one of the two slots of the key.

    It is the key's own slot, an empty one, or the one searched less deep. `estimated` is False only
    where the value follows from ends of the game alone, so that more depth cannot change it.
    """
    slot = find(table, key)[0]
    if slot < 0:
        slot = key & (len(table) - 1)
        if depth_of(table[slot ^ 1].entry) < depth_of(table[slot].entry):
            slot ^= 1

    # Stored as if the position were the root
    if value > PROVEN:
        value += ply
    elif value < -PROVEN:
        value -= ply

    entry = (value + 2 * WIN) << 11 | depth << 3 | (ESTIMATED if estimated else 0) | kind
    table[slot].entry = entry
    table[slot].move = move
    table[slot].check = key ^ entry ^ move


def find(table: Table, key: int) -> tuple[int, int, int]:
    """Return the slot of the key, −1 if it has none, and its entry and move."""
    first = key & (len(table) - 1)
    for slot in (first, first ^ 1):
        # Read once, and what was read is checked: another thread may overwrite them any moment.
        entry = table[slot].entry
        move = table[slot].move
        if entry != 0 and table[slot].check ^ entry ^ move == key:
            return slot, entry, move
    return -1, 0, NO_MOVE


def depth_of(entry: int) -> int:
    return entry >> 3 & 255
