"""Minimax split at the root: a task for each move, and no bounds at all. Nothing is lost by splitting it."""

from abviz.parallel.plans import Plan


class Minimax(Plan):
    name = "minimax"
    method = "minimax"
    shares = False
