"""How long `make_tree` takes: six properties at once and harder demands, over 50 seeds each, median
and worst.
"""

from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from abviz import Rules, make_tree
from abviz.errors import AbvizError

SEEDS = 50
AIM = 1.0  # seconds, typical

WIDE = {"leaves": (-50, 50), "distinct": True}
DEMANDS: dict[str, dict[str, Any]] = {
    "nothing in particular": {},
    "six: 2 α, 2 β, deep, subtree, no last, distinct": WIDE
    | {"depth": 4, "alpha_cuts": 2, "beta_cuts": 2, "deep_cuts": True, "subtree_cuts": True}
    | {"last_child_cutoffs": False},
    "six: 1 α, 1 β, 12 to 14 read, no ties, no last, fail-hard": {
        **{
            "depth": 4,
            "branching": 2,
            "alpha_cuts": 1,
            "beta_cuts": 1,
            "leaves_read": (12, 14),
            "ties": False,
        },
        **{"last_child_cutoffs": False, "rules": Rules(fail_hard=True)},
    },
    "six: 1 α, 1 β, subtree, strict matters, fail-hard not": {
        **{"alpha_cuts": 1, "beta_cuts": 1, "subtree_cuts": True, "depends_on": "strict"},
        **{"independent_of": "fail_hard", "leaves_read": (9, 14)},
    },
    "no cut at all, 3^3": {
        "branching": 3,
        "alpha_cuts": 0,
        "beta_cuts": 0,
        "last_child_cutoffs": False,
    },
    "fewest leaves, 3^4": {"depth": 4, "branching": 3, "leaves_read": 17},
    "every leaf read, 3^4": {"depth": 4, "branching": 3, "leaves": (-99, 99), "leaves_read": 81},
}


def main() -> None:
    print(f"make_tree over {SEEDS} seeds, in seconds (aim: {AIM:g} typical)")
    print(f"{'asked for':58}{'median':>8}{'worst':>8}{'not met':>9}")
    for name, wanted in DEMANDS.items():
        times = list(timed(wanted))
        met = [seconds for seconds, is_met in times if is_met]
        print(f"{name:58}{median(met):8.3f}{max(met):8.3f}{SEEDS - len(met):9}")


def timed(wanted: dict[str, Any]) -> Iterator[tuple[float, bool]]:
    for seed in range(SEEDS):
        begin = perf_counter()
        try:
            make_tree(seed, **wanted)
            met = True
        except AbvizError:
            met = False
        yield perf_counter() - begin, met


if __name__ == "__main__":
    main()
