"""The exercise on aspiration: a narrow window first, and a search again where the value is not in it."""

from collections.abc import Callable
from dataclasses import replace
from math import inf, isinf
from typing import Any

from abviz.errors import Number, brief, number, plain
from abviz.exercises import stubs
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.counterexamples import smallest_trees
from abviz.exercises.dressing import with_wins
from abviz.exercises.mistakes import Mistake, searching
from abviz.exercises.searches import Case, Exercise
from abviz.tree.model import Tree

SEARCH = searching()
MOST_SEARCHES = 30
WIDER, IDLE, AGAIN, UNPROVEN = "wider", "idle", "again", "unproven"

Window = tuple[Number, Number]


class TooMany(Exception):
    pass


class _Searches:
    """The search that an answer is handed: it keeps what it was asked, and what is known of the root since then."""

    def __init__(self) -> None:
        self.windows: list[Window] = []
        self.kinds: list[Any] = []  # of the first its window; of the others whether they could tell anything new
        self.known: Window = -inf, inf  # the value lies between these
        self.asked: Window = -inf, inf  # the same, if of a value beyond a bound only that is kept: as of fail-hard

    def __call__(self, node: Any, alpha: Any, beta: Any) -> Number:
        low, high = plain(alpha), plain(beta)
        if low is None or high is None or low >= high:
            raise ValueError(f"the window ({brief(alpha)}, {brief(beta)}) holds nothing; expected two numbers, α < β")
        if len(self.windows) == MOST_SEARCHES:
            raise TooMany(f"search was called more than {MOST_SEARCHES} times")
        self._note((low, high))
        self.windows.append((low, high))
        value: Number = SEARCH(node, low, high)
        self.known = _narrower(self.known, value, low, high)
        self.asked = _narrower(self.asked, min(max(value, low), high), low, high)
        return value

    def _note(self, window: Window) -> None:
        kind = self._kind(window)
        sure = self.proven and isinf(self.known[0])  # ±∞ is the value, wherever the bound was: to go on or not is right
        again = self.kinds[-1:] == [kind]  # widened bit by bit, or all at once: both are right
        if not sure and not again:
            self.kinds.append(kind)

    def _kind(self, window: Window) -> Any:
        if not self.windows:
            return window
        if window == self.windows[-1]:
            return AGAIN
        (least, most), (low, high) = self.asked, window
        return WIDER if not self.proven and low < most and high > least else IDLE

    @property
    def proven(self) -> bool:
        return self.known[0] == self.known[1]


_Searches.__call__.__qualname__ = "search"  # as errors in somebody's function name it


def _narrower(known: Window, value: Number, low: Number, high: Number) -> Window:
    """What is known after a search: a value on a bound, or beyond it, says nothing of what lies on that side."""
    least, most = known
    return max(least, value) if value > low else least, min(most, value) if value < high else most


def aspired(function: Callable[..., Any], tree: Tree, guess: Number, delta: Number) -> Behaviour:
    """What it returns, and how it searches: its first window, whether later ones could tell more, and whether the
    value was proven in the end."""
    search = _Searches()
    run = observe(lambda root: function(root, search, guess, delta), tree)
    ends = () if search.proven or run.value is None else (UNPROVEN,)
    return replace(run, leaves=(*search.kinds, *ends), details=tuple(search.windows))


def searches(tree: Tree, run: Behaviour) -> str:
    windows = ", ".join(f"({number(low)}, {number(high)})" for low, high in run.details) or "no window"
    return f"searches with {windows}" + (", and then does not know the value" if UNPROVEN in run.leaves else "")


def guessed(guess: Number, delta: Number, dressed: Callable[[Tree], Tree] | None = None) -> Case:
    told = f" with guess = {number(guess)} and delta = {number(delta)}"
    return Case((guess, delta), told, dressed) if dressed else Case((guess, delta), told)


def aspiration_with(
    first: Callable[[Number, Number], Window] = lambda guess, delta: (guess - delta, guess + delta),
    low: Callable[[Number, Number], bool] = lambda value, alpha: value <= alpha,
    high: Callable[[Number, Number], bool] = lambda value, beta: value >= beta,
    below: Callable[[Number, Number], Window] = lambda alpha, beta: (-inf, beta),
    above: Callable[[Number, Number], Window] = lambda alpha, beta: (alpha, inf),
    inside: Callable[[Any, Number], Number] = lambda again, value: value,  # what it does with a value in the window
) -> Callable[..., Any]:
    """Aspiration with one search again at the most, but for what is told."""

    def aspiration(root: Any, search: Any, guess: Number, delta: Number) -> Number:
        alpha, beta = first(guess, delta)
        value: Number = search(root, alpha, beta)
        if low(value, alpha):
            return search(root, *below(alpha, beta))  # type: ignore[no-any-return]
        if high(value, beta):
            return search(root, *above(alpha, beta))  # type: ignore[no-any-return]
        return inside(lambda: search(root, -inf, inf), value)

    return aspiration


