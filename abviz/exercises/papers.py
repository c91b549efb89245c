"""The exercises on paper: values, skipped leaves, bounds, cuts and what a search proves, read off a tree.

Each is a row of PAPERS: a tree, a question and a form, which is marked entry by entry. `fill` completes the form for
any tree, `reason` explains a wrong entry, and a misreading is `fill` with other options.
"""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf
from typing import Any, Self

from abviz.errors import AbvizError, Number, brief, number, plain, quoted
from abviz.exercises.constructions import CONSTRUCTIONS
from abviz.exercises.exercise import DataExercise, Mistake, texts
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, svg_image, written
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import player
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

Place = tuple[str, ...]  # ("I", "alpha") for answer["I"]["alpha"]
Filled = Mapping[Place, Any]  # the entry at each place; None where there is none
Reason = tuple[str, dict[str, str]]  # the name of a reason in papers.yaml, and its blanks

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


def parse_number(tree: Tree | None, entry: Any) -> Number:
    try:
        value = INFINITIES.get(entry.strip()) if isinstance(entry, str) else plain(entry)
    except OverflowError:
        value = None
    if value is None:
        raise AbvizError(f'is {brief(entry)}; expected a number, or float("inf") or -float("inf")')
    return value


@dataclass(frozen=True, eq=False, repr=False)
class PaperExercise(DataExercise):
    """An exercise whose answer is a form, a dictionary; `print(exercise.stub)` shows an empty one."""

    name: str
    make: Callable[[], Tree]
    fill: Callable[..., Filled]  # of a tree: the right entries; an entry comes after those that it follows from
    reason: Callable[[Tree, Place, Any], Reason]  # helps with a wrong entry, without giving the right one away
    misreadings: Mapping[str, dict[str, Any]]  # name -> the options with which `fill` makes that mistake
    parse: Callable[[Tree, Any], Any] = parse_number  # makes a value of an entry, or raises AbvizError("is …")
    default: tuple[Any, ...] = ()  # entries that earn nothing where they are right, such as "no cut"
    blanks: Callable[[Tree], dict[str, str]] = field(default=lambda tree: {})  # of the question
    tolerance: float = 0  # of numbers

    def on(self, tree: Tree) -> Self:
        """Return the same exercise on another tree; raise AbvizError for a tree on which it cannot be asked."""
        for leaf in tree.leaves():
            if leaf.value is None:
                raise AbvizError(f"the value of leaf {quoted(leaf.name)} is not known; expected a number there")
        self.fill(tree)  # raises AbvizError where, say, nothing is cut
        return replace(self, make=lambda: tree)

    @cached_property
    def tree(self) -> Tree:
        return self.make()

    @cached_property
    def right(self) -> Filled:
        return self.fill(self.tree)

    @property
    def text(self) -> str:
        return super().text.format(how=texts()["how"], **self.blanks(self.tree))

    @property
    def form(self) -> dict[str, Any]:
        """Return an empty form."""
        form: dict[str, Any] = {}
        for first, *second in self.right:
            form[first] = form.get(first, {}) | {second[0]: None} if second else None
        return form

    @property
    def stub(self) -> str:
        rows = "".join(f"    {_in_python({key: entry})},\n" for key, entry in self.form.items())
        return f"{self.name.replace('-', '_')} = {{\n{rows}}}"

    def mark(self, answer: Any) -> Verdict:
        entries = self._entries(answer)
        if all(entry is None for entry in entries.values()):
            return self.verdict(NOT_YET, f"Nothing is filled in yet. {self.hints[0]}")
        filled, refused = dict[Place, Any](), dict[Place, str]()
        for place, entry in entries.items():
            try:
                filled[place] = None if entry is None else self.parse(self.tree, entry)
            except AbvizError as error:
                filled[place], refused[place] = None, f"{error}."
        wrong = self._differing(filled, self.right)
        # A default earns nothing where it is right; all those left open together cost a point.
        is_open = [filled[place] is None and self.right[place] in self.default for place in self.right]
        earning = [place for place, right in self.right.items() if place in wrong or right not in self.default]
        total = len(earning) - sum(is_open) + any(is_open)
        points = len(earning) - len(wrong), total
        if not wrong:
            return self.verdict(RIGHT, f"All {total} points.", points=points)
        first = wrong[0]
        message = " of ".join(reversed(first))
        if filled[first] is None:
            message += f" {refused.get(first, 'is not filled in yet.')}"
        else:
            case, blanks = self.reason(self.tree, first, filled[first])
            message += f" is not {_shown(filled[first])}. {self.texts['reasons'][case].format(**blanks)}"
        message += f" {points[0]} of {points[1]} points."
        forms = {name: self.fill(self.tree, **options) for name, options in self.misreadings.items()}
        misread = next((name for name, form in forms.items() if not self._differing(filled, form)), None)
        mistakes = [Mistake(misread, **self.texts["misreadings"][misread])] if misread else []
        return self.verdict(WRONG, message, mistakes, tree=self.tree, points=points)

    def _differing(self, filled: Filled, other: Filled) -> list[Place]:
        def is_near(entry: Any, right: Any) -> bool:
            return self.tolerance > 0 and entry is not None and abs(entry - right) <= self.tolerance

        return [place for place, right in other.items() if filled[place] != right and not is_near(filled[place], right)]

    def _entries(self, answer: Any) -> dict[Place, Any]:
        """Return the entry at each place, None for an open one; raise AbvizError for another kind of answer."""
        form = self.form
        expected = f"expected a dictionary: {{{_in_python(dict(list(form.items())[:1]))}, …}}"
        if not isinstance(answer, Mapping):
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")
        entries = dict[Place, Any].fromkeys(self.right)
        for key, row in answer.items():
            if key not in form:
                raise AbvizError(f"The answer has {brief(key)}, which is not asked for; {expected}")
            if form[key] is None:
                entries[key,] = None if _is_open(row) else row
            elif isinstance(row, Mapping) and row.keys() <= form[key].keys():
                entries |= {(key, part): None if _is_open(entry) else entry for part, entry in row.items()}
            elif not _is_open(row):
                raise AbvizError(f"{key} is {brief(row)}; {expected}")
        return entries

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.views.drawing import draw

        text = f"<p><strong>{html.escape(self.name)}</strong> {html.escape(self.text)}</p>"
        picture = svg_image(draw(self.tree).pipe("svg", encoding="utf-8"), written(self.tree))
        return {"text/plain": repr(self), "text/html": f"{text}\n{picture}\n<pre>{html.escape(self.stub)}</pre>"}


