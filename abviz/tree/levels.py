"""A tree as a listing: one line for each level, left to right.

The format is that of the C++ program alpha-beta.cpp (see docs/sources.md). Each node has its name,
its value, its player and its number of children:

    A=-1(MaxNode2)
    B=-1(MinNode2), C=-1(MinNode3),
    D=3(MaxNode0), E=5(MaxNode0), ...
"""

from collections.abc import Callable
from typing import Any

from abviz.errors import Number, visible

# What the C++ program prints for a value that it does not know yet. It is a legal value, too.
UNKNOWN = -1


def listing(
    root: Any,
    value: Callable[[Any], Number | None],
    unknown: Number | str = UNKNOWN,
) -> str:
    """Return the listing of the nodes below the root.

    A node's value is what `value(node)` returns; `unknown` stands for None.
    """

    def entry(node: Any) -> str:
        known = value(node)
        shown = visible(str(unknown if known is None else known))
        player = "MaxNode" if node.is_max else "MinNode"
        return f"{visible(node.name)}={shown}({player}{len(node.children)})"

    # The program ends the root's line in a space, and every other node in a comma and a space.
    lines = [f"{entry(root)} \n"]
    level = root.children
    while level:
        lines.append("".join(f"{entry(node)}, " for node in level) + "\n")
        level = tuple(child for node in level for child in node.children)
    return "".join(lines)
