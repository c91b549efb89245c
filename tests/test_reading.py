"""What YAML and JSON mean: scalars, names, and the two languages saying the same."""

import json
from math import inf, isnan

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from abviz import Tree
from abviz.tree.files import parse
from abviz.tree.marks import Fault, json_marks
from abviz.tree.nested import Unfit
from abviz.tree.reading import read, resolve

# Scalars, after the core schema of YAML 1.2 (section 10.3.2 of its specification)

WHOLE = {"0": 0, "-0": 0, "7": 7, "+7": 7, "-19": -19, "012": 12, "0o14": 12, "0xC": 12, "0xfF": 255}
BROKEN = {"0.": 0.0, ".5": 0.5, "-.5": -0.5, "+12e03": 12e3, "-2E+05": -2e5, "1e3": 1e3, "3.25": 3.25, "1E-2": 0.01}
WINS = {".inf": inf, "-.inf": -inf, "+.inf": inf, ".Inf": inf, "-.INF": -inf}
WORDS = dict.fromkeys(["", "~", "null", "Null", "NULL"]) | dict.fromkeys(["true", "True", "TRUE"], True)
WORDS |= dict.fromkeys(["false", "False", "FALSE"], False)
TEXT = [
    *["No", "yes", "On", "off", "y", "1:30", "1_000", "0b101", "2001-01-01", "<<", "="],  # not so in YAML 1.1
    *["-0o7", "+0x1F", "0o8", "0xG", "e3", ".e3", ".", "1e", "1e1.5", "--1", "nUll", "tRue", "-.Infinity", "NaN"],
    *["1 000", "1,5", "１２", "٣", "½"],
]


@pytest.mark.parametrize("text, value", (WHOLE | BROKEN | WINS | WORDS).items())
def test_a_scalar_is_what_yaml_1_2_says(text, value):
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


@pytest.mark.parametrize("text", TEXT)
def test_anything_else_is_text(text):
    assert resolve(text) == text


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_nan_is_read_so_that_it_can_be_refused(text):
    assert isnan(resolve(text))


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1" + "0" * 400, "0x" + "F" * 500, "9" * 10**6, "0." + "1" * 500])
def test_a_number_too_large_is_no_win(text):
    assert isinstance(resolve(text), Unfit)


@pytest.mark.parametrize("text", ["inf", "-inf", "Infinity", "+infinity", "-∞", "∞"])
def test_who_writes_a_win_otherwise_is_told_how(text):
    assert ".inf" in resolve(text).description


@given(st.integers() | st.floats(allow_nan=False))
def test_numbers_as_python_writes_them_are_read(number):
    assert resolve(json.dumps(number).replace("Infinity", ".inf")) == number


# Names are the text as written

