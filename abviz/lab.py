"""`abviz lab`: JupyterLab on the course.

It serves this machine alone, with this Python as the notebooks' kernel.
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

from abviz.course_folder import RECORD, update
from abviz.errors import AbvizError, brief, visible
from abviz.exercises.exercise import FIRST_PAGE

LAST_PORT = 65535

# Where the course is copied when abviz was installed without a checkout
OWN_FOLDER = "abviz-course"

# Settings that hold where the user has chosen nothing: JupyterLab asks no one about its news
DEFAULTS = Path(__file__).with_name("lab_defaults")


def run(*, browser: bool = True, port: str = "8888") -> int:
    """Serve the course until Ctrl-C or JupyterLab's own menu ends it; return the exit status."""
    if not (port.isdecimal() and int(port) <= LAST_PORT):
        raise AbvizError(f"port is {brief(port)}; expected a number from 0 to {LAST_PORT}")
    notebooks = _notebooks()

    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # so that the kernel "python3" is this Python
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [others, str(DEFAULTS)]))
    try:
        from jupyterlab.labapp import LabApp  # reads the environment on import
    except ImportError:
        raise AbvizError(
            f"no JupyterLab for {sys.executable}; expected it: pip install jupyterlab"
        ) from None

    arguments = [
        "--allow-root",  # it listens on this machine only, and asks for its token
        "--Application.log_level=ERROR",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.answer_yes=True",  # Ctrl-C ends it without asking
        f"--ServerApp.open_browser={browser}",
        f"--ServerApp.port={port}",
        f"--ServerApp.root_dir={notebooks}",
        f"--LabApp.default_url=/lab/tree/{FIRST_PAGE}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    LabApp.launch_instance(arguments)
    return 0


def _notebooks() -> Path:
    """Return the folder of the course.

    It is that of the checkout that this package is in, or of the one we are in; anywhere else, the
    notebooks of the installed package are copied into a folder of the reader's own.
    """
    package = Path(__file__).resolve().parent
    for checkout in (package.parent, Path.cwd()):
        notebooks = checkout / "notebooks"
        if (notebooks / FIRST_PAGE).is_file():
            return notebooks

    shipped = package / "notebooks"
    if not (shipped / FIRST_PAGE).is_file():
        raise AbvizError(
            f"no notebooks/{FIRST_PAGE} here; expected a checkout of abviz, or abviz installed "
            "from its wheel"
        )
    return _own_copy(shipped)


def _own_copy(shipped: Path) -> Path:
    """Bring the course into this folder if it holds one, or into a new one, and say what is new."""
    here = Path.cwd()
    folder = here if (here / RECORD).is_file() else here / OWN_FOLDER
    is_first = not (folder / RECORD).is_file()

    changes = update(folder, shipped, version("abviz"))
    if is_first:
        print(f"The course is in {visible(str(folder))}; what you do there stays.", flush=True)
    for line in changes.lines(is_first):
        print(line, flush=True)
    return folder
