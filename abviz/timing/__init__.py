"""Measured runs: their charts, their table, their files, and the timing widget."""

from abviz.timing.charts import Chart, by_move, overhead, speed_up
from abviz.timing.lane_chart import LaneChart, lanes
from abviz.timing.storage import read_runs, save_runs
from abviz.timing.summary import Table, table
from abviz.timing.widget import Timing

__all__ = ["Chart", "LaneChart", "Table", "Timing"]
__all__ += ["by_move", "lanes", "overhead", "read_runs", "save_runs", "speed_up", "table"]
