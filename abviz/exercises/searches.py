"""The searches to write: an answer has to do on every tree what the reference does.

Texts, references and mistakes are in searches.yaml.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations, pairwise, permutations, product
from math import inf, isinf
from string import ascii_lowercase
from typing import Any, NamedTuple

from abviz.errors import INTERRUPTS, Number, brief, count, number, short
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.judgement import Difference, Faults, FunctionExercise, Runs, edited, mistake, same
from abviz.exercises.observation import RETURNED, Job, Observation, observe
from abviz.exercises.verdict import Verdict, written
from abviz.recording.differences import compare_with_reference
from abviz.recording.functions import FULL
from abviz.recording.recorder import record
from abviz.tracing.algorithms import Rules
from abviz.tree.model import Node, Tree
from abviz.tree.nested import with_names

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 800.
SMALL_TREES, RANDOM_TREES = 1_400, 200
SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (1, 2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 4  # of a small tree
LONGEST_VALUE = 400  # characters of a value in a message

BOUNDS_FIRST = {"own = bv": "own = alpha if is_max else beta"}  # the other way to write alpha-beta: test α ≥ β


# the trees, and how a tree on which an answer is wrong is made smaller


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first. MIN moves first in few."""
    trees = []
    for leaves, to_move in [*product(range(2, MOST_LEAVES + 1), ["max"]), (2, "min"), (3, "min")]:
        orders = permutations(range(-(leaves // 2), leaves - leaves // 2))
        for values in dict.fromkeys([*orders, *product((-1, 0, 1), repeat=leaves)]):
            ties = leaves - len(set(values))
            trees += [(ties, Tree(shape, to_move=to_move)) for shape in _shapes(values)]
    return tuple(tree for _, tree in sorted(trees, key=lambda each: (len(each[1]), each[0])))


def _shapes(values: Sequence[int]) -> Iterator[Any]:
    """Yield all trees with these leaves, from left to right."""
    if len(values) == 1:
        yield values[0]
    for cuts in range(1, min(MOST_CHILDREN, len(values))):
        for places in combinations(range(1, len(values)), cuts):
            parts = [values[start:end] for start, end in pairwise((0, *places, len(values)))]
            yield from map(list, product(*map(_shapes, parts)))


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random_tree(random.Random(seed)) for seed in range(trees))


def _random_tree(chance: random.Random) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    plies = chance.choice(DEPTHS)
    widths = (2,) if plies == max(DEPTHS) else WIDTHS
    again = chance.choice((0, 0.1))  # how often a player moves again

    def grow(depth: int, is_max: bool) -> Any:
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-LARGEST, LARGEST)
        children = [grow(depth - 1, is_max == (chance.random() < again)) for _ in range(chance.choice(widths))]
        return {"children": children, "to_move": "max" if is_max else "min"}

    return Tree(grow(plies, chance.choice((True, False))))


@cache
def far_trees() -> list[Tree]:
    """Return trees with leaves beyond 10, 100 and so on, below up to two forced moves: they show a finite number that
    stands for infinity."""
    trees = []
    for digits, sign, to_move in product(range(1, MOST_DIGITS + 1), (-1, 1), ("max", "min")):
        leaves = [sign * (10**digits + 2), sign * (10**digits + 1)]
        trees += [Tree(form, to_move=to_move) for form in (leaves, [leaves], [[leaves]])]
    return sorted(trees, key=len)


def _smaller(node: Node) -> Iterator[Any]:
    """Yield the tree with a child in its parent's place, or without a child, for every child."""
    children = list(map(long_form, node.children))
    for i, child in enumerate(node.children):
        yield children[i]
        if len(children) > 2:
            yield long_form(node, children[:i] + children[i + 1 :])
        for form in _smaller(child):
            yield long_form(node, [*children[:i], form, *children[i + 1 :]])


def long_form(node: Node, children: Sequence[Any] = ()) -> Any:
    """Return the node as a tree file has it, with these children or its own."""
    if node.is_leaf:
        return node.value
    children = list(children or map(long_form, node.children))
    return {"children": children, "to_move": "max" if node.is_max else "min", "value": node.value}


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    rows = zip(tree.nodes, tree.rows(), strict=True)
    return Tree.from_rows([row._replace(value=value(node)) for node, row in rows])


# the exercises


class Case(NamedTuple):
    """One way to call an answer."""

    arguments: tuple[Any, ...] = ()  # after the root
    dress: Callable[[Tree], Tree] = lambda tree: tree  # makes the tree it is called on from a plain one


WINDOWS = Case((-inf, inf)), Case((0, 1)), Case((-2, 3))


def readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with each reading of a leaf."""
    return replace(run, leaves=tuple(name for name in run.leaves if tree[name].is_leaf))


def first_readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with the leaves that were read, each where it was first read."""
    return replace(run, leaves=tuple(dict.fromkeys(readings(tree, run).leaves)))


def reads(tree: Tree, run: Observation) -> str:
    return f"reads {', '.join(f'{name} = {number(tree[name].value)}' for name in run.leaves) or 'no leaf'}"


def in_words(value: Any) -> str:
    """Return a value as Python writes it, its numbers as pictures do; a pair that begins with a number as a tuple."""
    return short(_in_words(value), LONGEST_VALUE)


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        brackets = "({})" if len(value) == 2 and isinstance(value[0], Number) else "[{}]"
        return brackets.format(", ".join(map(_in_words, value)))
    if isinstance(value, dict):
        return "; ".join(f"{_in_words(names)} at {parent}" for parent, names in value.items())
    return number(value) if isinstance(value, Number) else repr(value)


def has_wins(tree: Tree) -> bool:
    return any(isinf(leaf.value or 0) for leaf in tree.leaves())


def takes_turns(tree: Tree) -> bool:
    return all(child.is_max != node.is_max for node in tree.nodes for child in node.children)


@dataclass(frozen=True, eq=False, repr=False)
class SearchExercise(FunctionExercise):
    """An exercise that asks for a search. Its texts may have `words` for the arguments of a case."""

    name: str
    mistakes: tuple[Mistake, ...]
    build: Callable[..., Callable[..., Any]]
    bases: Sequence[Faults]
    cases: tuple[Case, ...] = (Case(),)
    named: Callable[[Tree], Tree] = lambda tree: tree  # names the nodes, where a name has a meaning
    fits: Callable[[Tree], bool] = lambda tree: True  # whether an answer has to be right on the tree
    how: str = "search"
    settle: Callable[[Tree, Observation], Observation] = first_readings  # drops from a run what answers may choose
    show: Callable[[Any], str] = in_words  # what is compared as the value
    describe: Callable[[Tree, Observation], str] = reads  # what a run does, apart from returning its value
    rules: Rules | None = Rules()  # of the reference; None where its order of children is another

    @lru_cache  # noqa: B019  # the same jobs each time, so that the right run is made once
    def jobs(self, case: Case, small: int, large: int) -> tuple[Job, ...]:
        trees = (*small_trees()[:small], *random_trees(large))
        return self.jobs_on(map(case.dress, trees), case.arguments)

    def trials(self) -> Sequence[Sequence[Job]]:
        first, sizes = self.cases[0], (SMALL_TREES, RANDOM_TREES)
        far_jobs = self.jobs_on(map(first.dress, far_trees()), first.arguments)
        return [*(self.jobs(case, *sizes) for case in self.cases), far_jobs]

    def sample(self) -> Sequence[Job]:
        """Return them without the far trees, on which a number for ∞ would hide every other mistake."""
        return [job for case in self.cases for job in self.jobs(case, SAMPLE, SAMPLE)]

    def smaller(self, job: Job) -> Iterable[Job]:
        trees = (Tree(form) for form in _smaller(job.tree.root) if isinstance(form, dict))
        return self.jobs_on(trees, job.arguments)

    def jobs_on(self, trees: Iterable[Tree], arguments: tuple[Any, ...]) -> tuple[Job, ...]:
        return tuple(Job(self.named(tree), arguments, self.how) for tree in trees if self.fits(tree))

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run without what answers may choose."""
        if run.problem.startswith(RETURNED):
            return replace(run, problem=f"{run.problem}; expected {self.show(self.right(job).value)}")
        return run if run.problem else self.settle(job.tree, run)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if same(run, right):
            return None
        if run.value != right.value:
            return Difference(f"{RETURNED}{self.show(run.value)}; expected {self.show(right.value)}.")
        does, should = (self.describe(job.tree, each) for each in (run, right))
        return Difference(f"it {does}, where the reference {should}.")

    def where(self, job: Job, run: Observation) -> str:
        return f"On {written(job.tree)}{self.texts.get('words', '').format(*map(number, job.arguments))}"

    def praise(self, runs: Runs) -> str:
        return f"On {max(map(len, self.trials())):,} trees it returns and reads what it should."

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        """Return the tree, and half of the points where all values are right, and the leaves are wrong."""
        first = [(each, run) for each, run in runs.items() if each.arguments == self.cases[0].arguments]
        is_half = all(not run.problem and run.value == self.right(each).value for each, run in first)
        return {"tree": job.tree, "points": (1, 2) if is_half else None}

    def with_own_run(self, verdict: Verdict, wrong: tuple[Job, Observation] | None, answer: Any) -> Verdict:
        """Return the verdict with the answer's own run, with a remark where it first differs from the reference."""
        if not wrong or not self.rules or self.how != "search" or verdict.tree is None:
            return verdict
        if has_wins(verdict.tree):  # which may end a search, or not
            return verdict
        job, seen = wrong
        function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
        negamax = self.name == "negamax" or (None if seen.value == self.right(job).value else False)
        try:
            run = record(function, job.tree, seconds=1, window=job.arguments or FULL, negamax=negamax)
            run = compare_with_reference(run, self.rules)
        except INTERRUPTS:
            raise
        except BaseException:  # one that can't be followed
            return verdict
        return replace(verdict, trace=run) if "parting" in run.options else verdict  # else it is the move that is wrong


def exercise(name: str, **options: Any) -> SearchExercise:
    """Return an exercise with its reference and its mistakes from searches.yaml."""
    row = texts()[name]
    mistakes = tuple(mistake(each, row.get("edits", {}).get(each, ())) for each in row["mistakes"])
    bases = [{}, BOUNDS_FIRST] if "own = bv" in row["reference"] else [{}]
    return SearchExercise(name, mistakes, partial(edited, name), bases, **options)


# what the exercises are asked on, and what is compared


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    return replace(run, leaves=()) if has_wins(tree) else first_readings(tree, run)


def with_wins(tree: Tree) -> Tree:
    """Return the tree as a game: won by MAX (∞), won by MIN (−∞) or drawn (0)."""
    return revalued(tree, lambda node: inf if node.value and node.value > 0 else -inf if node.value else node.value)


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5)


