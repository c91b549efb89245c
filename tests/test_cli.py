"""The command: what it prints and writes, and that anything wrong is one line on stderr, never a
traceback.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from abviz import Checkers, Rules, TicTacToe, Tree, cli, draw, load, minimax, search, shipped, trace
from abviz.cli import games, main, make
from abviz.cli.options import RULES
from abviz.engine.workspace import Switches
from abviz.exercises import generator
from abviz.games import GAMES
from abviz.parallel import STRATEGIES
from abviz.views.bundle import page

ABVIZ = Path(sys.executable).with_name("abviz")
COMMANDS = cli._parser()._actions[-1].choices  # by name, the parser of each
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def abviz(*arguments: str, stdin: str = "", cwd: Path | None = None, **environment: str) -> Any:
    """Run the command as it is installed, in a process of its own."""
    environment = {**ENVIRONMENT, **environment}
    done = subprocess.run(
        [ABVIZ, *arguments], input=stdin.encode(), capture_output=True, cwd=cwd, env=environment
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command in this process, which is quicker."""
    status = main(arguments)
    return status, *capsys.readouterr()


def refused(status: int, out: str, err: str) -> str:
    """Return the one line on stderr; nothing else was printed."""
    assert status == 2 and out == ""
    assert err.startswith("abviz: ") and err.endswith("\n") and len(err.splitlines()) == 1, err
    assert len(err) < 600 and "Traceback" not in err and "Error" not in err
    return err.removeprefix("abviz: ").strip()


# trees


def test_list_names_every_tree_with_its_leaves_and_title(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = here(capsys, "list")
    assert (status, err) == (0, "")
    rows = [
        re.fullmatch(r"(\S+) +(\d+) (?:leaf|leaves)  (.+)", line).groups()
        for line in out.splitlines()
    ]
    assert rows == [
        (name, str(len([*load(name).leaves()])), load(name).title) for name in shipped()
    ]


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        *(
            ([f"--{rule.replace('_', '-')}"], {"rules": Rules(**{rule: True})})
            for rule in Rules.__dataclass_fields__
        ),
        (["--minimax"], {"search": minimax}),
        (["--minimax", "--early-stop"], {"search": minimax, "early_stop": True}),
        (["--depth", "1"], {"depth": 1}),
    ],
)
def test_trace_prints_what_python_prints(
    flags: list[str], options: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wins.yaml"
    path.write_text(
        "tree: {children: [{children: [.inf, 1], to_move: max, value: 2}, 5], value: 3}\n"
    )
    for name in [str(path)] if "depth" in options else [str(path), "figure-4.24"]:
        result = trace(load(name), **options)
        assert here(capsys, "trace", name, *flags) == (0, f"{result}\n", "")
        status, out, err = here(capsys, "trace", name, *flags, "--json")
        assert json.loads(out) == json.loads(
            json.dumps(result.to_dict(), allow_nan=False)
        ) and not status | len(err)


def test_standard_input_is_a_tree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (
        "[[3, 5], [2, 9]]",
        '{"tree": [[3, 5], [2, 9]]}',
        "\ufefftree:\r\n  - [3, 5]\r\n  - [2, 9]\n",
    ):
        monkeypatch.setattr(
            "sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii")
        )
        status, out, err = here(capsys, "trace", "-", "--json")
        assert (status, err, json.loads(out)["leaves"]) == (0, "", ["b1", "b2", "c1"])


BEGINNINGS = {
    "svg": b"<?xml",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "DOT": b"digraph",
    "tex": b"% \\usepackage{tikz",
}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_draw_writes_the_format_of_the_ending(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"cut.{ending}"
    assert here(capsys, "draw", "figure-4.24", "--step", "17", "--node", "C", "-o", str(path)) == (
        0,
        "",
        "",
    )
    assert path.read_bytes().startswith(BEGINNINGS[ending])


def test_draw_writes_one_file_a_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = trace(load("figure-4.24"))
    assert (
        here(capsys, "draw", "figure-4.24", "--steps", "cuts", "-o", str(tmp_path / "cut.dot"))[0]
        == 0
    )
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"cut-{cut.step:03}.dot" for cut in run.cuts
    ]
    assert (
        here(capsys, "draw", "figure-4.24", "--steps", "3-5", "-o", str(tmp_path / "step.dot"))[0]
        == 0
    )
    for step in (3, 4, 5):
        assert (tmp_path / f"step-00{step}.dot").read_text(encoding="utf-8") == draw(
            run, step
        ).source


def test_export_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, names = tmp_path / "page.html", ["figure-4.24", "worked-example"]
    for flags, options in (
        (["--step", "17"], {"step": 17}),
        (["--predict"], {"predict": True}),
        (
            ["--ask", "cut, bv", "--show-of-hands"],
            {"predict": ["cut", "bv"], "show_of_hands": True},
        ),
    ):
        assert here(capsys, "export", *names, *flags, "-o", str(path)) == (0, "", "")
        assert path.read_text(encoding="utf-8") == page(
            [trace(load(name)) for name in names], **options
        )
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


