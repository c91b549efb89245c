"""Tree files: what they mean, what is refused and how, and that whatever is written loads again."""

import io
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from time import process_time
from types import MappingProxyType

import numpy as np
import pygraphviz
import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Tree, load, shipped, trace
from abviz.errors import brief
from abviz.tree.files import MOST_BYTES, parse, read_yaml, tree_of
from abviz.tree.nested import BadTree, Row, read_rows
from abviz.tree.notations import resolve
from tests import strategies
from tests.notations import CASES, LONG, REFUSED, expected, random_texts
from tests.strategies import FEWER

HOUSE = Path(__file__).resolve().parents[1]


def refusal(action, *arguments, **options) -> str:
    with pytest.raises(AbvizError) as caught:
        action(*arguments, **options)
    message = str(caught.value)
    assert len(message.splitlines()) == 1 and message.isprintable() and len(message) < 400, repr(
        message
    )
    assert any(word in message for word in ("expected", "did you mean", "there are"))
    return message


# By name, path and standard input


def test_an_installed_package_finds_its_trees_inside(tmp_path):
    shutil.copytree(
        HOUSE / "abviz", tmp_path / "abviz", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(HOUSE / "trees", tmp_path / "abviz" / "trees")
    script = "import abviz; print(abviz.__file__, *abviz.shipped(), abviz.load('deep-cut').title)"
    run = {
        "cwd": tmp_path,
        "env": {"PYTHONPATH": str(tmp_path)},
        "capture_output": True,
        "text": True,
    }
    expected = [str(tmp_path / "abviz" / "__init__.py"), *shipped(), load("deep-cut").title]
    assert subprocess.run([sys.executable, "-c", script], **run).stdout == " ".join(expected) + "\n"


FILES = {
    "tree.yaml": "tree: [[3, 5], 4]",
    "tree.json": '{"tree": [[3, 5], 4]}',
    "tree": "[\t[3,\t5],\n\t4\t]",
    "figure-4.24": "[[3, 5], 4]",  # a file of the name of a tree that ships needs a path
    "a b ☃.yml": "\ufefftree:\r\n- [3, 5]\r\n- 4\r\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_tree_is_loaded_from_a_file_and_from_standard_input(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert (
        load(tmp_path / name) == load(str(tmp_path / name)) == load(Path(name)) == Tree([[3, 5], 4])
    )
    assert load(name) == (
        load(HOUSE / "trees" / f"{name}.yaml") if name in shipped() else Tree([[3, 5], 4])
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES[name].encode())))
    assert load("-") == Tree([[3, 5], 4])


NOT_LOADED = [
    *[
        (name, f"unknown tree or file {name!r}: did you mean ")
        for name in ("figure-4.25", "worked", "deep-cut.yaml")
    ],
    *[(name, "unknown tree or file ") for name in ("\x1b[2J", "\n.yaml", Path("my"))],
    ("", "cannot read .: Is a directory; expected a tree file (.yaml, .yml or .json)"),
    *[(path, "cannot read ") for path in ("x" * 10**6, "./")],
    (
        "latin.yaml",
        "latin.yaml: this does not parse (invalid start byte); expected YAML or JSON in",
    ),
    ("large.yaml", "large.yaml: larger than 1 MB; expected a smaller tree"),
    ("\x1b.yaml", "␛.yaml, line 1: at 0: the value is 'x'"),
]


