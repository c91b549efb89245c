"""The searches to write: an answer has to do on every tree what the reference does.

Texts, references and mistakes are in searches.yaml.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations, pairwise, permutations, product, zip_longest
from math import inf, isinf
from string import ascii_lowercase
from typing import Any, ClassVar, NamedTuple

from abviz.errors import CHANGED_NODE, INTERRUPTS, RAISED, Number, brief, count, number, short
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.judgement import (
    MOST_NUMBERS,
    Difference,
    Faults,
    FunctionExercise,
    Runs,
    edited,
    mistake,
    same,
)
from abviz.exercises.observation import RETURNED, Job, Observation, observe
from abviz.exercises.verdict import Verdict, for_message
from abviz.recording.differences import compare_with_reference
from abviz.recording.functions import FULL
from abviz.recording.recorder import record
from abviz.tracing.algorithms import Rules
from abviz.tree.model import Node, Tree
from abviz.tree.nested import with_names

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with
# the first 800.
SMALL_TREES, RANDOM_TREES = 1_400, 200
SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
# Of random trees, each as often as it stands here
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (1, 2, 2, 3, 3, MOST_CHILDREN)
CHOICES = 2, 2, 2, 3  # widths of those without single moves
MOST_LEAVES = 4  # of a small tree
LONGEST_VALUE = 400  # characters of a value in a message
MOST_LISTED = 12  # leaves, windows or calls in a message

# The other way to write alpha-beta: test α ≥ β
BOUNDS_FIRST = {"own = bv": "own = alpha if is_max else beta"}


# the trees, and how a tree on which an answer is wrong is made smaller


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first. MIN moves
    first in few.
    """
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
    """Return larger trees, also with MIN at the root; every other one with single moves, and with a
    player who moves twice in a row.
    """
    return tuple(_random_tree(random.Random(seed), is_plain=seed % 2 == 1) for seed in range(trees))


def _random_tree(chance: random.Random, is_plain: bool) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    plies = chance.choice(DEPTHS)
    widths = (2,) if plies == max(DEPTHS) else CHOICES if is_plain else WIDTHS
    again = 0 if is_plain else chance.choice((0, 0.1))  # how often a player moves again

    def grow(depth: int, is_max: bool) -> Any:
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-LARGEST, LARGEST)
        children = [
            grow(depth - 1, is_max == (chance.random() < again))
            for _ in range(chance.choice(widths))
        ]
        return {"children": children, "to_move": "max" if is_max else "min"}

    return Tree(grow(plies, chance.choice((True, False))))


@cache
def far_trees() -> list[Tree]:
    """Return trees with leaves beyond 10, 100 and so on, up to three moves deep: they show a finite
    number that stands for infinity.
    """
    trees = []
    for digits, sign, to_move in product(range(1, MOST_DIGITS + 1), (-1, 1), ("max", "min")):
        a, b, c, d, e, f, g, h = (sign * (10**digits + n) for n in (2, 1, 4, 3, 6, 5, 8, 7))
        forms = [a, b], [[a, b], [c, d]], [[[a, b], [c, d]], [[e, f], [g, h]]]
        trees += [Tree(form, to_move=to_move) for form in forms]
    return sorted(trees, key=len)


class Shape(NamedTuple):
    """A node and what is below it, by which copies of it are found."""

    is_max: bool
    value: Number | None
    children: tuple["Shape", ...]


def shape_of(node: Node) -> Shape:
    return Shape(node.is_max, node.value, tuple(map(shape_of, node.children)))


def nodes_of(shape: Shape) -> list[Shape]:
    """Return the node and all below it, a parent before its children."""
    return [shape, *(node for child in shape.children for node in nodes_of(child))]


def is_plain(shape: Shape | Node) -> bool:
    """Return whether the players take turns, and have two moves or more wherever they move."""
    if not shape.children:
        return True
    takes_turns = all(
        child.is_max != shape.is_max or not child.children for child in shape.children
    )
    return len(shape.children) > 1 and takes_turns and all(map(is_plain, shape.children))


def worth(shape: Shape) -> Number:
    """Return the value by minimax."""
    if not shape.children:
        return shape.value or 0
    return (max if shape.is_max else min)(map(worth, shape.children))