# exercises


def test_make_writes_a_tree_a_sheet_and_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = here(capsys, "make", "--seed", "7", "--depth", "4", "--deep", "--no-ties")
    assert (status, err) == (0, "")
    (tmp_path / "seven.yaml").write_text(out)
    assert any(cut.deep for cut in trace(load(tmp_path / "seven.yaml")).cuts)
    sheet, key = str(tmp_path / "sheet.pdf"), str(tmp_path / "key.html")
    for trees in (["--seed", "7", "--number", "2"], ["figure-4.24", str(tmp_path / "seven.yaml")]):
        assert here(capsys, "make", *trees, "-o", sheet, "--key", key) == (0, "", "")
        assert (
            Path(sheet).read_bytes().startswith(b"%PDF")
            and Path(key).read_text().count("<section>") == 2
        )
    status, out, _ = here(
        capsys, "make", "--seed", "7", "--number", "3", "--json", "--alpha-cuts", "1-2"
    )
    exercises = json.loads(out)["exercises"]
    assert [each["seed"] for each in exercises] == [7, 8, 9] and all(
        1 <= each["alpha_cuts"] <= 2 for each in exercises
    )
    [exercise] = json.loads(here(capsys, "make", "two-min", "--json")[1])["exercises"]
    # In which MIN moves twice in a row
    trees = Tree(exercise["tree"], to_move=exercise["to_move"]), load("two-min")
    read, written = ([row._replace(name="") for row in tree.rows()] for tree in trees)
    assert read == written


