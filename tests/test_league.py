"""The championship: hostile entries lose only their own games, it resumes, and its ratings are
right.
"""

import json
import math
import re

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.cli import main
from abviz.exercises.sandbox import landlock_version
from abviz.play import League, read_matches
from abviz.play import league as league_module
from abviz.play.entrant import Clock, deepen
from abviz.play.league import Arena, rate
from tests.test_grading import LINUX, ORPHANS, PIPE, is_running, notebook

FIRST = "def choose(position, clock):\n    return position.moves()[0]\n"
LAST = FIRST.replace("[0]", "[-1]")
SECONDS = 5.0  # for each move: enough on a busy machine for entries that take none


def choose(body, above=""):
    return f"{above}\ndef choose(position, clock):\n    {body}\n"


@pytest.fixture(autouse=True)
def no_reserve(monkeypatch):
    monkeypatch.setattr(league_module, "RESERVE", 0.0)
    monkeypatch.setattr(league_module, "SLOW_MOVES", 0)


def folder_of(path, **entries):
    for name, text in entries.items():
        (path / f"{name}.py").write_text(text)
    return path


def league_of(path, game="tic-tac-toe", seconds_per_move=SECONDS, jobs=2, **options):
    return League(path, game=game, seconds_per_move=seconds_per_move, jobs=jobs, **options)


# hostile entries

LOSES = {
    "crashes_at_import": (
        "import nobody\n" + FIRST,
        "ModuleNotFoundError: No module named 'nobody' (line 1",
    ),
    "syntax": ("def choose(position, clock)\n", "expected ':'"),
    "defines_nothing": (
        "x = 3\n",
        "it defines no choose(position, clock), evaluate(position) or WEIGHTS",
    ),
    "crashes_at_a_move": (
        choose("return 1 / 0"),
        "it raised ZeroDivisionError: division by zero (line 3: return 1 / 0)",
    ),
    "loops": (choose("while True: pass"), "it overran its clock"),
    "swallows": (
        choose("while True:\n        try: 1 / 0\n        except BaseException: pass"),
        "it overran its clock",
    ),
    "exits": (choose("os._exit(3)", "import os"), "its process ended (exit status 3)"),
    "stops": (choose("raise SystemExit"), "it raised SystemExit"),
    "ends_its_group": (
        choose("os.killpg(0, 9)", "import os"),
        "its process ended (exit status -9)",
    ),
    "allocates": (choose("return [0] * 10**10"), "it raised MemoryError"),
    "junk": (choose("return [1]"), "it returned [1]; expected the name or the number of a move"),
    "illegal": (choose("return 'h9'"), "it played 'h9', which is not a legal move"),
    "pipe": (
        choose("say('a1', '', 'more')", PIPE),
        "it sent ['a1', '', 'more'] in place of a move",
    ),
    "closes_all": (
        choose("os.closerange(0, 99); time.sleep(999)", "import os, time"),
        "it overran its clock",
    ),
    "evaluates_junk": (
        "def evaluate(position):\n    return 'good'\n",
        "could not convert string to float: 'good'",
    ),
}
PLAYS = {
    "prints": choose("print('x' * 5_000_000); return position.moves()[0]"),
    "forks": choose("os.fork(); return position.moves()[0]", "import os"),
    "leaves_children": choose(
        "os.fork() or time.sleep(999); return position.moves()[0]", "import os, time"
    ),
    "honest": LAST,
}


