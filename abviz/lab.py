"""`abviz lab`: JupyterLab on the course, on this machine alone, with this Python as the notebooks' kernel."""

import argparse
import importlib.util
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError

FIRST_PAGE = "00-start-here.ipynb"
SECONDS_TO_END = 15


def main(arguments: list[str] | None = None) -> int:
    """Run JupyterLab until it is ended, by Ctrl-C or from its own menu; the exit status."""
    wanted = _parser().parse_args(arguments)
    try:
        port = _port(wanted.port)
        notebooks = find_notebooks()
        _need_jupyterlab()
    except AbvizError as error:
        print(f"abviz lab: {error}", file=sys.stderr)
        return 2
    if _is_root():
        print("abviz lab: running as root, so JupyterLab listens on 127.0.0.1 only and keeps its token.", flush=True)
    with_browser = wanted.browser and _has_display()
    with tempfile.TemporaryDirectory(prefix="abviz-lab-", ignore_cleanup_errors=True) as runtime:
        return _serve(_command(notebooks, port, with_browser), Path(runtime))


def find_notebooks() -> Path:
    """The folder notebooks/ of the checkout: beside the package, or where the command is run."""
    for folder in (Path(__file__).resolve().parents[1], Path.cwd()):
        if (folder / "notebooks" / FIRST_PAGE).is_file():
            return folder / "notebooks"
    raise AbvizError(f"no notebooks/{FIRST_PAGE} here: run it in a checkout of abviz, where the course is")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="abviz lab", description="Open the course in JupyterLab.")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="say the address, open nothing")
    parser.add_argument("--port", default="8888", help="the first port to try (default: 8888)")
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise AbvizError(f"{text!r} is not a port: expected a number from 0 to 65535")
    return int(text)


def _need_jupyterlab() -> None:
    if importlib.util.find_spec("jupyterlab") is None:
        raise AbvizError(f"JupyterLab is not installed for {sys.executable}: python -m pip install jupyterlab")


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _command(notebooks: Path, port: int, with_browser: bool) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab"),
        *(["--allow-root"] if _is_root() else []),
        *([] if with_browser else ["--no-browser"]),
        "--ServerApp.log_level=ERROR",  # its warnings are no concern of a student's
        "--LabApp.log_level=ERROR",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        f"--ServerApp.root_dir={notebooks}",
        f"--LabApp.default_url=/lab/tree/{FIRST_PAGE}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]


def _serve(command: list[str], runtime: Path) -> int:
    signal.signal(signal.SIGTERM, _end)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup is meant
        signal.signal(signal.SIGHUP, _end)
    server = _start(command, runtime)
    try:
        url = _wait_for_answer(server, runtime)
        if url is None:
            print("abviz lab: JupyterLab ended before it answered; it says why above.", file=sys.stderr)
            return 1
        print(f"abviz lab: the course is at {url} (Ctrl-C here ends it)", flush=True)
        return _wait_for_end(server)
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(server)


def _end(*_: object) -> None:
    raise KeyboardInterrupt


def _start(command: list[str], runtime: Path) -> "subprocess.Popen[bytes]":
    """The server, out of reach of the terminal's Ctrl-C, at which it would ask whether it is meant."""
    paths = [str(_settings(runtime)), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(paths),
        "JUPYTER_PREFER_ENV_PATH": "1",  # so that the kernel "python3" is this Python, not one from elsewhere
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_TOKEN": os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24),
    }
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, **apart)


def _settings(folder: Path) -> Path:
    """Defaults for a first visit: JupyterLab does not ask whether one would like to have its news."""
    labconfig = folder / "config" / "labconfig"
    labconfig.mkdir(parents=True)
    no_news = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    (labconfig / "default_setting_overrides.json").write_text(json.dumps(no_news))
    return labconfig.parent


def _wait_for_answer(server: "subprocess.Popen[bytes]", runtime: Path) -> str | None:
    """The address of the first page once the server serves it, or None if the server ends first."""
    while server.poll() is None:
        url = _address(runtime)
        if url is not None and _answers(url):
            return url
        time.sleep(0.1)
    return None


def _address(runtime: Path) -> str | None:
    """What the server has written down about itself: the port may not be the one asked for."""
    for file in runtime.glob("jpserver-*.json"):
        try:
            about = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:  # it is still being written
            return None
        token = f"?token={about['token']}" if about["token"] else ""
        return f"http://127.0.0.1:{about['port']}{about['base_url']}lab/tree/{FIRST_PAGE}{token}"
    return None


def _answers(url: str) -> bool:
    without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with without_proxy.open(url, timeout=30) as page:
            return bool(page.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait_for_end(server: "subprocess.Popen[bytes]") -> int:
    while server.poll() is None:
        time.sleep(0.2)
    return 0 if server.returncode == 0 else 1


def _stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server and, with it, its kernels."""
    if server.poll() is not None:
        return
    server.terminate()
    try:
        server.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