def test_make_names_the_rarest_property(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = here(
        capsys, "make", "--seed", "1", "--depth", "2", "--deep", "--tries", "50"
    )
    assert (
        (status, out) == (1, "")
        and "the rarest is deep cuts: 1 or more" in err
        and err.count("\n") == 1
    )


# games


def test_a_game_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["b2", "z9", "undo"])

    def typed(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    status, out, err = here(capsys, "play", "tic-tac-toe", "--depth", "9")
    assert (status, err) == (0, "")
    # PDN is for checkers
    assert out.startswith("Type a move, or: moves, hint, fen, undo, quit.\n a3 │ b3 │ c3 \n")
    assert (
        "The engine plays" in out and "'z9'" in out and out.endswith("The match is not finished.\n")
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_start_and_a_position_as_text(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    start = GAMES[game].start()
    assert GAMES[game].from_fen(start.fen) == start
    status, out, _ = here(capsys, "perft", game, "1", "--json", "--fen", start.fen)
    assert (status, json.loads(out)["perft"]) == (0, [len(start.moves())])


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = here(capsys, "perft", "checkers", "5", "--json")
    record = json.loads(out)
    assert (status, err) == (0, "") and list(record) == ["game", "perft", "seconds"]
    assert record["perft"] == [7, 49, 302, 1469, 7361]  # OEIS A133046
    status, out, _ = here(
        capsys, "perft", "checkers", "3", "--unique", "--fen", "W:B1,2,3,26,18,17,25:WK30,28"
    )
    assert [int(line.split()[1]) for line in out.splitlines()] == [1, 6, 18]


def test_search_prints_what_python_finds(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = here(capsys, "search", "checkers", "--depth", "6", "--json")
    result = search(Checkers.start(), depth=6)
    record = json.loads(out)
    assert (record["move"], record["value"], record["nodes"]) == (
        result.move,
        result.value,
        result.nodes,
    )
    assert (
        record["line"] == list(result.line)
        and record["game"] == "checkers"
        and record["seconds"] >= 0
    )
    status, out, _ = here(capsys, "search", "tic-tac-toe", "--fen", "xx.oo....", "--depth", "9")
    assert status == 0 and search(TicTacToe.from_cells("xx.oo...."), depth=9).move in out
    for flags, options in (
        (["--threads", "2", "--strategy", "root"], {"method": "alphabeta"}),
        (
            ["--on", "pvs", "--off", "table,killers"],
            {"pvs": True, "table": False, "killers": False},
        ),
    ):
        record = json.loads(here(capsys, "search", "checkers", "--depth", "6", *flags, "--json")[1])
        result = search(Checkers.start(), depth=6, **options)
        assert (record["move"], record["value"], record["line"][0]) == (
            result.move,
            result.value,
            result.move,
        )


# anything wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("trac", "invalid choice"),
        ("trace figure-4.24 --str", "unrecognized arguments: --str"),
        ("trace figure-4.24 two\nlines", "unrecognized arguments: two␊lines"),
        ("trace figure-4.24 --early-stop", "alphabeta has no option early_stop"),
        ("trace figure", "did you mean"),
        ("trace bad.yaml", "bad.yaml, line 2"),
        ("draw figure-4.24", "-o"),
        (
            "draw figure-4.24 -o x.bmp",
            "x.bmp; expected a name that ends in .svg, .png, .pdf, .dot or .tex",
        ),
        (
            "draw figure-4.24 --steps 3-99 -o x.svg",
            "--steps is '3-99'; expected cuts, if there are any, or a range within 0-39",
        ),
        ("draw figure-4.24 --node Z -o x.svg", "unknown node 'Z'"),
        ("export figure-4.24 --ask cuts -o x.html", "unknown kind of question 'cuts'"),
        ("export figure-4.24 --show some -o x.html", "there are values, bv, bounds, all"),
        ("make -o sheet.svg", "cannot write a sheet as sheet.svg"),
        ("make -o x.html --key ./x.html", "-o and --key are both ./x.html; expected two files"),
        ("make --number 2 -o x.yaml", "a tree file holds one tree"),
        ("perft chess 3", "unknown game 'chess'"),
        ("perft checkers 0", "depth is 0; expected a whole number of moves, 1 to "),
        ("search checkers", "expected --depth, --seconds or --nodes"),
        ("search checkers --depth 3 --on killer", "killer"),
        ("search checkers --depth 3 --weights men", "--weights has 'men'"),
        ("search checkers --seconds 1 --threads 2", "seconds works with one thread"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.yaml").write_text("title: A tree\ntree: [[1, two]]\n")
    assert message in refused(*here(capsys, *arguments.split(" ")))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.yaml"]


def test_what_the_command_repeats_is_what_the_package_has() -> None:
    """It starts quickly because it does not import the package for these."""
    assert tuple(RULES) == generator.RULES and tuple(make.COUNTS) == generator.COUNTED
    assert games.STRATEGIES.split(", ") == list(STRATEGIES)
    assert (*games.IMPROVEMENTS.split(", "), "beam") == tuple(vars(Switches()))
    typed = vars(COMMANDS["make"].parse_args([]))
    made = {name: each.default for name, each in signature(generator.make_tree).parameters.items()}
    made |= {"depends_on": [], "independent_of": []}  # () there
    assert made == {name: typed[name] for name in make.PROPERTIES} | {
        name: made[name] for name in ("seed", "rules")
    }
    helps = {
        name: {each.dest: each.help for each in parser._actions}
        for name, parser in COMMANDS.items()
    }
    named = [set(re.split(", | or ", each["game"])) for each in helps.values() if "game" in each]
    assert len(named) == 4 and all(each == set(GAMES) for each in named)


def test_every_option_has_its_help_in_a_group_with_a_title() -> None:
    """The options of a search, say, stand together, and none is left without a word."""
    for name, parser in COMMANDS.items():
        for group in parser._action_groups:
            assert group.title, name
        for action in parser._actions:
            assert action.help, (name, action.dest)
            assert not action.help.endswith("."), (name, action.dest)


def test_help_version_and_module(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in ["", *COMMANDS]:
        with pytest.raises(SystemExit) as error:
            main([*command.split(), "--help"])
        out, err = capsys.readouterr()
        assert (
            error.value.code == 0
            and err == ""
            and out.startswith(f"usage: abviz {command}".rstrip())
        )
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"abviz {version('abviz')}\n"
    done = subprocess.run(
        [sys.executable, "-m", "abviz", "list"], capture_output=True, cwd=tmp_path
    )
    assert done.returncode == 0 and b"figure-4.24" in done.stdout


# streams


def test_output_is_utf_8_and_names_do_nothing_to_a_terminal() -> None:
    for environment in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ):
        done = abviz("trace", "worked-example", **environment)
        assert (done.returncode, done.stderr) == (
            0,
            "",
        ) and done.stdout == f"{trace(load('worked-example'))}\n"
    done = abviz("trace", "-", stdin='{"tree": {"\\u001b[31mred\\u0007": 1, "\\u202eb": 2}}')
    assert (
        done.returncode == 0
        and not set(done.stdout) & set("\x1b\x07\u202e")
        and "␛[31mred␇" in done.stdout
    )


@pytest.mark.parametrize(
    ("command", "status", "out"),
    [
        ("abviz trace order-worst --json | head -c 9", 0, '{"value":'),
        ("abviz list >&-", 0, ""),
        ("abviz perft tic-tac-toe 1 --json 2>&- | head -c 9", 0, '{"game": '),
        ("abviz trace figure-4.24 > /dev/full", 2, ""),
    ],
)
def test_closed_and_full_streams(command: str, status: int, out: str, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash, "this test needs bash"
    path = f"{ABVIZ.parent}{os.pathsep}{os.environ['PATH']}"
    run = [bash, "-c", f"set -o pipefail; {command}"]
    done = subprocess.run(
        run, cwd=tmp_path, env={**ENVIRONMENT, "PATH": path}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (status, out) and done.stderr.count("\n") <= 1
    assert "Traceback" not in done.stderr
