"""How the tests run: random examples are the same each time; `pytest --hypothesis-profile hunt` looks further."""

import signal

from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests of interrupts need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=150, derandomize=True, deadline=None, suppress_health_check=slow)
settings.register_profile("hunt", max_examples=3000, deadline=None, suppress_health_check=slow)
settings.load_profile("quick")
