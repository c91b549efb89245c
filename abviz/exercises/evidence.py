"""What is asked about a program with faults: for each a tree that proves it, and the program, mended.

A tree proves a fault if the program goes wrong on it as it is, and does not once this fault is mended and no other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from abviz.errors import AbvizError, brief, count, number
from abviz.exercises.behaviour import Behaviour
from abviz.exercises.faulty import Left, Program
from abviz.exercises.recognising import sample
from abviz.exercises.searches import Exercise
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.exercises.wording import reads
from abviz.recording.watchdog import OutOfTime, within
from abviz.tree.model import Tree

MENDED: Left = frozenset()
MOST_NODES = 300  # of a tree that is to prove something
# Trees that prove nothing.
EXPECTED = 'expected a tree, such as [[3, 4], 1] or Tree([[4, 3], 6], to_move="min")'

# a program, mended


@dataclass(frozen=True, eq=False, kw_only=True)
class Mending(Exercise):
    """One that asks for a program, mended. An answer in which faults are left is told how many, and not which."""

    program: Program

    def check(self, answer: Any, seconds: float) -> Verdict:
        verdict = super().check(answer, seconds)
        function = self.function(answer)
        if verdict.status != WRONG or verdict.mistake or function is None:
            return verdict
        try:
            left = within(seconds, lambda: self.left(function))
        except (OutOfTime, NotImplementedError):
            return verdict
        if not left:
            return verdict
        name, told = _how_many(self.program, left)
        return replace(verdict, message=f"{verdict.message} {told}", mistake=name)

    def left(self, function: Callable[..., Any]) -> Left:
        """Where the program's faults are left in a function; nowhere, if it does something else than the program."""
        found = {place for place, tree in self.program.probes.items() if self.differs(function, self.reference, tree)}
        same = self.program.built(frozenset(found))
        mended_in_part = all(self.runs(function, tree) == self.runs(same, tree) for tree in sample(self))
        return frozenset(found) if mended_in_part else MENDED

    def differs(self, function: Callable[..., Any], other: Callable[..., Any], tree: Tree) -> bool:
        return self.plain_run(function, tree) != self.plain_run(other, tree)

    def plain_run(self, function: Callable[..., Any], tree: Tree) -> Behaviour:
        return self.run(function, tree, *self.cases[0].arguments)


def _how_many(program: Program, left: Left) -> tuple[str, str]:
    """How many faults are left: as a name, and in a sentence."""
    there = [fault.places for fault in program.faults.values() if fault.places & left]
    in_part = sum(not places <= left for places in there)
    few, most = len(there), len(program.faults)
    if most == 1:
        told = "The fault of the program is left"
    elif few == most:
        told = f"All {most} faults of the program are left"
    else:
        told = f"Of the program's {most} faults {few} {'is' if few == 1 else 'are'} left"
    part = f"{in_part} of them mended in part" if few > 1 else "mended in part"
    return f"{count(few, 'fault')} left", f"{told}, {part}." if in_part else f"{told}."


# a tree that proves a fault

NO_FAULT = "no fault shows"
ANOTHER = "another fault"
HIDDEN = "hidden by another fault"
NOT_ALONE = "not this fault alone"

WHY = {
    NO_FAULT: "Follow the program with a pencil: at which node does what you have found wrong change what it does?",
    ANOTHER: "With this fault mended nothing changes: what goes wrong here comes from another one.",
    HIDDEN: "Were this the only fault, it would show here; as the program is, mending it alone changes nothing. What "
    "else would have to be mended first? Look for a tree on which that does not matter.",
    NOT_ALONE: "With this fault mended it does something else, and goes wrong still: another fault shows as well.",
}


@dataclass(frozen=True)
class Evidence:
    """One that asks for a tree on which a fault of the program shows, and no other."""

    name: str
    mending: Mending
    fault: str
    question: str  # tells where to look, and not what is wrong there
    hints: tuple[str, ...]

    @property
    def stub(self) -> str:
        return (
            f"# {self.question}\n"
            "# A tree on which the program goes wrong because of that, and of nothing else: nested lists, or a Tree.\n"
            f"{self.name.replace('-', '_')} = ...\n"
        )

    def check(self, answer: Any, seconds: float) -> Verdict:
        if answer is None or answer is ...:
            return Verdict(self.name, NOT_YET, f"No tree is there; {EXPECTED}.", hints=self.hints)
        try:
            tree = _tree(answer)
        except AbvizError as error:
            return Verdict(self.name, WRONG, f"{str(error)[0].upper()}{str(error)[1:]}.", hints=self.hints)
        program = self.mending.program
        this = program.faults[self.fault].places
        run, mended, alone, right = (
            self.mending.plain_run(program.built(left), tree)
            for left in (program.places, program.places - this, this, MENDED)
        )
        told = f"On {written(tree)} the program {_symptom(tree, run, right)}."
        if goes_wrong(run, right) and not goes_wrong(mended, right):
            return Verdict(self.name, RIGHT, f"{told} With this fault mended, and no other, all is well.")
        if not goes_wrong(run, right):
            mistake = NO_FAULT
        elif mended != run:
            mistake = NOT_ALONE
        else:
            mistake = HIDDEN if goes_wrong(alone, right) else ANOTHER
        return Verdict(self.name, WRONG, f"{told} {WHY[mistake]}", mistake, tree, self.hints)


def goes_wrong(run: Behaviour, right: Behaviour) -> bool:
    """Whether a value is wrong, or a leaf is read that need not be."""
    return run.value != right.value or not set(run.leaves) <= set(right.leaves)


def _symptom(tree: Tree, run: Behaviour, right: Behaviour) -> str:
    if run.value != right.value:
        return f"returns {number(run.value)}; expected {number(right.value)}"
    if goes_wrong(run, right):
        return f"{reads(tree, run)}; expected {reads(tree, right).partition(' ')[2]}"
    return f"returns {number(run.value)}, as it should, and reads no leaf that it need not"


def _tree(answer: Any) -> Tree:
    if not isinstance(answer, Tree | list | tuple | dict):
        raise AbvizError(f"the answer is {brief(answer)}; {EXPECTED}")
    tree = answer if isinstance(answer, Tree) else Tree(answer)
    if tree.root.is_leaf:
        raise AbvizError(f"the tree is a single leaf; {EXPECTED}")
    if len(tree) > MOST_NODES:
        raise AbvizError(f"the tree has {len(tree):,} nodes; expected at most {MOST_NODES}")
    if any(leaf.value is None for leaf in tree.leaves()):
        raise AbvizError("the tree has a leaf without a value; expected a number at each")
    return tree