def smaller_shapes(root: Shape) -> Iterator[Shape]:
    """Yield the tree with one part made smaller, or all copies of that part; those that lose most
    come first.

    Last comes the same tree with values nearer to 0. A tree whose players take turns, with two or
    more moves each, stays one.
    """
    every = nodes_of(root)
    sizes = [len(nodes_of(shape)) for shape in every]
    copies = Counter(shape for shape in every if shape.children)
    stays_plain = is_plain(root)

    options: list[tuple[int, int, Shape]] = []
    for place, shape in enumerate(every):
        for part in smaller_parts(shape, is_root=place == 0):
            options.append((sizes[place] - len(nodes_of(part)), place, part))
    options.sort(key=lambda option: option[0], reverse=True)

    for _, place, part in options:
        trees = [with_part(root, place, part)]
        if copies[every[place]] > 1:
            trees.insert(0, with_all(root, every[place], part))
        yield from (tree for tree in trees if not stays_plain or is_plain(tree))

    if (calmer := with_near_values(root)) != root:
        yield calmer


def smaller_parts(shape: Shape, is_root: bool) -> Iterator[Shape]:
    """Yield what may stand in the place of a node: something below it, or itself without one of its
    children.
    """
    if not shape.children:
        return
    if not is_root:
        yield Shape(shape.is_max, worth(shape), ())

    for child in shape.children:
        if child.children or not is_root:
            yield child
        if not is_root:
            yield from (below for below in child.children if below.children)

    if len(shape.children) > 2:
        for i in range(len(shape.children)):
            yield shape._replace(children=shape.children[:i] + shape.children[i + 1 :])


def with_part(shape: Shape, place: int, part: Shape) -> Shape:
    """Return the tree with this part in that place, counted from the root on."""
    if place == 0:
        return part
    children = []
    place -= 1
    for child in shape.children:
        size = len(nodes_of(child))
        children.append(with_part(child, place, part) if 0 <= place < size else child)
        place -= size
    return shape._replace(children=tuple(children))


def with_all(shape: Shape, old: Shape, new: Shape) -> Shape:
    """Return the tree with a new part wherever the old one is."""
    if shape == old:
        return new
    return shape._replace(children=tuple([with_all(child, old, new) for child in shape.children]))


def with_near_values(root: Shape) -> Shape:
    """Return the tree with its leaves in the same order of size, and as near to 0 as that allows."""
    values = sorted(
        {node.value for node in nodes_of(root) if not node.children and node.value is not None}
    )
    finite = [value for value in values if not isinf(value)]
    near = {value: rank - len(finite) // 2 for rank, value in enumerate(finite)}
    if sum(map(abs, near.values())) >= sum(map(abs, near)):
        return root

    def revalued(shape: Shape) -> Shape:
        if not shape.children:
            return shape._replace(value=near.get(shape.value, shape.value))  # type: ignore[arg-type]
        return shape._replace(children=tuple(map(revalued, shape.children)))

    return revalued(root)


def form_of(shape: Shape) -> Any:
    """Return the shape as a tree file has it."""
    if not shape.children:
        return shape.value
    children = list(map(form_of, shape.children))
    return {"children": children, "to_move": "max" if shape.is_max else "min", "value": shape.value}


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
    # Makes the tree it is called on from a plain one
    dress: Callable[[Tree], Tree] = lambda tree: tree


WINDOWS = Case((-inf, inf)), Case((0, 1)), Case((-2, 3))


def readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with each reading of a leaf."""
    return replace(run, leaves=tuple(name for name in run.leaves if tree[name].is_leaf))


def first_readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with the leaves that were read, each where it was first read."""
    return replace(run, leaves=tuple(dict.fromkeys(readings(tree, run).leaves)))


def reads(tree: Tree, run: Observation) -> str:
    return f"reads {', '.join(abridged(leaf_with_value(tree, name) for name in run.leaves)) or 'no leaf'}"


def leaf_with_value(tree: Tree, name: str) -> str:
    return f"{short(name)} = {number(tree[name].value)}"


def abridged(parts: Iterable[str]) -> list[str]:
    """Return the parts of a list in a message; of a long one the first few, and how many there are."""
    every = list(parts)
    if len(every) <= MOST_LISTED:
        return every
    return [*every[:MOST_LISTED], f"… ({len(every)} in all)"]


def reads_alike(tree: Tree, run: Observation, right: Observation) -> str:
    """Return where two long lists of leaves part; "" where both are short or they don't."""
    if max(len(run.leaves), len(right.leaves)) <= MOST_LISTED:
        return ""
    pairs = zip_longest(run.leaves, right.leaves)
    place, (mine, theirs) = next(
        (each for each in enumerate(pairs) if each[1][0] != each[1][1]), (0, (None, None))
    )
    does = f"reads {leaf_with_value(tree, mine)}" if mine else "ends"
    should = f"reads {leaf_with_value(tree, theirs)}" if theirs else "ends"
    return f"after {count(place, 'leaf', 'leaves')} it {does}, where the reference {should}."


def in_words(value: Any) -> str:
    """Return a value as Python writes it, its numbers as pictures do; a pair that begins with a
    number as a tuple.
    """
    return short(_in_words(value), LONGEST_VALUE)


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        brackets = "({})" if len(value) == 2 and isinstance(value[0], Number) else "[{}]"
        return brackets.format(", ".join(map(_in_words, value)))
    if isinstance(value, dict):
        return "; ".join(f"{_in_words(names)} at {parent}" for parent, names in value.items())
    return number(value) if isinstance(value, Number) else repr(value)


ONE_LEVEL = [-1, 0], [1, 0], [0, 1, 2]
NOTHING = Observation(None)


def bare(run: Observation) -> Observation:
    """Return the run without the leaves that it read."""
    return replace(run, leaves=(), details=None)


def numbers_in(value: Any) -> Iterator[Number]:
    """Yield the numbers in what an answer returned."""
    if isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, int | float):
        yield value


