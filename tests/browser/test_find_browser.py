"""The search for the browser of the browser tests: on the machine, by ABVIZ_BROWSER, or from apt."""

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
    """Run the script on a machine that has nothing but home/bin."""
    (home / "bin").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={"HOME": str(home), "PATH": str(home / "bin"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


PLAYWRIGHT = ".cache/ms-playwright/chromium-1200/chrome-linux64/chrome"


@pytest.mark.skipif(sys.platform == "darwin", reason="Chrome is found in /Applications, wherever PATH points")
@pytest.mark.parametrize("place", ["bin/google-chrome", "bin/chromium", "bin/chromium-browser", PLAYWRIGHT])
def test_a_browser_is_found_where_it_is_and_the_named_one_first(tmp_path: Path, place: str) -> None:
    assert find(tmp_path).stderr == f"abviz: {HOW_TO_GET_ONE}\n"
    browser = program(tmp_path / place)
    program(tmp_path / "bin" / "apt-get", f"touch {tmp_path}/asked")
    answer = find(tmp_path)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, f"{browser}\n", "")
    named = program(tmp_path / "elsewhere" / "my-browser")
    assert find(tmp_path, ABVIZ_BROWSER=str(named)).stdout == f"{named}\n"
    assert (find(tmp_path, "--install").stdout, (tmp_path / "asked").exists()) == ("", False)
    answer = find(tmp_path, "--install", ABVIZ_BROWSER="/nowhere/browser")  # is not replaced by another
    assert (answer.returncode, answer.stdout, answer.stderr) == (1, "", f"abviz: {HOW_TO_GET_ONE}\n")


def is_root_on_debian() -> bool:
    release = Path("/etc/os-release")
    return sys.platform == "linux" and os.geteuid() == 0 and "\nID=debian\n" in f"\n{release.read_text()}\n"


@pytest.mark.skipif(not is_root_on_debian(), reason="only root on Debian may ask apt without a password")
@pytest.mark.parametrize("apt_works", [True, False])
def test_on_debian_apt_installs_one(tmp_path: Path, apt_works: bool) -> None:
    """A stand-in for apt-get records its arguments, and installs a browser or fails."""
    chromium = tmp_path / "bin" / "chromium"
    install = f"case $* in *install*chromium*) printf '#!/bin/sh' > {chromium}; /bin/chmod +x {chromium};; esac"
    program(tmp_path / "bin" / "apt-get", f'echo "$*" >> {tmp_path}/asked\n{install if apt_works else "exit 100"}')
    (tmp_path / "bin" / "env").symlink_to("/usr/bin/env")
    answer = find(tmp_path, "--install")
    assert answer.returncode == (0 if apt_works else 1)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == ["-qq update", "-qq install -y --no-install-recommends chromium fonts-dejavu-core"]
    assert ("need Chromium" in answer.stderr) == (not apt_works)
