"""The searches to write: an answer has to do on every tree what the reference does.

Texts, references and mistakes are in searches.yaml.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import zip_longest
from math import inf, isinf
from string import ascii_lowercase
from typing import Any, ClassVar, NamedTuple, Self

from abviz.errors import CHANGED_NODE, INTERRUPTS, RAISED, Number, brief, count, number, short
from abviz.exercises.course_rules import concerns, edits_under, mistakes_under
from abviz.exercises.exercise import Mistake, changes_under, texts, worded
from abviz.exercises.judgement import (
    MOST_NUMBERS,
    Difference,
    Faults,
    FunctionExercise,
    Run,
    Runs,
    edited,
    mistake,
    same,
)
from abviz.exercises.observation import RETURNED, Arguments, Job, Observation, Plain, observe
from abviz.exercises.own_run import Recording, recorded
from abviz.exercises.trial_trees import (
    LARGEST,
    Form,
    far_trees,
    form_of,
    is_plain,
    long_form,
    random_trees,
    shape_of,
    small_trees,
    smaller_shapes,
    wide_trees,
)
from abviz.exercises.verdict import Verdict, for_message
from abviz.recording.differences import compare_with_reference
from abviz.recording.functions import FULL
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree
from abviz.tree.nested import with_names

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with
# the first 800.
SMALL_TREES, RANDOM_TREES = 1_400, 200
SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes

LONGEST_VALUE = 400  # characters of a value in a message
MOST_LISTED = 12  # leaves, windows or calls in a message

# The other way to write alpha-beta: test α ≥ β
BOUNDS_FIRST = {"own = bv": "own = alpha if is_max else beta"}


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    nodes_and_rows = zip(tree.nodes, tree.rows(), strict=True)
    return Tree.from_rows([row._replace(value=value(node)) for node, row in nodes_and_rows])


# the exercises


class Case(NamedTuple):
    """One way to call an answer."""

    arguments: Arguments = ()  # after the root

    # Makes the tree it is called on from a plain one
    dress: Callable[[Tree], Tree] = lambda tree: tree


WINDOWS = Case((-inf, inf)), Case((0, 1)), Case((-2, 3))


def readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with each reading of a leaf."""
    return with_leaves(run, tuple([name for name in run.leaves if tree[name].is_leaf]))


def first_readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with the leaves that were read, each where it was first read."""
    return with_leaves(run, tuple(dict.fromkeys(readings(tree, run).leaves)))


def with_leaves(run: Observation, leaves: tuple[Plain, ...]) -> Observation:
    """Return the run with these leaves: most often the run itself, and a copy takes time."""
    return run if leaves == run.leaves else replace(run, leaves=leaves)


def reads(tree: Tree, run: Observation) -> str:
    """Return which leaves the run reads, in words."""
    leaves = abridged(leaf_with_value(tree, name) for name in run.leaves)
    return f"reads {', '.join(leaves) or 'no leaf'}"


def leaf_with_value(tree: Tree, name: str) -> str:
    return f"{short(name)} = {number(tree[name].value)}"


def abridged(parts: Iterable[str]) -> list[str]:
    """Return the parts of a list in a message; of a long one the first few, and their number."""
    every = list(parts)
    if len(every) <= MOST_LISTED:
        return every
    return [*every[:MOST_LISTED], f"… ({len(every)} in all)"]


def reads_alike(tree: Tree, run: Observation, right: Observation) -> str:
    """Return where two long lists of leaves part; "" where both are short or they don't."""
    if max(len(run.leaves), len(right.leaves)) <= MOST_LISTED:
        return ""

    for place, (mine, theirs) in enumerate(zip_longest(run.leaves, right.leaves)):
        if mine == theirs:
            continue
        does = f"reads {leaf_with_value(tree, mine)}" if mine else "ends"
        should = f"reads {leaf_with_value(tree, theirs)}" if theirs else "ends"
        return f"after {count(place, 'leaf', 'leaves')} it {does}, where ours {should}."
    return ""


def in_words(value: Plain) -> str:
    """Return a value as Python writes it, its numbers as pictures do.

    A pair that begins with a number is written as a tuple.
    """
    return short(_in_words(value), LONGEST_VALUE)


def _in_words(value: Plain) -> str:
    if isinstance(value, list):
        entries = ", ".join(map(_in_words, value))
        is_pair = len(value) == 2 and isinstance(value[0], Number)
        return f"({entries})" if is_pair else f"[{entries}]"

    if isinstance(value, dict):
        return "; ".join(f"{_in_words(names)} at {parent}" for parent, names in value.items())

    return number(value) if isinstance(value, Number) else repr(value)


