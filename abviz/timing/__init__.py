"""Runs that were timed: their files, their charts, their table, the widget."""

from importlib import import_module
from typing import Any

_ROOMS = {
    "save_runs": "files",
    "read_runs": "files",
    "lanes": "timelines",
    "speed_up": "charts",
    "overhead": "charts",
    "time_per_move": "charts",
    "beam_against_reordering": "beams",
    "Beams": "beams",
    "Beam": "beams",
    "table": "tables",
    "Table": "tables",
    "Chart": "showing",
    "Timing": "widget",
}
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:  # as at the front door: files and tables do without matplotlib
    if name not in _ROOMS:
        raise AttributeError(f"module 'abviz.timing' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"abviz.timing.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
