"""Loading trees by name, path and standard input; and everything that is no tree file, refused in one line."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Tree, load, shipped
from abviz.tree.files import IN_TEACHING_ORDER, MOST_BYTES, parse

HOUSE = Path(__file__).resolve().parents[1]


def refusal(action, *arguments, **options) -> str:
    with pytest.raises(AbvizError) as caught:
        action(*arguments, **options)
    told = str(caught.value)
    assert type(caught.value) is AbvizError
    assert len(told.splitlines()) == 1 and told.isprintable(), repr(told)
    assert len(told) < 400
    return told


# By name


def test_shipped_trees_are_listed_in_teaching_order_and_none_is_forgotten():
    assert shipped() == list(IN_TEACHING_ORDER)
    assert sorted(shipped()) == sorted(path.stem for path in (HOUSE / "trees").glob("*.yaml"))
    assert {path.suffix for path in (HOUSE / "trees").iterdir()} == {".yaml"}


def test_a_tree_is_loaded_by_name():
    assert load("figure-4.24") == load(HOUSE / "trees" / "figure-4.24.yaml")
    assert load("figure-4.24").title == "Figure 4.24"


def test_a_file_of_the_same_name_does_not_come_in_between(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("figure-4.24").write_text("[1, 2]")
    assert load("figure-4.24").title == "Figure 4.24"
    assert load("./figure-4.24") == load(Path("figure-4.24")) == Tree([1, 2])


@pytest.mark.parametrize("name", ["figure-4.25", "figure 4.24", "Figure-4.24", "worked", "aima", "deepcut"])
def test_an_unknown_name_is_refused_with_the_nearest(name):
    told = refusal(load, name)
    assert told.startswith(f"unknown tree {name!r}: did you mean ")
    near = {"f": "figure-4.24", "F": "figure-4.24", "w": "worked-example", "a": "aima-5.2", "d": "deep-cut"}
    assert near[name[0]] in told


@pytest.mark.parametrize("name", ["", "zzz", "x" * 10**6, "a\0b", "a\nb", "\x1b[2J", "\ud800"])
def test_a_name_that_is_near_to_nothing_is_refused(name):
    assert refusal(load, name).startswith("unknown tree '")


@pytest.mark.parametrize("thing", [3, None, [1, 2], Tree([1]), 2.5])
def test_what_is_neither_name_nor_path_is_refused(thing):
    assert "expected the name of a tree or a path" in refusal(load, thing)


def test_an_installed_package_finds_its_trees_inside(tmp_path):
    shutil.copytree(HOUSE / "abviz", tmp_path / "abviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(HOUSE / "trees", tmp_path / "abviz" / "trees")
    (tmp_path / "trees").mkdir()
    script = "import abviz; print(abviz.__file__); print(*abviz.shipped()); print(abviz.load('deep-cut').title)"
    told = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    where, names, title = told.stdout.splitlines()
    assert Path(where) == tmp_path / "abviz" / "__init__.py"
    assert names.split() == shipped()
    assert title == load("deep-cut").title


# By path


@pytest.mark.parametrize(
    "name, text",
    [
        ("tree.yaml", "tree: [[3, 5], 4]"),
        ("tree.yml", "- [3, 5]\n- 4\n"),
        ("tree.json", '{"tree": [[3, 5], 4]}'),
        ("tree.txt", "[[3, 5], 4]"),
        ("tree", "[[3, 5], 4]"),
        ("a b ☃.yaml", "\ufefftree: [[3, 5], 4]"),
    ],
)
def test_a_tree_is_loaded_from_a_file(tmp_path, monkeypatch, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert load(tmp_path / name) == load(str(tmp_path / name)) == Tree([[3, 5], 4])
    monkeypatch.chdir(tmp_path)
    assert load(name) == Tree([[3, 5], 4])


def test_a_file_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal(load, "my.yaml") == "there is no file my.yaml; expected a tree file (.yaml, .yml or .json)"
    assert "no file trees/my.json" in refusal(load, "trees/my.json")
    assert "no file my" in refusal(load, Path("my"))
    assert "the tree that ships is called deep-cut" in refusal(load, "deep-cut.yaml")


def test_a_folder_is_refused(tmp_path, monkeypatch):
    (tmp_path / "trees").mkdir()
    monkeypatch.chdir(tmp_path)
    for path in ("trees", "./trees", Path("trees"), "."):
        assert "is a folder; expected a tree file" in refusal(load, path)


@pytest.mark.parametrize("path", ["a\0b.yaml", "x" * 5000 + ".yaml", "\n.yaml", "\x1b[2J.yaml", "\ud800.yaml"])
def test_a_path_that_cannot_be_is_refused(path):
    assert "expected a tree file" in refusal(load, path)
    assert "expected a tree file" in refusal(load, Path(path))


def test_a_file_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "tree.yaml").write_text("[1]")
    monkeypatch.setattr(Path, "open", fail)
    assert "Permission denied; expected" in refusal(load, tmp_path / "tree.yaml")


@pytest.mark.parametrize(
    "raw, line",
    [(b"tree: [1]\ntitle: \xff\n", 2), ("tree: [1]".encode("utf-16"), 1), (b"\x80", 1), (bytes(range(128, 256)), 1)],
)
def test_a_file_that_is_not_utf_8_is_refused(tmp_path, raw, line):
    (tmp_path / "tree.yaml").write_bytes(raw)
    assert f"tree.yaml, line {line}: the text is not UTF-8; expected" in refusal(load, tmp_path / "tree.yaml")


def test_a_file_larger_than_stated_is_refused(tmp_path):
    path = tmp_path / "tree.yaml"
    path.write_text("[1, 2] #".ljust(MOST_BYTES, "x"))
    assert load(path) == Tree([1, 2])
    path.write_text("[1, 2] #".ljust(MOST_BYTES + 1, "x"))
    assert "larger than 1 MB; expected" in refusal(load, path)


# From standard input


def standard_input(monkeypatch, raw: bytes):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


@pytest.mark.parametrize("text", ["[[3, 5], 4]", "- [3, 5]\n- 4", '{"tree": [[3, 5], 4]}', "tree: [[3, 5], 4]"])
def test_a_tree_is_loaded_from_standard_input(monkeypatch, text):
    standard_input(monkeypatch, text.encode())
    assert load("-") == Tree([[3, 5], 4])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert load("-") == Tree([[3, 5], 4])


def test_standard_input_that_is_no_tree_is_refused(monkeypatch):
    for raw, told in (
        (b"", "standard input, line 1: the file holds nothing; expected"),
        (b"[1,\n x]", "standard input, line 2: at 1: the value is text ('x'); expected"),
        (b"[1, \xff]", "standard input, line 1: the text is not UTF-8; expected"),
        (b" " * (MOST_BYTES + 1), "standard input is larger than 1 MB; expected"),
    ):
        standard_input(monkeypatch, raw)
        assert refusal(load, "-").startswith(told)


# What is no tree file. Each with what it is called by: line, place and a part of the problem.

LEVELS = "[" * 1000 + "1" + "]" * 1000
BOMB = "tree:\n- &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + "".join(
    f"- &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
BAD = {
    "nothing": ("", "line 1: the file holds nothing"),
    "a remark": ("# nothing else\n", "line 1: the file holds nothing"),
    "an empty document": ("---\n...\n", "line 1: the file holds nothing"),
    "text": ("hello, world\n", "line 1: the file holds 'hello, world'"),
    "a number": ("5", "line 1: the file holds 5"),
    "no tree": ("title: x\nnote: y\n", "line 1: at the top of the file: there is no key tree"),
    "an unknown key": (
        "title: x\ntreee: [1]\n",
        "line 2: at the top of the file: unknown key 'treee': did you mean tree",
    ),
    "names at the top": (
        "B: 3\nC: 4\n",
        "line 1: at the top of the file: unknown key 'B': there are title, source, note",
    ),
    "a list for a title": ("title:\n- x\ntree: [1]", "line 1: at the top of the file: title is a list; expected text"),
    "a mapping for a note": (
        "tree: [1]\nnote: {a: b}",
        "line 2: at the top of the file: note is a mapping; expected text",
    ),
    "an empty root": ("tree: [1]\nroot: ''", "line 2: at the top of the file: root is empty; expected text"),
    "a root twice": ("root: A\ntree:\n  B:\n    A: 1", "line 4: at 0.0: there is already a node named 'A'"),
    "a player": (
        "tree: [1]\nto_move: white",
        "line 2: at the top of the file: to_move is text ('white'); expected max or min",
    ),
    "no player": (
        "to_move:\ntree: [1]",
        "line 1: at the top of the file: to_move is nothing (None); expected max or min",
    ),
    "a player inside": (
        "tree:\n  B:\n    children: [1]\n    to_move: Max",
        "line 4: at 0: to_move is text ('Max'); expected max or min",
    ),
    "no space after a colon": (
        "tree:\n  B: {D:3, E:5}",
        "line 2: at 0: 'D:3' has no value; expected a space after the colon, as in D: 3",
    ),
    "a text leaf": ("tree:\n- 3\n- - 5\n  - yes\n", "line 4: at 1.1: the value is text ('yes'); expected a number"),
    "a text leaf below": ("tree:\n  B:\n    three\n", "line 3: at 0: the value is text ('three'); expected a number"),
    "a quoted number": ("tree: ['3']", "line 1: at 0: the value is text ('3'); expected a number"),
    "an underscore": ("tree: [1, 1_000]", "line 1: at 1: the value is text ('1_000'); expected a number"),
    "an hour": ("tree: [1:30]", "line 1: at 0: the value is text ('1:30'); expected a number"),
    "a truth": ("tree: [1,\n true]", "line 2: at 1: the value is true or false (True); expected a number"),
    "not a number": ("tree: [1, .nan]", "line 1: at 1: the value is not a number (NaN); expected a number"),
    "another infinity": (
        "tree: [1, -inf]",
        "line 1: at 1: the value is text ('-inf', where a win is written .inf); expected",
    ),
    "1e400": ("tree: [1, -1e400]", "line 1: at 1: the value is a number beyond 1.8e308; expected"),
    "400 digits": (f"tree: [{'9' * 400}]", "line 1: at 0: the value is a number beyond 1.8e308; expected"),
    "5,000 digits": (f"tree: [{'9' * 5000}]", "line 1: at 0: the value is a number of 5,000 characters; expected"),
    "a bad static value": (
        "tree:\n- children:\n  - 1\n  value: high\n",
        "line 4: at 0: the value is text ('high'); expected a number",
    ),
    "no children": (
        "tree:\n  B: [1]\n  C: {}\n",
        "line 3: at 1: an inner node without children; expected at least one",
    ),
    "no children at all": ("tree: []", "line 1: at root: an inner node without children; expected at least one"),
    "one for children": (
        "tree:\n- 1\n- value: 2\n  children: 3\n",
        "line 4: at 1: 'children' is int (3); expected a list",
    ),
    "a stranger": ("tree:\n  B:\n    children: [1]\n    x: 3\n", "line 4: at 0: 'x' beside 'children'; expected only"),
    "a name twice": (
        "tree:\n  B: 1\n  C: 2\n  B: 3\n",
        "line 4: at root: 'B' stands there twice; expected each name once",
    ),
    "a key twice": ("title: x\ntree: [1]\ntitle: y\n", "line 3: at the top of the file: 'title' stands there twice"),
    "a name in two places": (
        "tree:\n  A: {B: 1}\n  B: 2\n",
        "line 3: at 1: there is already a node named 'B'; expected",
    ),
    "the path of another": ("tree:\n  - '1': 3\n  - 4\n", "line 3: at 1: there is already a node named '1'; expected"),
    "a later path": (
        "tree:\n  a: {b: 1}\n  '0.0': 2\n",
        "line 3: at 1: the name '0.0' is the path name of another node",
    ),
    "the root's path name": (
        "root: '0'\ntree:\n  a: 1",
        "line 2: at root: the name '0' is the path name of another node",
    ),
    "the name root": ("root: A\ntree: {root: 1}", "line 2: at 0: the name 'root' is the path name of another node"),
    "an empty name": ("tree: {'': 1}", "line 1: at root: a child's name is empty; expected text"),
    "a list for a name": ("tree:\n  ? [a, b]\n  : 3\n", "line 2: at root: a list stands for a name; expected text"),
    "a mapping for a name": ("tree:\n- {{a: 1}: 2}\n", "line 2: at 0: a mapping stands for a name; expected text"),
    "an alias for a name": ("tree: {&a b: 1, *a : 2}", "line 1: at root: an alias stands for a name; expected text"),
    "a tag": ("tree:\n- 1\n- !!int '3'\n", "line 3: at root: the tag '!!int' stands here; expected none"),
    "a tag on a list": (
        "tree: !mine [1]",
        "line 1: at the top of the file: the tag '!mine' stands here; expected none",
    ),
    "a tag on a name": ("tree: {!!str a: 1}", "line 1: at root: the tag '!!str' stands here; expected none"),
    "a python object": (
        "!!python/object/apply:os.getcwd []",
        "line 1: at the top of the file: the tag '!!python/object",
    ),
    "two documents": ("tree: [1]\n---\ntree: [2]\n", "line 2: a second document begins here; expected one"),
    "no anchor": ("tree: [1,\n *a]", "line 2: at root: the alias *a has no anchor; expected one above it"),
    "a cycle": ("tree: &a\n- 1\n- - 2\n  - *a\n", "line 4: at 1: the alias *a makes the tree hold itself; expected"),
    "a cycle of names": (
        "tree:\n  B: &b {C: {children: {D: *b}}}",
        "line 2: at 0.0: the alias *b makes the tree hold itself",
    ),
    "a bomb": (BOMB, "line 3: at 4.1.5.2.3: the tree grows beyond 20,000 nodes; expected fewer"),
    "1,001 levels": (
        LEVELS,
        "line 1: at 0.0.0.0.0.0.0.0.0.0.0.0.0.0. … .0.0.0.0.0.0.0.0.0.0.0.0.0.0: the tree grows deeper",
    ),
    "1,001 levels in yaml": (LEVELS.replace("1", "one"), "the tree grows deeper than 1,000 levels"),
    "a million levels": ("[" * 10**6, "the tree grows deeper than 1,000 levels; expected fewer"),
    "half a million in yaml": ("- " * 5 * 10**5, "line 1: at 0.0"),
    "1,001 children": (str([1] * 1001), "line 1: at root: more than 1,000 children; expected at most that"),
    "1,001 children below": (
        "tree:\n- 0\n-\n" + "  - 1\n" * 1001,
        "line 1004: at 1: more than 1,000 children; expected",
    ),
    "1,001 inner children": (str([[1]] * 1001), "line 1: at root: more than 1,000 children; expected at most that"),
    "20,001 nodes": (
        str([[1] * 999] * 19 + [[1] * 999]),
        "line 1: at 19.998: the tree grows beyond 20,000 nodes; expected fewer",
    ),
    "far more nodes": (str([[1] * 999] * 300), "line 1: at 79: the tree grows beyond 20,000 nodes; expected fewer"),
    "an open list": (
        "tree: [1, 2\n",
        "line 2: this does not parse; expected YAML (while parsing a flow sequence, expected",
    ),
    "a tab": ("tree:\n\t- 1\n", "line 2: this does not parse; expected YAML (while scanning for the next token, found"),
    "a colon": (
        "tree:\n  a: b: c\n",
        "line 2: this does not parse; expected YAML (mapping values are not allowed here)",
    ),
    "a wrong indent": ("tree:\n  - 1\n - 2\n", "line 3: this does not parse; expected YAML"),
    "another version": ("%YAML 3.0\n---\n[1]", "line 1: this does not parse; expected YAML"),
    "a long version": (f"%YAML 1.{'9' * 5000}\n---\n[1]", "this does not parse; expected YAML"),
    "no letter": ('tree: {"\\UFFFFFFFF": 1}', "this does not parse; expected YAML"),
    "no letter either": ('tree: {"\\U00110000": 1}', "this does not parse; expected YAML"),
    "a control character": ("tree:\n- \x1b\n", "line 2: the character U+001B stands here as it is; expected"),
    "a null": ("tree: [1]\n\0", "line 2: the character U+0000 stands here as it is; expected"),
    "half a letter": ("tree: [\ud800]", "line 1: the character U+D800 stands here as it is; expected"),
    "an escape in a name": ('tree: {"\\e[2J": x}', "line 1: at 0: the value is text ('x'); expected"),
    "an escape in text": ('tree: ["\\e[2J\\r\\n"]', r"line 1: at 0: the value is text ('\x1b[2J\r\n'); expected"),
    "a tall key": ('"\\n\\r\\e": 1', "line 1: at the top of the file: unknown key"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_with_line_place_and_what_was_expected(what):
    text, told = BAD[what]
    found = refusal(parse, text, file="my.yaml")
    assert found.startswith("my.yaml, line ") or not told.startswith("line")
    assert told in found
    assert "expected" in found or "did you mean" in found or "there are" in found


BAD_JSON = {
    "nothing": ("", "line 1: this does not parse as JSON, for here stands the end of the text; expected a value"),
    "a comma too many": (
        '{"tree": [1,\n 2,\n]}',
        "line 3: this does not parse as JSON, for here stands ']'; expected a value",
    ),
    "a wrong bracket": ("[1, 2}", "line 1: this does not parse as JSON, for here stands '}'; expected a comma or ]"),
    "a name without quotes": (
        "{tree: [1]}",
        "line 1: this does not parse as JSON, for here stands 't'; expected a name",
    ),
    "yaml": ("tree: [1]", "line 1: this does not parse as JSON, for here stands 't'; expected a value"),
    "an open list": ("[1,\n[2,\n", "line 3: this does not parse as JSON, for here stands the end of the text"),
    "an open text": ('["a', "line 1: this does not parse as JSON, for here stands a text that does not end"),
    "a broken escape": ('["\\x"]', "line 1: this does not parse as JSON, for here stands"),
    "two trees": ("[1]\n[2]", "line 2: this does not parse as JSON, for here stands '['; expected the end"),
    "a leading zero": ("[012]", "line 1: this does not parse as JSON, for here stands '12'; expected a comma or ]"),
    "a name twice": ('{"tree": {"a": 1,\n"a": 2}}', "line 2: at root: 'a' stands there twice; expected each name once"),
    "not a number": ("[1,\n[2, NaN]]", "line 2: at 1.1: the value is not a number (NaN); expected"),
    "a truth": ("[false]", "line 1: at 0: the value is true or false (False); expected"),
    "1e400": ("[1e400]", "line 1: at 0: the value is a number beyond 1.8e308; expected"),
    "a text leaf": ('{"tree": {\n"a": "3"}}', "line 2: at 0: the value is text ('3'); expected"),
    "a number for a title": ('{"title": [], "tree": [1]}', "line 1: at the top of the file: title is a list; expected"),
    "1,001 levels": (LEVELS, "the tree grows deeper than 1,000 levels"),
    "a million levels": ("[" * 10**6, "the tree grows deeper than 1,000 levels; expected fewer"),
    "a million levels of names": ('{"a":' * 10**5, "the tree grows deeper than 1,000 levels; expected fewer"),
    "1,001 children": (
        json.dumps(dict.fromkeys(map("n{}".format, range(1001)), 1)),
        "line 1: at the top of the file: ",
    ),
}


@pytest.mark.parametrize("what", BAD_JSON)
def test_bad_json_is_refused_with_line_place_and_what_was_expected(what):
    text, told = BAD_JSON[what]
    found = refusal(parse, text, file="my.json")
    assert found.startswith("my.json, line ")
    assert told in found and "expected" in found


def test_a_refusal_names_the_file_as_it_is_called(tmp_path):
    (tmp_path / "x.yaml").write_text("[x]")
    assert refusal(load, tmp_path / "x.yaml").startswith(f"{tmp_path / 'x.yaml'}, line 1: at 0: ")
    assert refusal(parse, "[x]").startswith("the text, line 1: at 0: ")
    assert refusal(parse, "[x]", file="\x1b[2J\n").startswith("␛[2J␊, line 1: ")
    assert "…" in refusal(parse, "[x]", file="long" * 10**5)


@pytest.mark.parametrize("giant", ["x" * 900_000, "\x07" * 900_000, "é" * 400_000])
def test_a_giant_is_not_repeated(giant):
    text = json.dumps({"tree": {giant: [giant]}})
    assert "at 0.0: the value is text" in refusal(parse, text)
    for text in ({giant: 1}, {"tree": {giant: {giant: 1}}}, {"to_move": giant, "tree": [1]}):
        refusal(parse, json.dumps(text))


def test_an_unknown_letter_leaves_no_traceback_of_its_cause():
    with pytest.raises(AbvizError) as caught:
        parse("tree: [x]")
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


# Any text at all

SCRAPS = [
    *[
        "tree: ",
        "title: x\n",
        "to_move: min\n",
        "root: A\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "- ",
        "? ",
        "\n",
        "\n  ",
        "\n- ",
    ],
    *[
        "&a ",
        "*a",
        "!!str ",
        "!x ",
        "| \n",
        ">-\n",
        "'",
        '"',
        "\\",
        "#",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "%TAG ! x\n",
        "\t",
    ],
    *[
        "1",
        "-.inf",
        "null",
        "x",
        "children: ",
        "value: ",
        "1e999",
        "\0",
        "\ud800",
        "\ufeff",
        "\u2028",
        "\x85",
        "\r",
        "\\U0011",
    ],
]


@given(st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join) | st.text(), st.sampled_from(["f.yaml", "f.json"]))
def test_any_text_is_a_tree_or_refused_in_one_line(text, file):
    try:
        tree = parse(text, file=file)
    except AbvizError:
        assert refusal(parse, text, file=file).startswith(file)
    else:
        assert parse(tree.to_yaml()) == tree


@given(st.binary())
def test_any_bytes_are_a_tree_or_refused_in_one_line(raw):
    with pytest.MonkeyPatch.context() as patch:
        standard_input(patch, raw)
        try:
            load("-")
        except AbvizError as error:
            assert str(error).startswith("standard input") and len(str(error).splitlines()) == 1


@pytest.mark.parametrize("text", [None, 3, b"[1]", []])
def test_only_text_is_parsed(text):
    assert refusal(parse, text) == f"asked to parse {text!r}; expected the text of a tree file"


def test_a_folder_is_told_once(tmp_path):
    assert refusal(load, tmp_path) == f"{tmp_path} is a folder; expected a tree file (.yaml, .yml or .json)"
