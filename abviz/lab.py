"""`abviz lab`: JupyterLab on the course, on this machine alone, with this Python as the notebooks' kernel."""

import importlib.util
import json
import os
import secrets
import signal
import sys
import tempfile
from pathlib import Path

from abviz.errors import AbvizError
from abviz.exercises.exercise import FIRST_PAGE


def run(*, browser: bool = True, port: str = "8888") -> int:
    """Serve the course until Ctrl-C or JupyterLab's own menu ends it, and return the exit status."""
    if not (port.isascii() and port.isdecimal() and int(port) < 65536):
        raise AbvizError(f"--port is {port!r}; expected a number from 0 to 65535")
    notebooks = find_notebooks()
    if importlib.util.find_spec("jupyterlab") is None:
        raise AbvizError(f"JupyterLab is not installed for {sys.executable}; expected it: pip install jupyterlab")
    is_root = sys.platform != "win32" and os.geteuid() == 0
    if is_root:
        print("abviz lab: running as root, so JupyterLab listens on 127.0.0.1 only and keeps its token.", flush=True)
    arguments = [
        *(["--allow-root"] if is_root else []),
        *([] if browser and _has_display() else ["--no-browser"]),
        "--ServerApp.log_level=ERROR",
        "--LabApp.log_level=ERROR",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.answer_yes=True",  # Ctrl-C ends it without asking
        f"--ServerApp.port={int(port)}",
        f"--ServerApp.root_dir={notebooks}",
        f"--LabApp.default_url=/lab/tree/{FIRST_PAGE}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    with tempfile.TemporaryDirectory(prefix="abviz-lab-", ignore_cleanup_errors=True) as folder:
        return _serve(arguments, Path(folder))


def find_notebooks() -> Path:
    """Return the folder notebooks/ of the checkout: next to the package, or where the command is run."""
    for folder in (Path(__file__).resolve().parents[1], Path.cwd()):
        if (folder / "notebooks" / FIRST_PAGE).is_file():
            return folder / "notebooks"
    raise AbvizError(f"no notebooks/{FIRST_PAGE} here; expected a checkout of abviz, which holds the course")


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _serve(arguments: list[str], folder: Path) -> int:
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # so that the kernel "python3" is this Python
    os.environ["JUPYTER_RUNTIME_DIR"] = str(folder)
    os.environ.setdefault("JUPYTER_TOKEN", secrets.token_hex(24))
    # Settings of a first visit: JupyterLab does not ask whether it may fetch news.
    settings = folder / "config" / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}))
    paths = [str(settings.parents[1]), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)

    from jupyterlab.labapp import LabApp  # reads the environment on import

    server = LabApp.initialize_server(arguments)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # ignored under nohup
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))

    def announce() -> None:
        url = f"{server.local_url.partition('?')[0].rstrip('/')}?token={server.identity_provider.token}"
        print(f"abviz lab: the course is at {url} (Ctrl-C here ends it)", flush=True)

    server.io_loop.add_callback(announce)  # once it listens
    server.start()
    return 0
