"""Known mistakes that a minimax can make as well: which children are searched, who chooses among them, and from what
it begins."""

from math import inf

from abviz.errors import Number
from abviz.exercises.mistakes import ASKING_BOUNDS, mistake_with


def largest(bv: Number, value: Number, is_max: bool) -> Number:
    return max(bv, value)


def smallest(bv: Number, value: Number, is_max: bool) -> Number:
    return min(bv, value)


def last(bv: Number, value: Number, is_max: bool) -> Number:
    return value


CHOICES = (
    mistake_with(
        "MAX and MIN swapped",
        "at every node MIN chooses where MAX should, and MAX where MIN should",
        "At a MAX node, does the largest or the smallest value come up?",
        plays_max=lambda node, depth: not node.is_max,
    ),
    mistake_with(
        "MAX and MIN swapped below the root",
        "the root chooses rightly, but below it MAX and MIN are swapped",
        "Who moves after the first move? Follow one path down and name the player at each node.",
        plays_max=lambda node, depth: bool(node.is_max) == (depth == 0),
    ),
    mistake_with(
        "always from MAX",
        "it takes the root for MAX's, and turns to the other player at every move, whoever is to move",
        "How does a node say whose move it is?",
        plays_max=lambda node, depth: depth % 2 == 0,
    ),
    mistake_with(
        "one child early",
        "it leaves the last child of every node out",
        "How many children does the loop look at, if there are three?",
        order=lambda children: children[:-1] if len(children) > 1 else children,
    ),
    mistake_with(
        "the first child only",
        "it returns as soon as a node's first child has returned",
        "How often does the loop run, if there are three children? Look at where your return stands.",
        order=lambda children: children[:1],
    ),
    mistake_with(
        "children sorted",
        "it searches the leaves of a node in the order of their values, and not from left to right",
        "In which order does the exercise want the children?",
        order=lambda children: sorted(children, key=lambda child: child.value if child.is_leaf else inf),
    ),
    mistake_with(
        "right to left",
        "it searches the children from right to left",
        "In which order does the exercise want the children?",
        order=lambda children: children[::-1],
    ),
    mistake_with(
        "0 to begin with",
        "the best value begins with 0, which may be better than all children",
        "What is the best of no values at all? Try a tree in which every leaf is below 0, then one with all above.",
        {"start": lambda is_max: 0 if is_max else inf},
        {"start": lambda is_max: -inf if is_max else 0},
        start=lambda is_max: 0,
    ),
    mistake_with(
        "−1 to begin with",
        "the best value begins with −1, which may be better than all children",
        "What is the best of no values at all? Try a tree whose leaves are −5 and −3.",
        {"start": lambda is_max: -1 if is_max else inf},
        {"start": lambda is_max: -inf if is_max else -1},
        start=lambda is_max: -1,
    ),
    mistake_with(
        "one start for both players",
        "the best value begins with the same number at MAX nodes and at MIN nodes",
        "What is the best of no values at all for MAX: what does every child better? And for MIN?",
        {"start": lambda is_max: inf},
        start=lambda is_max: -inf,
    ),
    mistake_with(
        "MAX at every node",
        "every node takes the largest value, also where MIN moves",
        "Whose move is it at a child of a MAX node, which value does that player want, and does your variable get it?",
        {"choose": largest},
        ASKING_BOUNDS | {"choose": largest, "start": lambda is_max: -inf},
        plays_max=lambda node, depth: True,
    ),
    mistake_with(
        "MIN at every node",
        "every node takes the smallest value, also where MAX moves",
        "Whose move is it at the root, which value does that player want, and does your variable get it?",
        {"choose": smallest},
        ASKING_BOUNDS | {"choose": smallest, "start": lambda is_max: inf},
        plays_max=lambda node, depth: False,
    ),
    mistake_with(
        "the last child's value",
        "a node returns what the child searched last has returned, better or not",
        "Two children of a MAX node are worth 5 and then 2. What should it return, and what does it?",
        choose=last,
    ),
)

# On trees of small numbers it makes no mistake: it is told by the tree on which it does.
FINITE = mistake_with(
    "a number for ∞",
    "some number stands for ∞, and a leaf lies beyond it",
    "A tree may hold any number. Which one is smaller than all of them?",
    start=lambda is_max: -1000 if is_max else 1000,
)