NAMES = ["No", "On", "1:30", "007", "0x1F", "1e3", "null", "~", "true", ".inf", "1_000", "<<", "=", "2001-01-01", "a b"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_needs_no_quotes(name):
    assert parse(f"tree: {{{name}: 3}}").nodes[1].name == name
    assert parse(f"root: {name}\ntree: [3]").root.name == name
    titled = Tree([3], title=name, source=name, note=name)
    assert parse(f"title: {name}\nnote: {name}\nsource: {name}\ntree: [3]") == titled


def test_a_name_in_quotes_is_the_same_name():
    assert parse("tree: {'a': 1, \"b\\u263a\": 2, ? c : 3}") == Tree({"a": 1, "b☺": 2, "c": 3})


def test_a_number_in_quotes_is_text():
    assert read("tree: ['3', \"4\", 5]").content == {"tree": ["3", "4", 5]}


def test_nothing_at_all_is_a_value_not_known():
    assert parse("tree:\n- \n- ~\n- null\n- 3\n") == Tree([None, None, None, 3])
    assert parse("tree: {a: , b: 3}") == Tree({"a": None, "b": 3})


# YAML, otherwise


def test_the_example_of_the_design():
    text = """
title: Figure 4.24
source: where it comes from
to_move: max
root: A
tree:
  B: {D: 3, E: 5}
  C:
    F: {I: {M: 0, N: 7}, J: 5}
    G: {K: 7, L: 8}
    H: 4
"""
    nested = {"B": {"D": 3, "E": 5}, "C": {"F": {"I": {"M": 0, "N": 7}, "J": 5}, "G": {"K": 7, "L": 8}, "H": 4}}
    assert parse(text) == Tree(nested, root="A", title="Figure 4.24", source="where it comes from")


@pytest.mark.parametrize(
    "text",
    [
        "[[3, 5], [4]]",
        "- [3, 5]\n- [4]\n",
        "-\n  - 3\n  - 5\n- - 4\n",
        "tree: [[3, 5], [4]]",
        "# a remark\n---\ntree:\n- [3, 5] # another\n- [4]\n...\n",
        "%YAML 1.2\n---\n[[3, 5], [4]]",
        "\ufeff[[3, 5], [4]]",
        "tree:\r\n- [3, 5]\r\n- [4]\r\n",
        '{"tree": [[3, 5], [4]]}',
        "[\t[3,\t5],\n\t[4]\t]",
        "tree: [[3, 5], {children: [4]}]",
        "to_move: max\nroot: root\ntitle:\nnote: ''\ntree: [[3, 5], [4]]",
    ],
)
def test_one_tree_in_many_forms(text):
    assert parse(text) == Tree([[3, 5], [4]])


def test_an_alias_stands_for_what_its_anchor_stands_for():
    assert parse("tree: [&a [1, &b 2], *a, *b]") == Tree([[1, 2], [1, 2], 2])
    assert parse("tree: [&a 1, &a 2, *a]") == Tree([1, 2, 2])
    assert parse("tree: {&a x: 1, y: {children: &c [2], to_move: min}, z: *c}") == Tree(
        {"x": 1, "y": {"children": [2], "to_move": "min"}, "z": [2]}
    )


def test_a_thousand_levels_are_read_in_both_languages():
    for text in ("[" * 999 + "1" + "]" * 999, "[ " * 999 + ".inf" + " ]" * 999, "- " * 999 + "1"):
        assert parse(text).levels == 1000
    long = '{"children": [' * 999 + "1" + '], "to_move": "max"}' * 999
    assert parse(f'{{"tree": {long}}}').levels == 1000
    assert parse(f"tree: {long}").levels == 1000


# JSON

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(JSON, st.booleans(), st.sampled_from([None, 2, "\t"]))
def test_json_is_read_as_the_json_module_reads_it(content, ascii_only, indent):
    text = json.dumps(content, ensure_ascii=ascii_only, indent=indent)
    assert read(text, only_json=True).content == content


BITS = [
    *["[", "]", "{", "}", ",", ":", '"a"', '"b"', '"\\n"', '"', "'", " ", "\t\n"],
    *["1", "-2.5e3", "01", "true", "null", "nul", "NaN"],
]


@given(st.lists(st.sampled_from(BITS), max_size=12).map("".join))
def test_json_is_refused_where_the_json_module_refuses_it(text):
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("twice")
        return dict(pairs)

    try:
        content = json.loads(text, object_pairs_hook=once)
    except ValueError:
        with pytest.raises(Fault):
            read(text, only_json=True)
    else:
        assert str(read(text, only_json=True).content) == str(content)  # text, since NaN equals nothing


def test_surrogate_pairs_and_strange_letters_of_json():
    tree = parse('{"tree": {"\\ud83d\\ude00": 1, "\\u0000": 2, "\x7f\\/\\"\u2028": 3, "\\ud83d": 4}}')
    assert [node.name for node in tree.nodes[1:]] == ["😀", "\0", '\x7f/"\u2028', "\ud83d"]


def test_marks_know_their_lines():
    text = '{"a":\n [1,\n\n 2],\n "b": "x\\ny",\r\n "c": {}}'
    found = [(mark.kind, mark.line, mark.text) for mark in json_marks(text)]
    assert found == [
        *[("{", 1, ""), ("scalar", 1, "a"), ("[", 2, ""), ("scalar", 2, "1"), ("scalar", 4, "2"), ("]", 4, "")],
        *[("scalar", 5, "b"), ("scalar", 5, "x\ny"), ("scalar", 6, "c"), ("{", 6, ""), ("}", 6, ""), ("}", 6, "")],
    ]


# YAML as another reader of it reads it: where 1.1 and 1.2 agree, PyYAML's own


def simple_names():
    return st.text("abcXYZ äß☃ :#-'\"\\", min_size=1, max_size=6).filter(lambda name: name.strip() == name)


@given(
    st.recursive(
        st.integers(-99, 99) | st.none() | st.sampled_from([inf, -inf, 0.5]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(simple_names(), inner, max_size=4),
        max_leaves=12,
    ),
    st.sampled_from([True, False, None]),
    st.integers(20, 100),
)
def test_yaml_is_read_as_pyyaml_reads_it(content, flow, width):
    text = yaml.safe_dump({"tree": content}, default_flow_style=flow, width=width, allow_unicode=True, sort_keys=False)
    assert read(text).content == yaml.safe_load(text) == {"tree": content}
