"""A tree as the text of a tree file, which loads to an equal tree."""

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from abviz.errors import AbvizError, Number, columns, machine
from abviz.tree.model import Node, Tree
from abviz.tree.nested import BadTree
from abviz.tree.reading import resolve

FLOW_COLUMNS = 40  # what is narrower stands on one line: {D: 3, E: 5}
FLOW_LEVEL = 12  # and so does all that is deeper: its indentation would push it off the page

BREAKS = "\n\r\x85\u2028\u2029"  # all that YAML, in one version or another, takes for the end of a line


def to_yaml(tree: Tree) -> str:
    """The text of a tree file: `parse(to_yaml(tree)) == tree`."""
    head = {"title": tree.title, "source": tree.source, "note": tree.note}
    head["to_move"] = "max" if tree.root.is_max else "min"
    head["root"] = tree.root.name if tree.root.name != "root" else ""
    head = {key: text for key, text in head.items() if text}
    nested = _nest(tree)
    _check(tree, nested, head)
    scalars = [_text(text) for pair in head.items() for text in pair]
    return _emit(scalars, width=80) + _emit([_text("tree"), *_events(nested)], width=10**9)


def _check(tree: Tree, nested: Any, head: dict[str, str]) -> None:
    """Not every tree fits into a file: a mirrored one, say, has nodes with the path names of other places."""
    why = "its nodes are not as nested lists would make them"
    try:
        if Tree(nested, **head) == tree:
            return
    except BadTree as bad:
        why = str(bad)
    raise AbvizError(f"a tree file cannot hold this tree ({why}); expected one that nested lists can make")


def _nest(tree: Tree) -> Any:
    """The tree as nested lists and mappings."""
    paths = [""] * len(tree)
    for node in tree.nodes:
        for number, child in enumerate(node.children):
            paths[child.index] = f"{paths[node.index]}.{number}" if node.index else str(number)
    specs: list[Any] = [None] * len(tree)
    for node in reversed(tree.nodes):
        specs[node.index] = _inner(node, tree.parent(node), specs, paths) if node.children else node.value
    return specs[0]


def _inner(node: Node, parent: Node | None, specs: list[Any], paths: list[str]) -> Any:
    unnamed = all(child.name == paths[child.index] for child in node.children)
    children = [specs[child.index] for child in node.children]
    named = dict(zip((child.name for child in node.children), children, strict=True))
    long: dict[str, Any] = {}
    if parent is not None and node.is_max == parent.is_max:
        long["to_move"] = "max" if node.is_max else "min"
    if node.value is not None:
        long["value"] = node.value
    if long or "children" in named:
        return {**long, "children": children if unnamed else named}
    return children if unnamed else named


def _events(nested: Any) -> Iterator[yaml.Event]:
    widths = _widths(nested)
    waiting: list[tuple[Any, int]] = [(nested, 0)]
    while waiting:
        spec, level = waiting.pop()
        if isinstance(spec, yaml.Event):
            yield spec
        elif isinstance(spec, dict | list):
            flow = widths[id(spec)] <= FLOW_COLUMNS or level >= FLOW_LEVEL
            inside: list[Any] = []
            if isinstance(spec, dict):
                yield yaml.MappingStartEvent(None, None, True, flow_style=flow)
                for name, thing in spec.items():
                    inside += [_text(name), thing]
                inside.append(yaml.MappingEndEvent())
            else:
                yield yaml.SequenceStartEvent(None, None, True, flow_style=flow)
                inside = [*spec, yaml.SequenceEndEvent()]
            waiting += [(thing, level + 1) for thing in reversed(inside)]
        else:
            yield _text(spec) if isinstance(spec, str) else _number(spec)


def _widths(nested: Any) -> dict[int, int]:
    """The columns that each list and mapping takes on one line, by its id."""
    specs = [nested]
    for spec in specs:  # it grows on the way, until all are in it
        specs += _things(spec)
    widths: dict[int, int] = {}
    for spec in reversed(specs):
        inside = sum(2 + widths.get(id(thing), 0) for thing in _things(spec))
        names = sum(columns(key) + 2 for key in spec) if isinstance(spec, dict) else 0
        widths[id(spec)] = inside + names if isinstance(spec, dict | list) else len(str(spec))
    return widths


def _things(spec: Any) -> list[Any]:
    if isinstance(spec, dict):
        return list(spec.values())
    return spec if isinstance(spec, list) else []


def _number(value: Number | None) -> yaml.Event:
    text = "null" if value is None else machine(value).replace("inf", ".inf")
    return yaml.ScalarEvent(None, None, (True, False), text)


def _text(text: str) -> yaml.Event:
    """In double quotes where it would break the line, and in some where this or another reader takes it for a number,
    a date or the like; without them elsewhere, if its letters allow."""
    others = yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], [])
    plain = resolve(text) == text and not any(pattern.match(text) for _, pattern in others)
    style = '"' if any(letter in BREAKS for letter in text) else None
    return yaml.ScalarEvent(None, None, (plain, True), text, style=style)


def _emit(inside: Iterable[yaml.Event], *, width: int) -> str:
    """The lines of one mapping."""
    mapping = yaml.MappingStartEvent(None, None, True, flow_style=False)
    start = [yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False), mapping]
    end = [yaml.MappingEndEvent(), yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent()]
    return str(yaml.emit([*start, *inside, *end], width=width, allow_unicode=True))