def limits_and_lines(tree: Tree, run: Observation) -> str:
    calls = [f"{limit} deep" + f" with {', '.join(line)} first" * bool(line) for limit, line in run.leaves]
    return f"searches {'; '.join(calls) or 'nothing'}"


def named_by_moves(tree: Tree) -> Tree:
    """Return the tree with its nodes named after the moves that lead to them, as "a c", like the tree of a game. Not
    every move is legal at every node: below some of them the first is a, below others b."""
    names = {tree.root: "root"}
    for node in tree.nodes:
        above, skipped = names[node].removeprefix("root").split(), names[node][-1] in "bdf"
        for child, move in zip(node.children, ascii_lowercase[skipped:], strict=False):
            names[child] = " ".join((*above, move))
    return renamed(tree, names)


def renamed(tree: Tree, names: Mapping[Node, str]) -> Tree:
    """Return the tree with these names; a node without one gets the name that it has by default."""
    rows = [row._replace(name=names.get(node, "")) for node, row in zip(tree.nodes, tree.rows(), strict=True)]
    return Tree.from_rows(with_names(rows))


def with_copies(tree: Tree) -> Tree:
    """Return the tree with some leaves replaced by a copy of an inner node that does not lie above them."""

    def copied(node: Node) -> Any:
        if not node.is_leaf:
            return long_form(node, list(map(copied, node.children)))
        parts = [each for each in tree.nodes[1 : node.index] if each.children and each.is_max == node.is_max]
        parts = [each for each in parts if node not in tree.below(each)]
        chosen = (node.index + len(tree)) % (len(parts) + 1)
        return long_form(parts[chosen - 1]) if chosen else node.value

    return Tree(copied(tree.root))


