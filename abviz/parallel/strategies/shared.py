"""A task for each move of the root, which starts with the best value that has been found by then as its α."""

from abviz.parallel.plans import Plan


class Shared(Plan):
    name = "shared"
