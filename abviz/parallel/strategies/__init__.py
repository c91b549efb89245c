"""The strategies by their names, from the simplest on."""

from abviz.parallel.plans import Plan
from abviz.parallel.strategies.first_move import FirstMove
from abviz.parallel.strategies.minimax import Minimax
from abviz.parallel.strategies.polling import Polling
from abviz.parallel.strategies.pv_split import PvSplit
from abviz.parallel.strategies.root import Root
from abviz.parallel.strategies.sequential import Sequential
from abviz.parallel.strategies.shared import Shared
from abviz.parallel.strategies.young_brothers import YoungBrothers

STRATEGIES: dict[str, type[Plan]] = {
    each.name: each for each in (Sequential, Minimax, Root, Shared, Polling, FirstMove, PvSplit, YoungBrothers)
}