@pytest.mark.slow
def test_hostile_entries_lose_only_their_own_games(tmp_path):
    folder_of(tmp_path, first=FIRST, **{name: text for name, (text, _) in LOSES.items()}, **PLAYS)
    league = league_of(tmp_path)
    league.pairings = [each for each in league.pairings if "first" in each.players]
    league.play()
    rows = {row["name"]: row for row in league.standings()}
    for name, (_, reason) in LOSES.items():
        assert (rows[name]["losses"], rows[name]["points"]) == (2, 0), name
        ((found, times),) = rows[name]["faults"].items()
        assert reason in found and times == 2, (name, found)
        assert reason in str(league.table()) and "\n" not in found
    for name in PLAYS:
        assert rows[name]["games"] == 2 and rows[name]["faults"] == {}, rows[name]
    assert rows["first"]["games"] == 2 * len(LOSES | PLAYS) and rows["first"]["faults"] == {}
    assert rows["first"]["wins"] >= 2 * len(LOSES)


@pytest.mark.slow
def test_an_entry_that_does_not_start_is_tried_once(tmp_path, monkeypatch):
    monkeypatch.setattr("abviz.play.entrant.SECONDS_TO_START", 10.0)
    league = league_of(
        folder_of(tmp_path, hangs="while True: pass", first=FIRST), jobs=1, games=4
    ).play()
    assert league.standings()[1]["faults"] == {"it was stopped after 10 seconds": 4}


def test_of_two_entries_that_do_not_start_the_first_to_move_loses(tmp_path):
    league = league_of(folder_of(tmp_path, a="1 / 0", b="1 / 0")).play()
    assert [(each.result, [*each.faults]) for each in league.results] == [
        ("0-1", [each.players[0]]) for each in league.pairings
    ]
    assert [(row["elo"], row["points"], row["losses"]) for row in league.standings()] == [
        (0, 1, 1)
    ] * 2


def faults_beside_first(folder, **entries):
    """Play each entry against the first, and return what each was faulted for, by name."""
    league = league_of(folder_of(folder, first=FIRST, **entries))
    league.pairings = [each for each in league.pairings if "first" in each.players]
    return {row["name"]: row["faults"] for row in league.play().standings()}


@pytest.mark.skipif(
    landlock_version() < 1, reason="needs a kernel with Landlock (Linux 5.13), which protects files"
)
def test_an_entry_reaches_neither_the_league_nor_other_entries(tmp_path):
    reads = choose(f"return open({str(tmp_path / 'first.py')!r}).read()")
    writes = choose(f"open({str(tmp_path / 'league.jsonl')!r}, 'a')")
    faults = faults_beside_first(tmp_path, reads=reads, writes=writes)
    assert faults.pop("first") == {}
    assert [list(each.values()) for each in faults.values()] == [[2], [2]]
    assert all("PermissionError" in reason for each in faults.values() for reason in each)


@pytest.mark.skipif(landlock_version() < 6, reason="needs Linux 6.12: Landlock keeps signals in")
def test_an_entry_cannot_end_the_league(tmp_path):
    kills = choose("os.killpg(os.getpgid(os.getppid()), 15)", "import os, signal")
    faults = faults_beside_first(tmp_path, kills=kills)
    assert faults["first"] == {} and list(faults["kills"].values()) == [2]
    assert all("PermissionError" in reason for reason in faults["kills"])


@LINUX
def test_processes_that_an_entry_starts_end_with_the_league(tmp_path):
    tells = f"{ORPHANS}pid = orphan()\n" + choose("raise ValueError(f'started {pid} {orphan()}')")
    waits = f"{ORPHANS}pid = orphan()\n{LAST}"
    faults = faults_beside_first(tmp_path, tells=tells, waits=waits)
    pids = [
        pid
        for reason in faults["tells"]
        for pid in re.findall(r"\d+", reason.partition("started")[2])[:2]
    ]
    assert len(pids) >= 2 and not any(map(is_running, pids))
    assert faults["waits"] == {}


@pytest.mark.slow
def test_a_clock_for_the_whole_game(tmp_path):
    slow = choose("time.sleep(clock.left / 2); return position.moves()[0]", "import time")
    slower = choose("time.sleep(clock.left + 9); return position.moves()[0]", "import time")
    league = League(
        folder_of(tmp_path, slow=slow, slower=slower), game="tic-tac-toe", clock=4, jobs=2
    ).play()
    assert {reason for row in league.standings() for reason in row["faults"]} == {
        "it overran its clock"
    }
    assert league.reserve == 4 and league.budget(3.0) == (0.1, 3.0)
    assert league_of(tmp_path).budget(2.0) == (SECONDS, SECONDS + 2)


