"""Game trees: immutable, made from nested lists, changed by making another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from abviz.errors import AbvizError, Number, brief, count, number, quoted, unknown, visible
from abviz.tree.levels import UNKNOWN, listing
from abviz.tree.nested import (
    PLAYER_NAMES,
    Content,
    Row,
    as_lists,
    check_players,
    check_value,
    has_own_names,
    read_rows,
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """One node of a tree, as every search gets it, a student's own among them."""

    name: str
    is_max: bool  # MAX is to move
    value: Number | None  # a leaf's value, an inner node's static value; None: not known
    children: tuple["Node", ...]  # left to right
    index: int = 0  # its place in Tree.nodes

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def __repr__(self) -> str:
        kind = "MAX" if self.is_max else "MIN"
        inside = f"value {number(self.value)}"
        if self.children:
            inside = count(len(self.children), "child", "children")
        return f"<{kind} node {visible(self.name)}: {inside}>"


class Tree:
    """A game tree, which a search asks for its root, and for a node's children, value and player.

        Tree([[3, 5], [[[0, 7], 5], [7, 8], 4]])              # MAX to move, then MIN, and so on
        Tree({"B": [3, 5], "C": {"children": [2, 9], "to_move": "max"}}, root="A")

    A mapping names its children, a list does not: then inner nodes are A, B, C, … level by level,
    and a leaf takes its parent's name and its place (b1, b2). A leaf is a number (±inf for a win)
    or None for a value that is not known. A mapping with the key `children` is the long form of an
    inner node, with `to_move`, a static `value` and a `name`. The module `nested` lists the other
    forms: pairs of a name and a value, records, a mapping of each node to its children.
    """

    def __init__(
        self,
        nested: Content,
        *,
        to_move: str = "max",
        root: str | None = None,
        title: str = "",
        source: str = "",
        note: str = "",
        notes: Mapping[int, str] | None = None,
        players: Sequence[str] = PLAYER_NAMES,
    ):
        rows = read_rows(nested, to_move, root)
        self._fill(rows, title, source, note, notes or {}, check_players(players))

    def _fill(
        self,
        rows: Sequence[Row],
        title: str = "",
        source: str = "",
        note: str = "",
        notes: Mapping[int, str] = {},
        players: tuple[str, str] = PLAYER_NAMES,
    ) -> None:
        # Children come after their parent, so they are made first
        below: list[list[Node]] = [[] for _ in rows]
        for index in range(len(rows) - 1, -1, -1):
            name, is_max, value, parent = rows[index]
            node = Node(name, is_max, value, tuple(reversed(below[index])), index)
            below[index] = [node]
            if parent >= 0:
                below[parent].append(node)

        # Every node, a parent before its children, left to right
        self.nodes = tuple(node for (node,) in below)
        self._parents = [row.parent for row in rows]
        self._by_name = {row.name: index for index, row in enumerate(rows)}

        self.title = str(title)
        self.source = str(source)
        self.note = str(note)
        self.notes = dict(sorted(notes.items()))  # by step of its search
        self.players = players  # the names of MAX and MIN in sentences

    # what a search asks

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def children(self, node: Node) -> tuple[Node, ...]:
        return node.children

    def value(self, node: Node) -> Number | None:
        return node.value

    def is_max(self, node: Node) -> bool:
        return node.is_max

    # looking around

    def __getitem__(self, name: str) -> Node:
        """Return the node of that name.

        A path of child numbers from the root also names one: tree["1.0.2"].
        """
        if name in self._by_name:
            return self.nodes[self._by_name[name]]

        node = self.root
        for step in str(name).split("."):
            places = [str(place) for place in range(len(node.children))]
            if step not in places:
                raise unknown("node", name, self._by_name)
            node = node.children[int(step)]
        return node

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __len__(self) -> int:
        return len(self.nodes)

    def parent(self, node: Node) -> Node | None:
        """Return the node above; None at the root."""
        above = self._parents[node.index]
        return self.nodes[above] if above >= 0 else None

    def path(self, node: Node) -> list[Node]:
        """Return the nodes from the root down to this one."""
        path: list[Node] = [node]
        while above := self.parent(path[-1]):
            path.append(above)
        return path[::-1]

    def below(self, node: Node) -> tuple[Node, ...]:
        """Return the node and all below it, in the tree's own order."""
        last = node
        while last.children:
            last = last.children[-1]
        return self.nodes[node.index : last.index + 1]

    def leaves(self) -> Iterator[Node]:
        return (node for node in self.nodes if node.is_leaf)

    def rows(self) -> list[Row]:
        """Return the rows of which `from_rows` makes the tree."""
        return [
            Row(node.name, node.is_max, node.value, above)
            for node, above in zip(self.nodes, self._parents, strict=True)
        ]

    def levels(self, *, unknown: Number | str = UNKNOWN) -> str:
        """Return a text with a line for each level: `A=-1(MaxNode2)`.

        A node has its name, its value, its player and its number of children. Before a search,
        inner nodes have no value yet: `unknown` stands there. `Trace.levels` has them.
        """
        return listing(self.root, lambda node: node.value if node.is_leaf else None, unknown)

    # other trees

    def with_value(self, name: str, value: Number | None) -> Self:
        """Return the tree with another value at one node."""
        rows = self.rows()
        index = self[name].index
        rows[index] = rows[index]._replace(value=check_value(value, name))
        return self.from_rows(rows, *self._texts())

    def reordered(self, order: Callable[[Node], Sequence[Node]], title: str | None = None) -> Self:
        """Return the tree with the children of each inner node as `order(node)` returns them.

        Every node keeps its name. With a title of its own the new tree has no note, which may
        describe the old order.
        """
        rows: list[Row] = []
        waiting = [(self.root, -1)]
        while waiting:
            node, above = waiting.pop()
            children = list(order(node)) if node.children else []
            if sorted(map(id, children)) != sorted(map(id, node.children)):
                raise AbvizError(
                    f"order({quoted(node.name)}) returned {brief(children)}; "
                    "expected all its children"
                )

            waiting += [(child, len(rows)) for child in reversed(children)]
            rows.append(Row(node.name, node.is_max, node.value, above))

        texts = self._texts()[:3] if title is None else (title, self.source)
        return self.from_rows(rows, *texts, players=self.players)

    @classmethod
    def from_rows(cls, rows: Sequence[Row], *texts: Any, **named: Any) -> Self:
        """Return the tree of rows that are known to be right.

        All are named, each parent before its children. The texts are its title, source, note,
        notes and players.
        """
        tree = cls.__new__(cls)
        tree._fill(rows, *texts, **named)
        return tree

    # as a value among others

    def _texts(self) -> tuple[object, ...]:
        return self.title, self.source, self.note, self.notes, self.players

    def _key(self) -> tuple[object, ...]:
        texts = (self.title, self.source, self.note, self.players)
        return tuple(self.rows()), *texts, tuple(self.notes.items())

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> Any:  # flat: pickle and copy would run out of recursion in a deep tree
        return Tree.from_rows, (self.rows(), *self._texts())

    def __repr__(self) -> str:
        title = f"{visible(self.title)!r}: " if self.title else ""
        leaves = sum(1 for _ in self.leaves())
        return f"<Tree {title}{count(len(self.nodes), 'node')}, {count(leaves, 'leaf', 'leaves')}>"

    def to_yaml(self) -> str:
        """Return the text of a tree file, which loads to an equal tree."""
        is_named = has_own_names(self)
        record: dict[str, Any] = {
            "title": self.title,
            "source": self.source,
            "note": self.note,
            "notes": self.notes,
            "players": [] if self.players == PLAYER_NAMES else list(self.players),
            "to_move": "max" if self.root.is_max else "min",
            "root": self.root.name if is_named else "",
        }
        record = {key: value for key, value in record.items() if value}
        record["tree"] = as_lists(self, is_named)
        return as_yaml(record)

    def _repr_svg_(self) -> str:
        from abviz.views.drawing import draw

        return draw(self)._repr_image_svg_xml()

    def _repr_html_(self) -> str | None:
        from abviz.views.drawing import draw

        return draw(self)._repr_html_()


def as_yaml(record: Mapping[str, object]) -> str:
    """Return the record as YAML, from which each text is read as it is."""
    import yaml  # when it is first needed: it takes a while

    class Dumper(yaml.SafeDumper):
        pass

    def represent(dumper: Any, text: str) -> Any:
        # In any other style U+0085 ends a line, and is read as a space.
        style = '"' if "\x85" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent)
    return str(
        yaml.dump(
            record,
            Dumper=Dumper,
            default_flow_style=None,
            allow_unicode=True,
            sort_keys=False,
        )
    )
