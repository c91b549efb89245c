"""What a sheet asks about the search of one tree, and the answers that its key gives."""

from typing import NamedTuple

from abviz.errors import number, short
from abviz.tracing.narration import cut_name, player
from abviz.tracing.traces import Cut, Trace

REST = 0  # the width of a blank that takes what is left of its line


class Blank(NamedTuple):
    """Where the student writes."""

    answer: str
    width: int = REST  # in points


Question = tuple[str | Blank, ...]


def questions(trace: Trace) -> list[Question]:
    tree = trace.tree
    read = set(trace.leaves)
    unread = [leaf.name for leaf in tree.leaves() if leaf.name not in read]
    return [
        ("Write α, β and bv into each node that the search enters, as they stand when it leaves the node.",),
        ("Cross the edge to each child that is skipped, and write beside it which cut it is.",),
        (
            f"Value of {short(tree.root.name)}: ",
            Blank(number(trace.value), 50),
            "  Best move: ",
            Blank(short(trace.best or "none"), 60),
            "  Leaves read: ",
            Blank(str(len(trace.leaves)), 40),
            f" of {len(read) + len(unread)}",
        ),
        ("Leaves never read: ", Blank(_list(unread))),
        ("Each cut: which, where, and whose bound made it: ", Blank(_cuts(trace))),
    ]


def rules_lines(trace: Trace) -> tuple[str, str]:
    return f"Alpha-beta, {player(trace.tree.root)} to move, the full window at the root.", f"Rules: {trace.rules}."


def _list(names: list[str]) -> str:
    return ", ".join(map(short, names)) or "none"


def _cuts(trace: Trace) -> str:
    return "; ".join(_cut(trace, cut) for cut in trace.cuts) or "none"


def _cut(trace: Trace, cut: Cut) -> str:
    setter = short(cut.witness) if cut.witness else "nowhere"
    return f"{cut_name(trace, cut.kind)} at {short(cut.at)} by {setter}{' (deep)' if cut.deep else ''}"