def never(value: Number, bound: Number) -> bool:
    return False


def until_inside(root: Any, search: Any, guess: Number, delta: Number) -> Number:
    """Wider and wider, until the value lies between the bounds: which a value of ∞ never does."""
    alpha, beta = guess - delta, guess + delta
    while True:
        value: Number = search(root, alpha, beta)
        if alpha < value < beta:
            return value
        delta *= 2
        alpha, beta = (guess - delta, beta) if value <= alpha else (alpha, guess + delta)


ASPIRATION = Exercise(
    "aspiration",
    aspiration_with(),
    (guessed(0, 2), guessed(3, 1), guessed(0, 2, with_wins)),
    (
        Mistake(
            "no second search",
            "it returns what the first search returns, also where that is only a bound",
            "The window was (1, 3) and the search returned 5. What do you know of the value?",
            aspiration_with(low=never, high=never),
        ),
        Mistake(
            "a bound taken for the value",
            "a value equal to a bound of the window is taken for the value of the root",
            "The window was (1, 3) and the search returned 3. Which values may the root have?",
            aspiration_with(low=lambda value, alpha: value < alpha, high=lambda value, beta: value > beta),
        ),
        Mistake(
            "fails low unseen",
            "it searches again where the value is too high for the window, and not where it is too low",
            "A guess may be wrong on two sides. Try one that is far too high.",
            aspiration_with(low=never),
        ),
        Mistake(
            "fails high unseen",
            "it searches again where the value is too low for the window, and not where it is too high",
            "A guess may be wrong on two sides. Try one that is far too low.",
            aspiration_with(high=never),
        ),
        Mistake(
            "the wrong side opened",
            "where the value is below the window it is opened above, and the other way round",
            "The window was (1, 3) and the search returned 0. On which side of the window is the value?",
            aspiration_with(below=lambda alpha, beta: (alpha, inf), above=lambda alpha, beta: (-inf, beta)),
        ),
        Mistake(
            "the same window again",
            "it searches again with the window it had",
            "What should the second search be able to find that the first could not?",
            aspiration_with(below=lambda alpha, beta: (alpha, beta), above=lambda alpha, beta: (alpha, beta)),
        ),
        Mistake(
            "widened once",
            "it makes the window wider once, and returns what comes back without looking where it lies",
            "How do you know that the second window was wide enough?",
            aspiration_with(
                below=lambda alpha, beta: (2 * alpha - beta, beta), above=lambda alpha, beta: (alpha, 2 * beta - alpha)
            ),
        ),
        Mistake(
            "endless at a win",
            "it widens the window until the value lies inside, which ±∞ never does",
            "What if the value is ∞? Between which two numbers does it lie?",
            until_inside,
        ),
        Mistake(
            "the full window at once",
            "the first search has the full window, so nothing is saved by the guess",
            "What is the guess for, and where does your first search make use of it?",
            aspiration_with(first=lambda guess, delta: (-inf, inf)),
        ),
        Mistake(
            "the full window always",
            "it searches again with the full window even where the first search has found the value",
            "The window was (1, 3) and the search returned 2. What is still to be found out?",
            aspiration_with(inside=lambda again, value: again()),
        ),
        Mistake(
            "the guess for an end of the window",
            "the first window reaches from the guess up, and not to both sides of it",
            "The value may be a little less than the guess, too. Is that in your window?",
            aspiration_with(first=lambda guess, delta: (guess, guess + delta)),
        ),
    ),
    (
        "A search with the window (α, β) can end in three ways. Write down what you know after each.",
        "A value on the bound is not inside: what does a search that returns exactly β promise?",
        "Where the first search has told you that the value is at most α, what has the next one to leave open?",
        "The last window has to hold every value that is left, ±∞ included. Must it be a loop?",
    ),
    stubs.ASPIRATION,
    small=smallest_trees,
    run=aspired,
    done=searches,
    expected="a function f(root, search, guess, delta)",
)