@pytest.mark.parametrize("name, message", NOT_LOADED, ids=lambda each: brief(each)[:40])
def test_what_cannot_be_loaded_is_refused(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    Path("latin.yaml").write_bytes(b"tree: [1]\ntitle: \xff\n")
    Path("large.yaml").write_text("[1, 2] #".ljust(MOST_BYTES + 1, "x"))
    Path("\x1b.yaml").write_text("[x]")
    assert refusal(load, name).startswith(message)


# What is refused: the text, and how the message begins after the name of the file

LEVELS = "[" * 1000 + "1" + "]" * 1000
DEEP = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0"
TOO_LARGE = "the tree grows beyond 20,000 nodes or 1,000 levels; expected fewer"
NO_PARSE = "this does not parse"
BAD = [
    *[(text, "the file holds nothing") for text in ("", "# a remark\n")],
    ("hello, world\n", "1: the file holds 'hello, world'; expected the key tree, or a nested"),
    ("title: x\nnote: y\n", "1: the file holds a mapping; expected the key tree, or a nested list"),
    ("titel: x\ntree: [1]\n", "1: unknown key 'titel': did you mean title"),
    ("tree: [1]\nroot: ''", "2: at the root: the name is ''; expected text"),
    ("tree: [1]\nto_move: white", "2: at the root: to_move is 'white'; expected max or min"),
    ("title: x\ntree: [1]\ntitle: y\n", "3: 'title' is there twice; expected each name once"),
    (
        "root: A\ntree:\n  B:\n    A: 1",
        "4: at 0.0: there is already a node named 'A'; expected another name",
    ),
    ("tree:\n  B: {D:3, E:5}", "2: 'D:3' has no value; expected a space after the colon: D: 3"),
    (
        "tree:\n- 3\n- - 5\n  - yes\n",
        "4: at 1.1: the value is 'yes'; expected a number up to 1.8e308 without quotes, .inf for a win, or",
    ),
    (f"tree: [{'9' * 5000}]", "1: at 0: the value is '99999"),
    (
        "tree: []",
        "1: at the root: the children are a list; expected a list or a mapping of 1 to 1,000 (a leaf is",
    ),
    (
        "tree:\n  B:\n    children: [1]\n    x: 3\n  C: 2\n",
        "4: at 0: unknown key 'x': there are children, to_move, value",
    ),
    ("!!python/object/apply:os.getcwd []", f"1: {NO_PARSE} (aliases and tags are not read)"),
    ("tree: [1]\n---\ntree: [2]\n", f"2: {NO_PARSE} (a second document begins here)"),
    ("tree: [1,\n *a]", f"2: {NO_PARSE} (aliases and tags are not read)"),
    (LEVELS, f"1: at {DEEP}…"),
    *[(end * 10**5, f"1: {NO_PARSE} ({TOO_LARGE}") for end in ("[", "- ", '{"a":')],
    (str([[1] * 999] * 21), f"1: at 19.998: {TOO_LARGE}"),
    (str([[1] * 999] * 300), f"1: {NO_PARSE} ({TOO_LARGE}"),
    ("tree: [1, 2\n", f"2: {NO_PARSE} (did not find expected ',' or ']'"),
    ('tree: {"\\UFFFFFFFF": 1}', f"1: {NO_PARSE}"),
    ("tree:\n- \x1b\n", f"{NO_PARSE} (control characters are not allowed)"),
    ('tree: ["\\e[2J\\r\\n"]', r"1: at 0: the value is '\x1b[2J\r\n'; expected"),
    ('{"tree": {"a": 1,\n"a": 2}}', "2: 'a' is there twice; expected each name once"),
    ('["\\ud83d"]', f"1: {NO_PARSE} (found invalid Unicode character escape code); expected"),
]


@pytest.mark.parametrize("text, message", BAD, ids=lambda each: brief(each)[:40])
def test_a_bad_file_is_refused_with_line_place_and_what_was_expected(text, message):
    result = (
        refusal(parse, text, file="my.yaml")
        .removeprefix("my.yaml, line ")
        .removeprefix("my.yaml: ")
    )
    assert result.startswith(message)


SCRAPS = [
    *"ABab []{}:,-?|>&*!'\"#%\n\t~",
    "tree:",
    "root: A",
    "children",
    "to_move: min",
    "value: ",
    "\n  ",
    "\n- ",
]
SCRAPS += [
    "3",
    "-.inf",
    "null",
    "No",
    "[3, 5]",
    "{B: 3}",
    "&a ",
    "*a",
    "---\n",
    "1e3",
    "\ufeff",
    "😀",
    ": ",
]


@given(st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join) | st.text() | st.binary())
def test_any_text_or_bytes_are_a_tree_or_refused_in_one_line(content):
    try:
        tree = parse(content, file="f.yaml")
    except AbvizError:
        assert refusal(parse, content, file="f.yaml").startswith("f.yaml")
    else:
        written = tree.to_yaml()
        assert "\x85" in written or parse(written) == tree