def nearest_leaf(job: Job) -> Number:
    """Return how far from 0 the leaves are at least."""
    distances: list[Number] = [abs(leaf.value or 0) for leaf in job.tree.leaves()]
    return min(distances)


def leaf_signs(job: Job) -> frozenset[bool]:
    return frozenset((leaf.value or 0) > 0 for leaf in job.tree.leaves())


def has_wins(tree: Tree) -> bool:
    return any(isinf(leaf.value or 0) for leaf in tree.leaves())


@cache
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
    # Whether an answer has to be right on the tree
    fits: Callable[[Tree], bool] = lambda tree: True
    how: str = "search"
    # Drops from a run what answers may choose
    settle: Callable[[Tree, Observation], Observation] = first_readings
    show: Callable[[Any], str] = in_words  # what is compared as the value
    # What a run does, apart from returning its value
    describe: Callable[[Tree, Observation], str] = reads
    rules: Rules | None = Rules()  # of the reference; None where its order of children is another
    names_in_part: ClassVar[bool] = True
    earned: ClassVar[str] = "All values are right, for half of the points."

    @lru_cache  # noqa: B019  # the same jobs each time, so that the right run is made once
    def jobs(self, case: Case, small: int, large: int) -> tuple[Job, ...]:
        trees = (*small_trees()[:small], *random_trees(large))
        return self.jobs_on(map(case.dress, trees), case.arguments)

    def trials(self) -> Sequence[Sequence[Job]]:
        return self._trials(SMALL_TREES, RANDOM_TREES)

    @lru_cache  # noqa: B019
    def _trials(self, small: int, large: int) -> Sequence[Sequence[Job]]:
        """Return the jobs of each case: where players take turns and have a choice, then the other
        trees.
        """
        every = [self.jobs(case, small, large) for case in self.cases]
        plain = [[job for job in jobs if is_plain(job.tree.root)] for jobs in every]
        other = [[job for job in jobs if not is_plain(job.tree.root)] for jobs in every]

        first = self.cases[0]
        far = self.jobs_on(map(first.dress, far_trees()), first.arguments)
        return [*plain, *other, far]

    def sample(self) -> Sequence[Job]:
        """Return them without the far trees, on which a number for ∞ would hide every other
        mistake.
        """
        jobs = [self.jobs(case, SMALL_TREES, RANDOM_TREES) for case in self.cases]
        return [job for each in jobs for job in (*each[:SAMPLE], *each[-RANDOM_TREES:][:SAMPLE])]

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        if run.problem.startswith(CHANGED_NODE):
            return [mistake("a value written into a node")]

        if run.problem.startswith(RAISED) and "NoneType" in run.problem and self.how == "search":
            is_inner = bool(run.leaves) and not job.tree[run.leaves[-1]].is_leaf
            return [mistake("the value of an inner node")] if is_inner else ()
        return super().named_at_once(job, run)

    def probes(self, job: Job, run: Observation) -> Sequence[Job]:
        """Return runs on trees of one level, where a run has met None: they show whether a function
        returns.
        """
        if self.how != "search" or not (run.value is None or "NoneType" in run.problem):
            return ()
        trees = [Tree(leaves, to_move=player) for leaves in ONE_LEVEL for player in ("max", "min")]
        return self.jobs_on(map(self.cases[0].dress, trees), self.cases[0].arguments)

    def named_by_probes(self, job: Job, run: Observation, runs: Runs) -> Sequence[Mistake]:
        """Return that a `return` is missing where one player's nodes always return None."""
        for player in (True, False):
            probes = [
                each
                for probe, each in runs.items()
                if probe.tree.root.is_max == player
                and all(child.is_leaf for child in probe.tree.root.children)
            ]
            is_seen = run.value is None and (not run.problem or "NoneType" in run.problem)
            if (
                is_seen
                and len(probes) >= len(ONE_LEVEL)
                and all(each == NOTHING for each in map(bare, probes))
            ):
                return [mistake("no return")]
        return ()

    def numbers(self, runs: Runs) -> Sequence[Any]:
        """Return numbers that the answer returned, although neither the tree nor the window has
        them.
        """
        found = Counter[Any]()
        for job, run in runs.items():
            known = {leaf.value for leaf in job.tree.leaves()} | set(job.arguments)
            found.update(
                each
                for each in numbers_in(run.value)
                if not {each, -each} & known and not isinf(each)
            )
        frequent = [each for each, _ in found.most_common(MOST_NUMBERS)]
        return [*frequent, *(-each for each in frequent if -each not in frequent)]

    def named_by_size(self, runs: Runs) -> Sequence[Mistake]:
        """Return that a number stands for ∞ where an answer is right as long as all leaves are near
        0.
        """
        wrong = [job for job, run in runs.items() if self.difference(job, run)]
        nearest = min(map(nearest_leaf, wrong), default=0)
        if not nearest > LARGEST or "a number for ∞" not in [each.name for each in self.mistakes]:
            return ()

        kinds = {(job.tree.root.is_max, leaf_signs(job)) for job in wrong}
        far = [job for job in runs if LARGEST < nearest_leaf(job) < inf]
        beyond = [job for job in far if nearest_leaf(job) >= nearest * 10]
        is_always = all(
            job in wrong for job in beyond if (job.tree.root.is_max, leaf_signs(job)) in kinds
        )
        return [mistake("a number for ∞")] if is_always else ()

    def smaller(self, job: Job) -> Iterable[Job]:
        for shape in smaller_shapes(shape_of(job.tree.root)):
            yield from self.jobs_on([Tree(form_of(shape))], job.arguments)

    def jobs_on(self, trees: Iterable[Tree], arguments: tuple[Any, ...]) -> tuple[Job, ...]:
        return tuple(
            Job(self.named(tree), arguments, self.how) for tree in trees if self.fits(tree)
        )

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run without what answers may choose."""
        if run.problem.startswith(RETURNED):
            return replace(
                run, problem=f"{run.problem}; expected {self.show(self.right(job).value)}"
            )
        return run if run.problem else self.settle(job.tree, run)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if same(run, right):
            return None
        if run.value != right.value:
            return Difference(
                f"{RETURNED}{self.show(run.value)}; expected {self.show(right.value)}."
            )
        if self.describe is reads and (parting := reads_alike(job.tree, run, right)):
            return Difference(parting)
        does, should = (self.describe(job.tree, each) for each in (run, right))
        return Difference(f"it {does}, where the reference {should}.")

    def where(self, job: Job, run: Observation) -> str:
        return f"On {for_message(job.tree)}{self.texts.get('words', '').format(*map(number, job.arguments))}"

    def praise(self, runs: Runs) -> str:
        first = [job for job in runs if job.arguments == self.cases[0].arguments]
        return f"On {len(first):,} trees it returns and reads what it should."

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        """Return the tree, and half of the points where all values are right, and the leaves are
        wrong.
        """
        return {"tree": job.tree, "points": (1, 2) if self.has_right_values(runs) else None}

    def gravity(self, job: Job, run: Observation) -> int:
        """Return 1 for a wrong value, 0 for the wrong leaves."""
        return int(bool(run.problem) or run.value != self.right(job).value)

    def has_right_values(self, runs: Runs) -> bool:
        """Return whether the answer has returned the right value wherever the window is that of the
        first case.
        """
        first = [
            (job, run) for job, run in runs.items() if job.arguments == self.cases[0].arguments
        ]
        return all(not run.problem and run.value == self.right(job).value for job, run in first)

    def decisive(self, runs: Runs) -> Sequence[Job]:
        """Return the rest of the trees, where all values have been right so far."""
        if not self.has_right_values(runs):
            return ()
        every = (job for jobs in self.trials() for job in jobs)
        return [
            job for job in every if job.arguments == self.cases[0].arguments and job not in runs
        ]

    def with_own_run(
        self, verdict: Verdict, wrong: tuple[Job, Observation] | None, answer: Any
    ) -> Verdict:
        """Return the verdict with the answer's own run, with a remark where it first differs from
        the reference.
        """
        if not wrong or not self.rules or self.how != "search" or verdict.tree is None:
            return verdict
        if has_wins(verdict.tree):  # which may end a search, or not
            return verdict
        job, seen = wrong
        function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
        negamax = self.name == "negamax" or (None if seen.value == self.right(job).value else False)
        try:
            run = record(
                function, job.tree, seconds=1, window=job.arguments or FULL, negamax=negamax
            )
            run = compare_with_reference(run, self.rules)
        except INTERRUPTS:
            raise
        except BaseException:  # one that can't be followed
            return verdict
        # Else it is the move that is wrong
        return replace(verdict, trace=run) if "parting" in run.options else verdict


def exercise(name: str, **options: Any) -> SearchExercise:
    """Return an exercise with its reference and its mistakes from searches.yaml."""
    row = texts()[name]
    mistakes = []
    for each in row["mistakes"]:
        known = mistake(each, row.get("edits", {}).get(each, ()))
        forms = [form for form in known.forms if all(part in row["reference"] for part in form)]
        mistakes.append(replace(known, forms=tuple(forms)))
    bases = [{}, BOUNDS_FIRST] if "own = bv" in row["reference"] else [{}]
    return SearchExercise(name, tuple(mistakes), partial(edited, name), bases, **options)


# what the exercises are asked on, and what is compared


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    return replace(run, leaves=()) if has_wins(tree) else first_readings(tree, run)


def with_wins(tree: Tree) -> Tree:
    """Return the tree as a game: won by MAX (∞), won by MIN (−∞) or drawn (0)."""
    return revalued(
        tree,
        lambda node: inf if node.value and node.value > 0 else -inf if node.value else node.value,
    )


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(
        tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5
    )


def limits_and_lines(tree: Tree, run: Observation) -> str:
    calls = [
        f"{limit} deep" + f" with {', '.join(line)} first" * bool(line)
        for limit, line in run.leaves
    ]
    return f"searches {'; '.join(abridged(calls)) or 'nothing'}"


def named_by_moves(tree: Tree) -> Tree:
    """Return the tree with its nodes named after the moves that lead to them, as "a c", like the
    tree of a game. Not every move is legal at every node: below some of them the first is a, below
    others b.
    """
    names = {tree.root: "root"}
    for node in tree.nodes:
        above, skipped = names[node].removeprefix("root").split(), names[node][-1] in "bdf"
        for child, move in zip(node.children, ascii_lowercase[skipped:], strict=False):
            names[child] = " ".join((*above, move))
    return renamed(tree, names)


def renamed(tree: Tree, names: Mapping[Node, str]) -> Tree:
    """Return the tree with these names; a node without one gets the name that it has by default."""
    rows = [
        row._replace(name=names.get(node, ""))
        for node, row in zip(tree.nodes, tree.rows(), strict=True)
    ]
    return Tree.from_rows(with_names(rows))


def with_copies(tree: Tree) -> Tree:
    """Return the tree with some leaves replaced by a copy of an inner node that does not lie above
    them.
    """

    def copied(node: Node) -> Any:
        if not node.is_leaf:
            return long_form(node, list(map(copied, node.children)))
        parts = [
            each
            for each in tree.nodes[1 : node.index]
            if each.children and each.is_max == node.is_max
        ]
        parts = [each for each in parts if node not in tree.below(each)]
        chosen = (node.index + len(tree)) % (len(parts) + 1)
        return long_form(parts[chosen - 1]) if chosen else node.value

    return Tree(copied(tree.root))


def named_by_position(tree: Tree) -> Tree:
    """Return the tree with names that say where inner nodes stand for the same position: B, B' and
    B''.
    """
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
    """Keep of the searches the first window, and whether the value is proven in the end. Widening
    bit by bit or all at once are both right.
    """
    searches = run.leaves
    kept: list[Any] = [(low, high) for low, high, _ in searches[:1]]
    least = max((value for low, _, value in searches if value > low), default=-inf)
    most = min((value for _, high, value in searches if value < high), default=inf)
    if least < most and run.value is not None:
        kept += [UNPROVEN, len(searches) > 1]
    return replace(run, leaves=tuple(kept), details=searches)


def windows(tree: Tree, run: Observation) -> str:
    windows = (f"({number(low)}, {number(high)})" for low, high, _ in run.details or ())
    listed = ", ".join(abridged(windows)) or "no window"
    return f"searches with {listed}" + ", and then does not know the value" * (
        UNPROVEN in run.leaves
    )


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its
    value.
    """
    run = with_all_children(tree, run)
    if run.value is None:
        return run
    arranged = tree.reordered(
        lambda node: [tree[name] for name in run.value.get(node.name, ())] or list(node.children)
    )
    return Observation(len(observe(edited("alphabeta"), Job(arranged, (-inf, inf))).leaves))


