"""Measured runs: their charts, their table, their files, and the timing widget."""

from importlib import import_module
from typing import Any

_MODULES = {
    "charts": ("speed_up", "overhead", "time_per_move", "beam_against_reordering", "Chart"),
    "lane_chart": ("lanes", "LaneChart"),
    "files": ("save_runs", "read_runs"),
    "summary": ("table", "Table"),
    "widget": ("Timing",),
}
__all__ = [name for names in _MODULES.values() for name in names]


def __getattr__(name: str) -> Any:  # lazily: tables and files need no matplotlib
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"abviz.timing.{module}"), name)
    raise AttributeError(f"module 'abviz.timing' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
