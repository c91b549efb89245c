"""The exercises on paper: a form that is filled in from a tree, or a tree that is built.

A form is a row of PAPERS: a tree, a question and what is asked of the tree, which is marked entry
by entry. `fill` completes the form for any tree, as it should be or by the misreading of that name.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial, reduce
from math import inf
from operator import getitem
from typing import Any, Self

from abviz.errors import AbvizError, Number, brief, count, number, plain, quoted
from abviz.exercises.exercise import (
    SWITCHES,
    DataExercise,
    Mistake,
    Texts,
    changes_under,
    texts,
    worded,
)
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import Rules, Search, alphabeta, minimax
from abviz.tracing.narration import player
from abviz.tracing.templates import lettered
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

# ("I", "alpha") for answer["I"]["alpha"]
Place = tuple[str, ...]

# Misreadings: a cut only where bv is beyond the bound, or also where it meets it
BEYOND, MEETS = "> for ≥", "≥ for >"

# What is filled in at a place: a number, a name, or names in any order; None where nothing is
Entry = Number | str | frozenset[str] | None
Filled = Mapping[Place, Entry]


@dataclass(frozen=True, eq=False, repr=False)
class PaperExercise(DataExercise):
    """An exercise whose answer is a form, a dictionary; `print(exercise.stub)` shows an empty one.

    Its `reasons` help with a wrong entry, without giving the right one away: by the last part of
    its place, or "any".
    """

    name: str
    make: Callable[[], Tree]

    # Of a tree, and perhaps of a misreading: the entries; one comes after those it follows from
    fill: Callable[..., Filled]

    # Entries that earn no point where they are right, such as "no cut"
    default: tuple[Entry, ...] = ()

    # What is filled into the question, for a tree and the rules
    blanks: Callable[[Tree, Rules], dict[str, str]] = field(default=lambda tree, rules: {})

    rules: Rules = Rules()
    keeps: Sequence[str] = ()

    def on(self, tree: Tree) -> Self:
        """Return the same exercise on another tree.

        Raises AbvizError for a tree on which it cannot be asked.
        """
        on_tree = replace(self, make=lambda: tree)
        on_tree.filled()  # raises AbvizError where, say, nothing is cut
        return on_tree

    @lru_cache  # noqa: B019  # the same exercise each time
    def under(self, rules: Rules) -> Self:
        followed = self.followed(rules)
        return self if followed == self.rules else replace(self, rules=followed)

    def filled(self, misread: str = "") -> Filled:
        """Return the form filled in, as it should be or by a misreading."""
        options: dict[str, object] = {}
        if misread:
            options["misread"] = misread
        if self.rules != Rules():
            options["rules"] = self.rules
        return self.fill(self.tree, **options)

    @cached_property
    def tree(self) -> Tree:
        return self.make()

    @cached_property
    def right(self) -> Filled:
        return self.filled()

    @property
    def most_points(self) -> int:
        """One for each entry that is no default.

        A wrong entry costs a point, also where the default is right.
        """
        return sum(right not in self.default for right in self.right.values())

    @property
    def text(self) -> str:
        text: str = self.texts["text"].replace("{how}", texts()["how"])
        text = worded(text, self.rules)[0].format(**self.blanks(self.tree, self.rules))
        letters = lettered("bv")
        has_other_name = letters != "bv" and any(place[-1] == "bv" for place in self.right)
        return f"{text} The form has {letters} as `bv`." if has_other_name else text

    @property
    def stub(self) -> str:
        form: dict[str, Any] = {}
        for row, *column in self.right:
            if column:
                form.setdefault(row, {})[column[0]] = None
            else:
                form[row] = None

        lines = []
        for row, entry in form.items():
            text = json.dumps({row: entry}, ensure_ascii=False)[1:-1]
            lines.append(f"    {text.replace(': null', ': None')},\n")
        return f"{self.name.replace('-', '_')} = {{\n{''.join(lines)}}}"

    def mark(self, answer: object) -> Verdict:
        entries = self._entries(answer)
        if all(map(is_open, entries.values())):
            return self.verdict(NOT_YET, f"Nothing is filled in yet. {self.hints[0]}")

        filled = {place: _comparable(entry, self.right[place]) for place, entry in entries.items()}
        wrong = self._differing(filled, self.right)
        most = self.most_points
        points = max(0, most - self._lost(filled, wrong)), most
        if not wrong:
            return self.verdict(RIGHT, f"All {most} points.", points=points)

        first = wrong[0]
        why = self._why(first, entries[first], filled[first])
        message = f"{why} {points[0]} of {most} points."
        mistakes = self._misreadings(filled, wrong)
        return self.verdict(WRONG, message, mistakes, tree=self.tree, points=points)

    def _entries(self, answer: Any) -> dict[Place, object]:
        """Return what stands at each place; raise AbvizError where the answer is another form."""
        try:
            return {place: reduce(getitem, place, answer) for place in self.right}
        except (TypeError, LookupError):
            expected = "expected the dictionary of the stub, filled in"
            raise AbvizError(f"The answer is {brief(answer)}; {expected}") from None

    def _lost(self, filled: Filled, wrong: list[Place]) -> int:
        """Return the points that the wrong entries cost."""
        return len(wrong)

    def _misreadings(self, filled: Filled, wrong: list[Place]) -> list[Mistake]:
        """Return the first misreading by which the form is filled in, if any."""
        for name, text in self.misreadings().items():
            if self._is_misread(name, filled, wrong):
                return [Mistake(name, **text)]
        return []

    def misreadings(self) -> dict[str, Texts]:
        """Return the texts of the misreadings, by name; of some the rules make the opposite."""
        known: dict[str, Texts] = dict(self.texts["misreadings"])
        if self.rules.strict and BEYOND in known:
            del known[BEYOND]
            known[MEETS] = texts()["beyond"]
        return known

    def _is_misread(self, name: str, filled: Filled, wrong: list[Place]) -> bool:
        """Return whether the form is filled in as by the misreading of that name."""
        return not self._differing(filled, self.filled(name))

    def _differing(self, filled: Filled, other: Filled) -> list[Place]:
        """Return the places where the two differ."""
        places = []
        for place, right in other.items():
            if filled[place] != _comparable(right, right):
                places.append(place)
        return places

    def _why(self, place: Place, entry: object, filled: Entry) -> str:
        """Return why the entry is wrong, which is `filled` where it can be compared."""
        cell = " of ".join(reversed(place))
        if is_open(entry):
            return f"{cell} is not filled in yet."
        if filled is None:
            return f"{cell} is {brief(entry)}; expected {self.texts.get('entry', 'a number')}."

        row, column = place[0], place[-1]
        reasons = self.texts["reasons"]
        reason = reasons.get(column) or reasons["any"]
        mover = player(self.tree[row]) if row in self.tree else ""
        reason = worded(reason, self.rules)[0].format(node=quoted(row), player=mover)
        return f"{not_right(place, entry, filled)} {reason}"


def not_right(place: Place, entry: object, filled: Entry) -> str:
    """Return that the entry, which is `filled` where it can be compared, is not right there."""
    cell = " of ".join(f"`{part}`" for part in reversed(place))
    if isinstance(filled, int | float):
        return f"{number(filled)} is not the right value for {cell}."
    return f"{brief(entry)} is not the right answer for {cell}."


def is_open(entry: object) -> bool:
    """Return whether nothing is filled in."""
    return entry is None or entry is ...


def _comparable(entry: Any, right: Entry) -> Entry:
    """Return what is compared of an entry, numbers to two decimals.

    Returns None if it is of another kind than `right`.
    """
    if isinstance(right, frozenset):
        is_list = isinstance(entry, list | tuple | set | frozenset)
        return frozenset(map(str, entry)) if is_list else None

    if isinstance(right, str):
        return entry if isinstance(entry, str) else None

    try:
        value = plain(entry)
    except OverflowError:
        return None
    return None if value is None else round(value, 2)


# the trees

# It holds every kind of cut, a tie, and a cutoff on a last child.
TREE = {
    "B": {
        "D": 5,
        "E": {"I": 9, "J": {"O": 9, "P": 10}},
        "F": {"K": {"Q": 7, "R": 5}, "L": {"S": 11, "T": 12}},
    },
    "C": {"G": 8, "H": {"M": {"U": 11, "V": 3}, "N": {"W": 5, "X": 8}}},
}
paper_tree = partial(Tree, TREE, root="A", title="A tree to read")
textbook_tree = partial(load, "figure-4.24")


def inner(node: Node) -> list[Node]:
    """Return the inner nodes from there down, children before their parents."""
    if node.is_leaf:
        return []
    below = [each for child in node.children for each in inner(child)]
    return [*below, node]


# values up a tree


def fill_values(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return the value of every inner node."""
    if misread == "MAX and MIN swapped":
        tree = Tree.from_rows([row._replace(is_max=not row.is_max) for row in tree.rows()])
    run = trace(tree, search=minimax)
    return {(node.name,): run.node_at(node, len(run)).value for node in inner(tree.root)}


