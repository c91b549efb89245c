"""`check("alphabeta", my_alphabeta)`: a student's answer, and what is to be said of it."""

from typing import Any

from abviz.errors import AbvizError, brief, unknown
from abviz.exercises.arguing import STANDING_STILL, THRESHOLDS
from abviz.exercises.aspirating import ASPIRATION
from abviz.exercises.building import DEEP_CUT, EQUAL_BOUNDS, NO_CUT, RIGHT_TO_LEFT, TIED_MOVES
from abviz.exercises.choosing import BEST_MOVE
from abviz.exercises.deepening import DEEPENING
from abviz.exercises.lines import BEST_LINE
from abviz.exercises.mending import (
    MEND_ALPHABETA,
    MEND_MINIMAX,
    MEND_SEARCH,
    PROVE_BREAK,
    PROVE_CALL,
    PROVE_DEPTH,
    PROVE_NO_VALUE,
    PROVE_ROOT,
    PROVE_STRICT,
    PROVE_WINDOW,
)
from abviz.exercises.ordering import BEST_ORDER
from abviz.exercises.predicting import PREDICT_SPEED_UP
from abviz.exercises.printing import held_back
from abviz.exercises.races import RACE
from abviz.exercises.reading_bounds import BOUNDS
from abviz.exercises.reading_cuts import CUTS, WITNESS
from abviz.exercises.reading_skips import SKIPPED
from abviz.exercises.reading_values import PROVEN, VALUES
from abviz.exercises.threads import SHARE_ALPHA, SPLIT_ROOT
from abviz.exercises.turning import NEGAMAX
from abviz.exercises.verdicts import Checked, Verdict
from abviz.exercises.writing import FAIL_HARD, TWO_FUNCTIONS, WRITE_ALPHABETA, WRITE_MINIMAX

MOST_SECONDS = 10.0

# In the order in which the notebooks ask them.
EXERCISES: dict[str, Checked] = {
    each.name: each
    for each in (
        *(VALUES, WRITE_MINIMAX, PROVE_BREAK, MEND_MINIMAX),
        *(SKIPPED, BOUNDS, CUTS, WITNESS, PROVEN, THRESHOLDS, STANDING_STILL),
        *(TWO_FUNCTIONS, WRITE_ALPHABETA, PROVE_CALL, MEND_ALPHABETA, BEST_MOVE, BEST_LINE, FAIL_HARD, NEGAMAX),
        *(EQUAL_BOUNDS, NO_CUT, TIED_MOVES, RIGHT_TO_LEFT, DEEP_CUT),
        *(PROVE_ROOT, PROVE_WINDOW, PROVE_NO_VALUE, PROVE_DEPTH, PROVE_STRICT, MEND_SEARCH),
        *(ASPIRATION, DEEPENING, BEST_ORDER),
        *(SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA),
    )
}


MISSING: Any = object()
FIRST = 'the name of an exercise and then the answer, as in check("alphabeta", alphabeta)'


def check(name: str, answer: Any = MISSING) -> Verdict:
    """Check an answer to the exercise of that name: a function, or what else it asks for. A wrong answer is told, and
    never raised; an AbvizError is raised where there is no such exercise, or no answer."""
    if answer is MISSING:
        raise AbvizError(f"Expected {FIRST}")
    if not isinstance(name, str):
        raise AbvizError(f"{brief(name)} stands first; expected {FIRST}")
    if name not in EXERCISES:
        name = name.replace("_", "-")  # as the answer is called in Python
    if name not in EXERCISES:
        raise unknown("exercise", name, EXERCISES)
    with held_back() as held:
        verdict = EXERCISES[name].check(answer, MOST_SECONDS)
    return held.told(verdict)
