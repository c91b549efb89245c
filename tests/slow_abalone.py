"""The rules of Abalone once more, slow and plain: sets of coordinates, and every group of marbles
tried in every way.

Written from the printed rules and not from `abviz.games.abalone`, to be compared with it.
"""

Cell = tuple[int, int]  # row and number, from 1 on: (1, 1) is A1, (9, 9) is I9
WAYS = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]
CELLS = {(row, n) for row in range(1, 10) for n in range(1, 10) if abs(row - n) <= 4}


def step(cell: Cell, way: Cell, times: int = 1) -> Cell:
    return cell[0] + times * way[0], cell[1] + times * way[1]


def groups(marbles: set[Cell]) -> list[list[Cell]]:
    """Return the single marbles, and the rows of two or three marbles without a gap."""
    rows = [[cell] for cell in sorted(marbles)]
    for size in (2, 3):
        for cell in sorted(marbles):
            for way in WAYS[:3]:  # the other three lead back
                row = [step(cell, way, times) for times in range(size)]
                if marbles.issuperset(row):
                    rows.append(row)
    return rows


def moves(own: set[Cell], other: set[Cell]) -> dict[str, tuple[frozenset[Cell], frozenset[Cell]]]:
    """Return both sides' marbles after each legal move, by the name of the move."""
    results = {}
    for group in groups(own):
        for way in WAYS:
            moved = {step(cell, way) for cell in group}
            others = set(other)
            along_the_row = len(group) > 1 and any(step(cell, way) in group for cell in group)
            if along_the_row:
                front = next(cell for cell in group if step(cell, way) not in group)
                pushed = []
                ahead = step(front, way)
                while ahead in other:
                    pushed.append(ahead)
                    ahead = step(ahead, way)
                if ahead in own or len(pushed) >= len(group) or (not pushed and ahead not in CELLS):
                    continue
                others = (others - set(pushed)) | ({step(cell, way) for cell in pushed} & CELLS)
            elif not moved <= CELLS - own - other:
                continue
            last = (
                next(cell for cell in group if step(cell, way, -1) not in group)
                if along_the_row
                else group[0]
            )
            cells = [last, step(last, way)]
            if len(group) > 1 and not along_the_row:
                cells.insert(1, group[-1])
            name = "-".join(name_of(cell) for cell in cells)
            assert name not in results
            results[name] = frozenset((own - set(group)) | moved), frozenset(others)
    return results


def name_of(cell: Cell) -> str:
    return f"{' ABCDEFGHI'[cell[0]]}{cell[1]}"