# skipped leaves

ROW_NAMES = "equal", "beyond"


def usual_rows(rules: Rules) -> dict[str, Rules]:
    """Return the rules of the only row. It is named after what cuts."""
    return {ROW_NAMES[rules.strict]: rules}


def other_rows(rules: Rules) -> dict[str, Rules]:
    """Return rules that differ from the usual ones, by row."""
    return {
        "beyond": replace(rules, strict=True),
        "right to left": replace(rules, right_to_left=True),
    }


def fill_skipped(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return the leaves that are skipped."""
    return _skipped(tree, usual_rows(rules), misread)


def fill_other_rules(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return the leaves that are skipped under each of the other rules."""
    return _skipped(tree, other_rows(rules), misread)


def _skipped(tree: Tree, rows: dict[str, Rules], misread: str) -> Filled:
    filled: dict[Place, frozenset[str]] = {}
    every = frozenset(leaf.name for leaf in tree.leaves())
    for row, rules in rows.items():
        if misread == BEYOND:
            rules = replace(rules, strict=True)
        elif misread == MEETS:
            rules = replace(rules, strict=False)

        read = frozenset(trace(tree, rules=rules).leaves)
        filled[row,] = read if misread == "the leaves read" else every - read
    return filled


MOST_REASONS = 3


@dataclass(frozen=True, eq=False, repr=False)
class SkippedLeaves(PaperExercise):
    """The leaves skipped, under one or more rules; each leaf earns a point.

    The reasons go by leaf, and name the place in the search that decides.
    """

    # The rules of each row
    rows: Callable[[Rules], dict[str, Rules]] = usual_rows

    def _entries(self, answer: Any) -> dict[Place, object]:
        """Return what stands at each place.

        A form with one row may name that as it is named under other rules.
        """
        if len(self.right) == 1 and isinstance(answer, dict):
            named = [name for name in ROW_NAMES if name in answer]
            if len(named) == 1:
                return dict.fromkeys(self.right, answer[named[0]])
        return super()._entries(answer)

    @property
    def most_points(self) -> int:
        return sum(map(self._worth, self.right))

    def _worth(self, place: Place) -> int:
        """Return the points of a row: one for each skipped leaf, and one where there is none."""
        return max(1, len(self._right_leaves(place)))

    def _right_leaves(self, place: Place) -> frozenset[str]:
        right = self.right[place]
        assert isinstance(right, frozenset)
        return right

    def _lost(self, filled: Filled, wrong: list[Place]) -> int:
        lost = 0
        for place in wrong:
            listed = filled[place]
            named = listed if isinstance(listed, frozenset) else frozenset[str]()
            off = len(named ^ self._right_leaves(place))
            lost += min(max(1, off), self._worth(place))
        return lost

    def _is_misread(self, name: str, filled: Filled, wrong: list[Place]) -> bool:
        if super()._is_misread(name, filled, wrong):
            return True
        if name != "the leaves read":
            return False
        read = self.filled(name)
        listed = [place for place in wrong if filled[place]]
        return bool(listed) and all(filled[place] == read[place] for place in listed)

    def _why(self, place: Place, entry: object, filled: Entry) -> str:
        if not filled or not isinstance(filled, frozenset):  # nothing, or no list
            return super()._why(place, entry, filled)

        (row,) = place
        found = not_right(place, entry, filled)
        leaves = {leaf.name for leaf in self.tree.leaves()}
        if others := sorted(filled - leaves):
            return f"{found} {quoted(others[0])} is not a leaf of the tree."

        run = trace(self.tree, rules=self.rows(self.rules)[row])
        claimed = [leaf for leaf in run.leaves if leaf in filled]
        reasons = [why_read(run, self.tree[leaf]) for leaf in claimed[:MOST_REASONS]]
        if more := len(claimed) - len(reasons):
            verb = "is" if more == 1 else "are"
            reasons.append(f"So {verb} {count(more, 'more leaf', 'more leaves')} of your list.")

        if missing := self._right_leaves(place) - filled:
            cuts = (cut for cut in run.cuts if missing & leaves_below(self.tree, cut))
            reasons.append(why_cut(next(cuts), self.rules))
        return " ".join([found, *reasons])


def leaves_below(tree: Tree, cut: Cut) -> set[str]:
    """Return the leaves that the cut skips."""
    return {node.name for child in cut.skipped for node in tree.below(tree[child]) if node.is_leaf}


def why_read(run: Trace, leaf: Node) -> str:
    """Return why a leaf is read.

    It is the bound that bv has not reached, where the search could have left the leaf out.
    """
    step = 1
    while run.events_at(step)[0][:2] != ("leaf", leaf):
        step += 1
    where = f"{quoted(leaf.name)} is read"

    open_nodes = []
    for node in reversed(run.tree.path(leaf)[:-1]):
        state = run.node_at(node, step - 1)
        bound = state.beta if node.is_max else state.alpha
        if state.bv not in (-inf, inf):
            open_nodes.append((node, state.bv, bound))
    if not open_nodes:
        return f"{where}: it comes first, when nothing is known yet."

    with_bound = [each for each in open_nodes if each[2] not in (-inf, inf)]
    node, bv, bound = (with_bound or open_nodes)[0]
    letter = "β" if node.is_max else "α"
    passed = "gone beyond" if run.rules.strict else "reached"
    has_not = lettered(f"bv = {number(bv)} has not {passed} {letter} = {number(bound)}")
    return f"{where}: at {quoted(node.name)}, {has_not}."


def why_cut(cut: Cut, rules: Rules = Rules()) -> str:
    """Return what makes the cut, but not the leaves that it skips."""
    bound = f"β = {number(cut.beta)}" if cut.kind == "beta" else f"α = {number(cut.alpha)}"
    meets = "is beyond" if rules.strict else "meets"
    met = f"at {quoted(cut.at)}, {lettered('bv')} = {number(cut.bv)} {meets} {bound}"
    return f"A leaf is missing: {met}. Which leaves are still to come there?"


# bounds on the path


def moment(tree: Tree, rules: Rules = Rules()) -> tuple[Trace, Cut, Node]:
    """Return the search, its deepest cut and the child that has returned last before it."""
    run = trace(tree, rules=rules)
    if not run.cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    cut = max(run.cuts, key=lambda cut: len(tree.path(tree[cut.at])))
    updated = next(step for step in range(cut.step, 0, -1) if run.events_at(step)[0].kind == "bv")
    return run, cut, run.where(updated - 1)


def fill_bounds(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return bv, α and β of the nodes from the root down to the one that cuts."""
    run, cut, _ = moment(tree, rules)
    filled: dict[Place, Entry] = {}
    for node in tree.path(tree[cut.at]):
        state = run.node_at(node, cut.step - 1)
        alpha, beta = state.alpha, state.beta
        if misread == "alpha and beta swapped":
            alpha, beta = beta, alpha
        filled[node.name, "bv"] = state.bv
        filled[node.name, "alpha"] = alpha
        filled[node.name, "beta"] = beta
    return filled


def moment_in_words(tree: Tree, rules: Rules) -> dict[str, str]:
    _, cut, child = moment(tree, rules)
    return {"child": quoted(child.name), "node": quoted(cut.at)}


# names of cuts

NO_CUT = "no cut"


def fill_cuts(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return both names of each cut."""
    run = trace(tree, rules=rules)
    cutting = {cut.at for cut in run.cuts}
    if misread == "cut on the last child":
        exits = [event for event in run.events if event.kind == "exit"]
        cutting = {event.node.name for event in exits if run.reached(event)}

    filled: dict[Place, str] = {}
    for node in inner(tree.root):
        by_bound, by_node = ("beta", "alpha") if node.is_max else ("alpha", "beta")
        if misread == "alpha and beta swapped":
            by_bound, by_node = by_node, by_bound
        if node.name not in cutting:
            by_bound = by_node = NO_CUT
        filled[node.name, "by bound"] = by_bound
        filled[node.name, "by node"] = by_node
    return filled


# intervals proven when the search ends


def fill_proven(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return what is proven of each node."""
    run = trace(tree, rules=rules)
    filled: dict[Place, Entry] = {}
    for node in inner(tree.root):
        end = run.node_at(node, len(run))
        low, high = end.low, end.high
        if misread == "taken for exact" and end.value is not None:  # what the node returned
            low = high = end.value
        filled[node.name, "low"] = low
        filled[node.name, "high"] = high
    return filled


# when does a cut disappear?


def last_leaves(run: Trace) -> dict[str, Cut]:
    """Return the last leaf read before each cut that comes with the leaf's value, and the cut."""
    cuts: dict[str, Cut] = {}
    for cut in run.cuts:
        cuts.setdefault(run.leaves[run.leaves_at(cut.step)[0] - 1], cut)
    return {leaf: cut for leaf, cut in cuts.items() if cut.witness is not None}


def fill_thresholds(tree: Tree, misread: str = "", rules: Rules = Rules()) -> Filled:
    """Return the last value of each leaf with which there is a cut: the bound, or one beyond it.

    From the leaf up to the node that cuts, each one is a last child, so the leaf's value alone
    decides.
    """
    cuts = last_leaves(trace(tree, rules=rules))
    if not cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")

    filled: dict[Place, Number] = {}
    for leaf, cut in cuts.items():
        is_max = tree[cut.at].is_max
        bound = (cut.beta if is_max else cut.alpha) or 0
        is_beyond = misread == BEYOND or (rules.strict and misread != MEETS)
        if is_beyond:
            bound += 1 if is_max else -1
        filled[leaf,] = bound
    return filled


def leaves_in_words(tree: Tree, rules: Rules) -> dict[str, str]:
    """Return the leaves that the question asks about."""
    leaves = []
    for leaf, cut in last_leaves(trace(tree, rules=rules)).items():
        leaves.append(f"{quoted(leaf)}, after which {quoted(cut.at)} cuts")
    return {"leaves": "; ".join(leaves)}


# trees to build

# What may change the cuts in a tree, and what its nodes return
BUILT_UNDER = "strict", "fail_hard", "right_to_left"

MOST_NODES = 300
# No tree of fewer leaves has a deep cut, if every move is a choice and the players take turns
DEEP_LEAVES = 5
PLIES = 3  # the least depth of a tree without cuts: with two moves to a leaf it would be too easy


@dataclass(frozen=True, eq=False, repr=False)
class Construction(DataExercise):
    """An exercise whose answer is a tree on which a search does what the exercise says.

    It is nested lists, or a Tree.
    """

    name: str

    # Returns the status and the message
    examine: Callable[[Trace], tuple[str, str]]

    # Its trace is examined, and the picture shows its end
    search: Search = alphabeta

    # Whether single moves, infinite leaves and two moves in a row are allowed
    any_tree: bool = False

    rules: Rules = Rules()
    keeps: Sequence[str] = ()

    @lru_cache  # noqa: B019  # the same exercise each time
    def under(self, rules: Rules) -> Self:
        followed = self.followed(rules)
        return self if followed == self.rules else replace(self, rules=followed)

    @property
    def text(self) -> str:
        text, unsaid = worded(str(self.texts["text"]), self.rules)
        changes = changes_under(self.rules)
        said = [changes[rule]["says"] for rule in unsaid if rule in BUILT_UNDER]
        return f"{text} In this course: {'; '.join(said)}." if said else text

    @property
    def stub(self) -> str:
        return f"{self.name.replace('-', '_')} = None  # nested lists, such as [[3, 5], [2, 9]]"

    def mark(self, answer: object) -> Verdict:
        tree = parse_tree(answer)
        if not self.any_tree:
            check_usual(tree)
        run = trace(tree, search=self.search, rules=self.rules)
        return self.verdict(*self.examine(run), tree=tree, trace=run)


def check_usual(tree: Tree) -> None:
    """Raise AbvizError for single moves, two moves in a row and infinite leaves."""
    for node in tree.nodes:
        again = any(child.children and child.is_max == node.is_max for child in node.children)
        if again or len(node.children) == 1 or node.value in (-inf, inf):
            expected = "two or more moves at each node, players who take turns, and finite leaves"
            found = f"The tree cannot be used because of {quoted(node.name)}"
            raise AbvizError(f"{found}; expected {expected}")


def parse_tree(answer: object) -> Tree:
    """Return the answer as a tree of at least one move; raise AbvizError where it is none."""
    tree = answer if isinstance(answer, Tree) else Tree(answer)
    has_unknown = any(leaf.value is None for leaf in tree.leaves())
    if has_unknown or not 1 < len(tree) <= MOST_NODES:
        example = "nested lists of numbers, such as [[3, 5], [2, 9]]"
        expected = f"{example}, of at most {MOST_NODES} nodes"
        raise AbvizError(f"The answer is {brief(answer)}; expected {expected}")
    return tree


def no_cut(run: Trace) -> tuple[str, str]:
    """Return whether nothing is cut in a tree that is deep everywhere."""
    depths = {leaf.name: len(run.tree.path(leaf)) - 1 for leaf in run.tree.leaves()}
    shallow = min(depths, key=depths.__getitem__)
    if depths[shallow] < PLIES:
        found = f"Leaf {quoted(shallow)} is {count(depths[shallow], 'move')} below the root."
        return WRONG, f"{found} Expected {PLIES} or more everywhere."

    if run.cuts:
        places = ", ".join(quoted(cut.at) for cut in run.cuts)
        return WRONG, f"Alpha-beta cuts at {places}. Expected no cut."
    return RIGHT, f"All {count(len(run.leaves), 'leaf', 'leaves')} are read."


def deep_cut(run: Trace) -> tuple[str, str]:
    """Return whether there is a deep cut, in as few leaves as possible."""
    if not run.cuts:
        return WRONG, "Nothing is cut in it. Expected a deep cut."

    cut = next((cut for cut in run.cuts if cut.deep), run.cuts[0])
    at = quoted(cut.at)
    witness = quoted(cut.witness or "")
    if not cut.deep:
        nearest = f"its bound is from {witness}, the other player's nearest node above"
        return WRONG, f"The cut at {at} is not deep: {nearest}. Expected a bound from further up."

    leaves = run.frontier(run.tree.root)
    does = f"The cut at {at} is deep, by the bound of {witness}, in {leaves} leaves."
    if leaves > DEEP_LEAVES:
        return WRONG, f"{does} It can be done with fewer."
    return RIGHT, f"{does} Fewer are not enough."


def tied_moves(run: Trace) -> tuple[str, str]:
    """Return whether two moves return the best value, and one of them is worth less."""
    best = number(run.value)
    end = len(run)
    tied = [each for each in run.tree.root.children if run.node_at(each, end).value == run.value]
    if len(tied) < 2:
        only = f"Only {quoted(tied[0].name)} returns {best} to the root."
        return WRONG, f"{only} Expected two moves that return the best value."

    full = trace(run.tree, search=minimax)
    for move in tied:
        value = full.node_at(move, len(full)).value
        if value != run.value:
            returns = f"{quoted(move.name)} also returns {best} to the root"
            worth = f"is worth {number(value)}: what it returned was only a bound"
            return RIGHT, f"{returns}, and {worth}."

    moves = " and ".join(quoted(move.name) for move in tied)
    does = f"{moves} return {best}, and are worth that."
    return WRONG, f"{does} Expected one that is worth less to the player who moves."


PAPERS = (
    PaperExercise("tree-values", textbook_tree, fill_values, keeps=SWITCHES),
    SkippedLeaves("skipped-leaves", paper_tree, fill_skipped),
    SkippedLeaves(
        "other-rules",
        paper_tree,
        fill_other_rules,
        rows=other_rows,
        keeps=("strict", "right_to_left"),
    ),
    PaperExercise("path-bounds", paper_tree, fill_bounds, blanks=moment_in_words),
    PaperExercise("cut-names", paper_tree, fill_cuts, default=(NO_CUT,)),
    PaperExercise("proven-values", paper_tree, fill_proven, default=(-inf, inf)),
    PaperExercise("cut-thresholds", textbook_tree, fill_thresholds, blanks=leaves_in_words),
    Construction("no-cut", no_cut),
    # Without a cut on equality, a fail-soft search returns no bound that equals the best value
    Construction("tied-moves", tied_moves, keeps=("strict",)),
    Construction("deep-cut", deep_cut),
)
