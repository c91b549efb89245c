"""How much of a championship is thinking: 8 entries, 56 games of checkers at 50 ms a move, two
games at a time.

The rest is the start of processes, the rules that check every move, and the ends of rounds, where
one game is left.
"""

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from abviz.play import League
from abviz.play.entrant import Entrant

AIM = 0.90  # of the time of two cores
JOBS, SECONDS = 2, 0.05
EVALUATE = """
WORTH = {{"b": 100, "B": {king}, "w": -100, "W": -{king}}}

def evaluate(position):
    return sum(WORTH[piece] for piece in position.pieces.values())
"""
CHOOSE = """
import random

def choose(position, clock):
    while clock.move > 0.001:
        pass
    return random.choice(position.moves())
"""


def count_seconds() -> list[float]:
    """Return a list to which each move adds the seconds that it took."""
    spent: list[float] = []
    choose = Entrant.choose

    def timed(entrant: Entrant, *arguments: Any) -> Any:
        answer, seconds = choose(entrant, *arguments)
        spent.append(seconds)
        return answer, seconds

    Entrant.choose = timed  # type: ignore[method-assign]
    return spent


def main() -> None:
    entries = {f"weights-{men}.py": f"WEIGHTS = {{'men': {men}}}\n" for men in (60, 80, 100, 120)}
    entries |= {f"evaluate-{king}.py": EVALUATE.format(king=king) for king in (110, 130, 150)}
    entries |= {"choose.py": CHOOSE}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in entries.items():
            Path(folder, name).write_text(text)
        league = League(folder, seconds_per_move=SECONDS, jobs=JOBS)
        number = len(league.pairings)  # finds the openings, and compiles the engine
        spent, begin = count_seconds(), perf_counter()
        league.play()
        elapsed = perf_counter() - begin
        print(league)
    share = sum(spent) / (JOBS * elapsed)
    print(
        f"{number} games in {elapsed:.0f} s, of which {share:.1%} of {JOBS} cores' time is thinking (aim ≥ {AIM:.0%})"
    )


if __name__ == "__main__":
    main()
