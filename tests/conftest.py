"""How the tests run: random examples are the same each time, and more of them with the slow tests;
`pytest --hypothesis-profile hunt` looks further."""

import signal

import pytest
from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests of interrupts need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
for profile, examples in (("quick", 50), ("full", 150)):
    settings.register_profile(
        profile, max_examples=examples, derandomize=True, deadline=None, suppress_health_check=slow
    )
settings.register_profile("hunt", max_examples=3000, deadline=None, suppress_health_check=slow)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("hypothesis_profile"):
        settings.load_profile("quick" if config.option.markexpr == "not slow" else "full")