# Scalars, after the core schema of YAML 1.2 (section 10.3.2 of its specification)

SCALARS = {
    "0": 0,
    "-0": 0,
    "7": 7,
    "+7": 7,
    "-19": -19,
    "012": 12,
    "0o14": 12,
    "0xC": 12,
    "0xfF": 255,
}
SCALARS |= {
    "0.": 0.0,
    ".5": 0.5,
    "-.5": -0.5,
    "+12e03": 12e3,
    "-2E+05": -2e5,
    "1e3": 1e3,
    "3.25": 3.25,
    "1E-2": 0.01,
}
SCALARS |= {".inf": inf, "-.inf": -inf, "+.inf": inf, ".Inf": inf, "-.INF": -inf, "Infinity": inf}
SCALARS |= dict.fromkeys(["", "~", "null", "Null", "NULL"])
TEXTS = """No yes On off y 1:30 1_000 0b101 2001-01-01 << = -0o7 +0x1F 0o8 0xG e3 .e3 . 1e 1e1.5 --1 nUll true NaN .nan
1,5 １２ ½"""


def test_a_scalar_is_what_yaml_1_2_says():
    for text, value in SCALARS.items():
        assert resolve(text) == value and type(resolve(text)) is type(value), text
    assert [resolve(text) for text in TEXTS.split()] == TEXTS.split()
    for text in ("1e400", "-1e400", "9" * 10**6, "inf", "-inf", "+infinity", "-∞"):
        assert resolve(text) == text  # no win


NAMES = [
    "No",
    "On",
    "1",
    "1:30",
    "007",
    "0x1F",
    "1e3",
    "null",
    "~",
    ".inf",
    "1_000",
    "<<",
    "=",
    "2001-01-01",
    "0.0",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_text_as_written(name):
    assert (
        parse(f"tree: {{{name}: 3}}").nodes[1].name
        == parse(f"root: {name}\ntree: [3]").root.name
        == name
    )
    titled = parse(f"title: {name}\nnote: {name}\nsource: {name}\ntree: [3]")
    assert titled == Tree([3], title=name, source=name, note=name)


ALIKE = [
    (
        Tree([[3, 5], [4]]),
        [
            *[
                "[[3, 5], [4]]",
                "- [3, 5]\n- [4]\n",
                "-\n  - 3\n  - 5\n- - 4\n",
                "tree: [[3, 5], {children: [4]}]",
            ],
            *[
                "# a remark\n---\ntree:\n- [3, 5] # another\n- [4]\n...\n",
                "%YAML 1.2\n---\n[[3, 5], [4]]",
            ],
            *[
                '{"tree": [[3, 5], [4]]}',
                "to_move: max\nroot: A\ntitle:\nnote: ''\ntree: {B: [3, 5], C: {c1: 4}}",
            ],
            "[[3, 5], {children: [4], value: }]",
        ],
    ),
    (Tree([None, None, None, 3]), ["tree:\n- \n- ~\n- null\n- 3\n"]),
    (Tree({"a": None, "b": 3}), ["tree: {a: , b: 3}", "{\"tree\": {'a': null, ? b : 3}}"]),
    (Tree([1, [2]]), ["tree: [&a 1, &b [2]]"]),
    (Tree([inf, -inf]), ["[.inf, -.inf]", '{"tree": [Infinity, -Infinity]}']),
    (Tree({"😀": 1, "\0": 2, '/"': 3}), ['{"tree": {"😀": 1, "\\u0000": 2, "\\/\\"": 3}}']),
]


@pytest.mark.parametrize(
    "tree, text", [(tree, text) for tree, texts in ALIKE for text in texts], ids=range(16)
)
def test_one_tree_in_many_forms(tree, text):
    assert parse(text) == tree


# Notations of people and programs


@pytest.mark.parametrize("case", CASES["values"], ids=lambda case: brief(case["text"])[:40])
def test_a_text_is_the_tree_that_its_writer_means(case, monkeypatch):
    searched = trace(parse(case["text"]))
    assert (searched.value, searched.best, [node.name for node in searched.tree.nodes]) == expected(
        case
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case["text"].encode())))
    assert load("-") == searched.tree


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: brief(text)[:40])
def test_a_text_that_is_no_tree_or_may_be_two_is_refused(text):
    refusal(parse, text)