# Leaves of trees of one level, which show whether a function returns
ONE_LEVEL = [-1, 0], [1, 0], [0, 1, 2]
NOTHING = Observation(None)


def bare(run: Observation) -> Observation:
    """Return the run without the leaves that it read."""
    return replace(run, leaves=(), details=None)


def numbers_in(value: object) -> Iterator[Number]:
    """Yield the numbers in what an answer returned."""
    if isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, Number):
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


def itself(function: Callable[..., Any]) -> Callable[..., Plain]:
    return function


@dataclass(frozen=True, eq=False, repr=False)
class SearchExercise(FunctionExercise):
    """An exercise that asks for a search.

    Its texts may have `words` for the arguments of a case.
    """

    name: str
    mistakes: tuple[Mistake, ...]

    # The reference, or with edits a known mistake; and the ways to write the reference
    build: Callable[..., Callable[..., Plain]]
    bases: Sequence[Faults]

    # How an answer is called
    how: str = "search"
    cases: tuple[Case, ...] = (Case(),)

    # Names the nodes, where a name has a meaning
    named: Callable[[Tree], Tree] = lambda tree: tree

    # Whether an answer has to be right on the tree
    fits: Callable[[Tree], bool] = lambda tree: True

    # Drops from a run what answers may choose
    settle: Callable[[Tree, Observation], Observation] = first_readings

    # In words: what is compared as the value, and what a run does apart from returning it
    show: Callable[[Plain], str] = in_words
    describe: Callable[[Tree, Observation], str] = reads

    # The exercise in searches.yaml that has the reference, and what is made of that
    source: str = ""
    shaped: Callable[[Callable[..., Any]], Callable[..., Plain]] = itself

    rules: Rules = Rules()
    keeps: Sequence[str] = ()

    # Whether the reference searches the children in the order of the rules
    is_in_order: bool = True

    names_in_part: ClassVar[bool] = True
    earned: ClassVar[str] = "All values are right, for half of the points."

    @lru_cache  # noqa: B019  # the same exercise each time, so that its right runs are made once
    def under(self, rules: Rules) -> Self:
        rules = replace(rules, fail_hard=rules.fail_hard or self.rules.fail_hard)
        if rules == self.rules or not concerns(self.source, "right_to_left"):
            return self

        followed = self.followed(rules)
        return replace(
            self,
            rules=rules,
            build=partial(built, self.source, self.shaped, edits_under(self.source, followed)),
            mistakes=mistakes_under(self.mistakes, self.source, followed),
        )

    @property
    def stub(self) -> str:
        """The stub; where its docstring does not tell of a rule, a line above it does."""
        stub, unsaid = worded(str(self.texts["stub"]), self.rules)
        changes = changes_under(self.rules)
        sentences = []
        for rule in unsaid:
            if rule in self.keeps:
                sentences.append(changes[rule].get("kept", ""))
            elif concerns(self.source, rule):
                sentences.append(changes[rule]["says"])

        said = "; ".join(filter(None, sentences))
        return f"# In this course: {said}.\n{stub}" if said else stub

    @lru_cache  # noqa: B019  # the same jobs each time, so that the right run is made once
    def jobs(self, case: Case, small: int, large: int) -> tuple[Job, ...]:
        trees = (*small_trees()[:small], *random_trees(large))
        return self.jobs_on(map(case.dress, trees), case.arguments)

    def trials(self) -> Sequence[Sequence[Job]]:
        return self._trials(SMALL_TREES, RANDOM_TREES)

    @lru_cache  # noqa: B019
    def _trials(self, small: int, large: int) -> Sequence[Sequence[Job]]:
        """Return the jobs of each case.

        Trees where the players take turns and have a choice come before the other ones.
        """
        every = [self.jobs(case, small, large) for case in self.cases]
        plain = [[job for job in jobs if is_plain(job.tree.root)] for jobs in every]
        other = [[job for job in jobs if not is_plain(job.tree.root)] for jobs in every]

        first = self.cases[0]
        far = self.jobs_on(map(first.dress, far_trees()), first.arguments)
        wide = self.jobs_on(map(first.dress, wide_trees()), first.arguments)
        return [*plain, *other, far, wide]

    def sample(self) -> Sequence[Job]:
        """Return the first of the small and of the random trees.

        The far trees are left out: on them a number for ∞ would hide every other mistake.
        """
        sample: list[Job] = []
        for case in self.cases:
            jobs = self.jobs(case, SMALL_TREES, RANDOM_TREES)
            sample += jobs[:SAMPLE]
            sample += jobs[-RANDOM_TREES:][:SAMPLE]
        return sample

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        if run.problem.startswith(CHANGED_NODE):
            return [mistake("a value written into a node")]

        if run.problem.startswith(RAISED) and "NoneType" in run.problem and self.how == "search":
            is_inner = bool(run.leaves) and not job.tree[run.leaves[-1]].is_leaf
            return [mistake("the value of an inner node")] if is_inner else ()
        return super().named_at_once(job, run)

    def probes(self, job: Job, run: Observation) -> Sequence[Job]:
        """Return runs on trees of one level, where a run has met None.

        They show whether a function returns.
        """
        has_met_none = run.value is None or "NoneType" in run.problem
        if self.how != "search" or not has_met_none:
            return ()

        trees = [Tree(leaves, to_move=player) for leaves in ONE_LEVEL for player in ("max", "min")]
        return self.jobs_on(map(self.cases[0].dress, trees), self.cases[0].arguments)

    def named_by_probes(self, job: Job, run: Observation, runs: Runs) -> Sequence[Mistake]:
        """Return that a `return` is missing where one player's nodes always return None."""
        if run.value is not None or (run.problem and "NoneType" not in run.problem):
            return ()

        on_one_level = [
            (job.tree.root.is_max, bare(each))
            for job, each in runs.items()
            if all(child.is_leaf for child in job.tree.root.children)
        ]
        for player in (True, False):
            probes = [each for is_max, each in on_one_level if is_max == player]
            always_none = all(each == NOTHING for each in probes)
            if len(probes) >= len(ONE_LEVEL) and always_none:
                return [mistake("no return")]
        return ()

    def numbers(self, runs: Runs) -> Sequence[Number]:
        """Return numbers that the answer returned, though neither tree nor window has them."""
        found = Counter[Number]()
        for job, run in runs.items():
            known = {leaf.value for leaf in job.tree.leaves()} | set(job.arguments)
            for each in numbers_in(run.value):
                if each not in known and -each not in known and not isinf(each):
                    found[each] += 1

        frequent = [each for each, _ in found.most_common(MOST_NUMBERS)]
        return [*frequent, *(-each for each in frequent if -each not in frequent)]

    def named_by_size(self, runs: Runs) -> Sequence[Mistake]:
        """Return that a number stands for ∞.

        Then an answer is right as long as all leaves are near 0.
        """
        wrong = [job for job, run in runs.items() if self.difference(job, run)]
        nearest = min(map(nearest_leaf, wrong), default=0)
        is_known = any(each.name == "a number for ∞" for each in self.mistakes)
        if nearest <= LARGEST or not is_known:
            return ()

        def kind(job: Job) -> tuple[bool, int, frozenset[bool]]:
            return job.tree.root.is_max, len(job.tree), leaf_signs(job)

        kinds = set(map(kind, wrong))
        for job in runs:
            is_beyond = nearest * 10 <= nearest_leaf(job) < inf
            if is_beyond and kind(job) in kinds and job not in wrong:
                return ()
        found = mistake("a number for ∞")
        return [replace(found, says=f"{found.says} (nearer to 0, all was right)")]

    def smaller(self, job: Job) -> Iterable[Job]:
        for shape in smaller_shapes(shape_of(job.tree.root)):
            yield from self.jobs_on([Tree(form_of(shape))], job.arguments)

    def jobs_on(self, trees: Iterable[Tree], arguments: Arguments) -> tuple[Job, ...]:
        fitting = filter(self.fits, trees)
        return tuple(Job(self.named(tree), arguments, self.how) for tree in fitting)

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run without what answers may choose."""
        if run.problem.startswith(RETURNED):
            expected = self.show(self.right(job).value)
            return replace(run, problem=f"{run.problem}; expected {expected}")
        return run if run.problem else self.settle(job.tree, run)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if same(run, right):
            return None

        if run.value != right.value:
            found, expected = self.show(run.value), self.show(right.value)
            return Difference(f"{RETURNED}{found}; expected {expected}.")

        if self.describe is reads and (parting := reads_alike(job.tree, run, right)):
            return Difference(parting)

        does = self.describe(job.tree, run)
        should = self.describe(job.tree, right)
        return Difference(f"it {does}, where ours {should}.")

    def where(self, job: Job, run: Observation) -> str:
        words = self.texts.get("words", "").format(*map(number, job.arguments))
        return f"On {for_message(job.tree)}{words}"

    def praise(self, runs: Runs) -> str:
        first = [job for job in runs if job.arguments == self.cases[0].arguments]
        return f"On {len(first):,} trees it returns and reads what it should."

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, object]:
        """Return the tree, and half of the points where all values are right.

        Then the leaves are wrong.
        """
        return {"tree": job.tree, "points": (1, 2) if self.has_right_values(runs) else None}

    def gravity(self, job: Job, run: Observation) -> int:
        """Return 1 for a wrong value, 0 for the wrong leaves."""
        return int(bool(run.problem) or run.value != self.right(job).value)

    def has_right_values(self, runs: Runs) -> bool:
        """Return whether the answer has returned the right values with the first case's window."""
        for job, run in runs.items():
            if job.arguments == self.cases[0].arguments and self.gravity(job, run):
                return False
        return True

    def decisive(self, runs: Runs) -> Sequence[Job]:
        """Return the rest of the trees, where all values have been right so far."""
        if not self.has_right_values(runs):
            return ()

        window = self.cases[0].arguments
        left: list[Job] = []
        for jobs in self.trials():
            left += [job for job in jobs if job.arguments == window and job not in runs]
        return left

    def with_own_run(self, verdict: Verdict, wrong: Run | None, answer: object) -> Verdict:
        recording = self.recording(verdict, wrong)
        if recording is None:
            return verdict

        try:
            return self.with_run(verdict, recorded(answer, recording))
        except INTERRUPTS:
            raise
        except BaseException:  # one that can't be followed
            return verdict

    def recording(self, verdict: Verdict, wrong: Run | None) -> Recording | None:
        if not wrong or not self.is_in_order or self.how != "search" or verdict.tree is None:
            return None
        if has_wins(verdict.tree):  # which may end a search, or not
            return None

        # A right value may be MAX's or the player's own, and the recorder finds out
        job, seen = wrong
        negamax: bool | None = False
        if self.name == "negamax":
            negamax = True
        elif seen.value == self.right(job).value:
            negamax = None

        return Recording(tree=job.tree, window=job.arguments or FULL, negamax=negamax)

    def with_run(self, verdict: Verdict, run: Trace) -> Verdict:
        run = compare_with_reference(run, self.rules)

        # Without a parting, it is the move that is wrong
        if "parting" not in run.options:
            return verdict
        return replace(verdict, trace=run, rules=self.rules)


