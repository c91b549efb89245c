"""Nested lists and mappings, from Python or from a file, as the rows of a tree.

The names of nodes are made here too, and a tree is written as lists.

A list holds children without names, a mapping names them. Besides:

- A mapping with one entry inside a list is a child with that name: `[{B: [3, 5]}, {C: [2, 9]}]`.
  At the top, with a list or a mapping in it, it names the root, unless `root` does. Elsewhere it is
  a node with one child.
- A tuple of a text and something else is a node with that name: `("m", 6)`.
- A record is a node: `children` with `name`, `to_move` and `value`, as far as they are known; or a
  leaf's `value`, its `name`, or both.
- A mapping at the top, whose lists hold names of other entries, gives each node its children:
  `{r: [p, 6], p: [5, 7]}`.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import count, product
from string import ascii_uppercase
from typing import Any, NamedTuple, TypeAlias

from abviz.errors import LONGEST, AbvizError, Number, brief, plain, short, unknown

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000
TOO_LARGE = f"the tree grows beyond {MOST_NODES:,} nodes or {MOST_LEVELS:,} levels; expected fewer"
PLAYERS = {"max": True, "min": False, "MAX": True, "MIN": False}


# A tree as a file or a program gives it, before it is read: lists, mappings, records, values.
Content: TypeAlias = Any


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


class Text(str):
    """A scalar of a file.

    As a name or a title it is the text as written, as a value what YAML 1.2 says.
    """

    value: Any


class BadTree(AbvizError):
    """Input that makes no tree.

    In a file, the error is on the line of the first of the things that is there.
    """

    def __init__(self, problem: str, *things: object):
        super().__init__(problem)
        self.things = things


# the names of MAX and MIN in the sentences about a search
PLAYER_NAMES = ("MAX", "MIN")
LONGEST_PLAYER = 20  # in letters


def check_players(players: object) -> tuple[str, str]:
    """Return the names of MAX and MIN; refuse whatever is not two different names."""
    names = list(players) if isinstance(players, list | tuple) else []
    are_names = len(names) == 2 and all(
        isinstance(name, str) and name.strip() and len(name) <= LONGEST_PLAYER for name in names
    )
    if not are_names or names[0] == names[1]:
        raise BadTree(
            f"players is {describe(players)}; expected two names of at most {LONGEST_PLAYER} "
            "letters, of MAX and of MIN, such as players: [you, o]",
            players,
        )
    return str(names[0]), str(names[1])


# from nested lists to rows


def read_rows(nested: Content, to_move: object = "max", root: object = None) -> list[Row]:
    """Return nested lists and mappings as rows, each parent before its children.

    Whatever makes no tree is refused.
    """
    if is_adjacency(nested):
        nested = from_adjacency(nested)
    elif root is None and names_one(nested) and is_group(next(iter(nested.values()))):
        [(root, nested)] = nested.items()

    rows: list[Row] = []
    taken: set[object] = set()
    waiting = [(root, nested, "", -1, to_move, False)]
    while waiting:
        name, content, path, parent, player, is_item = waiting.pop()  # a path is ".1.0"
        try:
            # As where a list holds itself
            if len(rows) == MOST_NODES or path.count(".") == MOST_LEVELS:
                raise BadTree(TOO_LARGE)
            name, content = _named(name, content, is_item)
            _check_name(name, taken)
            children, is_max, value = _read(content, player)
        except BadTree as problem:
            message = f"at {short(path[1:], LONGEST) or 'the root'}: {problem}"
            raise BadTree(message, *problem.things, name, content) from None

        other = "min" if is_max else "max"
        below = [
            (*child, f"{path}.{n}", len(rows), other, child[0] is None)
            for n, child in enumerate(children)
        ]
        waiting += reversed(below)
        if name is not None:
            taken.add(name)
        rows.append(Row(str(name or ""), is_max, value, parent))

    return with_names(rows)


def _check_name(name: object, taken: Container[object]) -> None:
    """Raise BadTree where this is neither a new name nor None."""
    if name is None:
        return
    if not (isinstance(name, str) and name):
        raise BadTree(f"the name is {describe(name)}; expected text that is not empty", name)
    if name in taken:
        raise BadTree(
            f"there is already a node named {brief(str(name))}; expected another name", name
        )


def is_group(content: object) -> bool:
    return isinstance(content, Mapping | list | tuple)


def is_text(content: object) -> bool:
    return isinstance(as_value(content), str)


def names_one(content: object) -> bool:
    """Return whether this is a mapping that gives one node its name."""
    return isinstance(content, Mapping) and len(content) == 1 and not is_record(content)


def is_record(content: object) -> bool:
    """Return whether the mapping describes one node, and does not name its children."""
    if not isinstance(content, Mapping) or "children" in content:
        return isinstance(content, Mapping)
    if any(map(is_group, content.values())):
        return False

    keys = set(content)
    if keys == {"name", "value"} and not is_text(content["name"]):
        problem = "this is a leaf, or a node with the leaves name and value"
        raise BadTree(f"{problem}; expected the name in quotes, or the key children", content)

    if keys == {"value"}:
        return True
    return "name" in keys and keys <= {"name", "value"} and is_text(content["name"])


def _named(name: object, content: Content, is_item: bool) -> tuple[object, Content]:
    """Return the name of the node, also where the content says it, and the content without it."""
    own = None
    if isinstance(content, tuple) and len(content) == 2 and is_text(content[0]):
        own, content = content
    elif is_item and names_one(content) and isinstance(next(iter(content)), str):
        [(own, content)] = content.items()

    if is_record(content) and as_value(content.get("name")) is not None:
        if own is not None and own != content["name"]:
            raise BadTree(
                f"two names, {brief(own)} and {brief(content['name'])}; expected one", own
            )
        own = content["name"]

    if own is not None and name is not None and own != name:
        raise BadTree(f"two names, {brief(name)} and {brief(own)}; expected one", own)
    return (name if own is None else own), content


def _read(
    content: Content, player: object
) -> tuple[list[tuple[object, Content]], bool, Number | None]:
    """Return the names and contents of the children, whether MAX is to move, and the value.

    A leaf has no children.
    """
    is_long = is_record(content)
    is_inner = is_group(content)
    form = content if is_long else {"children" if is_inner else "value": content}
    check_keys(form, ("children", "to_move", "value", "name"))

    children = form.get("children", ())
    if is_long and is_childless(form):
        children = ()
        is_inner = False

    player = form.get("to_move", player)
    if not isinstance(player, str) or player not in PLAYERS:
        raise BadTree(f"to_move is {describe(player)}; expected max or min", player)

    if is_inner and not (is_group(children) and 0 < len(children) <= MOST_CHILDREN):
        expected = f"expected a list or a mapping of 1 to {MOST_CHILDREN:,} (a leaf is a number)"
        raise BadTree(f"the children are {describe(children)}; {expected}", children)

    is_mapping = isinstance(children, Mapping)
    pairs = list(children.items()) if is_mapping else [(None, each) for each in children]
    return pairs, PLAYERS[player], check_value(form.get("value"))


def is_childless(record: Mapping[Any, Content]) -> bool:
    """Return whether the record is of a leaf; with a value its list of children may be empty."""
    if "children" not in record:
        return True
    if "value" not in record:
        return False

    children = record["children"]
    return as_value(children) is None or (is_group(children) and not children)


# a mapping of each node to its children


def is_adjacency(content: object) -> bool:
    """Return whether a list in the mapping holds a name."""
    if not isinstance(content, Mapping) or "children" in content:
        return False
    lists = [each for each in content.values() if isinstance(each, list | tuple)]
    return any(is_text(child) for each in lists for child in each)


def from_adjacency(content: Mapping[Any, Content]) -> tuple[str, Content]:
    """Return the name of the root, and what is below it.

    Each node stands once among the children of others.
    """
    below: dict[str, Content] = {}
    for name, children in content.items():
        if not (isinstance(name, str) and name):
            raise BadTree(f"the name is {describe(name)}; expected text that is not empty", name)
        below[name] = [] if isinstance(children, list | tuple) else children

    parents: dict[str, str] = {}
    for name, children in content.items():
        for child in children if isinstance(children, list | tuple) else ():
            below[name].append(_child(name, child, below, parents))

    roots = [name for name in content if name not in parents]
    if len(roots) > 1:
        first, second = roots[:2]
        problem = (
            f"{brief(str(first))} and {brief(str(second))} are nobody's children; expected one root"
        )
        raise BadTree(problem, second)

    if circle := _circle(list(content), parents):
        raise BadTree(f"{brief(str(circle))} is below itself; expected a tree", circle)
    return str(roots[0]), below[roots[0]]


def _child(
    name: str, child: Content, below: Mapping[Any, Content], parents: dict[str, str]
) -> Content:
    """Return the child of the node, with its name and what is below it, or the value of a leaf."""
    if is_group(child):
        raise BadTree(
            f"a child of {brief(str(name))} is {describe(child)}; expected a name or a number",
            child,
        )

    if not is_text(child):
        if str(child) in below:
            problem = f"{child} below {brief(str(name))} is a value, or the node of that name"
            raise BadTree(f"{problem}; expected names in quotes", child)
        return child

    if child not in below:
        place = f"{brief(str(child))}, a child of {brief(str(name))}"
        raise BadTree(f"{place}, has no entry; expected its value or its children", child)
    if child in parents:
        both = f"{brief(str(parents[child]))} and of {brief(str(name))}"
        raise BadTree(f"{brief(str(child))} is a child of {both}; expected one parent", child)

    parents[child] = name
    return str(child), below[child]


def _circle(names: Sequence[str], parents: Mapping[str, str]) -> str | None:
    """Return a node that is below itself, if there is one."""
    known = set()
    for name in names:
        path = set()
        while name in parents and name not in known:
            known.add(name)
            path.add(name)
            name = parents[name]

        if name in path:
            return name
    return None


def check_keys(content: Mapping[Any, Content], legal: Sequence[str]) -> None:
    """Raise BadTree where a mapping has a key that is not legal."""
    for key in content:
        if key not in legal:
            raise BadTree(str(unknown("key", key, legal)), key)


def as_value(content: Content) -> Content:
    """Return what a scalar of either origin stands for where a value is expected."""
    return content.value if isinstance(content, Text) else content


def check_value(value: object, place: str = "") -> Number | None:
    """Return the value as an int or a float, or None where it is not known.

    `place` is what an error calls the node.
    """
    try:
        result = plain(as_value(value))
    except OverflowError:
        result = None

    if result is None and as_value(value) is not None:
        where = f"at {short(place, LONGEST)}: " if place else ""
        expected = (
            "expected a number up to 1.8e308 without quotes, .inf for a win, "
            "or null where it is not known"
        )
        raise BadTree(f"{where}the value is {describe(value)}; {expected}", value)
    return result


def describe(content: object) -> str:
    """Return what an error calls a thing that does not belong there."""
    if isinstance(content, Mapping | list | tuple):
        return "a mapping" if isinstance(content, Mapping) else "a list"
    return "nothing" if as_value(content) is None else brief(content)


# names


def with_names(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a name for each node that has none.

    Inner nodes (and the root) are A, B, C, … Z, AA, … level by level. A leaf is its parent's name
    in lower case and its place among all siblings, counted from 1: b1, b2; or PARENT:PLACE where
    that name is taken or its parent's name does not end in a letter. The names that the rows have
    come first: made names pass them over.
    """
    names = [row.name for row in rows]
    taken = set(names)
    below: list[list[int]] = [[] for _ in rows]
    for index, row in enumerate(rows[1:], 1):
        below[row.parent].append(index)

    letters = _letters()
    level_by_level = [0]
    for index in level_by_level:
        if not names[index]:
            names[index] = next(name for name in letters if name not in taken)

        for place, child in enumerate(below[index], 1):
            level_by_level.append(child)
            if not names[child] and not below[child]:
                name = _name_of_leaf(names[index], place, taken)
                names[child] = name
                taken.add(name)

    return [row._replace(name=name) for row, name in zip(rows, names, strict=True)]


