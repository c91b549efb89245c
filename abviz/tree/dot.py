"""Trees in DOT, the language of Graphviz.

The graph is directed, and every node but the root has one parent. Graphviz itself would read more,
but not in which order the edges of a node are written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from abviz.errors import brief
from abviz.tree.nested import MOST_LEVELS, MOST_NODES, TOO_LARGE, BadTree, Text, from_adjacency
from abviz.tree.notations import scalar

TOKEN = re.compile(
    r"(?:\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*)*"
    r"(?:(?P<mark>->|--|[{}\[\];,=:+])"
    r"|\"(?P<quoted>(?:[^\"\\]|\\.)*)\""
    r"|(?P<name>[^\W\d]\w*|-?(?:\.\d+|\d+(?:\.\d*)?))"
    r"|(?P<markup><)"
    r"|(?P<end>\Z)|(?P<other>.))",
    re.S,
)
MAX = re.compile(r"\bmax\b|[▲△]", re.I)
MIN = re.compile(r"\bmin\b|[▼▽]", re.I)
EXPECTED = "such as digraph { r -> {p q}; p [label=6]; q [label=5] }"


@dataclass
class Token:
    kind: str  # mark, quoted, name, end
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("quoted", "name")

    def is_word(self, *words: str) -> bool:
        return self.kind == "name" and self.text.lower() in words


def read(text: str, lines: dict[int, int]) -> Any:
    """Return the tree of a DOT text as `Tree` takes it: names and what is below them.

    Adds the line of each name to `lines`.

    A leaf's label is its value. The label of another node may say who moves; its name is the node's
    own.
    """
    graph = Graph(list(tokens_of(text)), lines)
    graph.read()
    if not graph.labels:
        raise BadTree("the graph has no nodes; expected a tree")

    children: dict[Any, Any] = {name: [] for name in graph.labels}
    for parent, child in graph.edges:
        children[parent].append(child)

    for name, below in children.items():
        if not below:
            children[name] = value_of(name, graph.labels[name])
    root, below = from_adjacency(children)
    return root, with_players(root, below, graph.labels)


def value_of(name: str, label: str | None) -> Any:
    """Return the value that a leaf's label gives it."""
    value = scalar((label or "").strip()).value
    if isinstance(value, str) or not label:
        found = f"the label {brief(label)}" if label else "no label"
        raise BadTree(
            f"leaf {brief(str(name))} has {found}; expected its value, as in p [label=6]", name
        )
    return value


def with_players(root: str, below: Any, labels: dict[Text, str | None]) -> Any:
    """Return the nested pairs with a record in place of each list of children.

    The record says who moves.
    """
    if not isinstance(below, list):
        return below

    order = [(root, below)]
    for _, children in order:
        order += [child for child in children if isinstance(child[1], list)]

    made: dict[str, Any] = {}
    for name, children in reversed(order):
        record: dict[str, Any] = {
            "children": [(child, made.get(child, content)) for child, content in children]
        }
        label = labels[Text(name)] or ""
        is_max, is_min = MAX.search(label), MIN.search(label)
        if is_max and is_min:
            raise BadTree(
                f"the label of {brief(name)} is {brief(label)}; expected MAX or MIN, not both"
            )
        if is_max or is_min:
            record["to_move"] = "max" if is_max else "min"
        made[name] = record
    return made[root]


# ---------------------------------------------------------------- the text


def tokens_of(text: str) -> Iterator[Token]:
    place = 0
    line = 1
    while True:
        match = TOKEN.match(text, place)
        assert match
        kind = str(match.lastgroup)
        line += text.count("\n", place, match.start(kind))
        start, place = match.start(kind), match.end()

        if kind == "markup":
            place = end_of_markup(text, start, line)
            yield Token("quoted", text[start:place], line)
        elif kind == "other":
            raise BadTree(f"line {line}: {brief(match[kind])} is no DOT; expected {EXPECTED}")
        elif kind == "quoted":
            yield Token(kind, match[kind].replace('\\"', '"').replace("\\\n", ""), line)
        else:
            yield Token(kind, match[kind], line)

        line += text.count("\n", start, place)
        if kind == "end":
            return


