"""Tree files as text: YAML and JSON read into groups and scalars, and rows written as YAML."""

import json
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import yaml

from abviz.errors import AbvizError, Number, brief, machine, quoted, short
from abviz.tree.nested import MOST_LEVELS, MOST_NODES, BadTree, Group, Plain, Row, Unfit, with_names

FLOW_COLUMNS = 40  # what is narrower stands on one line: {D: 3, E: 5}
FLOW_LEVEL = 12  # and so does all that is deeper: its indentation would push it off the page
WIDTH = 80
RESOLVER = yaml.resolver.Resolver()

# reading


def read_json(text: str) -> Any:
    """Return what the JSON holds: groups, lists and scalars, without their lines. Raises ValueError, RecursionError."""

    def group(pairs: list[tuple[str, Any]]) -> Group:
        return Group(True, [(each, None) for pair in pairs for each in pair])

    return json.loads(
        text, strict=False, object_pairs_hook=group, parse_int=Plain, parse_float=Plain, parse_constant=Plain
    )


def read_yaml(text: str) -> Any:
    """Return what the YAML holds: groups and scalars, with their lines.

    It is made from the events of the YAML library's parser, since the library's own loaders call themselves at every
    level. Their number is limited: what an alias stands for is not copied, and nothing costs more than a tree may.
    """
    documents = Group(False)
    stack = [documents]
    anchors: dict[str, Any] = {}
    things = 0
    for event, line in _events(text):
        if isinstance(event, yaml.DocumentStartEvent) and documents.entries:
            raise BadTree("a second document begins here; expected one", None, line)
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        group = Group(isinstance(event, yaml.MappingStartEvent))
        entries = stack[-1].entries
        thing: Any = group
        if isinstance(event, yaml.AliasEvent):
            unknown = Unfit(f"the alias *{short(event.anchor or '')}, which has no anchor above it")
            thing = anchors.get(event.anchor or "", unknown)
        elif event.tag:  # type: ignore[attr-defined]
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")  # type: ignore[attr-defined]
            thing = Unfit(f"something with the tag {brief(tag)}")
        elif isinstance(event, yaml.ScalarEvent):
            thing = event.value if event.style else Plain(event.value)
            if thing == "" and stack[-1].is_mapping and len(entries) % 2 and ":" in str(entries[-1][0]):
                thing = Unfit("missing (YAML wants a space after the colon, as in D: 3)")
        if event.anchor:
            anchors[event.anchor] = thing
        entries.append((thing, line))
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(group)
        things += 1
        if len(stack) > 2 * MOST_LEVELS + 2:  # the long form of a node takes two
            raise BadTree(f"more than {MOST_LEVELS:,} levels; expected fewer", None, line)
        if things > 4 * MOST_NODES:
            raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer", None, line)
    return documents.entries[0][0] if documents.entries else None


def _events(text: str) -> Iterator[tuple[yaml.Event, int]]:
    expected = "this does not parse; expected YAML or JSON"
    line = 1
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else line
            yield event, line
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(", ".join(part for part in (error.context, error.problem) if part).split())
        raise BadTree(f"{expected} ({short(problem, 160)})", None, mark.line + 1 if mark else line) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = f"the character U+{ord(text[error.position]):04X} stands here as it is"
        raise BadTree(f"{problem}; expected characters that can be printed", None, line) from None
    except (ValueError, OverflowError):  # the parser lets them through: "\UFFFFFFFF" is no character
        raise BadTree(f"{expected} (an escape or a version is out of range)", None) from None


# writing


def write_yaml(rows: Sequence[Row], *, title: str = "", source: str = "", note: str = "") -> str:
    """Return the text of a tree file, which loads to a tree of the same rows."""
    head = {key: text for key, text in (("title", title), ("source", source), ("note", note)) if text}
    head["to_move"] = "max" if rows[0].is_max else "min"
    is_named = with_names([row._replace(name="") for row in rows]) != list(rows)
    if is_named:
        head["root"] = rows[0].name
    children: list[list[int]] = [[] for _ in rows]
    level = [0] * len(rows)
    for index, row in enumerate(rows[1:], 1):
        children[row.parent].append(index)
        level[index] = level[row.parent] + 1
    content: list[Any] = [row.value for row in rows]
    width = [len(_number(row.value)) for row in rows]
    on_one_line = set()
    for index in range(len(rows) - 1, -1, -1):
        row, below = rows[index], children[index]
        is_own_turn = row.parent >= 0 and row.is_max == rows[row.parent].is_max
        if not below and is_own_turn:
            problem = f"a tree file cannot say that the same player moves at {quoted(row.name)} and above it"
            raise AbvizError(f"{problem}; expected the other player at a leaf")
        if not below:
            continue
        extras: dict[str, Any] = {"to_move": "max" if row.is_max else "min"} if is_own_turn else {}
        if row.value is not None:
            extras["value"] = row.value
        if is_named:
            content[index] = {rows[child].name: content[child] for child in below}
        else:
            content[index] = [content[child] for child in below]
        if extras or (is_named and "children" in content[index]):
            content[index] = {**extras, "children": content[index]}
        width[index] = sum(2 + width[child] + (len(rows[child].name) + 2) * is_named for child in below)
        width[index] += 14 * (len(extras) + 1) if extras else 0
        if width[index] <= FLOW_COLUMNS or level[index] >= FLOW_LEVEL:
            on_one_line.add(id(content[index]))
    style = _style("".join(head.values()))
    text = yaml.safe_dump(head, default_style=style, allow_unicode=True, sort_keys=False, width=WIDTH)
    return str(text + yaml.emit(_written(content[0], on_one_line), width=inf, allow_unicode=True))


def _written(content: Any, on_one_line: set[int]) -> Iterator[yaml.Event]:
    """Yield the events of which the YAML library writes the key `tree`; its dumpers call themselves at every level."""
    yield from (yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False))
    waiting: list[Any] = [{"tree": content}]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, yaml.Event):
            yield thing
        elif isinstance(thing, dict):
            yield yaml.MappingStartEvent(None, None, True, flow_style=id(thing) in on_one_line)
            waiting += [yaml.MappingEndEvent(), *(each for pair in reversed(thing.items()) for each in reversed(pair))]
        elif isinstance(thing, list):
            yield yaml.SequenceStartEvent(None, None, True, flow_style=id(thing) in on_one_line)
            waiting += [yaml.SequenceEndEvent(), *reversed(thing)]
        elif isinstance(thing, str):  # quoted where it would be read as something else
            tag = RESOLVER.resolve(yaml.ScalarNode, thing, (True, False))  # type: ignore[no-untyped-call]
            yield yaml.ScalarEvent(None, None, (tag == RESOLVER.DEFAULT_SCALAR_TAG, True), thing, style=_style(thing))
        else:
            yield yaml.ScalarEvent(None, None, (True, False), _number(thing))
    yield from (yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent())


def _style(text: str) -> str | None:
    return None if text.isprintable() else '"'  # the library would lose some line breaks


def _number(value: Number | None) -> str:
    return "null" if value is None else machine(value).replace("inf", ".inf")
