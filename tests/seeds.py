"""The seed of a run's random tests: the same examples each time, or others with `pytest --seed N`."""

import os
from random import Random

SEED = "ABVIZ_TEST_SEED"  # of the environment, where the workers of a run in parallel find it


def seeded(seed: int) -> Random:
    """Return dice that are the same in each run, unless the run has a seed of its own."""
    run = os.environ.get(SEED, "0")
    return Random(seed if run == "0" else f"{run} {seed}")