# players


def test_evaluations_weights_functions_and_notebooks_play_checkers(tmp_path, monkeypatch):
    monkeypatch.setattr(league_module, "RESERVE", 60.0)
    monkeypatch.setattr(league_module, "LONGEST", 8)
    imports = "from abviz import Board, Checkers, check_up, predict\nfrom abviz.play import League, Player, tune"
    shows = "Board()\npredict('Who wins?', name='who', choices=['a', 'b'])\ntune(Checkers.start())"
    plays = (
        "player = Player(depth=1)\ndef choose(position, clock):\n    return player.choose(position)"
    )
    (tmp_path / "note.ipynb").write_text(
        notebook("%matplotlib inline", "1 / 0", imports, shows, plays)
    )

    def count(position):
        return len(position.pieces)

    def last(position, clock):
        return position.moves()[-1]

    entries = {"men": {"men": 120}, "queens": {"queens": 3}, "note": str(tmp_path / "note.ipynb")}
    entries |= {"count": count, "last": last}
    league = League(entries, seconds_per_move=0.05, jobs=1)
    league.pairings = [each for each in league.pairings if "note" in each.players]
    results = {each.players[0]: each for each in league.play().results if each.players[1] == "note"}
    assert results["queens"].reason.startswith(
        "queens: unknown feature 'queens': there are men, kings, advance"
    )
    for name in ("men", "count", "last"):
        assert (results[name].reason, len(results[name].moves)) == ("stopped after 8 plies", 8)
    assert not list(tmp_path.glob("*.jsonl")), "without a folder, nothing is kept"


@pytest.mark.parametrize("cells", ["xo..x.o..", "xoxo.....", "xo.ox....", "x.oxo...x"])
def test_an_evaluation_is_searched_in_plain_python(cells):
    def winner(position):
        value = position.value() if position.over() else search(position, 9).value
        return (value > 0) - (value < 0)

    position = TicTacToe.from_cells(cells)
    values = {1: math.inf, 0: 0, -1: -math.inf}
    for evaluate in (lambda position: 0, lambda position: values[winner(position)]):
        move = deepen(evaluate, position, Clock(60, 600))
        assert winner(position.play(move)) == winner(position)


# pairings, results


def test_the_same_seed_gives_the_same_pairings(tmp_path):
    folder_of(tmp_path, **dict.fromkeys("abcde", FIRST))
    pairings = league_of(tmp_path, games=4, seed=3).pairings
    assert (
        pairings
        == league_of(tmp_path, games=4, seed=3).pairings
        != league_of(tmp_path, games=4, seed=4).pairings
    )
    openings = list(dict.fromkeys(each.opening for each in pairings))
    assert len(openings) == 2 and all(len(opening) == 4 for opening in openings)
    met = [(each.players, each.opening) for each in pairings]
    assert len(set(met)) == len(met) == 5 * 4 * 2  # each pair on both openings with both colors
    assert league_of(tmp_path, games=2, seed=3).pairings == pairings[:20], (
        "more games begin with the same ones"
    )


def test_openings_are_balanced_positions_of_checkers(tmp_path):
    league = league_of(folder_of(tmp_path, a=FIRST, b=FIRST), "checkers", games=12)
    for opening in {each.opening for each in league.pairings}:
        position = Checkers.start()
        for move in opening:
            position = position.play(move)
        assert abs(search(position, 6).value) < 100  # less than a man


def played_by(league, monkeypatch):
    """Play, and return the number of games that were played."""
    games, play = [], Arena.play
    with monkeypatch.context() as patch:
        patch.setattr(
            Arena, "play", lambda self, pairing: games.append(pairing) or play(self, pairing)
        )
        league.play()
    return len(games)


