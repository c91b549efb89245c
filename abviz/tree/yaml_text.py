"""Tree files as text: YAML and JSON read into groups and scalars, and trees written as YAML."""

import json
from collections.abc import Iterator
from typing import Any

import yaml

from abviz.errors import AbvizError, brief, quoted, short
from abviz.tree.model import Tree
from abviz.tree.nested import MOST_LEVELS, MOST_NODES, BadTree, Group, Item, Plain, with_names

MOST_WRITTEN_LEVELS = 100  # the YAML library's dumper calls itself at every level

# reading


def read_json(text: str) -> Any:
    """Return what the JSON holds: groups, lists and scalars, without their lines. Raises ValueError, RecursionError."""

    def group(pairs: list[tuple[str, Any]]) -> Group:
        return Group(Item(*pair) for pair in pairs)

    return json.loads(
        text, strict=False, object_pairs_hook=group, parse_int=Plain, parse_float=Plain, parse_constant=Plain
    )


def read_yaml(text: str) -> Any:
    """Return what the YAML holds: groups and scalars, with their lines.

    It is made from the events of the YAML library's parser, since the library's own loaders call themselves at every
    level. Their number is limited: what an alias stands for is not copied, and nothing costs more than a tree may.
    """
    documents = Group()
    stack = [documents]
    anchors: dict[str, Any] = {}
    things = 0
    for event, line in _events(text):
        if isinstance(event, yaml.DocumentStartEvent) and documents:
            raise BadTree("a second document begins here; expected one", None, line)
        if isinstance(event, yaml.CollectionEndEvent):
            group = stack.pop()
            if isinstance(event, yaml.MappingEndEvent):
                group[:] = map(_pair, group[::2], group[1::2])
        if not isinstance(event, yaml.NodeEvent):
            continue
        anchor = event.anchor or ""
        content: Any = Group()
        if isinstance(event, yaml.AliasEvent):
            if anchor not in anchors:
                raise BadTree(f"the alias *{short(anchor)} has no anchor above it; expected one", None, line)
            content = anchors[anchor]
        elif event.tag:  # type: ignore[attr-defined]
            raise BadTree(f"here is the tag {brief(event.tag)}; expected none", None, line)  # type: ignore[attr-defined]
        elif isinstance(event, yaml.ScalarEvent):
            content = event.value if event.style else Plain(event.value)
        anchors[anchor] = content
        stack[-1].append(Item(None, content, line))
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(content)
        things += 1
        if len(stack) > 2 * MOST_LEVELS + 2:  # the long form of a node takes two
            raise BadTree(f"more than {MOST_LEVELS:,} levels; expected fewer", None, line)
        if things > 4 * MOST_NODES:
            raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer", None, line)
    return documents[0].content if documents else None


def _pair(key: Item, value: Item) -> Item:
    if value.content == "" and isinstance(value.content, Plain) and ":" in str(key.content):
        raise BadTree(f"{brief(str(key.content))} has no value; expected a space after the colon: D: 3", None, key.line)
    return Item(key.content, value.content, key.line)


def _events(text: str) -> Iterator[tuple[yaml.Event, int]]:
    line = 1
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else line
            yield event, line
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the last two: "\UFFFFFFFF" is no character
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        mark = getattr(error, "problem_mark", None)
        if mark:
            line = mark.line + 1
        elif isinstance(error, yaml.reader.ReaderError):
            line = text.count("\n", 0, error.position) + 1
        raise BadTree(f"this does not parse ({short(problem, 160)}); expected YAML or JSON", None, line) from None


# writing


class Dumper(yaml.SafeDumper):
    """Quotes a text that cannot be printed as it is: the library would lose some line breaks."""

    def represent_text(self, text: str) -> yaml.Node:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


Dumper.add_representer(str, Dumper.represent_text)


def write_yaml(tree: Tree) -> str:
    """Return the text of a tree file, which loads to an equal tree."""
    if tree.levels > MOST_WRITTEN_LEVELS:
        raise AbvizError(f"the tree has {tree.levels:,} levels; expected at most {MOST_WRITTEN_LEVELS} in a tree file")
    rows = tree.rows()
    is_named = with_names([row._replace(name="") for row in rows]) != rows
    content: list[Any] = [node.value for node in tree.nodes]
    for node in reversed(tree.nodes):
        above = tree.parent(node)
        long_form: dict[str, Any] = {}
        if above is not None and node.is_max == above.is_max:
            long_form["to_move"] = "max" if node.is_max else "min"
            if node.is_leaf:
                problem = f"a tree file cannot say that the same player moves at {quoted(node.name)} and above it"
                raise AbvizError(f"{problem}; expected the other player at a leaf")
        if node.is_leaf:
            continue
        if node.value is not None:
            long_form["value"] = node.value
        below: Any = [content[child.index] for child in node.children]
        if is_named:
            below = {child.name: content[child.index] for child in node.children}
        is_long = long_form or (is_named and "children" in below)
        content[node.index] = {**long_form, "children": below} if is_long else below
    head = {"title": tree.title, "source": tree.source, "note": tree.note}
    head |= {"to_move": "max" if tree.root.is_max else "min", "root": tree.root.name if is_named else ""}
    record = {key: text for key, text in head.items() if text} | {"tree": content[0]}
    return str(yaml.dump(record, Dumper=Dumper, default_flow_style=None, allow_unicode=True, sort_keys=False))
