"""The first move alone, then the others side by side: none of them starts without an α."""

from abviz.parallel.plans import Plan


class FirstMove(Plan):
    name = "first-move"
    first_alone = True
