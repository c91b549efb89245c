"""The set-up of .venv, with stand-ins for Python and apt that write down what they are asked: when
it does what.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
TOOLS = ["cat", "chmod", "cksum", "dirname", "id", "mkdir", "rm", "sh", "touch"]

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="without make, pip alone sets abviz up"
)

# Stands for the system's Python and, with the same words, for that of .venv. Files in $FAKES say
# what does not work.
PYTHON = r"""#!/bin/sh
echo "$0 $*" >> "$FAKES/asked"
case "$*" in
    *ensurepip*) [ ! -e "$FAKES/no-ensurepip" ] ;;
    *sys.version_info\[*) echo python3.11-venv ;;
    *"-m virtualenv"*) false ;;
    *"-m pip --python"*) [ ! -e "$FAKES/no-pip" ] ;;
    *"-m venv"*)
        case "$*" in *--without-pip*) ;; *) [ ! -e "$FAKES/no-ensurepip" ] || exit 1 ;; esac
        rm -rf .venv; mkdir -p .venv/bin; cat "$0" > .venv/bin/python; chmod +x .venv/bin/python ;;
    *install*) [ ! -e "$FAKES/no-network" ] ;;
esac
"""


class Checkout:
    """A copy of what set-up reads, and a machine with nothing but the tools and a stand-in for
    Python.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.fakes = folder / "checkout", folder / "fakes"
        self.fakes.mkdir()
        (self.folder / "tools").mkdir(parents=True)
        for name in ["pyproject.toml", "constraints.txt", "tools/set-up.sh"]:
            shutil.copy(HOUSE / name, self.folder / name)
        for tool in TOOLS:
            (self.fakes / tool).symlink_to(shutil.which(tool) or pytest.fail(f"no {tool} here"))
        self.program("python3", PYTHON)

    def program(self, name: str, text: str) -> None:
        (self.fakes / name).write_text(text)
        (self.fakes / name).chmod(0o755)

    def without(self, *parts: str) -> None:
        for part in parts:
            (self.fakes / f"no-{part}").touch()

    def set_up(self, *arguments: str) -> str:
        """Return what set-up asks Python and apt for."""
        status, asked, _ = self.run(*arguments)
        assert status == 0
        return asked

    def refused(self) -> str:
        """Return the last line that a set-up that fails writes."""
        status, _, error = self.run()
        assert status == 1 and error.splitlines()[-1].startswith("abviz: ")
        return error.splitlines()[-1]

    def run(self, *arguments: str) -> tuple[int, str, str]:
        (self.fakes / "asked").write_text("")
        command = ["sh", str(self.folder / "tools" / "set-up.sh"), *arguments]
        environment = {"PATH": str(self.fakes), "FAKES": str(self.fakes)}
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return done.returncode, (self.fakes / "asked").read_text(), done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_run_installs_pinned_versions_and_the_next_ones_ask_nothing(
    checkout: Checkout,
) -> None:
    first, second = [line for line in checkout.set_up().splitlines() if " install " in line]
    assert "--constraint constraints.txt" in first and first.endswith("hatchling editables")
    assert "--constraint constraints.txt" in second and second.endswith(
        "--no-build-isolation --editable ."
    )
    assert checkout.run() == (0, "", "")
    assert checkout.set_up("test").rstrip().endswith("--editable .[test]")
    assert checkout.run("test") == checkout.run() == (0, "", "")  # enough for the course, too


def test_changed_lists_and_unfinished_installations_are_installed_again(checkout: Checkout) -> None:
    checkout.set_up()
    for name in ("pyproject.toml", "constraints.txt"):
        with (checkout.folder / name).open("a") as file:
            file.write("# changed\n")
        checkout.without("network")
        assert checkout.refused() == "abviz: the installation did not finish; pip says why above."
        (checkout.fakes / "no-network").unlink()
        asked = checkout.set_up()
        assert "-m venv" not in asked and " install " in asked


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout) -> None:
    checkout.set_up()
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("a new place"))
    assert "-m venv" in checkout.set_up() and checkout.set_up() == ""


def test_a_python_without_ensurepip_borrows_a_pip(checkout: Checkout) -> None:
    checkout.without("ensurepip")
    assert "-m venv --clear --without-pip .venv" in checkout.set_up()


def test_one_line_says_what_to_install(checkout: Checkout) -> None:
    checkout.without("ensurepip", "pip")
    assert "sudo apt install python3.11-venv" in checkout.refused()
    assert not (checkout.folder / ".venv").exists()
    checkout.program("python3", "#!/bin/sh\nexit 1\n")  # too old
    assert checkout.refused().startswith("abviz: Python 3.11 or newer is needed")
    (checkout.fakes / "python3").unlink()
    assert checkout.refused().startswith("abviz: Python 3.11 or newer is needed")
