"""What tuned weights gain: self-play from the shipped weights, then a match of 400 games against
them.
"""

from time import perf_counter
from typing import Any

from abviz import Abalone, Checkers
from abviz.play import tune

AIM = 55  # % of the points in checkers
GAMES: list[tuple[Any, dict[str, int]]] = [
    (Checkers, {}),
    (Abalone, {"games": 200, "generations": 3, "depth": 2}),
]


def main() -> None:
    for game, options in GAMES:
        begin = perf_counter()
        tuning = tune(game.start(), **options)
        print(f"{tuning}\n({perf_counter() - begin:.0f} s)")
        print(f"depth {tuning.depth}: {tuning.match()!r} (aim in checkers: {AIM} %)")
        if game is Checkers:
            print(f"depth {tuning.depth + 2}: {tuning.match(depth=tuning.depth + 2)!r}\n")


if __name__ == "__main__":
    main()