def named_by_position(tree: Tree) -> Tree:
    """Return the tree with names that say where inner nodes stand for the same position: B, B' and B''."""
    names, first = dict[Node, str](), dict[str, str]()
    for node in tree.nodes:
        if node.children:
            name = first.setdefault(repr(long_form(node)), node.name)
            while name in names.values():
                name += "'"
            names[node] = name
    return renamed(tree, names)


UNPROVEN = "unproven"


def what_is_proven(tree: Tree, run: Observation) -> Observation:
    """Keep of the searches the first window, and whether the value is proven in the end. Widening bit by bit or all at
    once are both right."""
    searches = run.leaves
    kept: list[Any] = [(low, high) for low, high, _ in searches[:1]]
    least = max((value for low, _, value in searches if value > low), default=-inf)
    most = min((value for _, high, value in searches if value < high), default=inf)
    if least < most and run.value is not None:
        kept += [UNPROVEN, len(searches) > 1]
    return replace(run, leaves=tuple(kept), details=searches)


def windows(tree: Tree, run: Observation) -> str:
    listed = ", ".join(f"({number(low)}, {number(high)})" for low, high, _ in run.details or ()) or "no window"
    return f"searches with {listed}" + ", and then does not know the value" * (UNPROVEN in run.leaves)


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its value."""
    run = with_all_children(tree, run)
    if run.value is None:
        return run
    arranged = tree.reordered(lambda node: [tree[name] for name in run.value.get(node.name, ())] or list(node.children))
    return Observation(len(observe(edited("alphabeta"), Job(arranged, (-inf, inf))).leaves))


def with_all_children(tree: Tree, run: Observation) -> Observation:
    """Return the run, with a problem where its value does not order all children of some nodes."""
    children = {node.name: sorted(child.name for child in node.children) for node in tree.nodes}

    def is_whole(parent: Any, names: Any) -> bool:
        return isinstance(names, list) and sorted(map(str, names)) == children.get(parent)

    if run.value is None or (isinstance(run.value, dict) and all(is_whole(*each) for each in run.value.items())):
        return replace(run, leaves=())
    expected = "expected a dictionary from names of nodes to the names of all their children"
    return Observation(None, problem=f"{RETURNED}{brief(run.value)}; {expected}")


def show_leaves(leaves: int | None) -> str:
    return "None" if leaves is None else f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}"


# the table

WRITE_MINIMAX = exercise("minimax")
WRITE_ALPHABETA = exercise("alphabeta", cases=WINDOWS)
BEST_MOVE = exercise("best-move", cases=(Case(), Case(dress=with_wins)), settle=without_leaves_of_wins)
SEARCHES: tuple[SearchExercise, ...] = (
    WRITE_MINIMAX,
    exercise("two-functions", cases=WINDOWS, fits=takes_turns),
    WRITE_ALPHABETA,
    BEST_MOVE,
    exercise("best-line", cases=BEST_MOVE.cases, settle=without_leaves_of_wins),
    exercise("fail-hard", cases=WINDOWS, rules=Rules(fail_hard=True)),
    exercise("negamax", cases=WINDOWS, fits=takes_turns),
    exercise("order", how="order", cases=(Case(dress=with_static_values),), settle=with_all_children),
    exercise("killer", named=named_by_moves, settle=readings, cases=WINDOWS[:1], rules=None),
    exercise("table", named=named_by_position, cases=(Case((-inf, inf), with_copies),), rules=None),
    exercise(
        "aspiration",
        how="aspiration",
        cases=(Case((0, 2)), Case((3, 1)), Case((0, 2), with_wins)),
        settle=what_is_proven,
        describe=windows,
    ),
    exercise(
        "deepening",
        how="deepening",
        # with two passes first: a fault shows on a small tree, and so does what the second pass makes of the first
        cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
        settle=lambda tree, run: run,
        describe=limits_and_lines,
    ),
    exercise("best-order", settle=leaves_in_order, show=show_leaves, rules=None),
)