def with_all_children(tree: Tree, run: Observation) -> Observation:
    """Return the run, with a problem where its value does not order all children of some nodes."""
    children = {node.name: sorted(child.name for child in node.children) for node in tree.nodes}

    def is_whole(parent: Any, names: Any) -> bool:
        return isinstance(names, list) and sorted(map(str, names)) == children.get(parent)

    if run.value is None or (
        isinstance(run.value, dict) and all(is_whole(*each) for each in run.value.items())
    ):
        return replace(run, leaves=())
    expected = "expected a dictionary from names of nodes to the names of all their children"
    return Observation(None, problem=f"{RETURNED}{brief(run.value)}; {expected}")


def show_leaves(leaves: int | None) -> str:
    return (
        "None"
        if leaves is None
        else f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}"
    )


# the table

WRITE_MINIMAX = exercise("minimax")
WRITE_ALPHABETA = exercise("alphabeta", cases=WINDOWS)
BEST_MOVE = exercise(
    "best-move", cases=(Case(), Case(dress=with_wins)), settle=without_leaves_of_wins
)
SEARCHES: tuple[SearchExercise, ...] = (
    WRITE_MINIMAX,
    exercise("two-functions", cases=WINDOWS, fits=takes_turns),
    WRITE_ALPHABETA,
    BEST_MOVE,
    exercise("best-line", cases=BEST_MOVE.cases, settle=without_leaves_of_wins),
    exercise("fail-hard", cases=WINDOWS, rules=Rules(fail_hard=True)),
    exercise("negamax", cases=WINDOWS, fits=takes_turns),
    exercise(
        "order", how="order", cases=(Case(dress=with_static_values),), settle=with_all_children
    ),
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
        # with two passes first: a fault shows on a small tree, and so does what the second pass
        # makes of the first
        cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
        settle=lambda tree, run: run,
        describe=limits_and_lines,
    ),
    exercise("best-order", settle=leaves_in_order, show=show_leaves, rules=None),
)