def _is_open(entry: Any) -> bool:
    """Return whether nothing is written, or `...` is left in a list."""
    return entry is None or entry is ... or (isinstance(entry, list | tuple) and any(each is ... for each in entry))


def _in_python(row: Mapping[str, Any]) -> str:
    """Return a row of the form without its braces."""
    return json.dumps(row, ensure_ascii=False).replace(": null", ": None")[1:-1]


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(map(quoted, sorted(value))) or "empty"
    return value if isinstance(value, str) else number(value)


# the trees

# It holds every kind of cut, a tie, and a cutoff on a last child.
TREE = {
    "B": {"D": 5, "E": {"I": 9, "J": {"O": 9, "P": 10}}, "F": {"K": {"Q": 7, "R": 5}, "L": {"S": 11, "T": 12}}},
    "C": {"G": 8, "H": {"M": {"U": 11, "V": 3}, "N": {"W": 5, "X": 8}}},
}
paper_tree = partial(Tree, TREE, root="A", title="A tree to read")
textbook_tree = partial(load, "figure-4.24")


def inner(node: Node) -> list[Node]:
    """Return the inner nodes from there down, children before their parents."""
    return [*(each for child in node.children for each in inner(child)), node] if node.children else []


# values up a tree


def minimax_values(tree: Tree, swapped: bool = False) -> dict[str, Any]:
    """Return the value of every node by name; `swapped` lets each player choose for the other."""
    values: dict[str, Any] = {}
    for node in reversed(tree.nodes):  # children come after their parents
        choose = max if node.is_max != swapped else min
        values[node.name] = choose(values[each.name] for each in node.children) if node.children else node.value
    return values


def fill_values(tree: Tree, swapped: bool = False) -> Filled:
    values = minimax_values(tree, swapped)
    return {(node.name,): values[node.name] for node in inner(tree.root)}


def why_value(tree: Tree, place: Place, entry: Any) -> Reason:
    node, values = tree[place[0]], minimax_values(tree)
    below = ", ".join(number(values[child.name]) for child in node.children)
    return "value", {"node": node.name, "player": player(node), "below": below}


# skipped leaves

ROWS = {"equal": Rules(), "beyond": Rules(strict=True), "right to left": Rules(right_to_left=True)}


