"""The exercises on mending: what is wrong in the programs of `faulty`, proved with trees, and the programs, mended."""

from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from typing import Any

from abviz.exercises.dressing import KEPT, with_wins
from abviz.exercises.evidence import MENDED, Evidence, Mending
from abviz.exercises.faulty import ALPHABETA, MINIMAX, SEARCH
from abviz.exercises.known_mistakes import MINIMAX as MISTAKES_OF_MINIMAX
from abviz.exercises.mistakes import searching, without_bounds
from abviz.exercises.searches import Case
from abviz.exercises.writing import CASES, taken
from abviz.tracing import algorithms
from abviz.tracing.traces import trace
from abviz.tree.model import Node, Tree

# the C++ program


@lru_cache(KEPT)
def after_a_loss(tree: Tree) -> Tree:
    """A won, lost or drawn game as the root's last move, after one that loses.

    So it does not matter whether an answer cuts at the root too, which can happen only after a move that wins.
    """

    def spelled_out(node: Node) -> Any:
        if node.is_leaf:
            return node.value
        return {"children": list(map(spelled_out, node.children)), "to_move": "max" if node.is_max else "min"}

    game, max_moves = with_wins(tree).root, not tree.root.is_max
    return Tree([-inf if max_moves else inf, spelled_out(game)], to_move="max" if max_moves else "min")


MEND_SEARCH = Mending(
    "mend-search",
    without_bounds(searching()),
    (Case(), Case(dressed=after_a_loss)),
    tuple(
        replace(mistake, function=without_bounds(mistake.function), also=tuple(map(without_bounds, mistake.also)))
        for mistake in taken(
            (
                *("only the parent's bound", "bounds kept", "one α for all", "MAX and MIN swapped", "always from MAX"),
                *("MAX and MIN swapped below the root", "one child early", "children sorted", "right to left"),
                *("0 to begin with", "−1 to begin with"),
            )
        )
    ),
    (
        "Two of the five faults make the value wrong, three make the program read leaves that it need not. Which of "
        "these does the tree above show?",
        "Run your function on the trees with which you have proved the faults.",
        "MAX and MIN have their own lines, and so has the root. Has each of them been mended?",
        "Begin with what is wrong in the value. As long as no bound moves, nothing can be cut: so move the bounds "
        "next, and look at the comparisons last.",
    ),
    '''\
def mend_search(root):
    """The value of the root: faulty_search without its faults.

    It reads what alpha-beta reads: children from left to right, cutting when a value equals the bound (≥, ≤). However
    deep the tree is, values are those of leaves.
    """
    raise NotImplementedError("not written yet")
''',
    right_run=trace,
    program=SEARCH,
)

PROVE_WINDOW = Evidence(
    "prove-window",
    MEND_SEARCH,
    "window",
    "A node below the root has found a value. Which α and β does it hand to its next child?",
    (
        "Write α and β beside every node as you follow the program. Where do they change?",
        "A node has found a value, and goes on to its next child. Who, below that child, could use what it knows?",
        "The root has a fault of its own. See that it does not matter: cut by what was found below the root.",
    ),
)
PROVE_NO_VALUE = Evidence(
    "prove-no-value",
    MEND_SEARCH,
    "no value",
    "How does the program know that a node has found no value yet?",
    (
        "Which number stands for “no value yet”? May it also be a value?",
        "Let a node find that number, and go on. What does the program take it for?",
        "Of what comes next, one kind does no harm. For whom is the node to choose: what is better, and what is worse?",
    ),
)
PROVE_STRICT = Evidence(
    "prove-strict",
    MEND_SEARCH,
    "strict",
    "What does a node do whose value is just as good as the bound?",
    (
        "Which comparisons end a node early? What should they do when both sides are the same number?",
        "In the program as it is, which numbers are α and β at each node? A value has to equal one of them.",
        "Games may be won: a leaf may be inf or -inf (from math import inf). What is left to find for a player who has "
        "found a win?",
    ),
)
PROVE_DEPTH = Evidence(
    "prove-depth",
    MEND_SEARCH,
    "depth",
    "What does the program return three moves below the root, and for which nodes?",
    (
        "Which nodes, at that level, are asked for their children, and which are not?",
        "How many levels must a tree have for it to matter?",
        "No other fault may show: where no node has much to choose, nothing can be cut. It may have a single child.",
    ),
)
PROVE_ROOT = Evidence(
    "prove-root",
    MEND_SEARCH,
    "root",
    "Which window is each child of the root searched with?",
    (
        "What does the root know when it comes to its second move?",
        "When is the first reply to a move enough to know that the move is worse than another?",
        "Worse, and not just as good: else another fault is in the way.",
    ),
)

# the paper's listings

MEND_MINIMAX = Mending(
    "mend-minimax",
    MINIMAX.built(MENDED),
    (Case(),),
    tuple(each for each in MISTAKES_OF_MINIMAX if each.name != "the first child only"),  # the program's own fault
    (
        "How many leaves does it read, and how many should it?",
        "When does minimax know the value of a node: after which of its children?",
        "MAX and MIN have their own lines. Have both been mended?",
    ),
    '''\
def mend_minimax(node):
    """The value of the node, by minimax: listed_minimax without its fault."""
    raise NotImplementedError("not written yet")
''',
    right_run=partial(trace, search=algorithms.minimax),
    program=MINIMAX,
)
PROVE_BREAK = Evidence(
    "prove-break",
    MEND_MINIMAX,
    "break",
    "How often does the loop of listed_minimax go round?",
    (
        "Follow it at a node with two children. Which of them has a say in the value?",
        "On some trees the value is right by luck. Which child would have to be the best one for that?",
    ),
)
MEND_ALPHABETA = Mending(
    "mend-alphabeta",
    ALPHABETA.built(MENDED),
    CASES,
    taken(
        (
            *("strict", "minimax", "only the parent's bound", "bounds kept", "one α for all", "MAX and MIN swapped"),
            *("one child early", "right to left", "0 to begin with", "−1 to begin with", "the bound returned"),
            *("a full window at every root move",),
        )
    ),
    (
        "Its value is right. So which leaves does it read?",
        "Who, below the root, gets to know α and β?",
        "MAX and MIN have their own lines. Have both been mended?",
    ),
    '''\
def mend_alphabeta(node, alpha, beta):
    """The value of the node, by alpha-beta: listed_alphabeta without its fault."""
    raise NotImplementedError("not written yet")
''',
    right_run=trace,
    program=ALPHABETA,
)
PROVE_CALL = Evidence(
    "prove-call",
    MEND_ALPHABETA,
    "call",
    "Who searches the children in listed_alphabeta, and what is it told of α and β?",
    (
        "How much of a tree does minimax read, whatever is known already?",
        "The value will be right. What else can go wrong on a tree where alpha-beta cuts?",
        "At which node does alpha-beta cut first on your tree? Not at the root: there it cannot.",
    ),
)
