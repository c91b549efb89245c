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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from abviz.cli import main
from abviz.lab import FIRST_PAGE

HOUSE = Path(__file__).resolve().parents[1]
ANSWER = re.compile(r"(http://127\.0\.0\.1:(\d+)(?:/own)?/lab/tree/(\S+)\?token=(\w+))\s")
open_url = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class Lab:
    """`abviz lab` with an empty home and no display."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        folder: Path = HOUSE,
        program: Sequence[str] = (sys.executable, "-m", "abviz"),
        **environment: str,
    ) -> None:
        shown = ("JUPYTER", "DISPLAY", "WAYLAND")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(shown)}
        own = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA"), str(home))
        command = [*program, "lab", "--no-browser", *arguments]
        pipes: Any = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
        }
        pipes |= {"text": True, "encoding": "utf-8"}
        self.process = subprocess.Popen(command, cwd=folder, env=kept | own | environment, **pipes)

    def __enter__(self) -> "Lab":
        assert self.process.stdout
        self.output = ""
        while "http://" not in self.output and (line := self.process.stdout.readline()):
            self.output += line
        self.url, port, self.page, self.token = ANSWER.search(self.output).groups()
        self.port = int(port)
        while self.process.poll() is None:  # it prints the address just before it listens there
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            for each in [*psutil.Process(self.process.pid).children(recursive=True), self.process]:
                each.kill()
        self.process.wait()

    def ask(self, path: str, *, token: str = "", data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        header = {"Authorization": f"token {token or self.token}"}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers=header, data=body
        )
        with open_url(request, timeout=60) as reply:
            return json.load(reply)


def test_the_course_opens_with_the_token_only_and_on_this_machine_only(tmp_path: Path) -> None:
    with Lab(tmp_path, "--port", "0") as lab:
        with open_url(lab.url, timeout=60) as page:
            text = page.read().decode()
        config = re.search(r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', text, re.DOTALL)
        assert (
            lab.page == FIRST_PAGE
            and config
            and json.loads(config[1])["news"] == {"disabled": True}
        )
        assert lab.ask(f"/api/contents/{FIRST_PAGE}?content=0")["type"] == "notebook"
        assert news(lab) == "false" and not list(tmp_path.rglob("*.jupyterlab-settings"))
        with pytest.raises(urllib.error.HTTPError, match="403"):
            lab.ask("/api/contents", token="x" * 48)
        process = psutil.Process(lab.process.pid)
        listening = {
            each.laddr.ip
            for each in process.net_connections("inet")
            if each.status == psutil.CONN_LISTEN
        }
        assert listening == {"127.0.0.1"}
        assert lab.token not in " ".join(process.cmdline())  # every user can see the arguments
        lab.ask("/api/kernels", data={"name": "python3"})
        commands = [command_of(each) for each in process.children(recursive=True)]
        assert any(
            command[0] == sys.executable for command in commands if "ipykernel_launcher" in command
        )
        expect_end(lab, signal.SIGTERM)


def news(lab: Lab, base: str = "") -> str:
    """Return whether to fetch news: "none" asks the user in a pop-up."""
    settings = lab.ask(f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification")
    chosen = settings["settings"].get("fetchNews")
    return chosen or settings["schema"]["properties"]["fetchNews"]["default"]


def test_what_the_user_has_set_stays(tmp_path: Path) -> None:
    """Their own choice, and their own folders of settings."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "jupyter_server_config.json").write_text('{"ServerApp": {"base_url": "/own/"}}')
    chosen = tmp_path / "settings" / "@jupyterlab" / "apputils-extension"
    chosen.mkdir(parents=True)
    (chosen / "notification.jupyterlab-settings").write_text('{"fetchNews": "true"}')

    folders = {
        "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings"),
        "JUPYTER_CONFIG_PATH": str(own),
    }
    with Lab(tmp_path, "--port", "0", **folders) as lab:
        assert news(lab, "/own") == "true"


def command_of(process: psutil.Process) -> list[str]:
    """Its command; nothing of a process that has ended meanwhile."""
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def expect_end(lab: Lab, by: signal.Signals) -> None:
    """The signal ends the server and its kernels."""
    kernels = psutil.Process(lab.process.pid).children(recursive=True)
    assert kernels
    lab.process.send_signal(by)
    assert lab.process.wait(120) in (0, -by)
    _, alive = psutil.wait_procs(kernels, timeout=120)
    assert not alive


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("sys.modules['jupyterlab'] = None", "no JupyterLab for "),
        ("import abviz.lab; abviz.lab.__file__ = '/x/y/z.py'", f"no notebooks/{FIRST_PAGE} here"),
    ],
)
def test_anything_wrong_or_missing_is_one_line(tmp_path: Path, before: str, message: str) -> None:
    code = f"import sys; {before}; from abviz.cli import main; sys.exit(main(['lab', '--port=0']))"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"abviz: {message}") and ended.stderr.count("\n") == 1


@pytest.mark.parametrize("port", ["abc", "-1", "65536", "8888.0", ""])
def test_a_port_that_is_none_is_named(capsys: pytest.CaptureFixture[str], port: str) -> None:
    assert main(["lab", "--no-browser", f"--port={port}"]) == 2
    error = capsys.readouterr().err
    assert error == f"abviz: port is {port!r}; expected a number from 0 to 65535\n"