FOREIGN = [
    *[
        "[A [B [6] [8]] [C [5] [7]]]",
        "((6,8)B,(5,7)C)A;",
        "A\n  B\n    6\n    8\n",
        "A,B,6\nA,C,5\n",
        "hello",
        "(3)",
    ],
    *[r"\Tree [.A [.B 6 8 ] [.C 5 7 ] ]", "((3, 5) (2, 9))", "x = 5", "max(min(6, 8), min(5, 7))"],
]


@pytest.mark.parametrize("text", FOREIGN)
def test_a_text_in_no_notation_is_refused_with_all_that_are_read(text):
    message = refusal(parse, text)
    for notation in (
        "YAML",
        "JSON",
        "nested lists",
        "tuples",
        "(max (min 6 8) 5)",
        "children",
        "DOT",
    ):
        assert notation in message


def test_a_long_text_is_refused_at_once():
    start = process_time()
    for text in LONG:
        refusal(parse, text)
    assert process_time() - start < 30, "of the CPU, and not of the clock; all take two seconds"


NAMED = [
    ("{r: [p, q], p: [6, 8], q: [p]}", "'p' is a child of 'r' and of 'q'"),
    ("{r: [p, p], p: [6, 8]}", "'p' is a child of 'r' and of 'r'"),
    ("{p: [q], q: [p, 3]}", "'p' is below itself"),
    ("{r: [s], s: [3, 4], p: [q], q: [p]}", "'p' is below itself"),
    (
        "{r: [p], s: [q], p: [1, 2], q: [3, 4]}",
        "'r' and 's' are nobody's children; expected one root",
    ),
    ("{r: [p, x], p: [6, 8]}", "'x', a child of 'r', has no entry"),
    ("{r: [p, 1], p: [6, 8], 1: [2, 3]}", "1 below 'r' is a value, or the node of that name"),
    ("{0: [1, 2], 1: [3, 4], 2: [5, 6]}", "children of one root, or gives each node its children"),
    ("{name: 3, value: 6}", "this is a leaf, or a node with the leaves name and value"),
    ("{B: {name: C, children: [1, 2]}, D: 3, children: [1]}", "unknown key 'B'"),
    ('{"tree": {"B": {"name": "C", "children": [1, 2]}, "D": 3}}', "two names, 'B' and 'C'"),
]


@pytest.mark.parametrize("text, reason", NAMED)
def test_a_text_that_contradicts_itself_is_refused_by_name(text, reason):
    assert reason in refusal(parse, text)


def test_the_error_of_a_mapping_of_nodes_has_its_line():
    assert "line 3: 'p' is a child of" in refusal(parse, "r: [p, q]\np: [6, 8]\nq: [5, p]\n")
    assert refusal(parse, "[\n[3, 5],\n[2 9]]", file="x.txt").startswith("x.txt, line 3")


OBJECTS = [
    ([{"B": [3, 5]}, {"C": [2, 9]}], {"B": [3, 5], "C": [2, 9]}),
    ([("m", 6), ("n", 8)], {"m": 6, "n": 8}),
    ([("B", [("m", 6), 8]), 4], {"B": {"m": 6, "b2": 8}, "a2": 4}),
    ({"name": "A", "children": [{"name": "B", "value": 6}, {"value": 4}]}, {"B": 6, "a2": 4}),
    ({"r": ["p", 4], "p": [6, 8]}, None),
    ({"A": {"B": [3, 5], "C": 4}}, {"B": [3, 5], "C": 4}),
]


@pytest.mark.parametrize("nested, plain", OBJECTS, ids=range(len(OBJECTS)))
def test_the_same_objects_make_a_tree_in_python(nested, plain):
    tree = Tree(nested)
    assert plain is None or tree == Tree(plain)
    if plain is None:
        assert [node.name for node in tree.nodes] == ["r", "p", "p1", "p2", "r2"]
    assert parse(repr(nested)) == tree
    assert parse(f"tree = {nested!r}; # mine") == tree


