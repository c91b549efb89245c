"""How the tests run: random examples are the same each time, and more of them with the slow tests.

`pytest --seed random` takes others and prints its seed; `pytest --hypothesis-profile hunt` looks
further.
"""

import os
import secrets
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.seeds import SEED

# As in the background of a shell: tests of interrupts need it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Files whose tests take a minute or more together
LONG = (
    "test_whole_site.py",
    "test_jupyterlab.py",
    "test_nbgrader.py",
    "test_exercises.py",
    "test_search.py",
    "test_recorded_styles.py",
    "test_student_checkers.py",
    "test_horrors.py",
    "test_checkers.py",
    "test_compiler.py",
)

slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
for profile, examples in (("quick", 50), ("full", 150)):
    settings.register_profile(
        profile, max_examples=examples, derandomize=True, deadline=None, suppress_health_check=slow
    )
settings.register_profile("varied", max_examples=150, deadline=None, suppress_health_check=slow)
settings.register_profile("hunt", max_examples=3000, deadline=None, suppress_health_check=slow)


@pytest.fixture(autouse=True)
def own_results(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test find no result of an earlier grading; the folder is made when it is needed."""
    folder = tmp_path_factory.getbasetemp() / f"results-{secrets.token_hex(8)}"
    monkeypatch.setenv("ABVIZ_CACHE", str(folder))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed",
        default="0",
        help="the seed of the random tests: a number, or `random`; 0 (the same examples each time) by default",
    )


def pytest_configure(config: pytest.Config) -> None:
    is_quick = config.option.markexpr == "not slow and not nightly"
    seed = config.getoption("seed")
    if seed == "random":
        # Set here, so that the workers of a run in parallel are handed the number.
        seed = config.option.seed = str(secrets.randbelow(10**9) + 1)
    os.environ[SEED] = seed

    if config.getoption("hypothesis_profile"):
        return
    if seed == "0":
        settings.load_profile("quick" if is_quick else "full")
    else:
        settings.load_profile("varied")
        config.option.hypothesis_seed = int(seed)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest in a run in parallel: last, it would keep one worker busy alone."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.name not in LONG)


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed of the random tests: {os.environ[SEED]}"
