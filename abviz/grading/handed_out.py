"""The course's notebooks as they are handed out: what in a hand-in is not the student's own."""

import symtable
from functools import cache
from pathlib import Path

from abviz.exercises import EXERCISES
from abviz.exercises.exercise import FIRST_PAGE
from abviz.exercises.sandbox import PACKAGE
from abviz.exercises.worker import Cell, Handout, in_python, read_cells, spellings


@cache
def handouts() -> list[Handout]:
    """Return the notebooks that come with this abviz; none where it has none."""
    for place in (PACKAGE.parent, PACKAGE):
        folder = place / "notebooks"
        if (folder / FIRST_PAGE).is_file():
            return [_handout(path) for path in sorted(folder.glob("[0-9]*.ipynb"))]
    return []


def _handout(path: Path) -> Handout:
    cells = read_cells(path)
    return Handout(
        statements=frozenset(cell.text for cell in cells),
        other_names=frozenset(name for name in EXERCISES if _is_for_something_else(name, cells)),
    )


def _is_for_something_else(exercise: str, cells: list[Cell]) -> bool:
    """Return whether the cells define a name of the exercise, and don't ask for its answer."""
    if any(cell.checks(exercise) for cell in cells):
        return False
    names = set(map(in_python, spellings(exercise)))
    return any(names & _defined_by(cell.text) for cell in cells)


def _defined_by(text: str) -> set[str]:
    """Return the names that a statement binds, but for those inside its functions."""
    try:
        symbols = symtable.symtable(text, "cell", "exec").get_symbols()
    except SyntaxError:  # only IPython understands it
        return set()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
