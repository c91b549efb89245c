"""One move of the root after the other: alpha-beta as one worker does it, by which all others are measured."""

from abviz.parallel.plans import Plan


class Sequential(Plan):
    name = "sequential"
    alone = True
