"""Checkers as the student's own work: from stubs to a game on the board, and every known mistake by
its name.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from abviz import AbvizError, Board, Checkers, TicTacToe, check, perft, search
from abviz.exercises import EXERCISES
from abviz.exercises.checkers_rules import end, legal_moves, squares
from abviz.exercises.observation import Job, observe
from abviz.exercises.positions import POSITIONS, STEPS, checkers_positions
from abviz.games import checkers_game
from abviz.games.rules import popcount, static_value
from abviz.games.student_checkers import as_checkers, fields_of
from abviz.grading.grader import grade
from abviz.grading.hand_ins import collect
from abviz.play.match import Player
from tests.slow_checkers import SlowCheckers
from tests.solutions import checkers as solutions
from tests.solutions.checkers import MyCheckers
from tests.test_checkers import KNOWN

CHECKERS = [each for each in POSITIONS if each.name.startswith("checkers-")]
RULES = EXERCISES["checkers-end"]
# Of Checkers, as the solution counts
WEIGHTS = {"men": 100, "kings": 130, "advance": 0, "center": 0, "bridge": 0}
SHARED = {mistake.name for mistake in EXERCISES["alphabeta"].mistakes}
MISTAKES = [  # in a fast run one way to make each
    pytest.param(
        exercise,
        mistake,
        form,
        id=f"{exercise.name}: {mistake.name}",
        marks=[pytest.mark.slow] * (mistake.name in SHARED or form is not mistake.forms[0]),
    )
    for exercise in CHECKERS
    for mistake in exercise.mistakes
    if mistake.name in exercise.texts["mistakes"]
    for form in mistake.forms
]
every_exercise = pytest.mark.parametrize("exercise", CHECKERS, ids=lambda each: each.name)


def solution(exercise):
    return getattr(
        solutions, "checkers_alphabeta" if exercise.name == "checkers-alphabeta" else "MyCheckers"
    )


def own_game(edits=None, **rules):
    """Return a class with the rules, but for edits and for these rules; its moves are numbers of a
    list.
    """
    legal_moves, end = (RULES.build(**edits or {})[name] for name in ("legal_moves", "end"))

    def moves(self, legal):
        for i in range(len(legal_moves(as_checkers(self)))):
            legal.add(i)

    fields = [(name, int) for name in ("black", "white", "kings", "turn")]
    own = NamedTuple("Own", fields)
    right = {
        "moves": moves,
        "play": lambda self, move: type(self)(
            *fields_of(legal_moves(as_checkers(self))[move].after)
        ),
        "is_max": lambda self: self.turn == 0,
        "over": lambda self: "True" in end(as_checkers(self)),
        "value": lambda self: int(end(as_checkers(self)).split()[-1]),
        "evaluate": lambda self: 0,
    }
    for name, rule in (right | rules).items():
        setattr(own, name, rule)
    return checkers_game(own)


def with_estimate(man=0, king=0, of_mover=False, constant=0):
    def evaluate(self):
        men = popcount(self.black & ~self.kings) - popcount(self.white & ~self.kings)
        kings = popcount(self.black & self.kings) - popcount(self.white & self.kings)
        value = man * men + king * kings
        return (-value if of_mover and self.turn else value) + constant

    return own_game(evaluate=evaluate)


ESTIMATES = {
    "one number for all": {"constant": 7},
    "the side to move": {"man": 100, "king": 130, "of_mover": True},
    "better for White": {"man": -100, "king": -130},
    "a king as a man": {"man": 100, "king": 100},
    "kings left out": {"man": 100},
}


def with_mistake(exercise, form):
    if exercise.name in (*STEPS, "checkers-end"):
        return own_game(form)
    if exercise.name == "checkers-evaluation":
        return with_estimate(**ESTIMATES[form["fault"]])
    return exercise.build(**form)


def as_slow(position):
    return SlowCheckers.from_fen(position.fen)


# the exercises


def test_the_rules_are_those_of_the_slow_version():
    for position in checkers_positions():
        slow = as_slow(position)
        expected = {(move.path, move.captured, slow.play(move)) for move in slow.moves()}
        moves = legal_moves(position)
        assert {
            (move.path, frozenset(move.taken), as_slow(move.after)) for move in moves
        } == expected
        assert all(move.after.kings & ~(move.after.black | move.after.white) == 0 for move in moves)
        lost = f"over returns True and value returns {1 if slow.winner() == 'B' else -1}"
        assert end(position) == ("over returns False" if moves else lost)


@every_exercise
def test_stub_and_solution(exercise):
    names = {}
    exec(exercise.stub, names)
    for answer in (names.get("MyCheckers") or names["checkers_alphabeta"], None, ...):
        verdict = check(exercise.name, answer)
        assert (
            verdict.status == "not written yet"
            and verdict.hints == exercise.hints
            and not verdict.board
        )
    verdict = check(exercise.name, solution(exercise))
    assert verdict and " positions" in verdict.message and not verdict.board
    texts = [*exercise.hints, *(text for row in exercise.mistakes for text in (row.says, row.hint))]
    assert (
        all(0 < len(text) <= 150 for text in texts) and len(exercise.hints) >= 3 and exercise.text
    )


@pytest.mark.parametrize(("exercise", "mistake", "form"), MISTAKES)
def test_each_mistake_has_its_name_and_a_true_picture(exercise, mistake, form):
    answer = with_mistake(exercise, form)
    verdict = check(exercise.name, answer)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name), verdict
    assert (
        mistake.says in verdict.message
        and mistake.hint in verdict.message
        and "\n" not in verdict.message
    )
    shown = verdict._repr_mimebundle_()["text/html"]
    assert verdict.position in shown and "data:image/svg+xml" in shown
    check_claim(verdict)
    if exercise.name in STEPS:
        job = Job(None, (Checkers.from_fen(verdict.position),), "children")
        assert not any(
            exercise.difference(each, exercise.read(each, observe(answer, each)))
            for each in exercise.smaller(job)
        )


def test_a_king_that_keeps_going_up_or_down_is_named_on_three_pieces():
    [named] = [
        each
        for each in EXERCISES["checkers-multiple-jumps"].mistakes
        if each.name == "a king jumps on one way only"
    ]
    own = own_game(named.forms[0])
    before = own.from_fen("W:WK12:B15,K16")
    assert "12x19x10" not in before.moves() and MyCheckers.from_fen(before.fen).moves() == [
        "12x19x10"
    ]

    verdict = check("checkers-multiple-jumps", own)
    assert (verdict.status, verdict.mistake) == ("wrong", named.name), verdict
    assert len(Checkers.from_fen(verdict.position).pieces) == 3 and len(verdict.message) < 24 * 100


def check_claim(verdict):
    """Assert that the message is true by the slow rules."""
    slow, message = SlowCheckers.from_fen(verdict.position), verdict.message
    moves = {"-x"[bool(move.captured)].join(map(str, move.path)): move for move in slow.moves()}
    if found := re.search(r"([\dx-]+) is missing\.", message):
        assert found[1] in moves
    if found := re.search(r"it adds ([\dx-]+), which is not legal\.( A capture)?", message):
        assert found[1] not in moves
    if "A capture is compulsory" in message:
        assert slow.jumps()
    if found := re.search(
        r"after ([\dx-]+) (turn|black|white|kings) is (.*?); expected (.*?)\.", message
    ):
        after = Checkers.from_fen(slow.play(moves[found[1]]).fen())
        assert found[3] != found[4]
        assert found[4] == str(
            after.turn if found[2] == "turn" else squares(getattr(after, found[2]))
        )
    if found := re.search(r"over returns .*; expected that over returns (\w+)", message):
        assert found[1] == str(not moves)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ({"moves": lambda self, legal: 1 / 0}, "it raised ZeroDivisionError: division by zero"),
        (
            {"moves": lambda self, legal: legal.add(-1)},
            "it raised ValueError: moves() added a number below 0",
        ),
        (
            {"play": lambda self, move: None},
            "it raised TypeError: play returned None; expected a position",
        ),
        ({"play": lambda self, move: self._replace(black=-1)}, "play returned Own(black=-1, "),
        ({"moves": lambda self, legal: [legal.add(i) for i in range(2000)]}, "too many moves"),
    ],
)
def test_an_answer_that_fails_gets_one_clear_line(rules, problem):
    verdict = check("checkers-men", own_game(**rules))
    assert verdict.status == "wrong" and problem in verdict.message and "\n" not in verdict.message
    assert verdict.position and not verdict.mistake


def test_an_answer_that_does_not_end_is_stopped():
    def moves(self, legal):
        while self.kings and self.black and self.white:
            pass
        right(self, legal)

    right = own_game().rules["moves"]
    verdict = EXERCISES["checkers-multiple-jumps"].check(own_game(moves=moves), seconds=3)
    assert (
        verdict.status == "wrong"
        and "it was stopped after 3 seconds." in verdict.message
        and verdict.board
    )
    assert verdict.mistake in (None, "a piece taken twice")


@pytest.mark.parametrize("answer", [7, "men", lambda: None, TicTacToe, int])
def test_something_else_than_a_game_of_ones_own(answer):
    for name in (*STEPS, "checkers-end", "checkers-evaluation"):
        verdict = check(name, answer)
        assert verdict.status == "wrong" and verdict.message.endswith(
            "expected a class under @checkers_game."
        )


def test_a_move_that_is_added_twice():
    def moves(self, legal):
        for _ in range(2):
            right(self, legal)

    right = own_game().rules["moves"]
    verdict = check("checkers-men", own_game(moves=moves))
    assert verdict.status == "wrong" and re.search(
        r"it adds [\d-]+ 2 times; expected once\.$", verdict.message
    )


def test_other_evaluations_are_right():
    def evaluate(self):
        position = as_checkers(self)
        return static_value(position, list(position.weights.values()))

    assert check("checkers-evaluation", own_game(evaluate=evaluate))
    assert check("checkers-evaluation", with_estimate(man=3, king=5))
    verdict = check("checkers-evaluation", own_game(evaluate=lambda self: 0.5))
    assert "evaluate returned 0.5; expected a whole number" in verdict.message


# the game


@pytest.mark.slow
def test_from_stubs_to_a_game_on_the_board():
    start = MyCheckers.start()
    assert [perft(start, depth) for depth in range(1, 8)] == KNOWN["perft"][0]["perft"][:7]
    for case in KNOWN["perft"]:
        counts = zip(case["perft"], case["unique"], strict=True)
        expected = [both for both in counts if both[0] <= 50_000]
        position = MyCheckers.from_fen(case["fen"])
        assert position.fen == Checkers.from_fen(case["fen"]).fen
        assert all(perft(position, depth) in both for depth, both in enumerate(expected, 1))
    for depth in (4, 7):
        own, shipped = search(start, depth), search(Checkers.start(), depth, weights=WEIGHTS)
        assert own.value == shipped.value and own.move in Checkers.start().moves()
    value = solutions.checkers_alphabeta(start, 3)
    assert value == search(start, 3, method="alphabeta", hot=False).value
    assert start.to_tree(2).root.children

    board = Board(start, players=("you", "you"))
    shipped = Board(players=("you", "you"))
    for _ in range(30):
        move = shipped.view.state["moves"][0]["name"]
        shipped.play(move)
        board.play(move)
        assert board.view.state["cells"] == shipped.view.state["cells"]
        assert board.view.state["fen"] == shipped.view.state["fen"]
    board.load("W:W28,K30:B1,2,3,17,18,25,26")
    (way,) = board.view.state["moves"]
    assert way == {
        "name": "30x23x14x21x30",
        "from": [29],
        "to": [22, 13, 20, 29],
        "after": "bbb........................w.W..",
    }
    board.play(way["name"])
    board.undo()
    assert "<svg" in board.position.svg() and "White to move" in str(board.position)


@pytest.mark.slow
def test_the_student_s_search_plays_the_student_s_game_against_the_engine():
    class Own:
        def choose(self, position):
            return max(
                position.moves(),
                key=lambda move: solutions.checkers_alphabeta(position.play(move), 2),
            )

    board = Board(MyCheckers.from_fen("B:WK32,K28:BK19,K23,K2"), players=(Own(), Player(depth=1)))
    board.wait(60)
    assert board.match.over and board.match.reason and not board.view.problem


RECURSIVE = """
    def jumps(self, start, legal, piece=0, taken=0):
        other, empty = self.other(), BOARD ^ self.black ^ self.white | start
        piece = piece or start
        ways = 0
        for way in range(4):
            over = step(piece, way) & other & ~taken
            to = step(over, way) & empty
            if to and start & self.movers(way):
                self.jumps(start, legal, to, taken | over)
                ways += 1
        if ways == 0:
            legal.add(taken | popcount(start - 1) << 32 if piece == start else start ^ piece | taken)

