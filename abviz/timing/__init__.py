"""Measured runs: their charts, their table, their files, and the timing widget."""

from abviz.timing.charts import Chart, beam_against_reordering, overhead, speed_up, time_per_move
from abviz.timing.lane_chart import LaneChart, lanes
from abviz.timing.storage import read_runs, save_runs
from abviz.timing.summary import Table, table
from abviz.timing.widget import Timing

__all__ = [
    "Chart",
    "LaneChart",
    "Table",
    "Timing",
    "beam_against_reordering",
    "lanes",
    "overhead",
    "read_runs",
    "save_runs",
    "speed_up",
    "table",
    "time_per_move",
]
