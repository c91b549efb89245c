"""The command: what it prints and writes, and that it tells whatever is wrong in one line, never a traceback."""

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from abviz import Rules, Tree, draw, load, minimax, shipped, trace
from abviz.cli import main
from abviz.errors import AbvizError, visible
from abviz.tracing.questions import KINDS
from abviz.tree.files import MOST_BYTES
from abviz.views.export import page
from tests import strategies
from tests.test_files import as_nobody

ABVIZ = Path(sys.executable).with_name("abviz")
FLAGS = {
    "--strict": "strict",
    "--test-first": "test_first",
    "--fail-hard": "fail_hard",
    "--right-to-left": "right_to_left",
    "--name-by-node": "name_by_node",
}


# That of a student: what is printed goes out in blocks.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def abviz(*arguments: str, stdin: str | bytes = "", cwd: Path | None = None, **environment: str) -> Any:
    """The command as it is installed, in a process of its own."""
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    environment = {**ENVIRONMENT, **environment}
    done = subprocess.run([ABVIZ, *arguments], input=stdin, capture_output=True, cwd=cwd, env=environment)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The command in this process, which is quicker."""
    status = main(arguments)
    return status, *capsys.readouterr()


def refused(status: int, out: str, err: str) -> str:
    """The one line that says why; nothing else was printed."""
    assert status == 2 and out == ""
    assert err.startswith("abviz: ") and err.endswith("\n") and len(err.splitlines()) == 1, err
    assert len(err) < 600 and "Traceback" not in err and "Error" not in err
    return err.removeprefix("abviz: ").strip()


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Any:
    def give(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))

    return give


# the commands


def test_list_names_every_tree_with_its_leaves_and_title(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = here(capsys, "list")
    assert (status, err) == (0, "")
    rows = [re.fullmatch(r"(\S+) +(\d+) (?:leaf|leaves)  (.+)", line).groups() for line in out.splitlines()]
    assert [name for name, *_ in rows] == shipped()
    for name, leaves, title in rows:
        assert int(leaves) == len([*load(name).leaves()]) and title == load(name).title


@pytest.mark.parametrize("name", shipped())
def test_trace_prints_what_python_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, "trace", name) == (0, f"{trace(load(name))}\n", "")


def test_json_is_the_contract_to_the_letter() -> None:
    done = abviz("trace", "figure-4.24", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1, "one object, on one line"
    found = json.loads(done.stdout)
    assert list(found) == ["value", "best", "line", "leaves", "leaf_values", "cuts", "nodes", "events"]
    assert found["value"] == 4 and found["best"] == "C" and found["line"] == ["A", "C", "H"]
    assert found["leaves"] == ["D", "E", "M", "J", "K", "H"] and found["leaf_values"] == [3, 5, 0, 5, 7, 4]
    cut = {"kind": "alpha", "at": "I", "alpha": 3, "beta": 0, "bv": 0, "skipped": ["N"], "witness": "A", "deep": True}
    assert {key: found["cuts"][0][key] for key in cut} == cut
    assert [(each["at"], each["skipped"]) for each in found["cuts"]] == [("I", ["N"]), ("G", ["L"])]
    assert list(found["nodes"]) == [node.name for node in load("figure-4.24").nodes]
    assert found["nodes"]["I"] == {"low": "-inf", "high": 0} and found["nodes"]["M"] == {"low": 0, "high": 0}
    first = {"kind": "enter", "node": "A", "alpha": "-inf", "beta": "inf", "bv": "-inf", "value": None}
    assert found["events"][0] == first and list(found["events"][0]) == list(first)


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@settings(max_examples=60)
@given(st.data())
def test_json_is_the_whole_record(data: st.DataObject) -> None:
    """Whatever the tree, the rules and the names: no infinities, no NaN, names as typed."""
    tree = data.draw(st.one_of(strategies.trees(), strategies.named_trees()))
    flags = data.draw(st.lists(st.sampled_from(sorted(FLAGS)), unique=True))
    searched = trace(tree, rules=Rules(**{FLAGS[flag]: True for flag in flags}))
    try:
        text = tree.to_yaml()
    except AbvizError:  # a name that is another node's path name cannot stand in a file
        reject()
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        patch.setattr("sys.stdout", out)
        assert main(["trace", "-", "--json", *flags]) == 0
    found = json.loads(out.getvalue(), parse_constant=refuse_constant)
    assert found == json.loads(json.dumps(searched.to_dict(), allow_nan=False))
    assert [event["node"] for event in found["events"]] == [event.node.name for event in searched.events]
    for read, event in zip(found["events"], searched.events, strict=True):
        for field in ("alpha", "beta", "bv", "value"):
            assert (None if read[field] is None else float(read[field])) == getattr(event, field)


def test_half_a_letter_in_a_name_is_json_all_the_same() -> None:
    done = abviz("trace", "-", "--json", stdin=r'{"tree": {"\ud83d": 1, "b": 2}}')
    if done.returncode:  # a name that is no text may be refused
        refused(done.returncode, done.stdout, done.stderr)
    else:
        assert json.loads(done.stdout)["leaves"] == ["\ud83d", "b"]


@pytest.mark.parametrize("flag", sorted(FLAGS))
def test_each_switch_is_that_of_the_rules(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = Rules(**{FLAGS[flag]: True})
    found = [
        (here(capsys, "trace", name, flag), trace(load(name), rules=rules)) for name in ("figure-4.24", "tied-root")
    ]
    assert [result for result, _ in found] == [(0, f"{searched}\n", "") for _, searched in found]


def test_minimax_its_early_stop_and_the_depth_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wins.yaml"
    path.write_text("tree: {children: [{children: [.inf, 1], to_move: max, value: 2}, 5], value: 3}\n")
    tree = load(path)
    for arguments, searched in [
        (["--minimax"], trace(tree, search=minimax)),
        (["--minimax", "--early-stop"], trace(tree, search=minimax, early_stop=True)),
        (["--depth", "1"], trace(tree, depth=1)),
        (["--depth", "0", "--minimax"], trace(tree, search=minimax, depth=0)),
    ]:
        assert here(capsys, "trace", str(path), *arguments) == (0, f"{searched}\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "[[3, 5], [2, 9]]",
        "tree: [[3, 5], [2, 9]]",
        '{"tree": [[3, 5], [2, 9]]}',
        "tree:\n  - [3, 5]\n  - - 2\n    - 9\n",
        "\ufefftree: [[3, 5], [2, 9]]\r\n",
    ],
)
def test_standard_input_is_yaml_json_or_a_bare_nested_list(text: str) -> None:
    done = abviz("trace", "-", stdin=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{trace(Tree([[3, 5], [2, 9]]))}\n", "")


@pytest.mark.parametrize(
    "ending, begins", [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("DOT", b"digraph")]
)
def test_draw_writes_the_step_in_the_format_of_the_ending(
    ending: str, begins: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"cut.{ending}"
    assert here(capsys, "draw", "figure-4.24", "--step", "17", "-o", str(path)) == (0, "", "")
    assert path.read_bytes().startswith(begins)
    picture = draw(trace(load("figure-4.24")), 17)
    if ending == "svg":
        assert path.read_bytes() == picture.pipe("svg")
    if ending == "DOT":
        assert path.read_text(encoding="utf-8") == picture.source


def test_draw_of_the_end_of_a_part_under_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "part.dot"
    assert here(capsys, "draw", "figure-4.24", "--node", "C", "--fail-hard", "-o", str(path)) == (0, "", "")
    searched = trace(load("figure-4.24"), rules=Rules(fail_hard=True))
    assert path.read_text(encoding="utf-8") == draw(searched, node="C").source


def test_export_writes_the_page_of_all_the_trees(tmp_path: Path) -> None:
    done = abviz("export", "worked-example", "figure-4.24", "--minimax", "-o", "page.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    traces = [trace(load(name), search=minimax) for name in ("worked-example", "figure-4.24")]
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page(traces)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_page_may_open_at_a_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    assert here(capsys, "export", "figure-4.24", "--step", "17", "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == page([trace(load("figure-4.24"))], step=17)
    refused(*here(capsys, "export", "figure-4.24", "--step", "40", "-o", str(path)))


@pytest.mark.parametrize(
    ("told", "asks"),
    [
        (["--predict"], {"predict": True}),
        (["--ask", "cut, bv"], {"predict": ["cut", "bv"]}),
        (["--show-of-hands"], {"predict": True, "show_of_hands": True}),
        (["--ask", "kind", "--show-of-hands"], {"predict": ["kind"], "show_of_hands": True}),
    ],
    ids=str,
)
def test_a_page_may_ask(
    told: list[str], asks: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    assert here(capsys, "export", "figure-4.24", *told, "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == page([trace(load("figure-4.24"))], **asks)


def test_the_help_names_the_kinds_of_question(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    assert ", ".join(KINDS) in " ".join(capsys.readouterr().out.split())


def test_without_a_command_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = here(capsys)
    assert (status, err) == (0, "") and all(name in out for name in ("lab", "list", "trace", "draw", "export"))


def test_the_package_can_be_run_as_a_module(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "abviz", "trace", "figure-4.24"]
    done = subprocess.run(run, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout == abviz("trace", "figure-4.24").stdout


def test_it_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert (caught.value.code, *capsys.readouterr()) == (0, f"abviz {version('abviz')}\n", "")


@pytest.mark.parametrize("command", [[], ["trace"], ["draw"], ["export"], ["list"], ["lab"]])
def test_help_is_there_for_every_command(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*command, "--help"])
    out, err = capsys.readouterr()
    assert caught.value.code == 0 and err == "" and out.startswith(f"usage: {' '.join(['abviz', *command])}")


# bad input: status 2 and one line


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["trac"], "invalid choice"),
        (["--strict"], "--strict"),
        (["trace"], "TREE"),
        (["trace", "a", "b"], "unrecognized arguments: b"),
        (["trace", "figure-4.24", "--bogus"], "unrecognized arguments: --bogus"),
        (["trace", "figure-4.24", "--str"], "unrecognized arguments: --str"),
        (["trace", "figure-4.24", "two\nlines"], "unrecognized arguments: two␊lines"),
        (["trace", "figure"], "did you mean"),
        (["trace", "two\nlines"], "unknown tree"),
        (["trace", ""], "unknown tree"),
        (["trace", "x" * 5000], "unknown tree"),
        (["trace", "figure-4.24", "--depth", "x"], "invalid int value"),
        (["trace", "figure-4.24", "--depth", "-1"], "depth is -1"),
        (["trace", "figure-4.24", "--depth", "1"], "no static value"),
        (["trace", "figure-4.24", "--early-stop"], "expected --minimax"),
        (["draw", "figure-4.24"], "-o"),
        (["draw", "figure-4.24", "-o", "x.gif"], "unknown format 'gif'"),
        (["draw", "figure-4.24", "-o", "x"], "no ending"),
        (["draw", "figure-4.24", "-o", ""], "no ending"),
        (["draw", "figure-4.24", "-o", "-"], "-o is -, which is not a file"),
        (["export", "figure-4.24", "-o", "-"], "-o is -, which is not a file"),
        (["export", "figure-4.24", "-o", "x.pdf"], "x.pdf is no name for a page; expected .html"),
        (["export", "figure-4.24", "-o", "x"], "x is no name for a page; expected .html"),
        (["export", "-", "-", "-o", "x.html"], "- stands there twice"),
        (["draw", "figure-4.24", "-o", "two\nlines"], "no ending"),
        (["draw", "figure-4.24", "-o", "missing/x.svg"], "there is no folder missing"),
        (["draw", "figure-4.24", "-o", "a\nb/x.svg"], "there is no folder a␊b"),
        (["draw", "figure-4.24", "--step", "40", "-o", "x.svg"], "expected 0 (before the search) to 39"),
        (["draw", "figure-4.24", "--step", "-1", "-o", "x.svg"], "expected 0"),
        (["draw", "figure-4.24", "--step", "1.5", "-o", "x.svg"], "invalid int value"),
        (["draw", "figure-4.24", "--node", "Z", "-o", "x.svg"], "unknown node 'Z'"),
        (["export", "-o", "x.html"], "TREE"),
        (["export", "figure-4.24"], "-o"),
        (["export", "figure-4.24", "--ask", "cuts", "-o", "x.html"], "unknown kind of question 'cuts'"),
        (["export", "figure-4.24", "nope", "-o", "x.html"], "unknown tree 'nope'"),
        (["export", "figure-4.24", "-o", "missing/x.html"], "there is no folder missing"),
        (["list", "--json"], "unrecognized arguments"),
    ],
    ids=lambda value: " ".join(value)[:40].encode("unicode_escape").decode() if isinstance(value, list) else "",
)
def test_a_mistake_is_told_in_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in refused(*here(capsys, *arguments))
    assert [*tmp_path.iterdir()] == []


BOMB = "a: &a [1, 1]\n" + "".join(f"{new}: &{new} [*{old}, *{old}]\n" for old, new in pairwise("abcdefghijklm"))
BAD = {
    "nothing": "",
    "blank": "\n\n  \n",
    "no yaml": "tree: [1, 2",
    "a tab": "tree:\n\t- 1",
    "text": "tree: [1, two]",
    "nan": "tree: [1, .nan]",
    "a boolean": "tree: [1, true]",
    "an empty node": "tree: [1, []]",
    "names twice": "tree: {A: 1, A: 2}",
    "a name that is a path": "tree: {'1': 1, B: [2]}",
    "a cycle": "tree: &a [1, *a]",
    "a bomb": "tree: *m\n" + BOMB,
    "two documents": "[1]\n---\n[2]",
    "another key": "trees: [1]",
    "a tag": "tree: !!python/object/apply:os.system ['echo']",
    "deep": "[" * 5000,
    "deep and whole": "[" * 2000 + "1" + "]" * 2000,
    "wide": f"[{'1,' * 1001}1]",
    "a large number": f"[{'9' * 400}]",
    "a very large number": f"[1e{'9' * 5000}]",
    "null bytes": "\0\0",
    "who moves": "{to_move: nobody, tree: [1]}",
    "a picture": "%!PS-Adobe",
    "a leaf unknown": "[[null, 1], 2]",
    "json with a comma": "[[1, 2,], [3]",
    "a mark": "tree: @x",
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_bad_file_is_refused_in_one_line_that_names_it(
    name: str, tmp_path: Path, stdin: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("yaml", "json"):
        path = tmp_path / f"bad.{ending}"
        path.write_text(BAD[name])
        line = refused(*here(capsys, "trace", str(path)))
        assert path.name in line or "leaf 0.0 is not known" in line
    stdin(BAD[name].encode())
    line = refused(*here(capsys, "trace", "-"))
    assert line.startswith("standard input") or "leaf 0.0 is not known" in line


@settings(max_examples=200)
@given(
    st.one_of(st.binary(max_size=200), st.text("[]{}:,-&*!'\"#|> \n\t0129.ein~afltrue", max_size=60).map(str.encode))
)
@example(b"\xff\xfe\x00")
@example(b"\xed\xa0\x80")
@example("[[1, 2], \ud800]".encode("utf-16", "surrogatepass"))
def test_whatever_comes_in_is_a_tree_or_is_refused_in_one_line(data: bytes) -> None:
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        status = main(["trace", "-"])
    if status:
        refused(status, out.getvalue(), err.getvalue())
    else:
        assert out.getvalue() and not err.getvalue()


def test_what_is_no_readable_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.yaml").mkdir()
    assert "is a folder" in refused(*here(capsys, "trace", str(tmp_path / "folder.yaml")))
    assert "there is no file" in refused(*here(capsys, "trace", str(tmp_path / "missing.yaml")))
    assert "there is no file" in refused(*here(capsys, "trace", str(tmp_path / "two\nlines.yaml")))
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    assert "cannot read" in refused(*here(capsys, "trace", str(tmp_path / "loop.yaml")))
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(10**10)  # a hole: it takes no room
    assert "larger than 1 MB" in refused(*here(capsys, "trace", str(huge)))
    (tmp_path / "edge.json").write_bytes(b"[1, 2]" + b" " * (MOST_BYTES - 6))
    assert here(capsys, "trace", str(tmp_path / "edge.json"))[0] == 0
    (tmp_path / "binary.yaml").write_bytes(random.Random(1).randbytes(4000))
    assert "not UTF-8" in refused(*here(capsys, "trace", str(tmp_path / "binary.yaml")))


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shut = tmp_path / "shut.yaml"
    shut.write_text("[1]")
    shut.chmod(0)
    with as_nobody():
        assert "Permission denied" in refused(*here(capsys, "trace", str(shut)))


def test_a_file_with_any_name_is_read_and_written(tmp_path: Path) -> None:
    name = "two\nlines \x1b[31m & <b>.yaml"
    (tmp_path / name).write_text("title: A tree\ntree: [[3, 5], [2, x]]\n")
    done = abviz("trace", name, cwd=tmp_path)
    assert refused(done.returncode, done.stdout, done.stderr).startswith(visible(name))
    (tmp_path / name).write_text("title: A tree\ntree: [[3, 5], [2, 9]]\n")
    done = abviz("export", name, "-o", f"{name}.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and (tmp_path / f"{name}.html").is_file()


def test_a_name_in_the_terminal_does_nothing_there() -> None:
    done = abviz("trace", "-", stdin='{"tree": {"\\u001b[31mred\\u0007": 1, "\\u202eb": 2}}')
    assert done.returncode == 0
    assert not set(done.stdout) & set("\x1b\x07\u202e") and "␛[31mred␇" in done.stdout


# streams


def test_letters_are_utf_8_whatever_the_terminal_is_said_to_be() -> None:
    for environment in (
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ):
        done = abviz("trace", "worked-example", **environment)
        assert (done.returncode, done.stderr) == (0, "") and done.stdout == f"{trace(load('worked-example'))}\n"
        done = abviz("draw", "figure-4.24", "--step", "99", "-o", "x.svg", **environment)
        refused(done.returncode, done.stdout, done.stderr)
    done = abviz("trace", "β", LC_ALL="C")
    assert "unknown tree 'β'" in refused(done.returncode, done.stdout, done.stderr)


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    bash = shutil.which("bash")
    assert bash, "these need a shell"
    full = f"set -o pipefail; {command}"
    path = f"{ABVIZ.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [bash, "-c", full], cwd=cwd, env={**ENVIRONMENT, "PATH": path}, capture_output=True, text=True
    )


def test_a_reader_who_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "long.json").write_text(json.dumps([[[i, j] for i in range(40)] for j in range(40)]))
    for flag in ("", "--json"):
        done = shell(f"abviz trace long.json {flag} | head -c 20 | tr -c a-z x", tmp_path)
        assert (done.returncode, done.stderr, len(done.stdout)) == (0, "", 20)


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    done = shell("abviz trace figure-4.24 > /dev/full", tmp_path)
    assert "No space left on device" in refused(done.returncode, done.stdout, done.stderr)


def test_streams_that_are_closed(tmp_path: Path) -> None:
    done = shell("abviz trace - <&-", tmp_path)
    assert "standard input is closed" in refused(done.returncode, done.stdout, done.stderr)
    for command, status in (("abviz list >&-", 0), ("abviz trace nope 2>&-", 2), ("abviz trace nope >&- 2>&-", 2)):
        done = shell(command, tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


# limits


def test_five_thousand_nodes_and_five_hundred_levels_trace(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(5)
    wide = [[[chance.randint(0, 99) for _ in range(16)] for _ in range(17)] for _ in range(18)]
    assert len(Tree(wide)) >= 5_000
    deep: Any = 0
    for level in range(500):
        deep = [deep, level % 7]
    for tree in (wide, deep):
        stdin(json.dumps(tree).encode())
        status, out, err = here(capsys, "trace", "-", "--json")
        assert (status, err) == (0, "") and json.loads(out)["value"] == trace(Tree(tree)).value


def test_a_picture_that_nobody_could_read_offers_a_part(
    stdin: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["draw", "-", "-o", str(tmp_path / "x.svg")], ["export", "-", "-o", str(tmp_path / "x.html")]):
        stdin(json.dumps([[0] * 900, [1] * 900]).encode())
        line = refused(*here(capsys, *command))
        assert "unreadable" in line and "node" in line
    assert [*tmp_path.iterdir()] == []
    stdin(json.dumps([[0] * 900, [1] * 9]).encode())
    assert here(capsys, "draw", "-", "--node", "1", "-o", str(tmp_path / "x.svg"))[0] == 0


def test_a_win_is_read_from_a_file_and_written_as_text(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(b"[[.inf, 3], [-.inf, 2]]")
    _, out, _ = here(capsys, "trace", "-", "--json")
    found = json.loads(out, parse_constant=refuse_constant)
    assert found["leaf_values"] == ["inf", 3, "-inf"] and found["nodes"]["0.0"] == {"low": "inf", "high": "inf"}
    assert Tree([[inf, 3]]).nodes[2].value == inf