def test_it_resumes_where_it_stopped(tmp_path, monkeypatch):
    folder_of(tmp_path, a=FIRST, b=LAST, c=FIRST)
    results = league_of(tmp_path).play().results
    file = tmp_path / "league.jsonl"
    whole = file.read_bytes()
    assert len(whole.splitlines()) == len(results) == 6
    assert played_by(league_of(tmp_path), monkeypatch) == 0
    file.write_bytes(b'{"pairing": {}}\n[]\n\xff\n' + whole[:-40])  # the last line is torn
    assert played_by(league_of(tmp_path), monkeypatch) == 1
    assert len(file.read_bytes().splitlines()) == 3 + 6 + 1
    again = league_of(tmp_path)
    assert [(each, each.moves) for each in again.results] == [
        (each, each.moves) for each in results
    ]
    assert played_by(league_of(tmp_path, games=4), monkeypatch) == 6, "only the second opening"
    folder_of(tmp_path, c=LAST)
    assert played_by(league_of(tmp_path), monkeypatch) == 4, "an entry that has changed plays again"
    assert played_by(league_of(tmp_path, seconds_per_move=SECONDS + 1), monkeypatch) == 6, (
        "another clock"
    )


def test_an_interrupt_keeps_what_is_done(tmp_path, monkeypatch):
    arenas = []
    sleeps = choose("time.sleep(999)", "import time")
    league = League(
        folder_of(tmp_path, a=FIRST, b=LAST, sleeps=sleeps), game="tic-tac-toe", clock=900, jobs=1
    )
    league.pairings = sorted(league.pairings, key=lambda each: "sleeps" in each.players)

    def add(self, played):
        keep(self, played)
        if len(self.results) == 2:
            raise KeyboardInterrupt

    keep = League._add
    monkeypatch.setattr(League, "_add", add)
    monkeypatch.setattr(
        Arena,
        "interrupt",
        lambda self, interrupt=Arena.interrupt: arenas.append(self) or interrupt(self),
    )
    assert league.play().interrupted and len(league.results) == 2
    assert "2 of 6 games" in str(league)
    assert all(entrant.process.poll() is not None for arena in arenas for entrant in arena.entrants)
    assert len((tmp_path / "league.jsonl").read_text().splitlines()) == 2


def test_games_are_written_as_pdn(tmp_path):
    crash = choose("return position.moves()[0] if len(position.pieces) == 24 else 1 / 0")
    league = league_of(folder_of(tmp_path, first=FIRST, last=LAST, crash=crash), "checkers").play()
    matches = read_matches((tmp_path / "games.pdn").read_bytes())
    assert [(match.moves, match.result) for match in matches] == [
        (each.moves, each.result) for each in league.results
    ]
    for match, each in zip(matches, league.results, strict=True):
        assert (match.tags["Black"], match.tags["White"]) == each.players
        assert match.tags["Termination"] == each.reason
        assert ("crash" in each.players) == each.reason.startswith(
            "crash: it raised ZeroDivisionError"
        )
    with pytest.raises(AbvizError, match="a league of TicTacToe; expected checkers"):
        league_of(tmp_path).pdn()


# ratings


def test_ratings_worked_by_hand(monkeypatch):
    """Three wins of four: odds of 3 to 1. The information is 4 · ¾ · ¼, and half of the difference
    is each player's.
    """
    games = [("a", "b", 1.0)] * 2 + [("b", "a", 0.0), ("a", "b", 0.0)]
    with monkeypatch.context() as patch:
        patch.setattr(league_module, "PRIOR", 0)
        rated = rate(["a", "b"], games)
    assert rated["a"][0] - rated["b"][0] == pytest.approx(400 * math.log10(3))
    assert rated["a"][1] == pytest.approx(
        1.96 * 400 / math.log(10) * math.sqrt(1 / (4 * 3 / 4 / 4)) / 2
    )
    draws = [("a", "b", 0.5), ("b", "c", 0.5), ("a", "c", 0.5)]
    assert all(abs(elo) < 1e-6 for elo, _ in rate(["a", "b", "c"], draws).values())


