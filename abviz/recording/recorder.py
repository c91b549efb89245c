"""A student's own function, run on a tree and turned into a Trace: what was written down of the run, read as events."""

from collections.abc import Callable
from numbers import Real
from typing import Any

from abviz.errors import AbvizError, brief
from abviz.recording.calling import FULL, Window, check_window, handed_on, name_of
from abviz.recording.naming import Names
from abviz.recording.retelling import Reader
from abviz.recording.source import Source
from abviz.recording.watching import Log
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Tree

CALLS_A_NODE, FEWEST_CALLS, MOST_CALLS = 50, 5_000, 100_000  # without an end; a search that deepens needs some 20
MOST_SECONDS = 5.0
DAY = 24 * 60 * 60.0


def record(
    function: Callable[..., Any],
    tree: Tree,
    *,
    alpha: str | None = None,
    beta: str | None = None,
    best: str | None = None,
    window: Window = FULL,
    calls: int | None = None,
    seconds: float = MOST_SECONDS,
) -> Trace:
    """Run the function on the tree once and keep what it did.

    It is called as f(root), or as f(root, α, β) if it has parameters for a window, or makes two of its *args: with
    (−∞, ∞), or what is told. Its variables for those and the best value are found by their usual names, or told by
    keyword. Every view works on the trace; `trace.problem` says what went wrong, if anything: an exception, or `calls`
    (unless told, 50 for each node, but 5,000 to 100,000; it may look at nodes four times as often) or `seconds` used
    up.
    """
    if not isinstance(tree, Tree):
        raise AbvizError(f"asked to record on {brief(tree)}; expected a Tree: load(name), or Tree(nested lists)")
    if any(map(tree.folded, tree.nodes)):
        expected = "expected one with every node: game_tree(position, depth, fold=False)"
        raise AbvizError(f"asked to record on a tree of which the cut parts are folded; {expected}")
    if calls is None:
        calls = min(max(FEWEST_CALLS, CALLS_A_NODE * len(tree.nodes)), MOST_CALLS)
    _check(calls, seconds, alpha=alpha, beta=beta, best=best)
    window = check_window(window)
    bounds = handed_on(function, alpha, beta, window)
    names = Names(alpha, beta, best, bool(bounds))
    log = Log(tree, calls, float(seconds))
    problem = log.run(function, bounds, names)
    name = name_of(function)
    strange = names.unknown()
    if strange and not problem:
        raise AbvizError(f"{name} has no variable {brief(strange)}; expected the name of one")
    return Recording(log, names, window, {"name": name, "problem": problem, "returned": log.returned, "more": log.more})


class Recording(Trace):
    """What was written down of a run. It is read when somebody first asks what happened: recording is quick."""

    def __init__(self, log: Log, names: Names, window: Window, options: dict[str, Any]):
        super().__init__(log.tree, (), search=RECORDED, rules=Rules(), options=options)
        del self.events, self.options
        self._unread = log, names, window, options

    def __getattr__(self, name: str) -> Any:
        if name not in ("events", "options") or "_unread" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        log, names, window, options = self._unread
        reader = Reader(log, names)
        self.events = tuple(reader.events())
        self.options = options | _told(reader, window)
        del self._unread
        return getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        return {"events": self.events, **self.__dict__}  # the log cannot be pickled


def _told(reader: Reader, window: Window) -> dict[str, Any]:
    """What is known of the run beside its events."""
    if not reader.tree.root.is_max and reader.entries and reader.entries[0][-1] in reader.movers:
        window = -window[1], -window[0]  # from MAX's side, as all that is told
    told: dict[str, Any] = {"source": Source(reader.searches, reader.places), "window": window}
    if reader.keeps_a_stack:
        told["keeps_a_stack"] = True
    if uncalled := {node.name for nodes in reader.spans.begin.values() for node in nodes}:
        told["uncalled"] = uncalled
    if reader.nothing is not None:
        told["nothing"] = reader.nothing.name
    return told


def _check(calls: Any, seconds: Any, **variables: Any) -> None:
    if isinstance(calls, bool) or not hasattr(calls, "__index__") or calls.__index__() < 1:
        raise AbvizError(f"calls is {brief(calls)}; expected a whole number from 1 on")
    if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 < float(seconds) <= DAY:
        raise AbvizError(f"seconds is {brief(seconds)}; expected a number above 0, at most {DAY:,.0f}")
    for which, name in variables.items():
        if name is not None and not (isinstance(name, str) and name.isidentifier()):
            raise AbvizError(f"{which} is {brief(name)}; expected the name of a variable")
