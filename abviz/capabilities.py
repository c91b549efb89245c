"""What this computer can do: which packages are installed, and whether threads can be started.

A browser has fewer of both than a laptop. Code asks for what it needs, not for where it runs.
"""

import time
from functools import cache
from importlib.util import find_spec
from threading import Thread

from abviz.errors import AbvizError

# The seconds of a processor that a thread has used: where there is only one, those of the process
thread_time = getattr(time, "thread_time", time.process_time)


def is_installed(*packages: str) -> bool:
    """Return whether all these packages can be imported."""
    return all(find_spec(package) is not None for package in packages)


def require(package: str, what: str, instead: str = "") -> None:
    """Raise AbvizError where the package is missing, without which there is no `what`."""
    if is_installed(package):
        return
    expected = instead or f"{package} installed: python -m pip install {package}"
    raise AbvizError(f"{what} needs {package}, which is not installed here; expected {expected}")


@cache
def starts_threads() -> bool:
    """Return whether a thread can be started here."""
    thread = Thread(target=int, name="abviz trial", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


def require_threads(what: str) -> None:
    """Raise AbvizError where no thread can be started, without which there is no `what`."""
    if not starts_threads():
        raise AbvizError(
            f"{what} needs threads, which can't be started here (as in a browser); "
            "expected Python on your own computer"
        )
