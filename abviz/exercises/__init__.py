"""Exercises that check themselves: `check`, the table `EXERCISES`, `make_tree`, and the `Verdict` on an answer."""

from importlib import import_module
from typing import Any

HOMES = {"check": "catalogue", "EXERCISES": "catalogue", "Verdict": "verdict", "make_tree": "generator"}
HOMES |= {"hurried_split_root": "threads", "in_order": "threads", "root_counts": "threads"}
__all__ = ["EXERCISES", "Verdict", "check", "hurried_split_root", "in_order", "make_tree", "root_counts"]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