def built(
    source: str,
    shaped: Callable[[Callable[..., Any]], Callable[..., Plain]],
    edits: Faults,
    /,
    **faults: str,
) -> Callable[..., Plain]:
    """Return the reference after the edits of the rules, and those that make a mistake."""
    return shaped(edited(source, **edits | faults))


def exercise(name: str, **options: Any) -> SearchExercise:
    """Return an exercise with its reference and its mistakes from searches.yaml."""
    row = texts()[name]
    reference: str = row["reference"]

    mistakes = []
    for each in row["mistakes"]:
        known = mistake(each, row.get("edits", {}).get(each, ()))
        forms = [form for form in known.forms if all(part in reference for part in form)]
        mistakes.append(replace(known, forms=tuple(forms)))

    bases: list[Faults] = [{}]
    if all(part in reference for part in BOUNDS_FIRST):
        bases.append(dict(BOUNDS_FIRST))

    return SearchExercise(
        name=name,
        mistakes=tuple(mistakes),
        source=name,
        build=partial(built, name, itself, {}),
        bases=bases,
        **options,
    )


# what the exercises are asked on, and what is compared


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    return replace(run, leaves=()) if has_wins(tree) else first_readings(tree, run)


def with_wins(tree: Tree) -> Tree:
    """Return the tree as a game: won by MAX (∞), won by MIN (−∞) or drawn (0)."""

    def win(node: Node) -> Number | None:
        if not node.value:
            return node.value
        return inf if node.value > 0 else -inf

    return revalued(tree, win)


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""

    def static_value(node: Node) -> Number | None:
        if node.is_leaf:
            return node.value
        return (7 * (node.index + len(tree))) % 11 - 5

    return revalued(tree, static_value)