def _letters() -> Iterator[str]:
    """Yield A, B, … Z, AA, AB and so on."""
    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)


def _name_of_leaf(parent: str, place: int, taken: Container[str]) -> str:
    name = f"{parent.lower()}{place}"
    if name in taken or not parent[-1].isalpha():
        name = f"{parent}:{place}"
    while name in taken:
        name += "'"
    return name


# a tree as nested lists


def has_own_names(tree: Any) -> bool:
    """Return whether the nodes have other names than a tree of nested lists gives them."""
    rows = tree.rows()
    return bool(with_names([row._replace(name="") for row in rows]) != rows)


def as_lists(
    tree: Any, named: bool = False, write: Callable[[Number | None], object] = lambda value: value
) -> Content:
    """Return the tree as nested lists, or as mappings from names.

    `write` makes its values what they are in the lists.

    A node where the same player moves again, or with a static value, takes the long form.
    """
    made: dict[str, object] = {}
    for node in reversed(tree.nodes):  # so that what is below a node is made before it
        if node.is_leaf:
            made[node.name] = write(node.value)
            continue

        above = tree.parent(node)
        below = {child.name: made[child.name] for child in node.children}
        extras: dict[str, object] = {}
        if above and above.is_max == node.is_max:
            extras["to_move"] = "max" if node.is_max else "min"
        if node.value is not None:
            extras["value"] = write(node.value)

        # Some names of children would be read as the keys of the long form
        seems_long = named and ("children" in below or below.keys() <= {"name", "value"})

        inside: object = below if named else list(below.values())
        if extras or seems_long:
            inside = {**extras, "children": inside}
        made[node.name] = inside

    return made[tree.root.name]
