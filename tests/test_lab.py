"""`abviz lab` for real: a JupyterLab started, asked, and ended, with a home of its own."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from abviz.lab import FIRST_PAGE, find_notebooks

HOUSE = Path(__file__).resolve().parents[1]

# Ctrl-C is heard even where the tests run in the background, which inherit that it is not.
RUN = """
import signal, sys
from abviz.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:]))
"""
ANSWER = re.compile(r"^abviz lab: the course is at (http://127\.0\.0\.1:(\d+)/lab/tree/(\S+)\?token=(\w+)) ")
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0

without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Lab:
    """A running `abviz lab`: what it printed, where it answers, the processes that it started."""

    def __init__(self, process: "subprocess.Popen[str]", lines: list[str]) -> None:
        answer = ANSWER.match("".join(lines[-1:]))
        assert answer, lines
        self.process, self.lines = process, lines
        self.url, self.port, self.page, self.token = answer[1], int(answer[2]), answer[3], answer[4]

    def ask(self, path: str, *, token: str | None = "", method: str = "GET", data: Any = None) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        if token is not None:
            request.add_header("Authorization", f"token {token or self.token}")
        body = None if data is None else json.dumps(data).encode()
        with without_proxy.open(request, body, timeout=30) as reply:
            return json.load(reply)

    def processes(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def server(self) -> psutil.Process:
        return [process for process in self.processes() if "jupyterlab" in process.cmdline()][-1]


@contextmanager
def running(home: Path, *arguments: str, **environment: str) -> Iterator[Lab]:
    """`abviz lab` with an empty home and no display, until the block ends."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "DISPLAY", "WAYLAND"))}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "lab", *arguments],
        cwd=HOUSE,
        env={**keep, "HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    started: list[psutil.Process] = []
    try:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "http://" in line:
                break
        started = psutil.Process(process.pid).children(recursive=True)
        yield Lab(process, lines)
    finally:
        for left in [psutil.Process(process.pid)] if process.poll() is None else []:
            left.terminate()
        process.wait(30)
        for left in started:
            if left.is_running():
                left.kill()


NOTIFICATION = "@jupyterlab/apputils-extension:notification"


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running(tmp_path_factory.mktemp("home"), "--port", "0") as lab:
        yield lab


def test_the_course_opens_for_whoever_has_the_token_and_nobody_else(lab: Lab) -> None:
    with without_proxy.open(lab.url, timeout=30) as page:
        assert page.status == 200 and "JupyterLab" in page.read().decode()
    assert lab.page == FIRST_PAGE
    assert lab.ask(f"/api/contents/{FIRST_PAGE}?content=0")["type"] == "notebook"
    for token in [None, "x" * 48]:
        with pytest.raises(urllib.error.HTTPError) as refused:
            lab.ask("/api/contents", token=token)
        assert refused.value.code == 403


def test_it_listens_on_this_machine_alone(lab: Lab) -> None:
    listening = {at.laddr for at in lab.server().net_connections("inet") if at.status == psutil.CONN_LISTEN}
    assert {address.ip for address in listening} == {"127.0.0.1"}
    assert lab.port in {address.port for address in listening}


def test_it_says_when_it_runs_as_root_and_opens_no_browser_without_a_display(lab: Lab) -> None:
    assert len(lab.lines) == 1 + IS_ROOT
    assert ("running as root" in lab.lines[0]) == IS_ROOT
    assert ("--allow-root" in lab.server().cmdline()) == IS_ROOT
    assert ("--no-browser" in lab.server().cmdline()) == (sys.platform == "linux")


def test_the_token_is_not_among_the_arguments_that_every_user_can_see(lab: Lab) -> None:
    assert lab.token not in " ".join(lab.server().cmdline())


def test_nobody_is_asked_about_news(lab: Lab) -> None:
    with without_proxy.open(lab.url, timeout=30) as page:
        config = re.search(r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', page.read().decode(), re.DOTALL)
    assert config and json.loads(config[1])["news"] == {"disabled": True}
    settings = lab.url.replace("/lab/tree/00-start-here.ipynb", f"/lab/api/settings/{NOTIFICATION}")
    with without_proxy.open(settings, timeout=30) as answer:
        assert json.load(answer)["schema"]["properties"]["fetchNews"]["default"] == "false"


def test_the_kernel_is_this_python_and_the_token_the_users_whatever_else_there_is(tmp_path: Path) -> None:
    """A kernel of the same name in the user's own folder would win, were it not for the server's settings."""
    other = tmp_path / "jupyter" / "kernels" / "python3" / "kernel.json"
    other.parent.mkdir(parents=True)
    other.write_text(
        json.dumps({"argv": ["false", "{connection_file}"], "display_name": "Other", "language": "python"})
    )
    theirs = {"JUPYTER_DATA_DIR": str(tmp_path / "jupyter"), "JUPYTER_PREFER_ENV_PATH": "0", "JUPYTER_TOKEN": "mine"}
    with running(tmp_path, "--port", "0", **theirs) as lab:
        assert lab.token == "mine"
        assert lab.ask("/api/kernelspecs")["default"] == "python3"
        lab.ask("/api/kernels", method="POST", data={"name": "python3"})
        (kernel, *_) = [process for process in lab.processes() if "ipykernel_launcher" in process.cmdline()]
        assert kernel.cmdline()[0] == sys.executable


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to one process")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_the_end_leaves_no_process_behind(tmp_path: Path, name: str) -> None:
    with running(tmp_path, "--port", "0") as lab:
        lab.ask("/api/kernels", method="POST", data={"name": "python3"})
        started = lab.processes()
        assert len(started) >= 2  # the server and a kernel
        lab.process.send_signal(getattr(signal, name))
        assert lab.process.wait(20) == 0
        assert wait_until(lambda: not any(process.is_running() for process in started))
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", lab.port), timeout=5)


def test_a_taken_port_is_left_alone_and_the_server_ending_on_its_own_ends_the_command(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running(tmp_path, "--port", str(port)) as lab:
            assert lab.port != port
            with pytest.raises(json.JSONDecodeError):  # the server's last word is empty
                lab.ask("/api/shutdown", method="POST")
            assert lab.process.wait(20) == 0


def refused(folder: Path, *arguments: str, before: str = "pass") -> "subprocess.CompletedProcess[str]":
    run = f"import sys; {before}; from abviz.lab import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", run, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_without_the_course_one_line_says_so(tmp_path: Path) -> None:
    """What an installed package has: no notebooks beside it, and none where it is run."""
    for name in ["__init__.py", "lab.py", "errors.py", "text.py", "game.py"]:
        (tmp_path / "abviz").mkdir(exist_ok=True)
        (tmp_path / "abviz" / name).write_bytes((HOUSE / "abviz" / name).read_bytes())
    ended = refused(tmp_path, before=f"sys.path.insert(0, {str(tmp_path)!r})")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines() == [
        f"abviz lab: no notebooks/{FIRST_PAGE} here: run it in a checkout of abviz, where the course is"
    ]


def test_without_jupyterlab_one_line_says_so() -> None:
    ended = refused(HOUSE, before="sys.modules['jupyterlab'] = None")
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("abviz lab: JupyterLab is not installed for ")


@pytest.mark.parametrize("port", ["-1", "65536", "http", "٣", ""])
def test_what_is_no_port_is_refused(port: str) -> None:
    ended = refused(HOUSE, f"--port={port}")
    assert ended.returncode == 2
    assert ended.stderr == f"abviz lab: {port!r} is not a port: expected a number from 0 to 65535\n"


def test_a_server_that_cannot_start_is_an_error() -> None:
    ended = refused(
        HOUSE, before="import os; os.environ['PYTHONPATH'] = '/nowhere'; os.environ['PYTHONHOME'] = '/nowhere'"
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == "abviz lab: JupyterLab ended before it answered; it says why above."


def test_the_notebooks_of_the_checkout_are_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_notebooks() == HOUSE / "notebooks"
