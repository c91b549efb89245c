"""`abviz perft` and `abviz search`: what they print, what they refuse, and that Ctrl+C ends them at once."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from abviz import Checkers, Switches, TicTacToe, search
from abviz.cli_games import METHODS, STRATEGIES, SWITCHES
from abviz.engine.api import METHODS as KNOWN_METHODS
from abviz.parallel import STRATEGIES as KNOWN_STRATEGIES
from tests.test_cli import ABVIZ, ENVIRONMENT, abviz, here, refused

KNOWN = yaml.safe_load((Path(__file__).parent / "data" / "perft_checkers.yaml").read_text("utf-8"))["perft"]
FEN = "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"


def rows(out: str) -> list[tuple[int, int]]:
    found = [re.fullmatch(r" *(\d+) +([\d,]+) +([\d.]+) s", line) for line in out.splitlines()]
    return [(int(row[1]), int(row[2].replace(",", ""))) for row in found]


# perft


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["name"])
def test_perft_tells_the_published_counts(known: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    depth = min(7, len(known["perft"]))
    for counts, flags in ((known["perft"], []), (known["unique"], ["--unique"])):
        status, out, _ = here(capsys, "perft", "checkers", str(depth), "--fen", known["fen"], *flags)
        assert status == 0 and rows(out) == list(enumerate(counts[:depth], 1))
        assert len({len(line) for line in out.splitlines()}) == 1, "aligned"


def test_perft_as_json_is_the_contract_to_the_letter() -> None:
    done = abviz("perft", "checkers", "6", "--json")
    assert done.returncode == 0 and done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert list(found) == ["game", "perft", "seconds"] and found["game"] == "checkers"
    assert found["perft"] == [7, 49, 302, 1469, 7361, 36768] and 0 < found["seconds"] < 5


def test_perft_of_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = here(capsys, "perft", "tic-tac-toe", "10")
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert status == 0 and rows(out) == list(enumerate(counts, 1))
    status, out, _ = here(capsys, "perft", "tic-tac-toe", "2", "--fen", "xo..x....", "--json")
    assert json.loads(out)["perft"] == [6, 30]


# search


def test_search_prints_what_python_prints(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = here(capsys, "search", "checkers", "--fen", FEN, "--depth", "7")
    found = search(Checkers.from_fen(FEN), 7)
    assert status == 0 and without_times(out) == without_times(f"{found}\n")


def without_times(text: str) -> str:
    return re.sub(r"[\d,.]+ (ms|a second)", "…", text)


def test_search_as_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    done = abviz("search", "checkers", "--fen", FEN, "--depth", "6", "--json")
    assert done.returncode == 0 and done.stdout.count("\n") == 1
    told, found = json.loads(done.stdout), search(Checkers.from_fen(FEN), 6).to_dict()
    assert list(told) == ["game", *found] and {"move", "value", "line", "nodes", "seconds"} <= set(told)
    rates = ("seconds", "nodes_per_second", "evaluations_per_second")
    assert {name: told[name] for name in found if name not in rates} == {
        name: value for name, value in found.items() if name not in rates
    }


def test_a_win_is_told_in_words_and_in_plies(capsys: pytest.CaptureFixture[str]) -> None:
    cells = "x.o......"
    _, out, _ = here(capsys, "search", "tic-tac-toe", "--fen", cells, "--depth", "9")
    assert out.startswith(f"{search(TicTacToe.from_cells(cells), 9).move}  value x wins in 5 plies")
    _, out, _ = here(capsys, "search", "tic-tac-toe", "--fen", cells, "--depth", "9", "--json")
    assert json.loads(out)["wins_in"] == 5 and json.loads(out)["value"] == 1_000_000 - 5


@pytest.mark.parametrize(
    "options, told",
    [
        (["--off", "table,killers"], {"table": False, "killers": False}),
        (
            ["--off", "history, pvs", "--on", "presort,reductions"],
            {"history": False, "pvs": False, "presort": True, "reductions": True},
        ),
        (["--beam", "3"], {"beam": 3}),
        (["--weights", "men=200,kings=90"], {"weights": {"men": 200, "kings": 90}}),
        (["--weights", "advance=-5"], {"weights": {"advance": -5}}),
        (["--method", "alphabeta"], {"method": "alphabeta"}),
        (["--method", "minimax", "--off", "hot"], {"method": "minimax", "hot": False}),
        (["--nodes", "3000"], {"nodes": 3000}),
    ],
    ids=str,
)
def test_each_option_is_that_of_search(
    options: list[str], told: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = here(capsys, "search", "checkers", "--depth", "5", *options, "--json")
    found = search(Checkers.start(), 5, **told)
    shown = json.loads(out)
    assert status == 0 and (shown["value"], shown["nodes"], shown["line"]) == (
        found.value,
        found.nodes,
        list(found.line),
    )


def test_a_limit_stands_for_a_depth(capsys: pytest.CaptureFixture[str]) -> None:
    begin = time.perf_counter()
    status, out, _ = here(capsys, "search", "checkers", "--seconds", "0.2", "--json")
    assert status == 0 and time.perf_counter() - begin > 0.19
    assert json.loads(out)["finished"] is False and json.loads(out)["depth"] > 1
    status, out, _ = here(capsys, "search", "checkers", "--nodes", "2000")
    assert status == 0 and "stopped there" in out
    assert here(capsys, "search", "tic-tac-toe", "--seconds", "inf")[0] == 0


def test_the_help_names_all_that_there_is() -> None:
    assert tuple(SWITCHES.split(", ")) == tuple(name for name in Switches.names() if name != "beam")
    assert set(METHODS.split(", ")) == set(KNOWN_METHODS)


# bad input


@pytest.mark.parametrize(
    "line, says",
    [
        ("perft", "the following arguments are required: GAME, DEPTH"),
        ("perft checkers", "the following arguments are required: DEPTH"),
        ("perft chess 3", "unknown game 'chess'"),
        ("perft draughts 3", "unknown game 'draughts': there are checkers, tic-tac-toe"),
        ("perft checkers 0", "depth is 0; expected a whole number of moves, 1 to 99"),
        ("perft checkers 200", "depth is 200;"),
        ("perft checkers x", "invalid int value: 'x'"),
        ("perft checkers 3 --fen B:W5:B5", "square 5 is named twice"),
        ("perft checkers 3 --fen=", "the side to move is ''"),
        ("perft tic-tac-toe 3 --fen B:W5:B6", "the cells are 'B:W5:B6'; expected nine of x, o and a dot"),
        ("perft tic-tac-toe 3 --fen ooo......", "0 x and 3 o"),
        ("perft checkers 3 --depth 3", "unrecognized arguments: --depth 3"),
        ("search", "the following arguments are required: GAME"),
        ("search checkers", "expected --depth, --seconds or --nodes"),
        ("search checkers --depth 0", "depth is 0;"),
        ("search checkers --depth 3 --fen B:W1:B2", "White has a man on its crowning square 1"),
        ("search checkers --depth 3 --fen B:W30:B", "the game is over in this position"),
        ("search checkers --depth 3 --seconds 0", "seconds is 0.0; expected a number above 0"),
        ("search checkers --depth 3 --nodes -5", "nodes is -5;"),
        ("search checkers --depth 3 --method mtdf", "unknown method 'mtdf'"),
        ("search checkers --depth 3 --method minimax --off table", "method minimax has no switches but hot"),
        ("search checkers --depth 3 --off tabel", "unknown switch 'tabel': did you mean table"),
        ("search checkers --depth 3 --off table,", "unknown switch ''"),
        ("search checkers --depth 3 --off beam", "--off names beam, which is a number; expected --beam N"),
        ("search checkers --depth 3 --on table --off table", "table is both --on and --off"),
        ("search checkers --depth 3 --beam -1", "beam is -1;"),
        ("search checkers --depth 3 --weights men", "--weights has 'men'; expected a feature and a number"),
        ("search checkers --depth 3 --weights man=5", "unknown feature 'man': did you mean men"),
        ("search tic-tac-toe --depth 3 --weights men=5", "unknown feature 'men': there are none"),
    ],
)
def test_a_mistake_is_told_in_one_line(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in refused(*here(capsys, *line.split()))


# streams and interrupts


def test_what_is_told_while_compiling_does_not_mix_with_the_answer(tmp_path: Path) -> None:
    empty = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    cold = abviz("perft", "tic-tac-toe", "3", "--json", **empty)
    assert cold.returncode == 0 and json.loads(cold.stdout)["perft"] == [9, 72, 504]
    assert cold.stderr == "", "progress is only for terminals and notebooks"
    warm = abviz("perft", "tic-tac-toe", "3", "--json", **empty)
    assert (warm.returncode, warm.stderr) == (0, "")


def start(*arguments: str) -> Any:
    """The command in a process that Ctrl+C reaches, even where these tests run in the background and it would not."""
    return subprocess.Popen(
        [ABVIZ, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def seconds_of_children() -> float:
    times = psutil.Process().cpu_times()
    return times.children_user + times.children_system


@pytest.mark.parametrize(
    "line",
    [
        "perft checkers 25",
        "search checkers --depth 60 --json",
        "search checkers --depth 40 --method minimax",
    ],
)
def test_an_interrupt_ends_it_at_once(line: str) -> None:
    words = line.split()
    shallow = {"perft": [*words[:2], "1", *words[3:]]}.get(words[0], [*words[:2], "--depth", "1", *words[4:]])
    before = seconds_of_children()
    assert abviz(*shallow).returncode == 0  # so that it is compiled
    begins = min(seconds_of_children() - before, 2.0)  # more only where it was compiled just now
    running = start(*words)
    try:
        while sum(psutil.Process(running.pid).cpu_times()[:2]) < begins + 1:  # after that it is deep in compiled code
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130 and err == ""
    assert "--json" not in words or out == ""


# searches on several threads


def test_a_search_on_threads_is_told_with_its_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    alone = search(Checkers.start(), 8, method="alphabeta")
    for strategy in STRATEGIES.split(", "):
        if strategy == "minimax":
            continue
        flags = ["--depth", "8", "--threads", "3", "--strategy", strategy, "--json"]
        status, out, err = here(capsys, "search", "checkers", *flags)
        told = json.loads(out)
        assert (status, err) == (0, "")
        assert (told["move"], told["value"], told["game"], told["strategy"]) == (
            alone.move,
            alone.value,
            "checkers",
            strategy,
        )
        assert told["line"][0] == alone.move and len(told["line"]) >= 8 and told["seconds"] > 0 and told["workers"] == 3
        assert told["nodes"] > sum(task["nodes"] for task in told["tasks"]) > 0
        assert {"move", "worker", "start", "end", "nodes", "alpha", "beta", "value"} <= told["tasks"][0].keys()


def test_what_the_command_knows_of_strategies_is_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert STRATEGIES.split(", ") == list(KNOWN_STRATEGIES)
    status, out, _ = here(capsys, "search", "tic-tac-toe", "--depth", "9", "--strategy", "minimax")
    assert (
        status == 0 and out.startswith("a3  value 0  (depth 9, minimax, minimax, 2 workers)\n") and "\nline a3 " in out
    )
    status, out, _ = here(capsys, "search", "tic-tac-toe", "--depth", "9", "--strategy", "sequential")
    assert status == 0 and "(depth 9, alphabeta, sequential, 1 worker)" in out, "a second one would only be idle"
    status, out, _ = here(capsys, "search", "checkers", "--depth", "8", "--threads", "2")
    assert status == 0 and "(depth 8, improved, young-brothers, 2 workers)" in out, "the engine stays the same"
    status, out, _ = here(capsys, "search", "tic-tac-toe", "--depth", "9", "--fen", "xo.......", "--threads", "2")
    assert status == 0 and out.startswith("a2  value MAX wins in 5 plies")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--depth", "4", "--strategy", "rot"], "unknown strategy 'rot': did you mean root?"),
        (["--depth", "4", "--threads", "0"], "workers is 0; expected a whole number, 1 to 256"),
        (["--threads", "2"], "nothing says how far to search; expected --depth"),
        (["--depth", "4", "--threads", "2", "--seconds", "3"], "--seconds goes with one thread"),
        (["--depth", "4", "--threads", "2", "--off", "table"], "--on and --off go with one thread"),
        (["--depth", "4", "--threads", "2", "--method", "best"], "unknown method 'best'"),
        (["--depth", "4", "--threads", "2", "--method", "minimax"], 'expected strategy "minimax"'),
    ],
)
def test_a_search_on_threads_refuses_in_one_line(
    flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(*here(capsys, "search", "checkers", *flags))