def test_a_node_with_one_child_stays_where_the_text_says_so():
    for nested in (
        [[3, 5]],
        {"children": {"B": [3, 5]}},
        [{"children": {"C": [3, 5]}}],
        {"B": {"C": [3, 5]}, "D": 1},
    ):
        tree = Tree(nested)
        assert any(len(node.children) == 1 for node in tree.nodes)
        assert parse(json.dumps({"tree": nested})) == parse(tree.to_yaml()) == tree
    assert len(Tree({"B": [3, 5]}, root="A")) == 4 and len(Tree({"B": [3, 5]})) == 3


def test_where_yaml_reads_a_text_too_it_is_the_same_tree():
    """The notations are read first: they may not change what a file means."""
    both = 0
    for text in random_texts(6000, seed=3):
        try:
            content = read_yaml(text, {})
            tree = tree_of(content)
        except (AbvizError, yaml.YAMLError, ValueError):
            continue
        both += 1
        assert parse(text) == tree, text
    assert both > 200


DOT = [
    "digraph T { r -> {p q}; p -> {p1 p2}; q -> {q1 q2}; p1 [label=6]; p2 [label=8]; q1 [label=5]; q2 [label=7] }",
    "digraph { r -> p -> p1; p -> p2; r -> q; q -> q1; q -> q2 p1[label=6] p2[label=8] q1[label=5] q2[label=7] }",
    '// by hand\nstrict digraph "my tree" {\n  # shapes\n  node [shape=circle, label="7"]; edge [color=red];\n'
    '  p2 [label="8"]; "p1" [label="6"]; q1 [label="5"];\n  r [label="MAX"]; p [label="p (min)"]; q [label=MIN];\n'
    "  /* edges */ r -> p [label=left]; r -> q; p -> p1; p -> p2; q -> q1; q -> q2; {rank=same; p q}\n}\n",
]


@pytest.mark.parametrize("text", DOT)
def test_dot_is_read(text):
    assert parse(text) == Tree({"p": {"p1": 6, "p2": 8}, "q": {"q1": 5, "q2": 7}}, root="r")


def test_dot_keeps_the_order_the_players_and_strange_names():
    tree = parse(
        'digraph { "a b" -> z; "a b" -> "ü"; "a b" [label="MIN"]; z [label="−3"]; "ü" -> y; y [label="∞"] }'
    )
    assert tree == Tree({"z": -3, "ü": {"y": inf}}, root="a b", to_move="min")
    again = parse(
        "digraph { r -> {p q}; p -> x [color=red]; q [label=2]; p [label=MAX]; x [label=1] }"
    )
    assert again == Tree({"p": {"children": {"x": 1}, "to_move": "max"}, "q": 2}, root="r")


NO_DOT = [
    ("graph { r -- p }", "the graph has no directions"),
    ("digraph { }", "the graph has no nodes"),
    ("digraph { r -> p", "line 1: the end of the text does not fit; expected such as digraph {"),
    ("digraph { r -> p; p -> r }", "'r' is below itself"),
    ("digraph { r -> p; s -> p; p [label=3] }", "'p' is a child of 'r' and of 's'"),
    ("digraph { r -> p; r -> p; p [label=3] }", "'p' is a child of 'r' and of 'r'"),
    ("digraph { r -> p; s -> q; p [label=3]; q [label=4] }", "expected one root"),
    ("digraph {\n r -> p\n r -- q }", "line 3: '--' does not fit"),
    ("digraph { r -> p [label=<a<b>] }", "line 1: < is not closed"),
    ("digraph { r -> p }", "leaf 'p' has no label; expected its value"),
    ('digraph { r -> p; p [label="p: 3"] }', "leaf 'p' has the label 'p: 3'; expected its value"),
    ('digraph { r -> p; p [label=3]; r [label="MAX or MIN"] }', "expected MAX or MIN, not both"),
]


@pytest.mark.parametrize("text, reason", NO_DOT)
def test_a_graph_that_is_no_tree_is_refused_by_name(text, reason):
    assert reason in refusal(parse, text)