def fill_skipped(tree: Tree, strict: bool = False, read: bool = False) -> Filled:
    """Return the leaves skipped in each row; `strict` never cuts on equality, `read` lists the others."""
    filled: dict[Place, frozenset[str]] = {}
    for row, rules in ROWS.items():
        leaves = frozenset(trace(tree, rules=replace(rules, strict=rules.strict or strict)).leaves)
        filled[row,] = leaves if read else frozenset(leaf.name for leaf in tree.leaves()) - leaves
    return filled


def why_skipped(tree: Tree, place: Place, entry: Any) -> Reason:
    """Return where to look for the first leaf that is wrong: at the node that cuts, or at its parent."""
    run = trace(tree, rules=ROWS[place[0]])
    leaf = next(leaf for leaf in tree.leaves() if (leaf.name in entry) == (leaf.name in run.leaves))
    path = {node.name for node in tree.path(leaf)}
    cut = next((cut for cut in run.cuts if path.intersection(cut.skipped)), None)
    node = tree[cut.at] if cut else tree.path(leaf)[-2]
    return "look", {"node": node.name, "bound": "β" if node.is_max else "α"}


def parse_leaves(tree: Tree, entry: Any) -> frozenset[str]:
    expected = "expected a list of names of leaves"
    if not isinstance(entry, list | tuple | set | frozenset):
        raise AbvizError(f"is {brief(entry)}; {expected}")
    for name in entry:
        if not isinstance(name, str) or name not in tree or tree[name].children:
            raise AbvizError(f"has {brief(name)}, which is no leaf; {expected}")
    return frozenset(entry)


# bounds on the path

MARKS = ("bv", "alpha", "beta")


def moment(tree: Tree) -> tuple[Trace, Cut, Node]:
    """Return the search, its deepest cut and the child that has returned last before it."""
    run = trace(tree)
    if not run.cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    cut = max(run.cuts, key=lambda cut: len(tree.path(tree[cut.at])))
    updated = next(step for step in range(cut.step, 0, -1) if run.events_at(step)[0].kind == "bv")
    return run, cut, run.where(updated - 1)


def fill_bounds(tree: Tree, marks: tuple[str, ...] = MARKS) -> Filled:
    """Return bv, α and β of the nodes from the root down to the one that cuts."""
    run, cut, _ = moment(tree)
    states = {node.name: run.node_at(node, cut.step - 1) for node in tree.path(tree[cut.at])}
    return {
        (name, mark): getattr(state, source)
        for name, state in states.items()
        for mark, source in zip(MARKS, marks, strict=True)
    }


def why_bound(tree: Tree, place: Place, entry: Any) -> Reason:
    name, mark = place
    node, (run, cut, _) = tree[name], moment(tree)
    parent = tree.parent(node)
    if mark != "bv":
        sign, mover = ("α", "MAX") if mark == "alpha" else ("β", "MIN")
        blanks = {"node": name, "sign": sign, "player": mover}
        return ("copy", blanks | {"parent": quoted(parent.name)}) if parent else ("root", blanks)
    back = [quoted(child.name) for child in node.children if run.node_at(child, cut.step - 1).state == "done"]
    blanks = {"node": name, "player": player(node), "children": " and ".join(back)}
    return "bv" if back else "first bv", blanks


def moment_in_words(tree: Tree) -> dict[str, str]:
    _, cut, child = moment(tree)
    return {"child": quoted(child.name), "node": quoted(cut.at)}


# names of cuts

NO_CUT = "no cut"
CUT_WORDS = {"alpha": "alpha", "beta": "beta", "α": "alpha", "β": "beta", "no": NO_CUT, "none": NO_CUT}
COLUMNS = ("by bound", "by node")


def fill_cuts(tree: Tree, columns: tuple[str, ...] = COLUMNS, last_children: bool = False) -> Filled:
    """Return both names of each cut; `last_children` also names a cutoff that skips nothing."""
    run = trace(tree)
    cutting = {cut.at for cut in run.cuts}
    if last_children:
        cutting = {event.node.name for event in run.events if event.kind == "exit" and run.reached(event)}
    return {
        (node.name, column): name if node.name in cutting else NO_CUT
        for node in inner(tree.root)
        for column, name in zip(columns, ("beta", "alpha") if node.is_max else ("alpha", "beta"), strict=True)
    }


