"""The engine at a tenth of a second a move against the checkers players of OpenSpiel, which get the
same time: its alpha-beta, deepened move by move, and its Monte Carlo search. Balanced openings,
each played with both colors.
"""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

from peers import installed, lines

from abviz import search
from abviz.play import Match

FOLDER = Path(__file__).resolve().parent
SECONDS, OPENINGS, PLIES, BALANCED = 0.1, 25, 6, 20
MOST = 200  # plies, after which a game is a draw
AIM = 95  # % of the points


def main() -> None:
    requirement = next(line for line in lines() if line.startswith("open-spiel"))
    python = installed(requirement)
    if python is None:
        return
    starts = openings()
    print(
        f"{SECONDS} s a move, {2 * OPENINGS} games each, both colors; points of abviz (aim ≥ {AIM} %)"
    )
    for name in ("alpha-beta", "mcts"):
        command = [str(python), str(FOLDER / "peer_player.py"), name]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as peer:
            points = [game(peer, opening, colour) for opening in starts for colour in (0, 1)]
            assert peer.stdin
            peer.stdin.close()
        wins, draws = points.count(1.0), points.count(0.5)
        print(
            f"{f'OpenSpiel {name}':24}{wins} won, {draws} drawn, {len(points) - wins - draws} lost: ",
            end="",
        )
        print(f"{100 * sum(points) / len(points):.0f} %", flush=True)


def openings() -> list[list[str]]:
    """Random first moves, after which a search sees neither side ahead."""
    rng, found = random.Random(1), []
    while len(found) < OPENINGS:
        match = Match()
        for _ in range(PLIES):
            match = match.play(rng.choice(match.position.moves()))
        if abs(search(match.position, 9).value or 0) <= BALANCED:
            found.append(list(match.moves))
    return found


def game(peer: Any, opening: list[str], colour: int) -> float:
    """Return the points of abviz, which has this colour: 0 is Black."""
    match, paths = Match(), []
    while not match.over and len(match.plies) < MOST:
        if len(match.plies) < len(opening):
            move = opening[len(match.plies)]
        elif match.position.turn == colour:
            move = str(search(match.position, seconds=SECONDS).move)
        else:
            peer.stdin.write(json.dumps({"paths": paths, "seconds": SECONDS}) + "\n")
            peer.stdin.flush()
            answer = json.loads(peer.stdout.readline())
            if answer["over"]:  # OpenSpiel ends a game without progress earlier
                break
            move = "x".join(map(str, answer["path"]))
        number = match.position.find_move(move)
        paths.append(match.position.move_paths()[number][0])
        match = match.play(move)
    result = {"1-0": 1.0, "0-1": 0.0}.get(match.result, 0.5)
    return result if colour == 0 else 1 - result


if __name__ == "__main__":
    main()
