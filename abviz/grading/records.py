"""A verdict as plain data, which is stored as JSON."""

from dataclasses import asdict, fields, replace
from typing import Any

from abviz.exercises.verdict import Mark, Verdict
from abviz.recording.differences import compare_with_reference
from abviz.recording.messages import message_of, run_from
from abviz.tracing.algorithms import Rules, alphabeta, minimax
from abviz.tracing.traces import RECORDED, Trace, trace
from abviz.tree.model import Tree
from abviz.tree.nested import Row

Record = dict[str, Any]

SEARCHES = {search.__name__: search for search in (alphabeta, minimax)}


def record_of(verdict: Verdict) -> Record:
    """Return the verdict as plain data."""
    record: Record = {each.name: getattr(verdict, each.name) for each in fields(verdict)}
    record["tree"] = _tree_record(verdict.tree)
    record["rules"] = asdict(verdict.rules) if verdict.rules else None
    record["trace"] = _trace_record(verdict.trace)
    return record


def verdict_from(record: Record) -> Verdict:
    """Return the verdict; raise an error of any kind where the record is of none."""
    record = dict(record)
    record["tree"] = _tree_from(record["tree"])
    record["rules"] = Rules(**record["rules"]) if record["rules"] else None
    record["hints"] = tuple(record["hints"])
    record["points"] = tuple(record["points"]) if record["points"] else None
    record["marks"] = tuple(Mark(*mark) for mark in record["marks"])
    record["trace"] = _trace_from(record["trace"], record["rules"])
    return Verdict(**record)


def is_same(one: Verdict, other: Verdict) -> bool:
    """Return whether two verdicts say the same, and show the same run."""
    is_same_run = str(one.trace) == str(other.trace)
    return is_same_run and replace(one, trace=None) == replace(other, trace=None)


def _tree_record(tree: Tree | None) -> Record | None:
    if tree is None:
        return None
    return {
        "rows": [list(row) for row in tree.rows()],
        "texts": [tree.title, tree.source, tree.note],
        "players": list(tree.players),
    }


def _tree_from(record: Record | None) -> Tree | None:
    if record is None:
        return None
    rows = [Row(*row) for row in record["rows"]]
    max_name, min_name = record["players"]
    return Tree.from_rows(rows, *record["texts"], players=(max_name, min_name))


def _trace_record(run: Trace | None) -> Record | None:
    if run is None:
        return None
    record: Record = {"search": run.search, "tree": _tree_record(run.tree)}
    if run.search == RECORDED:
        return record | {"run": message_of(run)}
    return record | {"rules": asdict(run.rules), "depth": run.depth, "options": dict(run.options)}


def _trace_from(record: Record | None, rules: Rules | None) -> Trace | None:
    if record is None:
        return None

    tree = _tree_from(record["tree"])
    assert tree is not None
    if record["search"] == RECORDED:
        return compare_with_reference(run_from(record["run"], tree), rules)

    return trace(
        tree,
        search=SEARCHES[record["search"]],
        rules=Rules(**record["rules"]),
        depth=record["depth"],
        **record["options"],
    )