def why_cut(tree: Tree, place: Place, entry: Any) -> Reason:
    name, column = place
    node, run = tree[name], trace(tree)
    cut = next((cut for cut in run.cuts if cut.at == name), None)
    if cut:
        return column, {"node": name, "player": player(node)}
    end = next((event for event in run.events if event.kind == "exit" and event.node is node), None)
    case = "skipped" if end is None else "last child" if run.reached(end) else "no cut"
    return case, {"node": name}


def parse_cut(tree: Tree, entry: Any) -> str:
    word = entry.strip().lower().removesuffix("cut").rstrip(" -") if isinstance(entry, str) else None
    if word not in CUT_WORDS:
        raise AbvizError(f'is {brief(entry)}; expected "alpha", "beta" or "no cut"')
    return CUT_WORDS[word]


# intervals proven when the search ends


def fill_proven(tree: Tree, exact: bool = False) -> Filled:
    """Return what is proven of each node; `exact` takes what a node returned for its value."""
    run = trace(tree)
    ends = {node.name: run.node_at(node, len(run)) for node in inner(tree.root)}
    return {
        (name, side): end.value if exact and end.value is not None else getattr(end, side)
        for name, end in ends.items()
        for side in ("low", "high")
    }


def why_proven(tree: Tree, place: Place, entry: Any) -> Reason:
    node = tree[place[0]]
    choice, end = "largest" if node.is_max else "smallest", "least" if place[1] == "low" else "most"
    return "proven", {"node": node.name, "player": player(node), "choice": choice, "end": end}


# when does a cut disappear?


def last_leaves(run: Trace) -> dict[str, Cut]:
    """Return the last leaf read before each cut that comes with the value of that leaf, and the cut."""
    cuts: dict[str, Cut] = {}
    for cut in run.cuts:
        cuts.setdefault(run.leaves[run.leaves_at(cut.step)[0] - 1], cut)
    return {leaf: cut for leaf, cut in cuts.items() if cut.witness is not None}


def fill_thresholds(tree: Tree, strict: bool = False) -> Filled:
    """Return the last value of each leaf with which there is a cut: the bound; `strict` steps just beyond it.

    From the leaf up to the node that cuts, each one is a last child, so the leaf's value alone decides.
    """
    cuts = last_leaves(trace(tree))
    if not cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    ends = {leaf: (cut.beta, 1) if tree[cut.at].is_max else (cut.alpha, -1) for leaf, cut in cuts.items()}
    return {(leaf,): (bound or 0) + step * strict for leaf, (bound, step) in ends.items()}


def why_threshold(tree: Tree, place: Place, entry: Any) -> Reason:
    node = tree[last_leaves(trace(tree))[place[0]].at]
    return "value", {"leaf": place[0], "node": node.name, "player": player(node)}


def leaves_in_words(tree: Tree) -> dict[str, str]:
    cuts = last_leaves(trace(tree)).items()
    return {"leaves": "; ".join(f"{quoted(leaf)}, after which {quoted(cut.at)} cuts" for leaf, cut in cuts)}


# the table, with the misreadings: the options of `fill` that make each

SKIPPED_WRONGLY = {"> for ≥": {"strict": True}, "the leaves read": {"read": True}}
BOUNDS_SWAPPED = {"alpha and beta swapped": {"marks": ("bv", "beta", "alpha")}}
CUTS_MISNAMED: dict[str, dict[str, Any]] = {
    "alpha and beta swapped": {"columns": COLUMNS[::-1]},
    "cut on the last child": {"last_children": True},
}
TAKEN_FOR_EXACT = {"taken for exact": {"exact": True}}
STRICT = {"> for ≥": {"strict": True}}
PAPERS = (
    PaperExercise("tree-values", textbook_tree, fill_values, why_value, {"MAX and MIN swapped": {"swapped": True}}),
    PaperExercise("skipped-leaves", paper_tree, fill_skipped, why_skipped, SKIPPED_WRONGLY, parse_leaves),
    PaperExercise("path-bounds", paper_tree, fill_bounds, why_bound, BOUNDS_SWAPPED, blanks=moment_in_words),
    PaperExercise("cut-names", paper_tree, fill_cuts, why_cut, CUTS_MISNAMED, parse_cut, default=(NO_CUT,)),
    PaperExercise("proven-values", paper_tree, fill_proven, why_proven, TAKEN_FOR_EXACT, default=(-inf, inf)),
    PaperExercise("cut-thresholds", textbook_tree, fill_thresholds, why_threshold, STRICT, blanks=leaves_in_words),
    *CONSTRUCTIONS,
)
