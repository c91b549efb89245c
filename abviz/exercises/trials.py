"""What an answer did with its threads on one case, and what is to be said of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from abviz.errors import Number, brief, number
from abviz.exercises.interleaving import Case, first_best
from abviz.exercises.steps import BEGIN, GO, PAUSE, Call, Rehearsal, Step
from abviz.tree.model import Node

LONG_STORY = 12  # steps, after which it is cut


@dataclass(frozen=True)
class Tried:
    """A case, and what the answer did with it."""

    case: Case
    run: Rehearsal

    @property
    def is_max(self) -> bool:
        return self.case.tree.root.is_max

    @property
    def returned(self) -> list[Number] | None:
        """What the searches of the moves returned; None unless each was searched."""
        values = {call.move: call.value for call in self.run.calls}
        return [values[move] for move in sorted(values)] if len(values) == len(self.case.values) else None

    def says(self, move: int, value: Number) -> bool:
        return same(self.run.answer, (self.case.tree.root.children[move].name, value))


def complaint(tried: Tried) -> str:
    """What is wrong with a rehearsal; nothing if it is right."""
    run, case = tried.run, tried.case
    names = [child.name for child in case.tree.root.children]
    searched = [call.move for call in run.calls]
    if run.given_up:
        return run.problem
    if run.early:
        return f"{run.problem or f'it answers {brief(run.answer)}'}, before its threads have ended"
    if run.problem:
        return run.problem
    if not all(call.threaded for call in run.calls):
        return "it searches in the thread that called it"
    if sorted(searched) != list(range(len(names))):
        given = ", ".join(names[move] for move in sorted(searched)) or "no move"
        return f"it searches {given}; expected each of {', '.join(names)} once"
    if case.workers and run.at_once > case.workers:
        return f"{run.at_once} searches are under way at once; expected no more than the {case.workers} workers"
    if not same(run.answer, case.expected):
        return f"it returns {brief(run.answer)}; expected {case.expected}"
    for call in run.calls if case.workers else ():
        if too_wide(tried, call):
            names_, bound = names[call.move], "α" if tried.is_max else "β"
            handed, known = call.window[0 if tried.is_max else 1], names[best_known(tried, call)]
            value = number(value_of(tried, best_known(tried, call)))
            return f"{names_} is searched with {bound} = {number(handed)}, although {known} had ended with {value}"
    return ""


def same(answer: Any, expected: Any) -> bool:
    try:
        return bool((tuple(answer) if isinstance(answer, list) else answer) == expected)
    except Exception:  # of an answer that cannot be compared
        return False


def where(tried: Tried) -> str:
    """The tree and the order of events, in words."""
    root = tried.case.tree.root
    values = [f"{child.name} = {_nested(child)}" for child in root.children]
    turn = "MAX" if root.is_max else "MIN"
    told = f"With {', '.join(values)} and {turn} to move"
    story = ", ".join(_story(tried.run.steps, [child.name for child in root.children]))
    return f"{told} ({story})" if story else told


def _story(steps: Sequence[Step], names: list[str]) -> Iterator[str]:
    if len(steps) > LONG_STORY:
        yield from _story(steps[:LONG_STORY], names)
        yield "…"
        return
    words = {BEGIN: ("begins", "begin"), GO: ("ends", "end"), PAUSE: ("stops before it writes",) * 2}
    at = 0
    while at < len(steps):
        who = [names[steps[at].move]]
        what = steps[at].what
        while at + 1 < len(steps) and steps[at + 1].what == what == BEGIN:
            at += 1
            who.append(names[steps[at].move])
        at += 1
        yield f"{_listed(who)} {words[what][len(who) > 1]}"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _nested(node: Node) -> str:
    return f"[{', '.join(map(_nested, node.children))}]" if node.children else number(node.value)


# α, as seen from the player at the root: the more, the better


def handed_alpha(tried: Tried, call: Call) -> Number:
    return call.window[0] if tried.is_max else -call.window[1]


def value_of(tried: Tried, move: int) -> Number:
    return next(call.value for call in tried.run.calls if call.move == move)


def best_known(tried: Tried, call: Call) -> int:
    values = [value_of(tried, move) for move in call.known]
    return call.known[first_best(values, tried.is_max)]


def too_wide(tried: Tried, call: Call) -> bool:
    """Whether a move was searched with less than what was known when its task began; one short of it will do."""
    if not call.known:
        return False
    best = value_of(tried, best_known(tried, call))
    return handed_alpha(tried, call) < (best if tried.is_max else -best) - 1
