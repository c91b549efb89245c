"""The rows of a tree as the text of a tree file."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from abviz.errors import AbvizError, quoted
from abviz.tree.nested import Row, with_names

MOST_LEVELS = 100  # the YAML library's dumper calls itself at every level


class Dumper(yaml.SafeDumper):
    """Quotes a text that cannot be printed as it is: the library would lose some line breaks."""

    def represent_text(self, text: str) -> yaml.Node:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


Dumper.add_representer(str, Dumper.represent_text)


def write_yaml(rows: Sequence[Row], texts: Mapping[str, str]) -> str:
    """Return the text of a tree file, which loads to a tree of the same rows, with these texts at its head."""
    is_named = with_names([row._replace(name="") for row in rows]) != list(rows)
    content: list[Any] = [row.value for row in rows]
    below: list[list[int]] = [[] for _ in rows]
    level = [1] * len(rows)
    for index, row in enumerate(rows[1:], 1):
        below[row.parent].append(index)
        level[index] = level[row.parent] + 1
    if max(level) > MOST_LEVELS:
        raise AbvizError(f"the tree has {max(level):,} levels; expected at most {MOST_LEVELS} in a tree file")
    for index, row in reversed(list(enumerate(rows))):
        is_own_turn = index > 0 and row.is_max == rows[row.parent].is_max
        if not below[index]:
            if is_own_turn:
                problem = f"a tree file cannot say that the same player moves at {quoted(row.name)} and above it"
                raise AbvizError(f"{problem}; expected the other player at a leaf")
            continue
        long_form: dict[str, Any] = {"to_move": "max" if row.is_max else "min"} if is_own_turn else {}
        if row.value is not None:
            long_form["value"] = row.value
        children: Any = [content[child] for child in below[index]]
        if is_named:
            children = {rows[child].name: content[child] for child in below[index]}
        is_long = long_form or (is_named and "children" in children)
        content[index] = {**long_form, "children": children} if is_long else children
    head = {**texts, "to_move": "max" if rows[0].is_max else "min", "root": rows[0].name if is_named else ""}
    record = {key: text for key, text in head.items() if text} | {"tree": content[0]}
    return str(yaml.dump(record, Dumper=Dumper, default_flow_style=None, allow_unicode=True, sort_keys=False))
