"""The browser of the browser tests: found where it is, named by ABVIZ_BROWSER, asked of apt, or asked of the user."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.find_browser import HOW_TO_GET_ONE

SCRIPT = Path(__file__).with_name("find_browser.py")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins for browsers are shell scripts")


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def find(home: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The script's answer on a machine that has nothing but what is in home/bin."""
    (home / "bin").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={"HOME": str(home), "PATH": str(home / "bin"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


needs_a_bare_machine = pytest.mark.skipif(
    sys.platform == "darwin" and Path("/Applications/Google Chrome.app").exists(),
    reason="Chrome is found in /Applications, wherever PATH points",
)


@pytest.mark.parametrize("command", ["google-chrome", "chromium", "chromium-browser"])
def test_a_browser_on_the_path_is_found(tmp_path: Path, command: str) -> None:
    browser = program(tmp_path / "bin" / command)
    assert find(tmp_path).stdout.strip() == str(browser)


@needs_a_bare_machine
def test_playwrights_own_is_found(tmp_path: Path) -> None:
    browser = program(tmp_path / ".cache" / "ms-playwright" / "chromium-1200" / "chrome-linux64" / "chrome")
    assert find(tmp_path).stdout.strip() == str(browser)


def test_the_named_browser_goes_before_all_others(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")
    browser = program(tmp_path / "elsewhere" / "my-browser")
    assert find(tmp_path, ABVIZ_BROWSER=str(browser)).stdout.strip() == str(browser)


def test_a_name_that_leads_nowhere_is_not_replaced_by_another(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")
    program(tmp_path / "bin" / "apt-get", "echo called; exit 1")
    answer = find(tmp_path, "--install", ABVIZ_BROWSER="/nowhere/browser")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == f"abviz: {HOW_TO_GET_ONE}\n"


@needs_a_bare_machine
def test_without_a_browser_one_line_tells_how_to_get_one(tmp_path: Path) -> None:
    answer = find(tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == f"abviz: {HOW_TO_GET_ONE}\n"


def is_root_on_debian() -> bool:
    release = Path("/etc/os-release")
    return sys.platform == "linux" and os.geteuid() == 0 and "\nID=debian\n" in f"\n{release.read_text()}\n"


@pytest.mark.skipif(not is_root_on_debian(), reason="only root on Debian may ask apt without a password")
@pytest.mark.parametrize("apt_works", [True, False])
def test_on_debian_apt_is_asked(tmp_path: Path, apt_works: bool) -> None:
    """A stand-in for apt-get writes down what it is asked for, and installs it or fails."""
    chromium = tmp_path / "bin" / "chromium"
    install = f"case $* in *install*chromium*) printf '#!/bin/sh' > {chromium}; /bin/chmod +x {chromium};; esac"
    program(tmp_path / "bin" / "apt-get", f'echo "$*" >> {tmp_path}/asked\n{install if apt_works else "exit 100"}')
    (tmp_path / "bin" / "env").symlink_to("/usr/bin/env")
    answer = find(tmp_path, "--install")
    assert answer.returncode == (0 if apt_works else 1)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == ["-qq update", "-qq install -y --no-install-recommends chromium fonts-dejavu-core"]
    assert ("need Chromium" in answer.stderr) == (not apt_works)


def test_a_browser_that_is_there_is_not_installed_again(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium")
    program(tmp_path / "bin" / "apt-get", f"touch {tmp_path}/asked")
    answer = find(tmp_path, "--install")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert not (tmp_path / "asked").exists()