@given(strategies.trees(most=20), st.randoms(use_true_random=False))
@settings(max_examples=FEWER)
def test_dot_is_read_as_graphviz_reads_it(tree, random):
    """Written with the nodes in any order, and held against Graphviz's own reading."""
    assume(len(tree) > 1)
    nodes = [
        f'"{n.name}" [shape=box, label="{"∞" if n.value == inf else n.value}"]'
        for n in tree.leaves()
    ]
    nodes += [
        f'"{n.name}" [label={"MAX" if n.is_max else "MIN"}]' for n in tree.nodes if n.children
    ]
    random.shuffle(nodes)
    edges = [
        f'"{n.name}" -> {{{" ".join(f"{chr(34)}{c.name}{chr(34)}" for c in n.children)}}}'
        for n in tree.nodes
    ]
    edges = [edge for edge in edges if "{}" not in edge]
    random.shuffle(edges)
    text = f"digraph {{\n{';'.join(nodes + edges)}\n}}"
    read = parse(text)
    assert read == tree

    graph = pygraphviz.AGraph(string=text)
    parents = {(read.parent(node).name, node.name) for node in read.nodes[1:]}
    assert {tuple(map(str, edge)) for edge in graph.edges()} == parents


# Nested lists in Python


@pytest.mark.parametrize(
    "value, expected",
    [
        *[(3, 3), (-3.0, -3), (-0.0, 0), (0.5, 0.5), (None, None), (inf, inf), (-inf, -inf)],
        *[
            (1e15, 1e15),
            (1e300, 1e300),
            (10**300, 10**300),
            (Fraction(1, 2), 0.5),
            (Fraction(4, 2), 2),
        ],
        *[(np.int64(3), 3), (np.float64(0.5), 0.5), (np.float32(2), 2), (np.float64(inf), inf)],
    ],
)
def test_a_value_is_an_int_a_float_or_nothing(value, expected):
    result = Tree([value]).nodes[1].value
    assert result == expected and type(result) is type(expected) and str(result) == str(expected)


def test_rows_and_the_long_form():
    rows = [
        ("A", True, None, -1),
        ("B", False, None, 0),
        ("b1", True, 3, 1),
        ("b2", True, 5, 1),
        ("a2", False, 4, 0),
    ]
    assert read_rows([[3, 5], 4]) == [Row(*row) for row in rows]
    tree = Tree(
        {"children": {"children": {"children": [1, 2], "value": 7}, "value": 3}, "value": -1}
    )
    expected = [("A", -1), ("children", 7), ("children1", 1), ("children2", 2), ("value", 3)]
    assert [(node.name, node.value) for node in tree.nodes] == expected
    assert Tree((1, MappingProxyType({"x": (2,)}))) == Tree([1, {"x": [2]}])
    players = [node.is_max for node in Tree([{"to_move": "max", "children": [1, [2]]}, [3]]).nodes]
    assert players == [True, True, False, False, True, False, True]


def chain(levels: int, end=1):
    for _ in range(levels - 1):
        end = [end]
    return end


def test_lists_that_make_no_tree_are_refused_with_their_place():
    cycle, bomb = [1], [1] * 10
    cycle.append(cycle)
    for _ in range(50):
        bomb = [bomb] * 10
    for nested, message in (
        ([[1] * 999] * 20 + [1], f"at 19.998: {TOO_LARGE}"),
        (chain(1001), f"at {DEEP}…"),
        (
            [0, [1] * 1001],
            "at 1: the children are a list; expected a list or a mapping of 1 to 1,000",
        ),
        (cycle, "at 1.1.1"),
        (bomb, "at 0.0.0"),
        ([1, {3: 3}], "at 1.0: the name is 3; expected text"),
        *[
            ([3, leaf], "at 1: the value is ")
            for leaf in (b"3", True, ..., np.True_, nan, 1j, {1, 2}, np.array([1]))
        ],
    ):
        assert refusal(Tree, nested).startswith(message)
    for root in ("", 3, True, (1, 2)):
        assert "at the root: the name is" in refusal(Tree, [1], root=root)
    for to_move in ("Max", "", None, 1, [], chain(5000)):
        assert refusal(Tree, [1], to_move=to_move).startswith("at the root: to_move is ")


# Written trees load again