"""


def recursive_source():
    """Return the solution with jumps that call themselves: right, but not for the engine."""
    source = Path(solutions.__file__).read_text("utf-8")
    before, _, rest = source.partition("    def jumps(self, start, legal):")
    return before + RECURSIVE + rest[rest.index("    def play(self, move):") :]


def test_jumps_that_call_themselves_are_named():
    names = {"__name__": "recursive"}
    exec(recursive_source(), names)
    own = names["MyCheckers"]
    assert (
        own.from_fen("B:W6,7,14,15,23,32:B2").moves()
        == MyCheckers.from_fen("B:W6,7,14,15,23,32:B2").moves()
    )
    for step in STEPS:
        verdict = check(step, own)
        assert (verdict.status, verdict.mistake, verdict.board) == ("wrong", None, ""), verdict
        assert (
            "jumps calls itself; the engine needs a loop (line " in verdict.message
            and "\n" not in verdict.message
        )
    assert check("checkers-end", own) and check("checkers-evaluation", own)
    with pytest.raises(
        AbvizError,
        match=r"^MyCheckers cannot be compiled: jumps calls itself; the engine needs a loop",
    ):
        search(own.start(), depth=2)


@pytest.mark.slow
def test_jumps_that_call_themselves_are_named_in_grading(tmp_path):
    steps = "".join(f'check("{name}", MyCheckers)\n' for name in STEPS)
    (tmp_path / "hand_in.py").write_text(
        f"{recursive_source()}\nfrom abviz import check\n{steps}", "utf-8"
    )
    hand_ins, _ = collect([str(tmp_path / "hand_in.py")])
    (graded,) = grade(hand_ins, STEPS, seconds=60).hand_ins.values()
    assert all(
        "jumps calls itself; the engine needs a loop" in graded[step]["verdict"].message
        for step in STEPS
    )


@pytest.mark.slow
def test_a_class_that_does_not_compile_is_one_line():
    own = own_game()  # its rules call Python functions that numba cannot compile
    verdict = check("checkers-crowning", own)
    assert verdict and re.search(
        r" positions\. But \w+ of Own does not compile; expected numbers", verdict.message
    )
    with pytest.raises(AbvizError) as problem:
        search(own.start(), depth=2)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("decorated", [7, NamedTuple("Wrong", [("black", int)])])
def test_the_decorator_refuses_other_classes(decorated):
    with pytest.raises(AbvizError, match="expected a NamedTuple with black, white, kings, turn"):
        checkers_game(decorated)


# grading


@pytest.mark.slow
def test_hand_ins_are_graded(tmp_path):
    source = Path(solutions.__file__).read_text("utf-8")
    steps = "".join(
        f'check("{name}", MyCheckers)\n' for name in (*STEPS, "checkers-end", "checkers-evaluation")
    )

    def graded(text, *names, seconds=60):
        (tmp_path / "hand_in.py").write_text(f"{text}\nfrom abviz import check\n{steps}", "utf-8")
        hand_ins, _ = collect([str(tmp_path / "hand_in.py")])
        (each,) = grade(hand_ins, names, seconds=seconds).hand_ins.values()
        return {name: row["verdict"] for name, row in each.items()}

    right = graded(source)
    assert right.keys() == {exercise.name for exercise in CHECKERS} and all(right.values())
    optional = graded(
        source.replace("            return\n        for way", "        for way"), *STEPS[1:3]
    )
    assert (
        optional["checkers-kings"] and optional["checkers-jumps"].mistake == "a capture is optional"
    )
    endless = source.replace("        i = legal.size()", "        while other: pass")
    endless = graded(endless, *STEPS[:1], *STEPS[2:3], seconds=10)
    stopped = endless["checkers-jumps"]
    assert endless["checkers-men"] and stopped.status == "wrong" and stopped.board
    assert "it was stopped after 10 seconds." in stopped.message
