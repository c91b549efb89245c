"""As shared; but a task looks for a better α also while it runs, whenever it is back at its first ply."""

from abviz.parallel.plans import Plan


class Polling(Plan):
    name = "polling"
    polls = True