def limits_and_lines(tree: Tree, run: Observation) -> str:
    """Return the limit of each call, and the line that it searches first, in words."""
    calls = []
    for limit, line in run.leaves:
        first = f" with {', '.join(line)} first" if line else ""
        calls.append(f"{limit} deep{first}")
    return f"searches {'; '.join(abridged(calls)) or 'nothing'}"


def named_by_moves(tree: Tree) -> Tree:
    """Return the tree with its nodes named after the moves that lead to them.

    The names are like "a c", as in the tree of a game. Not every move is legal at every node: below
    some of them the first is a, below others b.
    """
    names = {tree.root: "root"}
    for node in tree.nodes:
        path = names[node].removeprefix("root").split()
        moves = ascii_lowercase
        if names[node][-1] in "bdf":
            moves = moves[1:]

        for child, move in zip(node.children, moves, strict=False):
            names[child] = " ".join((*path, move))
    return renamed(tree, names)


def renamed(tree: Tree, names: Mapping[Node, str]) -> Tree:
    """Return the tree with these names; a node without one gets the name that it has by default."""
    nodes_and_rows = zip(tree.nodes, tree.rows(), strict=True)
    rows = [row._replace(name=names.get(node, "")) for node, row in nodes_and_rows]
    return Tree.from_rows(with_names(rows))


