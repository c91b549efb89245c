"""Alpha-beta split at the root in the simplest way: a task for each move, each with the full window.

The tasks know nothing of one another: a bad move is searched to its end, although a good one is known already.
"""

from abviz.parallel.plans import Plan


class Root(Plan):
    name = "root"
    shares = False