LIKE_YAML = r"""No|on|null|~|true|007|1:30|0x1F|1e3|.inf|2001-01-01|<<|=|1_000|children|to_move|value|tree|title
-|- a|?|? a|:|a:|a: b|#|a #b|[|]|{a: 1}|&a|*a|!a|!!str|>|%a|@a|`a|,|---|...|--- a|'|"|''|it's|"quoted"|\|\n|a\
 |  | a|a |é|שלום|😀|👩‍💻|a.|x,y|(a)|A|B|b1|a1|A:1|b:1|b1'|2|0.1"""
BREAKING = "\n/\n\n/a\nb/ a\n b\n/a\n/\na/a\r\nb/\r/\x85/a\x85b/a\x85\nb/\u2028/\u2029"
UNSEEN = "\0/\x07/\x1b[31m/\x7f/\xa0/\t/a\tb/\ufeff/\ufffe/\u202eabc/\U0010ffff"
AWKWARD = [
    *LIKE_YAML.replace("\n", "|").split("|"),
    *BREAKING.split("/"),
    *UNSEEN.split("/"),
    "x" * 2000,
    "a b " * 60,
]
TEXT = st.sampled_from(AWKWARD) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
JSON_TEXT = st.text(
    st.characters(categories=["L", "M", "N", "P", "S"], max_codepoint=0xFFFF),
    min_size=1,
    max_size=20,
)
VALUES = (
    st.none()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from([inf, -inf, 10**300, 1e-300, 0.1])
)


@st.composite
def written_trees(draw, names=TEXT):
    """Draw nested lists and mappings, long forms and all, and the tree that they make."""

    def inner(below):
        children = st.lists(below, min_size=1, max_size=4) | st.dictionaries(
            names, below, min_size=1, max_size=4
        )
        extras = {"to_move": st.sampled_from(["max", "min"]), "value": VALUES}
        return children | st.fixed_dictionaries({"children": children}, optional=extras)

    nested = draw(st.recursive(VALUES, inner, max_leaves=12))
    head = {key: draw(names | st.just("")) for key in ("title", "source", "note")}
    head |= {"to_move": draw(st.sampled_from(["max", "min"]))}
    head |= draw(st.fixed_dictionaries({}, optional={"root": names}))
    try:
        return nested, head, Tree(nested, **head)
    except BadTree:
        assume(False)


@settings(max_examples=FEWER)
@given(written_trees())
def test_what_is_written_loads_as_an_equal_tree_here_and_elsewhere(written):
    """PyYAML's own loader, which follows YAML 1.1, finds the same texts: no name is read as a
    number or a date.
    """
    _, head, tree = written
    assert parse(tree.to_yaml()) == tree
    content = yaml.safe_load(tree.to_yaml())
    assert {
        key: content.get(key, "") for key in ("title", "source", "note")
    }.items() <= head.items()
    waiting = [content["tree"]]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, dict):
            assert all(isinstance(key, str) for key in thing)
        if isinstance(thing, dict | list):
            waiting += thing.values() if isinstance(thing, dict) else thing


@settings(max_examples=FEWER)
@given(written_trees(names=JSON_TEXT), st.booleans(), st.sampled_from([None, 2, "\t"]))
def test_the_same_as_json_loads_as_an_equal_tree(written, ascii_only, indent):
    nested, head, tree = written
    text = json.dumps({**head, "tree": nested}, ensure_ascii=ascii_only, indent=indent)
    assert parse(text, file="tree.json") == tree


LAYOUTS = {
    "to_move: max\nroot: A\ntree:\n  B: {D: 3, E: 5}\n  C:\n    F:\n      I: {M: 0, N: 7}\n      J: 5\n"
    "    G: {K: 7, L: 8}\n    H: 4\n": (
        {
            "B": {"D": 3, "E": 5},
            "C": {"F": {"I": {"M": 0, "N": 7}, "J": 5}, "G": {"K": 7, "L": 8}, "H": 4},
        }
    ),
    "to_move: max\ntree: [3, 5]\n": [3, 5],
    "to_move: max\nroot: A\ntree:\n  X: {x1: 1, x2: .inf, x3: -.inf, x4: null}\n  Z:\n    value: -0.5\n"
    "    children: {x: 1}\n": (
        {
            "X": {"to_move": "min", "children": [1, inf, -inf, None]},
            "Z": {"value": -0.5, "children": {"x": 1}},
        }
    ),
}


