"""The rules of checkers: published counts, the slow rules on 100,000 positions, real games, and each rule on its own.

The rules run as Python and compiled. What is asked of them here is asked of both.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
import yaml

from abviz import AbvizError, Checkers
from abviz.engine import plain
from abviz.engine.compiler import engine
from abviz.engine.workspace import Row, new_work
from abviz.games.checkers import WEIGHTS
from abviz.games.notation import Placement
from abviz.games.notation import PdnGame, read_pdn
from abviz.games.rules import WIDTH, Found
from tests.slow_checkers import (
    OTHER,
    SPOT,
    Move,
    SlowCheckers,
    colour,
    random_game,
    random_placement,
    random_tangle,
    set_up,
)

DATA = Path(__file__).parent / "data"
KNOWN = yaml.safe_load((DATA / "perft_checkers.yaml").read_text("utf-8"))
COMPILED, IN_PYTHON = 100_000_000, 10_000  # counts up to these are recounted
DEPTH_IN_CI = 11


# Published counts


def counted(count: Any, fen: str, published: list[int], most: int) -> None:
    """Recount each depth that is affordable."""
    depths = [depth for depth, number in enumerate(published, 1) if number <= most]
    assert depths
    position, work = Checkers.from_fen(fen), new_work()
    assert [count(position, depth, work, 0) for depth in depths] == published[: len(depths)]


@pytest.mark.parametrize("known", KNOWN["perft"], ids=lambda known: known["name"])
def test_the_published_number_of_ways(known):
    counted(engine(Checkers).perft, known["fen"], known["perft"][:DEPTH_IN_CI], COMPILED)
    counted(engine(Checkers).perft_unique, known["fen"], known["unique"][:DEPTH_IN_CI], COMPILED)


@pytest.mark.parametrize("known", KNOWN["perft"], ids=lambda known: known["name"])
def test_the_published_number_of_ways_in_python(known):
    with np.errstate(over="ignore"):  # the record's ints are numpy's: popcount multiplies them beyond 64 bits
        counted(plain.perft, known["fen"], known["perft"], IN_PYTHON)
        counted(plain.perft_unique, known["fen"], known["unique"], IN_PYTHON)


def test_the_first_of_them_is_the_start_and_is_counted_to_the_depth_that_is_promised():
    start = KNOWN["perft"][0]
    assert Checkers.start() == Checkers.from_fen(start["fen"])
    assert start["perft"][DEPTH_IN_CI - 1] == start["unique"][DEPTH_IN_CI - 1] == 85_242_128 <= COMPILED


@pytest.mark.slow
@pytest.mark.parametrize("way", ["perft", "unique"])
@pytest.mark.parametrize("depth", [12, 13])
def test_the_published_number_of_ways_further_down(way, depth):
    count = engine(Checkers).perft if way == "perft" else engine(Checkers).perft_unique
    assert count(Checkers.start(), depth, new_work(), 0) == KNOWN["perft"][0][way][depth - 1]


# 100,000 random positions, against the slow rules

BIT = {square: 1 << (square - 1 + (square - 1) // 8) for square in range(1, 33)}


def bits(squares: Any) -> int:
    return sum(BIT[square] for square in squares)


def fast(slow: SlowCheckers) -> Checkers:
    """The same position, put together here."""
    sides, kings = {"B": 0, "W": 0}, 0
    for square, kind in slow.pieces:
        sides[colour(kind)] |= BIT[square]
        if kind.isupper():
            kings |= BIT[square]
    return Checkers(sides["B"], sides["W"], kings, "BW".index(slow.turn))


def mask(move: Move) -> int:
    """What the docstring of Checkers calls a move."""
    start, end = BIT[move.path[0]], BIT[move.path[-1]]
    around = 0 if start != end else (start.bit_length() - 1) << 36
    return start ^ end | bits(move.captured) | around


def of_games(rng: Random) -> Iterator[SlowCheckers]:
    while True:
        yield from random_game(rng, 120)


def endless(kind: Any, rng: Random) -> Iterator[SlowCheckers]:
    while True:
        yield kind(rng)


def random_positions(rng: Random, n: int) -> Iterator[SlowCheckers]:
    """Of all three kinds."""
    for kind in (of_games(rng), endless(random_placement, rng), endless(random_tangle, rng)):
        yield from islice(kind, n // 3)


ANSWER = np.dtype(
    [
        ("count", np.int64),
        ("over", np.bool_),
        ("value", np.int64),
        ("hot", np.bool_),
        ("is_max", np.bool_),
        ("key", np.int64),
        ("features", np.int64, (5,)),
        ("moves", np.int64, (WIDTH,)),
        ("gains", np.int64, (WIDTH,)),
        ("children", np.int64, (WIDTH, 4)),
    ]
)


def answer(position: Any, w: Any, told: Any) -> int:
    """Ask every rule of one position, compiled, and tell how many moves there are."""
    w.count[0] = 0
    told.count = position.count(Row(w, 0))
    told.over, told.value, told.hot, told.is_max = position.over(), position.value(), position.hot(), position.is_max()
    told.key = position.key()
    features = position.features()
    for i in range(len(features)):
        told.features[i] = features[i]
    w.count[0] = 0
    position.moves(Row(w, 0))
    for i in range(w.count[0]):
        move = w.moves[0, i]
        told.moves[i] = move
        told.gains[i] = position.gain(move)
        child = position.play(move)
        told.children[i, 0], told.children[i, 1] = child.black, child.white
        told.children[i, 2], told.children[i, 3] = child.kings, child.turn
    return w.count[0]


@pytest.fixture(scope="module")
def ask() -> Any:
    """A function that asks the compiled rules, as a dictionary."""
    engine(Checkers)  # from now on compiled code can call the rules
    compiled = numba.njit(answer)
    work = new_work()

    def ask(position: Checkers) -> dict[str, Any]:
        told = np.zeros(1, ANSWER).view(np.recarray)[0]
        n = compiled(position, work, told)
        of_moves = ("moves", "gains", "children")
        return {name: (told[name][:n] if name in of_moves else told[name]).tolist() for name in ANSWER.names}

    return ask


def ask_in_python(position: Checkers) -> dict[str, Any]:
    found, counted = Found(), Found()
    position.moves(found)
    return {
        "count": position.count(counted),
        "over": position.over(),
        "value": position.value(),
        "hot": position.hot(),
        "is_max": position.is_max(),
        "key": position.key(),
        "features": list(position.features()),
        "moves": list(found),
        "gains": [position.gain(move) for move in found],
        "children": [list(position.play(move)) for move in found],
    }


def ask_the_slow(slow: SlowCheckers) -> tuple[list[tuple[int, int, tuple[int, ...]]], int]:
    """The moves with what they take and lead to, and who has won: 1 black, −1 white, 0 nobody yet."""
    moves = slow.moves()
    told = sorted((mask(move), len(move.captured), tuple(fast(slow.play(move)))) for move in moves)
    return told, 0 if moves else (1 if OTHER[slow.turn] == "B" else -1)


KINDS = {
    "games": (of_games, 30_000),
    "placements": (lambda rng: endless(random_placement, rng), 40_000),
    "tangles": (lambda rng: endless(random_tangle, rng), 30_000),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_slow_rules_agree(kind, ask):
    positions, n = KINDS[kind]
    jumps = around = ended = 0
    for slow in islice(positions(Random(kind)), n):
        position = fast(slow)
        told = ask(position)
        moves, winner = ask_the_slow(slow)
        rows = zip(told["moves"], told["gains"], map(tuple, told["children"]), strict=True)
        assert sorted(rows) == moves, slow.fen()
        assert told["count"] == len(moves), slow.fen()
        assert told["over"] == (winner != 0), slow.fen()
        assert told["value"] == winner or not told["over"], slow.fen()
        assert told["hot"] == any(taken for _, taken, _ in moves), slow.fen()
        assert told["is_max"] == (slow.turn == "B"), slow.fen()
        jumps += told["hot"]
        ended += told["over"]
        around += any(move >> 36 for move in told["moves"])
    # So that no part of the rules was left out by chance.
    assert jumps > n / 10
    assert ended > n / 1000 or kind == "tangles"
    assert around > n / 100 or kind != "tangles"


def test_python_and_compiled_code_answer_alike(ask):
    for slow in random_positions(Random(11), 9_000):
        position = fast(slow)
        assert ask_in_python(position) == ask(position), slow.fen()


def test_the_numbers_come_from_where_the_bits_are_left_out():
    position = Checkers.from_fen("W:W21,K9:B8,K32")
    assert position == Checkers(BIT[8] | BIT[32], BIT[21] | BIT[9], BIT[9] | BIT[32], 1)
    assert (BIT[8], BIT[9], BIT[32]) == (1 << 7, 1 << 9, 1 << 34)


def test_the_fen_of_every_random_position_comes_back():
    for slow in random_positions(Random(12), 3_000):
        position = fast(slow)
        assert SlowCheckers.from_fen(position.fen) == slow
        assert Checkers.from_fen(slow.fen()) == Checkers.from_fen(position.fen) == position
        assert Checkers.from_placement(position.placement) == position


# Real games


def replayed(game: PdnGame) -> int:
    """Play a game by both rules; how many moves it has."""
    position, slow = Checkers.from_placement(game.start), SlowCheckers.from_fen(Checkers.from_placement(game.start).fen)
    for move in game.moves:
        ends = [
            legal for legal in slow.moves() if (legal.path[0], legal.path[-1]) == (move.squares[0], move.squares[-1])
        ]
        [played] = {
            legal.outcome: legal for legal in ends if len(move.squares) == 2 or legal.path == move.squares
        }.values()
        assert move.is_jump == bool(played.captured)
        slow = slow.play(played)
        position = position.play(str(move))
        assert position == fast(slow)
    assert position.over() == (slow.winner() is not None)
    if position.over():
        assert game.result == {1: "1-0", -1: "0-1"}[position.value()]
    return len(game.moves)


def test_all_real_games_are_replayed():
    games = read_pdn((DATA / "games.pdn").read_bytes())
    plies = [replayed(game) for game in games]
    assert (len(games), sum(plies)) == (430, 23_519)


def test_games_in_odd_spellings_are_replayed():
    games = read_pdn((DATA / "games_quirks.pdn").read_bytes())
    assert len(games) == 2
    assert all(replayed(game) > 20 for game in games)


# The rules one by one


def moves_of(fen: str) -> set[str]:
    moves = Checkers.from_fen(fen).moves()
    assert len(set(moves)) == len(moves)
    return set(moves)


def after(fen: str, *moves: str) -> str:
    position = Checkers.from_fen(fen)
    for move in moves:
        position = position.play(move)
    return position.fen


def test_black_begins_and_goes_up_the_numbers():
    assert Checkers.start().moves() == ["9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16"]
    assert Checkers.start().is_max()
    assert moves_of("W:W21,22:B1") == {"21-17", "22-17", "22-18"}


def test_a_step_ends_at_the_edge_of_the_board():
    assert moves_of("B:W32:B4,5,12,13") == {"4-8", "5-9", "12-16", "13-17"}
    assert moves_of("B:W30:BK4,K29,K13") == {"4-8", "29-25", "13-9", "13-17"}


def test_a_king_steps_one_square_in_all_four_directions():
    assert moves_of("B:W32:BK18") == {"18-14", "18-15", "18-22", "18-23"}
    assert moves_of("W:WK18:B1") == {"18-14", "18-15", "18-22", "18-23"}


def test_who_can_capture_must():
    assert moves_of("B:W18:B14,1") == {"14x23"}
    assert moves_of("B:W16,18,27:B12,14") == {"12x19", "14x32"}, "but may choose, also the one that takes fewer"
    assert moves_of("W:W18:B14,1") == {"18x9"}


def test_a_capture_must_be_completed_and_is_one_move():
    assert moves_of("B:W18,27:B14") == {"14x32"}
    assert after("B:W18,27,30:B14", "14x32") == "W:W30:BK32"


def test_a_man_captures_forwards_only_and_a_king_backwards_too():
    assert moves_of("B:W15:B19") == {"19-23", "19-24"}
    assert moves_of("B:W15:BK19") == {"19x10"}
    assert moves_of("W:WK15:B19") == {"15x24"}


def test_nobody_is_jumped_without_an_empty_square_behind():
    assert not Checkers.from_fen("B:W18,23:B14").hot()
    assert not Checkers.from_fen("B:W18:B14,23").hot(), "one's own man is in the way too"
    assert not Checkers.from_fen("B:W21,25:B17").hot(), "the edge of the board is no empty square"
    assert not Checkers.from_fen("B:W5,13:BK9").hot()


def test_no_piece_is_captured_twice():
    assert moves_of("B:W11:BK7") == {"7x16"}
    assert after("W:WK7,32:B10,11,18,19", "7x7") == "B:W32,K7:B", "once round and not on"


def test_a_piece_may_land_where_it_began_its_jump_and_pass_there():
    fen = "W:WK15:B10,18,19,26,27"
    assert moves_of(fen) == {"15x6", "15x22x31x24x15x6"}
    assert after(fen, "15x6") == "B:WK6:B18,19,26,27"
    assert after(fen, "15x24x31x22x15x6") == after(fen, "15x22x31x24x15x6") == "B:WK6:B"


def test_a_man_on_his_king_row_is_crowned_and_his_move_is_over():
    assert after("B:W26,27:B22", "22x31") == "W:W27:BK31"
    assert after("W:W11:B6,7", "11x2") == "B:WK2:B6"
    assert after("B:W5:B28", "28-32") == "W:W5:BK32"
    assert moves_of("B:W26,27:BK22") == {"22x24"}, "a king goes on"


def test_a_crown_is_taken_along_and_never_lost():
    assert after("B:W32:BK7", "7-3") == "W:W32:BK3"
    assert after("B:W5:BK27", "27-31") == "W:W5:BK31"
    assert after("W:WK18:BK14,1", "18x9") == "B:WK9:B1"
    assert after("W:WK18:BK23,1", "18x27") == "B:WK27:B1"


def test_no_man_is_crowned_on_his_own_side():
    assert after("B:W32,K14:B7,K10,1", "10x17") == "W:W32:B1,7,K17"
    assert after("W:WK26:B1", "26-31") == "B:WK31:B1"
    assert after("B:W32:B1", "1-6") == "W:W32:B6"


def test_who_cannot_move_has_lost():
    for fen, value in [("W:W13:B6,9", 1), ("W:W:B6", 1), ("B:W6:B", -1), ("B:W25,22:B21,17", 0)]:
        position = Checkers.from_fen(fen)
        assert position.over() == (value != 0) == (position.moves() == [])
        assert not position.over() or position.value() == value


def test_two_ways_round_are_one_move_for_people_and_two_for_perft():
    position = Checkers.from_fen("W:WK7,32:B10,11,18,19")
    found = Found()
    position.moves(found)
    assert len(found) == position.count(Found()) == 2
    assert len(set(found)) == len(position.moves()) == 1


# Names of moves


def test_every_legal_move_has_a_name_of_its_own_that_plays_it():
    for slow in random_positions(Random(13), 1_500):
        position = fast(slow)
        outcomes = {move.outcome: fast(slow.play(move)) for move in slow.moves()}
        names = position.moves()
        assert len(names) == len(set(names)) == len(outcomes), slow.fen()
        assert {tuple(position.play(name)) for name in names} == {tuple(child) for child in outcomes.values()}
        for name in names:
            assert re.fullmatch(r"\d+(x\d+)+" if position.hot() else r"\d+-\d+", name)


def test_the_whole_way_plays_the_move_that_goes_it():
    for slow in random_positions(Random(14), 1_500):
        position = fast(slow)
        for move in slow.moves():
            way = ("x" if move.captured else "-").join(map(str, move.path))
            assert position.play(way) == fast(slow.play(move)), (slow.fen(), way)


def test_the_ends_alone_play_a_move_unless_they_may_be_two():
    ambiguous = 0
    for slow in random_positions(Random(15), 1_500):
        position, moves = fast(slow), slow.moves()
        for move in moves:
            ends = move.path[0], move.path[-1]
            meant = {other.outcome for other in moves if (other.path[0], other.path[-1]) == ends}
            name = f"{ends[0]}x{ends[1]}"
            if len(meant) == 1 or len(move.path) == 2:
                assert position.play(name) == fast(slow.play(move))
            elif not any(other.path == ends for other in moves):
                ambiguous += 1
                with pytest.raises(AbvizError, match="expected one of them") as refused:
                    position.play(name)
                told = re.findall(r"\d+(?:x\d+)+", str(refused.value))
                assert told[0] == name and len(set(told[1:])) == len(told[1:]) == len(meant)
                assert set(told[1:]) <= set(position.moves())
    assert ambiguous > 5


def test_a_move_is_short_where_it_can_be_and_long_where_it_must():
    fen = "B:W7,15,16,19,23,24,26,30,32:B2,3,5,6,12,13"
    assert moves_of(fen) == {"2x11x18x27", "2x11x20x27", "3x10"}
    assert moves_of("B:W18,27:B14") == {"14x32"}


@pytest.mark.parametrize(
    "fen, text, problem",
    [
        ("B:W32:B9", "9-18", "9-18 is no legal move; expected one of 9-13, 9-14"),
        ("B:W32:B9", " 9-5 ", "9-5 is no legal move; expected one of 9-13, 9-14"),
        ("B:W18,32:B14,1", "1-5", "1-5 is no legal move; expected one of 14x23 (who can capture must)"),
        ("B:W18,27:B14", "14x23", "14x23 is no legal move; expected one of 14x32 (who can capture must)"),
        ("B:W6:B", "1-5", "1-5 is no legal move: the game is over"),
        (
            "B:W7,15,16,19,23,24,26,30,32:B2,3,5,6,12,13",
            "2x27",
            "2x27 may be 2x11x18x27 or 2x11x20x27; expected one of them",
        ),
        ("B:W32:B9", "nine to thirteen", "the move is 'nine to thirteen'; expected squares, such as 11-15 or 11x18"),
        ("B:W32:B9", "9-33", "the move, '9-33': 33 is no square; expected 1 to 32"),
        ("B:W32:B9", "", "the move is ''; expected squares, such as 11-15 or 11x18"),
    ],
)
def test_what_is_no_move_is_refused_with_what_is(fen, text, problem):
    with pytest.raises(AbvizError) as refused:
        Checkers.from_fen(fen).play(text)
    assert str(refused.value) == problem


# Positions as people see them


@pytest.mark.parametrize(
    "fen, problem",
    [
        ("", "the FEN is empty; expected a position such as B:W18,24,K10:B12,K22"),
        ("R:W18:B12", "the FEN: the side to move is 'R'; expected B or W"),
        ("B:W33:B12", "the FEN: 33 is no square; expected 1 to 32"),
        ("B:W18:B18", "the FEN: square 18 is named twice; expected one piece on it"),
        ("B:W18:B29", "the FEN: Black has a man on square 29, where men are crowned; expected a king, K29"),
        ("B:W4:B1", "the FEN: White has a man on square 4, where men are crowned; expected a king, K4"),
        ("B:W32:B1-13", "the FEN: Black has 13 pieces; expected 12 at most"),
        (17, "the FEN is 17; expected text such as B:W18,24,K10:B12,K22"),
    ],
)
def test_what_is_no_position_is_refused(fen, problem):
    with pytest.raises(AbvizError) as refused:
        Checkers.from_fen(fen)
    assert str(refused.value) == problem


def test_a_placement_that_cannot_be_is_refused():
    with pytest.raises(AbvizError, match="the position: two pieces stand on square 7; expected one"):
        Checkers.from_placement(Placement("B", black_men=frozenset({7}), white_men=frozenset({7})))


def test_a_position_as_text_and_as_a_picture():
    position = Checkers.from_fen("W:W18,K10:B12,K22")
    rows = str(position).splitlines()
    assert rows[-1] == "White to move (w)"
    assert (rows[3][1:25].count("[W]"), rows[3][1:25].count("(b)")) == (1, 1), "squares 9 to 12"
    shown = position._repr_mimebundle_()
    assert shown["text/plain"] == str(position)
    picture = ET.fromstring(shown["image/svg+xml"])
    words = picture.findtext("{http://www.w3.org/2000/svg}desc")
    assert words == "Black man on 12; Black king on 22; White man on 18; White king on 10. White to move."
    assert repr(Checkers.start()) == "Checkers(black=7935, white=34288435200, kings=0, turn=0)"


# What the evaluation is made of


def recount(slow: SlowCheckers) -> list[int]:
    """Men, kings, rows advanced, centre, bridge: black's less white's, piece by piece."""
    totals = dict.fromkeys(WEIGHTS, 0)
    for square, kind in slow.pieces:
        row, column = SPOT[square]
        sign = 1 if colour(kind) == "B" else -1
        totals["kings" if kind.isupper() else "men"] += sign
        totals["centre"] += sign * (2 <= row <= 5 and 2 <= column <= 5)
        if kind.islower():
            totals["advance"] += sign * (row if sign > 0 else 7 - row)
            totals["bridge"] += sign * (square in ((1, 3) if sign > 0 else (30, 32)))
    return list(totals.values())


def test_the_features_are_what_they_are_called():
    assert list(WEIGHTS) == ["men", "kings", "advance", "centre", "bridge"]
    assert Checkers.start().features() == (0, 0, 0, 0, 0)
    for slow in random_positions(Random(16), 9_000):
        assert list(fast(slow).features()) == recount(slow), slow.fen()


def turned(slow: SlowCheckers) -> SlowCheckers:
    """The board turned round and the colours changed."""
    return SlowCheckers(OTHER[slow.turn], {33 - square: kind.translate(SWAPPED) for square, kind in slow.pieces})


SWAPPED = str.maketrans("bwBW", "wbWB")


def test_the_rules_favour_neither_colour():
    for slow in random_positions(Random(17), 3_000):
        position, other = fast(slow), fast(turned(slow))
        assert other.count(Found()) == position.count(Found())
        assert [-value for value in other.features()] == list(position.features())
        assert (other.hot(), other.over(), other.is_max()) == (position.hot(), position.over(), not position.is_max())
        assert not position.over() or other.value() == -position.value()
        names = {re.sub(r"\d+", lambda square: str(33 - int(square[0])), name) for name in position.moves()}
        ends = {tuple(re.findall(r"\d+", name))[:: len(re.findall(r"\d+", name)) - 1] for name in names}
        assert {tuple(re.findall(r"\d+", name))[:: len(re.findall(r"\d+", name)) - 1] for name in other.moves()} == ends


# Keys


def test_positions_have_keys_of_their_own():
    rng = Random(18)
    positions = {fast(slow) for slow in islice(of_games(rng), 30_000)}
    while len(positions) < 200_000:
        black, white = rng.randint(1, 12), rng.randint(1, 12)
        slow = set_up("b" * black + "w" * white, rng.sample(range(1, 33), black + white), rng.random(), rng)
        position = fast(slow)
        # The same pieces in other hands are other positions.
        positions |= {position, position._replace(turn=1 - position.turn), position._replace(kings=0)}
    keys = [position.key() for position in positions]
    assert len(set(keys)) == len(positions) >= 200_000
    assert all(0 <= key < 2**63 for key in keys)
    for low_bits in (keys, [key >> 32 for key in keys]):
        # A table takes the low bits: they are spread as chance would spread them, about 4.6 % on the emptiest places.
        places = np.bincount(np.array(low_bits) & 0xFFFF, minlength=1 << 16)
        assert 2.8 < places.var() < 3.4, "about 3.05, the mean, for evenly spread keys"


def test_equal_positions_have_equal_keys_however_they_came_to_be():
    one = Checkers.start().play("9-13").play("24-20").play("12-16")
    other = Checkers.start().play("12-16").play("24-20").play("9-13")
    assert one == other and one.key() == other.key() == Checkers.from_fen(one.fen).key()
    assert one.key() != one._replace(turn=0).key()