def test_ratings_stay_finite_and_error_bars_shrink():
    few, many = (rate(["a", "b"], [("a", "b", 1.0)] * n) for n in (2, 20))
    assert 0 < few["a"][0] < many["a"][0] < 600 and few["a"][0] == pytest.approx(-few["b"][0])
    drawn = [("a", "b", 0.5)]
    assert rate(["a", "b"], drawn * 40)["a"][1] == pytest.approx(
        rate(["a", "b"], drawn * 10)["a"][1] / 2, 0.1
    )
    alone = rate(["a", "b", "c"], [("a", "b", 1.0)])["c"]
    assert abs(alone[0]) < 1e-6 and alone[1] > few["a"][1], (
        "of an entry without games little is known"
    )


# the table, the chart, the command


@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_table_and_the_chart(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "eve\x1b<b>.py").write_text("1 / 0")
    league = league_of(folder_of(tmp_path / "in", a=FIRST, b=LAST))
    assert "0 of 6 games" in str(league) and "–" in str(league)
    chart = league.play().chart()
    html = league._repr_mimebundle_()["text/html"]
    assert "\x1b" not in str(league) + html and "<b>" not in html and "eve␛<b>" in str(league)
    assert "2× " not in html.split("eve")[0] and "4× ZeroDivisionError: division by zero" in html
    assert str(chart).startswith("Elo ratings. TicTacToe, 5 s a move: 6 of 6 games. ")
    errors = [row["error"] for row in league.standings()]
    bars, lines = chart.axes[0].patches, chart.axes[0].collections[0].get_segments()
    assert [bar.get_width() for bar in bars] == [row["elo"] for row in league.standings()]
    assert [(line[1][0] - line[0][0]) / 2 for line in lines] == pytest.approx(errors)


def test_the_command(tmp_path, capsys):
    folder_of(tmp_path, a=FIRST, b=LAST)
    options = [
        "league",
        str(tmp_path),
        "--game",
        "tic-tac-toe",
        "--seconds-per-move",
        "5",
        "--games",
        "4",
    ]
    assert main([*options, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["games"]) == 4 and {row["name"] for row in data["entries"]} == {"a", "b"}
    assert main(options) == 0
    assert capsys.readouterr().out.startswith("TicTacToe, 5 s a move: 4 of 4 games\n")
    assert {path.name for path in tmp_path.iterdir()} == {
        "a.py",
        "b.py",
        "league.jsonl",
        "league.svg",
    }


REFUSED = {
    "nowhere": "there is no folder 'nowhere'; expected one with",
    "one": "a league needs two entries or more; found 1 entry in 'one'",
    "twins": "a.ipynb and a.py are both called a",
    "two --clock 0": "clock is 0.0; expected a number from 1 to 86,400",
    "two --clock 5 --seconds-per-move 1": "seconds_per_move and clock are both given",
    "two --games 3": "games is 3; expected an even number",
    "two --game chess": "unknown game 'chess'",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused_in_one_line(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "twins"):
        (tmp_path / name).mkdir()
        folder_of(tmp_path / name, a=FIRST, **({"b": FIRST} if name == "two" else {}))
    (tmp_path / "twins" / "a.ipynb").write_text(notebook(FIRST))
    assert main(["league", *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert REFUSED[arguments] in err and err.count("\n") == 1 and out == ""


def test_entries_that_are_none_are_refused(tmp_path):
    for entry in (3, "nowhere.py", lambda: 3, lambda position: 3, len):
        with pytest.raises(AbvizError, match="expected a file"):
            League({"a": {"men": 100}, "b": entry})
