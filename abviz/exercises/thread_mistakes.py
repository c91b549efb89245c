"""Known mistakes with threads, each with its name, and how it is seen in what an answer did."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from abviz.errors import Number
from abviz.exercises.interleaving import first_best
from abviz.exercises.steps import Call
from abviz.exercises.trials import Tried, best_known, complaint, handed_alpha, same, too_wide, value_of


@dataclass(frozen=True)
class Fault:
    """A known mistake: how it is seen. The hint does not give the answer away."""

    name: str
    says: str
    hint: str
    seen: Callable[[Sequence[Tried]], bool]


def always(rule: Callable[[Tried, list[Number]], bool]) -> Callable[[Sequence[Tried]], bool]:
    """In every rehearsal, but for those in which a thread is stopped in the middle."""

    def seen(tried: Sequence[Tried]) -> bool:
        plain = [(each, each.returned) for each in tried if not each.case.paused]
        return all(returned is not None and rule(each, returned) for each, returned in plain)

    return seen


def ever(rule: Callable[[Tried], bool]) -> Callable[[Sequence[Tried]], bool]:
    return lambda tried: any(map(rule, tried))


def takes(choose: Callable[[Tried, list[Number]], int]) -> Callable[[Sequence[Tried]], bool]:
    """Whether it always returns the move chosen so, with its value."""

    def rule(each: Tried, returned: list[Number]) -> bool:
        if len(each.run.ended) < len(returned):  # it was looked at before all threads had ended
            return False
        move = choose(each, returned)
        return each.says(move, returned[move])

    return always(rule)


def _tied(each: Tried, returned: list[Number]) -> list[int]:
    """The best moves, in the order in which they ended."""
    best = returned[first_best(returned, each.is_max)]
    return [move for move in each.run.ended if returned[move] == best]


def _in_order_of_ending(each: Tried, returned: list[Number]) -> bool:
    values = [returned[move] for move in each.run.ended]
    place = first_best(values, each.is_max)
    return each.says(place, values[place])


def _same_for_all(each: Tried) -> bool:
    searched = [call.move for call in each.run.calls]
    return len(set(searched)) < len(each.case.values) <= len(searched)


def _searched_again(each: Tried) -> bool:
    searched = [call.move for call in each.run.calls]
    return len(set(searched)) == len(each.case.values) < len(searched)


def _only_when_paused(tried: Sequence[Tried]) -> bool:
    return not any(complaint(each) for each in tried if not each.case.paused)


def _with_known(tried: Sequence[Tried]) -> list[tuple[Tried, Call]]:
    return [(each, call) for each in tried for call in each.run.calls if call.known and call.window]


def _never_narrows(tried: Sequence[Tried]) -> bool:
    calls = _with_known(tried)
    widest = min((handed_alpha(each, call) for each, call in calls), default=0)
    return bool(calls) and all(handed_alpha(each, call) == widest for each, call in calls) and widest < -100


def _lowered(tried: Sequence[Tried]) -> bool:
    """α was, each time, what the last that had ended made of it."""
    calls = _with_known([each for each in tried if not each.case.paused])

    def last(each: Tried, call: Call) -> Number:
        value = value_of(each, call.known[-1])
        return value if each.is_max else -value

    return bool(calls) and all(0 <= last(each, call) - handed_alpha(each, call) <= 1 for each, call in calls)


def _no_room_for_ties(tried: Sequence[Tried]) -> bool:
    """α was as high as the value of a move further on."""
    for each, call in _with_known(tried):
        move = best_known(each, call)
        best = value_of(each, move)
        if move > call.move and handed_alpha(each, call) == (best if each.is_max else -best):
            return not any(too_wide(each, call) for each in tried for call in each.run.calls)
    return False


def _shaped(shape: Callable[[Tried, int, Number], object]) -> Callable[[Sequence[Tried]], bool]:
    """Whether the answer is, each time, the best move and its value in another form: shape(case, its index, value)."""

    def rule(each: Tried, returned: list[Number]) -> bool:
        best = first_best(returned, each.is_max)
        return same(each.run.answer, shape(each, best, returned[best]))

    return always(rule)


def _name(each: Tried, move: int) -> str:
    return each.case.tree.root.children[move].name


def _beta_forgotten(tried: Sequence[Tried]) -> bool:
    """Where MAX is to move α is handed on, and where MIN is, β never."""
    calls = _with_known(tried)
    of_max = [call.window[0] for each, call in calls if each.is_max]
    of_min = [call.window[1] for each, call in calls if not each.is_max]
    return bool(of_max and of_min) and max(of_max) > -inf and min(of_min) == inf


STRUCTURE = (
    Fault(
        "no join",
        "it does not wait for its threads",
        "A thread that has been started runs on by itself. When do you know that it has ended?",
        ever(lambda each: each.run.early),
    ),
    Fault(
        "no threads",
        "it starts no thread: the function makes all searches itself, one after the other",
        "A Thread is given a function as its target, and its arguments as args: which function would search one child?",
        lambda tried: all(each.run.threads == 0 for each in tried) and any(each.run.calls for each in tried),
    ),
    Fault(
        "called, not handed over",
        "the searches are made by the thread that called the function, and the threads are left with nothing to do",
        "Look at what a thread is handed as its target: a function, or what a function has already returned?",
        ever(lambda each: any(not call.threaded for call in each.run.calls)),
    ),
    Fault(
        "same variable for all threads",
        "all threads read one variable, which has changed by the time that they run",
        "Say what your loop's variable holds when the loop has ended, and when a thread first reads it.",
        ever(_same_for_all),
    ),
    Fault(
        "a move searched again",
        "a move is searched a second time, when its value has been found already",
        "Where could a thread leave the value of its move, so that nobody has to ask again?",
        ever(_searched_again),
    ),
    Fault(
        "one after the other",
        "a thread is only started, or let in, when the one before it has ended",
        "How many of your threads are under way while the first one searches?",
        lambda tried: not any(each.run.problem or not each.run.calls or each.run.at_once > 1 for each in tried),
    ),
)

CHOICE = (
    Fault(
        "MAX assumed at the root",
        "it takes the largest value at the root, whoever is to move",
        "Who moves at the root, and how does the root say so?",
        takes(lambda each, returned: returned.index(max(returned))),
    ),
    Fault(
        "MAX and MIN swapped",
        "it takes the smallest value for MAX and the largest for MIN",
        "Which value does MAX want?",
        takes(lambda each, returned: first_best(returned, not each.is_max)),
    ),
    Fault(
        "last one to finish wins",
        "it returns what the last thread to end has found",
        "What happens to the result of a thread when another one ends?",
        takes(lambda each, returned: each.run.ended[-1]),
    ),
    Fault(
        "first one to finish wins",
        "it returns what the first thread to end has found",
        "What if a thread that ends later has found something better?",
        takes(lambda each, returned: each.run.ended[0]),
    ),
    Fault(
        "results in the order of finishing",
        "the results stand in the order in which the threads ended, and not in the order of the moves",
        "Which move does the first of your results belong to, if the last thread ends first?",
        always(_in_order_of_ending),
    ),
    Fault(
        "tie decided by who finished first",
        "of equally good moves it takes the one whose thread ended first",
        "Two moves are equally good: which one does the sequential search return, and what decides it in yours?",
        takes(lambda each, returned: _tied(each, returned)[0]),
    ),
    Fault(
        "tie decided by who finished last",
        "of equally good moves it takes the one whose thread ended last",
        "Two moves are equally good: which one does the sequential search return, and what decides it in yours?",
        takes(lambda each, returned: _tied(each, returned)[-1]),
    ),
    Fault(
        "tie to the last move",
        "of equally good moves it takes the last",
        "Two moves are equally good: which one does the sequential search return?",
        takes(lambda each, returned: max(_tied(each, returned))),
    ),
)

FORM = (
    Fault(
        "value and name exchanged",
        "it returns the value first, and then the name",
        "Read once more in which order the two are asked for.",
        _shaped(lambda each, move, value: (value, _name(each, move))),
    ),
    Fault(
        "an index for the name",
        "it returns the index of the best child in place of its name",
        "What does a child of the root have beside its place in the list?",
        _shaped(lambda each, move, value: (move, value)),
    ),
    Fault(
        "the child for its name",
        "it returns the best child itself in place of its name",
        "What does a child of the root have that can be printed and told?",
        _shaped(lambda each, move, value: (each.case.tree.root.children[move], value)),
    ),
    Fault(
        "one of the two is missing",
        "it returns only the name or only the value of the best child",
        "Two things are asked for: which child is best, and what it is worth.",
        lambda tried: (
            _shaped(lambda each, move, value: value)(tried)
            or _shaped(lambda each, move, value: _name(each, move))(tried)
        ),
    ),
)

LOST = Fault(
    "an update is lost",
    "a thread compares, and another one writes before the first has written",
    "Between reading a shared variable and writing it another thread may have its turn. What keeps it out?",
    _only_when_paused,
)

SHARING = (
    Fault(
        "a thread for each move",
        "more searches are under way than there are workers",
        "A task that starts at once, together with all others, has nothing to learn from. How many may run together?",
        ever(lambda each: each.run.at_once > each.case.workers),
    ),
    Fault(
        "full window for every move",
        "no move learns anything from those that have ended",
        "When is your α read: when a task is handed out, or when it begins? And who raises it?",
        _never_narrows,
    ),
    Fault(
        "α lowered again",
        "the last search to end decides what α is, even if a better value was known",
        "What should become of α when a move turns out worse than the best so far?",
        _lowered,
    ),
    Fault(
        "no room for a tie",
        "a move is searched with an α that is the value of a later move, so it cannot be seen to be as good",
        "A search returns α itself. Is the move worth that much, or at most that much?",
        _no_room_for_ties,
    ),
)

FORGOTTEN = Fault(
    "β forgotten where MIN is to move",
    "MIN's moves are all searched with β = ∞",
    "With MIN to move at the root: must the next move exceed the best so far, or stay below it? Which bound says so?",
    _beta_forgotten,
)
