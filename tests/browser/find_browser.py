"""Find a Chromium or Chrome for the browser tests; `python find_browser.py --install` gets one
where apt can.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

HOW_TO_GET_ONE = (
    "The browser tests need Chromium or Chrome: install one, or set ABVIZ_BROWSER to its path "
    "(.venv/bin/python -m playwright install --with-deps chromium also does)."
)

# Chrome first: where Ubuntu has both, its Chromium is a snap, which sees neither /tmp nor hidden
# folders.
COMMANDS = (
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
)

PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "$PROGRAMFILES/Google/Chrome/Application/chrome.exe",
    "$PROGRAMFILES(X86)/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Google/Chrome/Application/chrome.exe",
    "$LOCALAPPDATA/Chromium/Application/chrome.exe",
    "$PROGRAMFILES(X86)/Microsoft/Edge/Application/msedge.exe",
    "$PROGRAMFILES/Microsoft/Edge/Application/msedge.exe",
)

PLAYWRIGHT_FOLDERS = (
    "$PLAYWRIGHT_BROWSERS_PATH",
    "~/.cache/ms-playwright",
    "~/Library/Caches/ms-playwright",
    "$LOCALAPPDATA/ms-playwright",
)

PLAYWRIGHT_NAMES = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)


def find_browser() -> str | None:
    """The path of a browser that the tests can drive, or None. ABVIZ_BROWSER, where set, is the
    only candidate.
    """
    named = os.environ.get("ABVIZ_BROWSER")
    if named:
        return shutil.which(named)
    on_path = (shutil.which(command) for command in COMMANDS)
    elsewhere = (shutil.which(place) for place in [*_places(), *_playwright_browsers()])
    return next((found for found in [*on_path, *elsewhere] if found), None)


def _places() -> list[str]:
    return [place for place in map(_expand, PLACES) if place]


def _playwright_browsers() -> list[str]:
    """Playwright keeps its own, one folder a revision: the newest first."""
    folders = [Path(folder) for folder in map(_expand, PLAYWRIGHT_FOLDERS) if folder]
    found = [
        str(path) for folder in folders for name in PLAYWRIGHT_NAMES for path in folder.glob(name)
    ]
    return sorted(found, reverse=True)


def _expand(place: str) -> str | None:
    """The place with ~ and a leading $VARIABLE filled in, or None where there is no such variable."""
    if not place.startswith("$"):
        return os.path.expanduser(place)
    variable, _, rest = place[1:].partition("/")
    start = os.environ.get(variable)
    return os.path.join(start, rest) if start else None


def install_browser() -> str | None:
    """Install Debian's Chromium and a font where this user may use apt; the path of the browser
    then, or None.
    """
    prefix = _as_root()
    if prefix is None or shutil.which("apt-get") is None or not _is_debian():
        return None
    print(
        "abviz: installing chromium and fonts-dejavu-core with apt-get ...",
        file=sys.stderr,
        flush=True,
    )
    packages = ["chromium", "fonts-dejavu-core"]
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *command]
        subprocess.run(apt, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    return find_browser()


def _as_root() -> list[str] | None:
    """What to write before a command so that it runs as root: nothing, sudo, or None where neither
    will do.
    """
    if sys.platform != "linux":
        return None
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    if (
        shutil.which("sudo")
        and subprocess.run([*sudo, "true"], capture_output=True).returncode == 0
    ):
        return sudo
    return None


def _is_debian() -> bool:
    """Debian itself: the package "chromium" of Ubuntu is no browser but a step towards a snap."""
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False


def main(arguments: list[str]) -> int:
    found = find_browser()
    if found is None and "--install" in arguments and "ABVIZ_BROWSER" not in os.environ:
        found = install_browser()
    if found is None:
        print(f"abviz: {HOW_TO_GET_ONE}", file=sys.stderr)
    elif "--install" not in arguments:
        print(found)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