@pytest.mark.parametrize("sign", ["\n", "\r", "\t", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff"])
def test_a_name_keeps_its_unseen_signs(sign):
    texts = [sign, f"a{sign}b", f"{sign}b", f"a{sign}", f"a {sign} b{sign}{sign}"]
    tree = Tree({text: 1 for text in texts}, root=f"r{sign}s", title=f"t{sign}t")

    assert parse(tree.to_yaml()) == tree
    assert [child.name for child in tree.root.children] == texts


def test_a_written_tree_reads_well():
    for text, nested in LAYOUTS.items():
        assert Tree(nested).to_yaml() == text
    noted = Tree([1], note="A note of many words, with: a colon. " * 20 + "End.")
    for tree in (noted, *map(load, shipped())):
        assert all(len(line) <= 100 for line in tree.to_yaml().splitlines())
        assert parse(tree.to_yaml()) == tree


# Names


def slow_names(tree: Tree, explicit: set[str]) -> dict[str, str]:
    """Name the nodes by the rules, from scratch: no code shared with `with_names`."""

    def letters(number: int) -> str:
        return (letters(number // 26 - 1) if number >= 26 else "") + chr(65 + number % 26)

    levels = [[tree.root]]
    while levels[-1]:
        levels.append([child for node in levels[-1] for child in node.children])
    order = [node for level in levels for node in level]
    names = {node: node.name for node in order if node.name in explicit}
    for node in order:
        if node in names:
            continue
        taken = set(names.values())
        if node.children or node is tree.root:
            names[node] = next(name for name in map(letters, range(1000)) if name not in taken)
            continue
        parent = next(above for above in order if node in above.children)
        place = parent.children.index(node) + 1
        name = names[parent].lower() + str(place)
        if name in taken or not names[parent][-1].isalpha():
            name = f"{names[parent]}:{place}"
        while name in taken:
            name += "'"
        names[node] = name
    return {node.name: name for node, name in names.items()}


CLASHING = st.sampled_from(
    [*"ABCDabcd", "a1", "b1", "b2", "B1", "c1", "A:1", "b:2", "b1'", "1", "AA", "x2", "0.1"]
)


@settings(max_examples=FEWER)
@given(written_trees(names=CLASHING))
def test_names_are_given_by_the_rules_and_paths_find_the_nodes(written):
    nested, head, tree = written
    explicit: set[str] = {head["root"]} if "root" in head else set()
    waiting = [nested]
    while waiting:
        spec = waiting.pop()
        if isinstance(spec, dict) and "children" in spec:
            spec = spec["children"]
        if isinstance(spec, dict):
            explicit |= set(spec)
        if isinstance(spec, dict | list):
            waiting += spec.values() if isinstance(spec, dict) else spec
    assert len({node.name for node in tree.nodes}) == len(tree)
    assert all(given == name for given, name in slow_names(tree, explicit).items())
    waiting = [(tree.root, "")]
    while waiting:
        node, path = waiting.pop()
        assert tree[node.name] is node and (not path or path in tree or tree[path] is node)
        waiting += [
            (child, f"{path}.{place}".strip(".")) for place, child in enumerate(node.children)
        ]


def test_notes_of_steps_are_read_written_and_refused_with_their_line():
    noted = parse("title: x\nnotes:\n  17: 'Look: here'\n  3: first\ntree: [[3, 5], [2, 9]]\n")
    assert noted.notes == {3: "first", 17: "Look: here"} and parse(noted.to_yaml()) == noted
    assert parse('{"notes": {"2": "in JSON"}, "tree": [1, 2]}').notes == {2: "in JSON"}
    assert noted.with_value("b1", 4).notes == noted.notes and noted != Tree(
        [[3, 5], [2, 9]], title="x"
    )
    for notes, line in {"[1]": 1, "{a: b}": 1, "3": 1, "{-1: b}": 1, "{2: [x]}": 1}.items():
        with pytest.raises(
            AbvizError, match=f"line {line}: notes are not texts by step; expected such as"
        ):
            parse(f"notes: {notes}\ntree: [1, 2]")
