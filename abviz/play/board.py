"""The Board: a game to be played with the mouse or the keyboard, in a notebook."""

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from math import atan, inf, pi
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NotRequired, Protocol, TypeAlias, TypedDict, cast
from urllib.parse import quote

import traitlets

from abviz.cells import CONTROLS, CellWidget, is_shown
from abviz.engine.api import Result, Search
from abviz.errors import AbvizError, brief, count, unknown, visible
from abviz.games.abalone import is_along_row, moved_cells
from abviz.games.boards import CELLS, PNG, SVG, board_data, picture_of
from abviz.games.checkers import Checkers
from abviz.games.notation import SQUARES
from abviz.games.rules import PROVEN, AnyPosition, Position, legal_moves, worth
from abviz.games.validation import check_game
from abviz.play.explanation import Decision, decide
from abviz.play.match import Match, Player, PlayerOptions, matches_of
from abviz.views.bundle import PAGE
from abviz.views.modules import join
from abviz.views.stepper import Stepper
from abviz.widgets import AnyWidget, VBox

HERE = Path(__file__).parent
BOARD_CSS = (HERE / "board.css").read_text("utf-8")
SHOWN = 0.19  # seconds between two reports of what the engine thinks
PAUSE = 0.5  # seconds at least that a move stays on the board when two engines play
LEAD = 4  # a typical lead in a game without weights: the lines of tic-tac-toe
POLL = 0.1  # seconds: a wait without an end could not be interrupted everywhere
YOU = "you"


class Chooser(Protocol):
    """Whoever plays a side without clicking, such as a `Player`."""

    def choose(self, position: AnyPosition, /) -> str: ...


class Message(TypedDict):
    """What `board.js` sends; what comes along depends on what it asks to do."""

    do: str
    version: NotRequired[int]  # of the state that it shows
    move: NotRequired[str]
    whole: NotRequired[bool]
    text: NotRequired[str]
    cells: NotRequired[str]
    turn: NotRequired[int]
    plies: NotRequired[int]
    sides: NotRequired[list[str]]
    limit: NotRequired[tuple[str, float]]


class Worth(TypedDict, total=False):
    """What a position is worth: nothing where no search knows."""

    share: float  # of the bar that is MAX's, from 0 to 1
    words: str


class BoardView(AnyWidget):
    """The board in the browser. What the reader does there arrives as messages."""

    _esm = join(HERE / "board.js")
    _css = CONTROLS + (PAGE / "boards.css").read_text("utf-8") + BOARD_CSS
    state = traitlets.Dict().tag(sync=True)  # the position, its moves, and how the match stands
    # What the engine has found so far; empty while it does not search
    thinking = traitlets.Dict().tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    # What explains a move: see `board.js`; empty until "Why?" is asked
    decision = traitlets.Dict().tag(sync=True)


