"""Measured runs: their charts, their table, their files, and the timing widget."""

from importlib import import_module
from typing import Any

from abviz.capabilities import is_installed, require

_HOMES = {
    "Chart": "charts",
    "by_move": "charts",
    "curve": "charts",
    "histogram": "charts",
    "overhead": "charts",
    "speed_up": "charts",
    "LaneChart": "lane_chart",
    "lanes": "lane_chart",
    "Table": "summary",
    "table": "summary",
    "read_runs": "storage",
    "save_runs": "storage",
    "Timing": "widget",
}
__all__ = list(_HOMES)


# On first use: a table needs no matplotlib, and a chart no widget
def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    home = _HOMES[name]
    if home == "charts" and not is_installed("matplotlib"):
        home = "chart_tables"
    if home == "widget":
        require("ipywidgets", "the timing widget")
    return getattr(import_module(f"{__name__}.{home}"), name)