def with_copies(tree: Tree) -> Tree:
    """Return the tree with some leaves replaced by a copy of an inner node.

    The inner node does not stand above the leaf, and the same player moves there.
    """

    def copied(node: Node) -> Form:
        if not node.is_leaf:
            return long_form(node, list(map(copied, node.children)))

        parts = []
        for each in tree.nodes[1 : node.index]:
            is_alike = bool(each.children) and each.is_max == node.is_max
            if is_alike and node not in tree.below(each):
                parts.append(each)

        chosen = (node.index + len(tree)) % (len(parts) + 1)
        return long_form(parts[chosen - 1]) if chosen else node.value

    return Tree(copied(tree.root))


def named_by_position(tree: Tree) -> Tree:
    """Return the tree with names that say where inner nodes stand for the same position.

    These are B, B' and B''.
    """
    names: dict[Node, str] = {}
    first_names: dict[str, str] = {}  # by position

    for node in tree.nodes:
        if not node.children:
            continue
        name = first_names.setdefault(repr(long_form(node)), node.name)
        while name in names.values():
            name += "'"
        names[node] = name
    return renamed(tree, names)


UNPROVEN = "unproven"


def what_is_proven(tree: Tree, run: Observation) -> Observation:
    """Keep of the searches the first window, and whether the value is proven in the end.

    Widening bit by bit or all at once are both right.
    """
    searches = run.leaves
    kept: list[Plain] = [(low, high) for low, high, _ in searches[:1]]

    # A value above the lower bound is worth at least that; one below the upper bound at most that
    least = max((value for low, _, value in searches if value > low), default=-inf)
    most = min((value for _, high, value in searches if value < high), default=inf)
    if least < most and run.value is not None:
        kept += [UNPROVEN, len(searches) > 1]

    return replace(run, leaves=tuple(kept), details=searches)


def windows(tree: Tree, run: Observation) -> str:
    """Return the windows of the searches, in words."""
    windows = (f"({number(low)}, {number(high)})" for low, high, _ in run.details or ())
    listed = ", ".join(abridged(windows)) or "no window"
    if UNPROVEN in run.leaves:
        return f"searches with {listed}, and then does not know the value"
    return f"searches with {listed}"


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return as the run's value how many leaves alpha-beta reads in the order returned."""
    run = with_all_children(tree, run)
    if run.value is None:
        return run

    def ordered(node: Node) -> list[Node]:
        names = run.value.get(node.name)
        return [tree[name] for name in names] if names else list(node.children)

    searched = observe(edited("alphabeta"), Job(tree.reordered(ordered), (-inf, inf)))
    return Observation(len(searched.leaves))


def with_all_children(tree: Tree, run: Observation) -> Observation:
    """Return the run, with a problem where its value does not order all children of some nodes."""
    children = {node.name: sorted(child.name for child in node.children) for node in tree.nodes}

    def is_whole(parent: Plain, names: Plain) -> bool:
        return isinstance(names, list) and sorted(map(str, names)) == children.get(parent)

    if run.value is None:
        return replace(run, leaves=())
    if isinstance(run.value, dict) and all(is_whole(*each) for each in run.value.items()):
        return replace(run, leaves=())

    expected = "expected a dictionary from names of nodes to the names of all their children"
    return Observation(None, problem=f"{RETURNED}{brief(run.value)}; {expected}")


def show_leaves(leaves: int | None) -> str:
    if leaves is None:
        return "None"
    return f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}"


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
    exercise("killer", named=named_by_moves, settle=readings, cases=WINDOWS[:1], is_in_order=False),
    exercise(
        "table",
        named=named_by_position,
        cases=(Case((-inf, inf), with_copies),),
        keeps=("fail_hard",),
        is_in_order=False,
    ),
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
        # Two passes come first: a bug shows on a small tree, and so does what the second pass
        # makes of the first.
        cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
        settle=lambda tree, run: run,
        describe=limits_and_lines,
    ),
    exercise("best-order", settle=leaves_in_order, show=show_leaves, is_in_order=False),
)