class Board(CellWidget, VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Play a game, or look at a match.

    Board(), Board(TicTacToe.start()), Board(match), Board(position, players=("you",
    Player(depth=6))).

    `players` are MAX and MIN, each "you", a Player, or any object with `choose(position)`. `match`
    is what has been played; `play(move)`, `undo()`, `redo()`, `load(text)`, `start()`, `stop()` and
    `why()` are the buttons' methods.
    """

    # These are set here too, since a board whose arguments were refused is closed as well.

    # Counts the changes on the board: a move found or clicked for an earlier position is not played
    _turn = 0
    _search: Search | None = None  # the one that runs, for a move or for "Why?"
    _decision: Decision | None = None  # the one that is explained below the board
    _thread: threading.Thread | None = None  # while a player other than you is about to move
    _is_working = False  # at what has no thread
    view: BoardView

    def __init__(
        self,
        shown: AnyPosition | Match = None,
        *,
        players: Sequence[str | Chooser] = (YOU, Player(seconds=1)),
    ):
        if shown is None:
            shown = Checkers.start()
        match = shown if isinstance(shown, Match) else Match(shown)
        check_game(match.start)

        is_pair = isinstance(players, list | tuple) and len(players) == 2
        if not is_pair or not all(player == YOU or hasattr(player, "choose") for player in players):
            raise AbvizError(f'players are {brief(players)}; expected two, each "you" or a Player')
        self.players = list(players)
        self._engine = next(
            (player for player in players if not isinstance(player, str)), Player(seconds=1)
        )

        self._results: dict[Position, Result] = {}  # what an engine has found, by position
        self._waiting: deque[Callable[[], object]] = deque()  # work, where no thread can be started
        self._lock = threading.RLock()

        self.view = BoardView()
        super().__init__([self.view])
        self.view.on_msg(self._receive)
        self._begin(match)

    @property
    def position(self) -> AnyPosition:
        """The position on the board."""
        return self.match.position

    # what the buttons do

    def play(self, move: str) -> None:
        """Play a legal move, and let the other player answer."""
        with self._lock:
            self._begin(self.match.play(move))

    def undo(self) -> None:
        """Take back the last move, and those of the engine before it, so that it is your turn."""
        self._go(-1)

    def redo(self) -> None:
        """Play again what was taken back, up to your turn."""
        self._go(1)

    def _go(self, step: int) -> None:
        """Go back or on in what was played, until it is your turn."""
        with self._lock:
            played = self._played
            your_turns = [
                YOU not in self.players or self._player(position) == YOU
                for position in played.positions
            ]

            plies = len(self.match.plies) + step
            while 0 < plies < len(played.plies) and not your_turns[plies]:
                plies += step
            if 0 <= plies <= len(played.plies):
                self._show(replace(played, plies=played.plies[:plies], recorded=""), played)

    def go_to(self, plies: int) -> None:
        """Show the position after the first `plies` moves of the game."""
        with self._lock:
            played = self._played
            if type(plies) is not int or not 0 <= plies <= len(played.plies):
                raise AbvizError(f"plies is {brief(plies)}; expected 0 to {len(played.plies)}")
            self._show(replace(played, plies=played.plies[:plies], recorded=""), played)

    def start(self) -> None:
        """Let the engine make the next move, whoever plays that side, and go on from there."""
        self._show(self.match, self.match, self._engine)

    def stop(self) -> None:
        """Stop the engine; the position stays."""
        self._show(self.match, self._played)

    def restart(self) -> None:
        """Begin again from the start of the game; without one, from the first position."""
        game = type(self.match.start)
        self._begin(Match(game.start() if hasattr(game, "start") else self.match.start))

    def load(self, text: str) -> None:
        """Show a position (FEN; nine letters of tic-tac-toe) or a match (PDN) of the same game.

        Games of a PDN that are none are left out, and named below the board. Raises AbvizError for
        any other text; the board then stays as it was.
        """
        game = type(self.match.start)
        first, _, rest = text.strip().partition("\n")
        is_fen = re.match(r"\s*[BW]\s*:", first, re.IGNORECASE)
        if game is Checkers and (rest.strip() or not is_fen):
            # The board's own text has a FEN, and then the PDN
            self._load_pdn(rest if is_fen else text)
            return

        read = getattr(game, "from_fen", None)
        if read is None:
            raise AbvizError(
                f"a position of {game.title} cannot be read from text; expected Board(position)"
            )
        self._begin(Match(read(text)))

    def _load_pdn(self, text: str) -> None:
        matches = matches_of(text)
        match = matches.single("the PDN")
        self._begin(match if match.over else replace(match, recorded=""))
        self.view.problem = " ".join(visible(f"left out: {each}") for each in matches.problems)

    def why(self, move: str | None = None, *, whole: bool = False) -> Stepper:
        """Explain the last move, or `move` instead; return the stepper that shows it.

        Below the board are a table of the moves, each with its value or a bound and the reply that
        holds it to that, and the tree of this move (or the whole tree), at the step at which the
        search is done with the move.
        """
        with self._lock:
            if self._thread is not None:
                self.stop()
            match = self.match
            turn = self._turn
            decision = self._decision

        if decision is None:
            decision = self._decide(match, turn)

        played = match.moves[-1] if match.plies else ""
        chosen = move if move is not None else played or decision.best
        if chosen not in decision.moves:
            raise unknown("move", chosen, decision.moves)
        stepper = Stepper(
            decision.trace,
            step=decision.decisive_step(chosen),
            node=None if whole else decision.part(chosen),
        )

        with self._unchanged_since(turn):
            self._decision = decision
            self._close_steppers()
            self.children = [self.view, stepper]
            self.view.decision = {
                **_decision_state(decision, chosen, played),
                "whole": stepper.spec["top"] == 0,
            }
            self.view.thinking = {}
        return stepper

    def _decide(self, match: Match, turn: int) -> Decision:
        """Search again what the last move was chosen from, as deep as it was then."""
        position = match.positions[-2] if match.plies else match.position
        player = self._player(position)
        options = getattr(self._engine if player == YOU else player, "options", {})
        if position in self._results:
            depth = self._results[position].depth
            options = {**options, "depth": depth, "seconds": None, "nodes": None}

        def run(search: Search) -> Result:
            with self._unchanged_since(turn):
                self._search = search.start()
            return search.result()

        return decide(position, run, **options)

    def wait(self, seconds: float = inf) -> None:
        """Wait until it is your turn, the match is over, or the time is up."""
        end = monotonic() + seconds
        while self._waiting and monotonic() < end:
            self._work_once()
        while self._thread is not None and monotonic() < end:
            sleep(POLL)

    def close(self) -> None:
        self._stop_search()
        if self._thread is not None:
            self.stop()  # so that the board, displayed again, does not wait for a move
        super().close()

    # the engine's turn

    @contextmanager
    def _unchanged_since(self, turn: int) -> Iterator[None]:
        """Hold the board as it is. Raises AbvizError where it has changed since the turn."""
        with self._lock:
            if turn != self._turn:
                raise AbvizError(
                    "the position has changed; expected the one that was to be searched"
                )
            yield

    def _stop_search(self) -> None:
        self._turn += 1
        if self._search is not None:
            self._search.stop()

    def _player(self, position: Position) -> str | Chooser:
        """Return who is to move: "you" or a player."""
        return self.players[0 if position.is_max() else 1]

    def _begin(self, match: Match) -> None:
        """Show the match, and let the player whose turn it is move."""
        self._show(match, match, self._player(match.position))

    def _in_background(self, work: Callable[[], object], failed: str) -> threading.Thread | None:
        """Start the work. Where it fails, the board says so, unless it has changed meanwhile.

        Where no thread can be started, as in a browser, it is done in turn, and None is returned.
        """
        turn = self._turn

        def run() -> None:
            try:
                work()
            except BaseException as problem:  # SystemExit too, or the board would wait for ever
                with suppress(AbvizError), self._unchanged_since(turn):
                    self.stop()
                    self.view.problem = f"{failed}: {_reason(problem)}"

        thread = threading.Thread(target=run, name="abviz board", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._in_turn(run)
            return None
        return thread

    def _in_turn(self, work: Callable[[], object]) -> None:
        """Do the work when the event loop is free, or without a loop as soon as the board is."""
        self._waiting.append(work)
        try:
            asyncio.get_running_loop().call_soon(self._work_once)
        except RuntimeError:
            self._work_off()

    def _work_off(self) -> None:
        """Do the work that waits, and what that work leaves to do; not from inside of it."""
        if self._is_working:
            return
        self._is_working = True
        try:
            while self._waiting:
                self._work_once()
        finally:
            self._is_working = False

    def _work_once(self) -> None:
        if self._waiting:
            self._waiting.popleft()()

    def _think(self, player: Chooser, turn: int) -> None:
        """Find the player's move, show what an engine finds on the way, and play it."""
        begin = monotonic()
        position = self.position
        if isinstance(player, Player) and len(position.moves()) > 1:
            move = self._searched_move(player, position, turn)
        else:
            move = player.choose(position)

        if YOU not in self.players:
            sleep(max(0.0, PAUSE - (monotonic() - begin)))
        with self._unchanged_since(turn):
            self.play(move)

    def _searched_move(self, player: Player, position: Position, turn: int) -> str:
        """Return the move that a search finds, and show on the way what it thinks."""
        search = Search(position, **player.options)
        with self._unchanged_since(turn):
            self._search = search.start()

        while not search.done:
            sleep(SHOWN)
            thinking = _thinking(search)
            with self._unchanged_since(turn):
                self.view.thinking = thinking

        result = search.result()
        with self._unchanged_since(turn):
            self._results[position] = result
        return str(result.move)

    # the browser

    def _show(self, match: Match, played: Match, player: str | Chooser = YOU) -> None:
        """Show the match, a part of what was played, and let the player move, unless it is you."""
        with self._lock:
            self._stop_search()
            thinks = not isinstance(player, str) and not match.over
            state = self._state(match, played, thinks)  # first: where it fails, all stays as it was
            self.match = match
            self._played = played
            self._search = None

            self._decision = None
            self._close_steppers()
            self.children = [self.view]
            self.view.decision = {}
            self.view.thinking = {}
            self.view.problem = ""
            self.view.state = state

            turn = self._turn
            thread: threading.Thread | None = None
            if thinks and not isinstance(player, str):
                thread = self._in_background(
                    lambda: self._think(player, turn), f"{brief(player)} cannot move"
                )
            self._thread = thread  # only now: `wait` would take None between for your turn

    def _close_steppers(self) -> None:
        """Close what explains a move, unless a cell shows it by itself."""
        for stepper in self.children[1:]:
            if not is_shown(stepper):
                stepper.close()

    def _state(self, match: Match, played: Match, thinks: bool) -> dict[str, object]:
        """Return what the view shows: see `board.js`."""
        position = match.position
        kind, cells = board_data(position)
        picture, flaw = _picture(position) if kind == "text" else ("", "")

        return {
            "version": self._turn,
            "kind": kind,
            "cells": cells,
            "picture": picture,
            "flaw": flaw,
            "before": board_data(match.positions[-2])[1] if match.plies else "",
            "moves": [] if match.over or thinks else clicks(position),
            "turn": 0 if position.is_max() else 1,
            "players": [visible(str(name)) for name in position.players],
            "sides": [YOU if player == YOU else "engine" for player in self.players],
            "limit": self._limit(),
            "status": visible(_status(match, thinks)),
            "thinks": thinks,
            "played": [
                [0 if before.is_max() else 1, visible(name)]
                for before, (name, *_) in zip(played.positions, played.plies, strict=False)
            ],
            "plies": len(match.plies),
            "worth": self._worth(match),
            "undo": bool(match.plies),
            "redo": len(match.plies) < len(played.plies),
            "fen": getattr(position, "fen", ""),
            "pdn": match.pdn() if isinstance(match.start, Checkers) else "",
        }

    def _worth(self, match: Match) -> Worth:
        """Return what the engine knows of the position; {} where it has not searched it."""
        position = match.position
        if match.over:
            share = {"1-0": 1.0, "0-1": 0.0}.get(match.result, 0.5)
            return {"share": share, "words": visible(f"{match.result}: {match.reason}")}

        result = self._results.get(position)
        if result is not None and result.value is not None:
            return _worth_of(result.value, result)

        # After the move that a search has chosen, the value stays; a win is one ply nearer
        before = self._results.get(match.positions[-2]) if match.plies else None
        if before is None or before.value is None or before.move != match.moves[-1]:
            return {}
        return _worth_of(_one_ply_later(before.value), before, plies=1)

    def _limit(self) -> list[str | float]:
        """Return the unit and the amount of what the engine may spend on a move."""
        limits = getattr(self._engine, "options", {})
        for unit in ("depth", "seconds"):
            if limits.get(unit):
                return [unit, limits[unit]]
        return ["", 0]

    def _receive(self, _: object, message: Message, __: object) -> None:
        """Do what the reader asks for.

        Anything may arrive; what is wrong becomes one line below the board.
        """
        self.view.problem = ""
        try:
            self._act(message["do"], message)
        # An interrupt too: the browser waits for what becomes of its move
        except BaseException as problem:
            self.view.problem = _reason(problem)

    def _act(self, action: str, message: Message) -> None:
        if action == "play":
            if message["version"] == self.view.state["version"]:
                self.play(message["move"])

        elif action in ("undo", "redo", "start", "stop", "restart"):
            getattr(self, action)()

        elif action == "why":
            if self._decision is not None:
                self.why(message.get("move"), whole=message.get("whole", False))
            elif not self.view.thinking:
                self.view.thinking = {"text": "Searching the decision again …"}
                self._in_background(self.why, "The decision cannot be explained")

        elif action == "go":
            self.go_to(message["plies"])

        elif action == "load":
            self.load(message["text"])
        elif action == "setup":
            self.load(text_of(message["cells"], message["turn"]))
        elif action == "players":
            self._change_players(message["sides"], *message["limit"])

    def _change_players(self, sides: Sequence[str], unit: str, amount: float) -> None:
        if amount != getattr(self._engine, "options", {}).get(unit):
            self._engine = Player(**cast(PlayerOptions, {unit: amount}))
        self.players = [YOU if side == YOU else self._engine for side in sides]
        self._begin(self.match)


def _status(match: Match, thinks: bool) -> str:
    """Return who has played what, and whose turn it is or how the match ended."""
    if match.over:
        status = f"{match.result}: {match.reason}."
    elif thinks:
        status = f"{_to_move(match.position)} is thinking …"
    else:
        status = f"{_to_move(match.position)} to move."

    if match.plies:
        status = f"{_to_move(match.positions[-2])} has played {match.moves[-1]}. {status}"
    return status


def _decision_state(decision: Decision, chosen: str, played: str) -> dict[str, object]:
    """Return what the view shows of a decision: see `board.js`."""
    position = decision.position
    players = [visible(str(name)) for name in position.players]
    mover, opponent = players if position.is_max() else players[::-1]

    rows = [
        {
            "move": answer.move,
            "value": visible(answer.in_words(position.players)),
            "proven": answer.proven,
            "reply": answer.reply,
            "best": answer.move == decision.best,
            "played": answer.move == played,
        }
        for answer in decision.answers()
    ]
    return {
        "answer": visible(decision.summary(chosen)),
        "caption": f"{mover}'s moves, best first, {count(decision.result.depth, 'move')} deep",
        "heads": ["move", f"value for {players[0]}", f"{opponent}'s reply"],
        "rows": rows,
        "chosen": chosen,
        "note": "" if decision.result.exact else "This search leaves moves out and may be wrong.",
    }


def _to_move(position: Position) -> str:
    """Return the name of the player to move."""
    return str(position.players[0 if position.is_max() else 1])


def _reason(problem: BaseException) -> str:
    return visible((str(problem) or type(problem).__name__)[:400])


def _worth_of(value: int, result: Result, plies: int = 0) -> Worth:
    """Return a value, found `plies` moves ago, as a share of the bar and in words."""
    position = result.position
    depth = max(result.depth - plies, 0)
    words = worth(value, position.players)
    if abs(value) <= PROVEN:
        words = f"value {words} for {position.players[0]}"
        words += ", proven" if result.proven else f", depth {depth}"
    if not result.exact:
        words += ", may be wrong"
    return {"share": _share(value, position), "words": visible(words)}


def _one_ply_later(value: int) -> int:
    if value > PROVEN:
        return value + 1
    return value - 1 if value < -PROVEN else value


def _share(value: int, position: Position) -> float:
    """Return how much of the bar is MAX's: half at 0, three quarters at a typical lead."""
    if abs(value) > PROVEN:
        return 1.0 if value > 0 else 0.0
    lead = 2 * max(map(abs, position.weights.values()), default=LEAD / 2)
    return 0.5 + atan(value / lead) / pi


def _picture(position: Position) -> tuple[str, str]:
    """Return the picture of a position, and what is wrong with it: then it is shown as text."""
    try:
        return own_picture(position), ""
    except Exception as problem:
        return "", f"The picture cannot be shown: {_reason(problem)}"


def own_picture(position: Position) -> str:
    """Return the picture that a game gives, as the address of an image; "" where it gives none.

    An image runs no scripts and loads nothing. Raises AbvizError for what is no picture.
    """
    picture = picture_of(position)
    if SVG in picture:
        return f"data:{SVG},{quote(picture[SVG])}"
    if PNG in picture:
        return f"data:{PNG};base64,{picture[PNG]}"
    return ""


def _thinking(search: Search) -> dict[str, object]:
    """Return what a search has found so far, in words and as arrows."""
    if not search.is_ready:
        return {"text": f"Compiling the search for {search.position.title}, the first time …"}
    if not search.iterations:
        return {}

    last = search.iterations[-1]
    players = search.position.players
    assert last.value is not None  # every iteration has one

    value = worth(last.value, players)
    if abs(last.value) <= PROVEN:
        value = f"value {value} for {players[0]}"
        if last.proven:
            value += ", proven"

    nodes = count(search.nodes, "node")
    speed = f"{last.nodes / max(last.seconds, 1e-6) / 1e6:.1f} million a second"
    line = " ".join(last.line)
    return {
        "share": _share(last.value, search.position),
        "arrows": arrows(search.position, last.line[:3]),
        "text": f"depth {last.depth}, {value}, {nodes}, {speed}: {line}",
    }


# by which clicks a move is made; squares count from 0

# The squares chosen first (`from`, in any order), and then `to`, in order.
Clicks: TypeAlias = dict[str, Any]


def text_of(cells: str, turn: int) -> str:
    """Return the text of the position whose board shows these cells, as `board_data` does."""
    if len(cells) == 9:
        return cells
    names = CELLS if len(cells) == len(CELLS) else [str(square) for square in range(1, SQUARES + 1)]
    pieces: dict[str, list[str]] = {"w": [], "b": []}
    for name, cell in zip(names, cells, strict=True):
        if cell.lower() in pieces:
            pieces[cell.lower()].append(f"K{name}" if cell.isupper() else name)
    return f"{'BW'[turn]}:W{','.join(pieces['w'])}:B{','.join(pieces['b'])}"


def clicks(position: Position) -> list[Clicks]:
    """Return the ways of clicking the legal moves.

    Each has the move's `name` and the cells `after` it. A move may have several ways. Where its
    squares are not known, there is neither `from` nor `to`: the board offers its name.
    """
    kind, before = board_data(position)
    paths = position.move_paths() if hasattr(position, "move_paths") else {}
    ways: list[Clicks] = []
    for move in legal_moves(position):
        after = board_data(position.play(move))[1]
        if kind == "cells":
            squares = [_cell_clicks(before, after)]
        elif kind == "marbles":
            squares = [_marble_clicks(move)]
        else:
            squares = [_path_clicks(path) for path in paths.get(move, [()])]

        name = position.move_name(move)
        ways += [{"name": name, "after": after, **each} for each in squares]
    return ways


def _cell_clicks(before: str, after: str) -> Clicks:
    changed = [index for index, cell in enumerate(before) if cell != after[index]]
    return {"from": [], "to": changed}


def _marble_clicks(move: int) -> Clicks:
    """Return the marbles to choose. Sideways they go where the first one goes."""
    row, targets = moved_cells(move)
    if not is_along_row(move):
        return {"from": row, "to": targets[:1]}

    # Along their row one may also drag the last marble
    return {"from": row, "to": targets[-1:], "drag": [row[0], targets[0]]}


def _path_clicks(path: Sequence[int]) -> Clicks:
    squares = [number - 1 for number in path]
    return {"from": squares[:1], "to": squares[1:]}


@lru_cache(maxsize=1)  # a line stays for many reports
def arrows(position: Position, line: tuple[str, ...]) -> list[list[int]]:
    """Return the first and the last square of each move of the line, as far as they are known."""
    ends = []
    for name in line:
        way = next(way for way in clicks(position) if way["name"] == name)
        squares = [*way["from"][:1], *way["to"]]
        if squares:
            ends.append([squares[0], squares[-1]])
        position = position.play(name)
    return ends