def end_of_markup(text: str, start: int, line: int) -> int:
    """Return where a label in HTML ends."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    raise BadTree(f"line {line}: < is not closed; expected {EXPECTED}")


@dataclass
class Graph:
    """The nodes with their labels, and the edges, as far as the tokens are read."""

    tokens: list[Token]
    lines: dict[int, int]
    labels: dict[Text, str | None] = field(default_factory=dict)
    edges: list[tuple[Text, Text]] = field(default_factory=list)
    at: int = 0
    depth: int = 0

    def read(self) -> None:
        if self.now.is_word("strict"):
            self.at += 1
        if self.take().is_word("graph"):
            raise BadTree(
                "the graph has no directions; expected digraph, with edges to the children: r -> p"
            )
        if self.now.is_name:
            self.at += 1

        self.statements(None)
        if self.now.kind != "end":
            self.refuse(self.now)

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def take(self, mark: str = "") -> Token:
        token = self.now
        if mark and not (token.kind == "mark" and token.text == mark):
            self.refuse(token)
        self.at += token.kind != "end"
        return token

    def takes(self, *marks: str) -> bool:
        """Pass one of the marks, if it is there."""
        is_there = self.now.kind == "mark" and self.now.text in marks
        self.at += is_there
        return is_there

    def refuse(self, token: Token) -> None:
        found = "the end of the text" if token.kind == "end" else brief(token.text)
        raise BadTree(f"line {token.line}: {found} does not fit; expected {EXPECTED}")

    def statements(self, label: str | None) -> list[Text]:
        """Pass the statements in braces, where nodes have this label; return the nodes in them."""
        self.take("{")
        self.depth += 1
        if self.depth > MOST_LEVELS // 10:
            self.refuse(self.now)

        nodes: list[Text] = []
        while not self.takes("}"):
            if self.takes(";", ","):
                continue

            following = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
            if self.now.is_word("graph", "node", "edge") and following.text == "[":
                is_node = self.take().is_word("node")
                given = self.attributes()
                label = given.get("label", label) if is_node else label
            elif self.now.is_name and following.kind == "mark" and following.text == "=":
                self.at += 2
                self.name()
            else:
                nodes += self.edge_or_node(label)

        self.depth -= 1
        return list(dict.fromkeys(nodes))

    def edge_or_node(self, label: str | None) -> list[Text]:
        """Pass a node, or edges from node to node; return the nodes."""
        groups = [self.group(label)]
        while self.takes("->"):
            groups.append(self.group(label))
        if self.now.text == "--" and self.now.kind == "mark":
            self.refuse(self.now)

        given = self.attributes()
        for parents, below in pairwise(groups):
            self.edges += [(parent, child) for parent in parents for child in below]
            if len(self.edges) > MOST_NODES:
                raise BadTree(TOO_LARGE)

        if len(groups) == 1 and "label" in given:
            for name in groups[0]:
                self.labels[name] = given["label"]
        return [name for group in groups for name in group]

    def group(self, label: str | None) -> list[Text]:
        """Pass a node, or nodes in braces, and return them."""
        if self.now.is_word("subgraph"):
            self.at += 1
            if self.now.is_name:
                self.at += 1
        if self.now.text == "{" and self.now.kind == "mark":
            return self.statements(label)

        token = self.now
        name = Text(self.name())
        name.value = str(name)
        self.lines[id(name)] = token.line
        if name not in self.labels:
            self.labels[name] = label
        while self.takes(":"):
            self.name()  # the side of the node at which the edge begins or ends
        return [name]

    def name(self) -> str:
        token = self.take()
        if not token.is_name or (self.now.kind == "mark" and self.now.text == "+"):
            self.refuse(token)
        return token.text

    def attributes(self) -> dict[str, str]:
        given: dict[str, str] = {}
        while self.takes("["):
            while not self.takes("]"):
                key = self.name()
                self.take("=")
                given[key] = self.name()
                self.takes(",", ";")
        return given
