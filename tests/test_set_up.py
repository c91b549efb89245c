"""The set-up of .venv, with stand-ins for Python and apt that write down what they are asked: when it does what."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
TOOLS = ["cat", "cksum", "dirname", "id", "mkdir", "rm", "sh", "touch"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="without make, pip alone sets abviz up")

# Stands for the system's Python and, with the same words, for that of .venv. Files in $FAKES say what does not work.
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
    """A copy of what set-up reads, and a machine with nothing but the tools and a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.fakes = folder / "checkout", folder / "fakes"
        self.fakes.mkdir()
        (self.folder / "tools").mkdir(parents=True)
        for name in ["pyproject.toml", "constraints.txt", "tools/set-up.sh"]:
            shutil.copy(HOUSE / name, self.folder / name)
        for tool in [*TOOLS, "chmod"]:
            (self.fakes / tool).symlink_to(shutil.which(tool) or pytest.fail(f"no {tool} here"))
        self.program("python3", PYTHON)

    def program(self, name: str, text: str) -> None:
        (self.fakes / name).write_text(text)
        (self.fakes / name).chmod(0o755)

    def without(self, what: str) -> None:
        (self.fakes / f"no-{what}").touch()

    def set_up(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        (self.fakes / "asked").write_text("")
        return subprocess.run(
            ["sh", str(self.folder / "tools" / "set-up.sh"), *arguments],
            env={"PATH": str(self.fakes), "FAKES": str(self.fakes)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def asked(self) -> str:
        return (self.fakes / "asked").read_text()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_run_installs_with_the_pinned_versions(checkout: Checkout) -> None:
    assert checkout.set_up().returncode == 0
    installs = [line for line in checkout.asked().splitlines() if " install " in line]
    assert len(installs) == 2
    assert all("--constraint constraints.txt" in line for line in installs)
    assert installs[0].endswith("hatchling editables")
    assert installs[1].endswith("--no-build-isolation --editable .")


def test_the_second_run_asks_nothing(checkout: Checkout) -> None:
    checkout.set_up()
    again = checkout.set_up()
    assert (again.returncode, again.stdout, again.stderr, checkout.asked()) == (0, "", "", "")


def test_what_the_tests_need_comes_with_them_and_is_enough_for_the_course(checkout: Checkout) -> None:
    checkout.set_up()
    assert checkout.set_up("test").returncode == 0
    assert checkout.asked().rstrip().endswith("--editable .[test]")
    for arguments in [["test"], []]:
        checkout.set_up(*arguments)
        assert checkout.asked() == ""


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_list_of_packages_is_installed(checkout: Checkout, name: str) -> None:
    checkout.set_up()
    with (checkout.folder / name).open("a") as file:
        file.write("# changed\n")
    assert checkout.set_up().returncode == 0
    assert "-m venv" not in checkout.asked()
    assert " install " in checkout.asked()


def test_an_unfinished_installation_is_taken_up_again(checkout: Checkout) -> None:
    checkout.without("network")
    failed = checkout.set_up()
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == "abviz: the installation did not finish; pip says why above."
    (checkout.fakes / "no-network").unlink()
    assert checkout.set_up().returncode == 0
    assert " install " in checkout.asked()


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout) -> None:
    checkout.set_up()
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("a new place"))
    assert checkout.set_up().returncode == 0
    assert "-m venv" in checkout.asked()
    checkout.set_up()
    assert checkout.asked() == ""


def test_a_python_without_ensurepip_borrows_a_pip_and_leaves_the_system_alone(checkout: Checkout) -> None:
    checkout.without("ensurepip")
    checkout.program("apt-get", 'echo "apt-get $*" >> "$FAKES/asked"\n')
    assert checkout.set_up().returncode == 0
    assert "-m venv --clear --without-pip .venv" in checkout.asked()
    assert "apt-get" not in checkout.asked()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root may use apt")
def test_root_on_debian_gets_ensurepip_from_apt(checkout: Checkout) -> None:
    checkout.without("ensurepip")
    checkout.without("pip")
    checkout.program(
        "apt-get",
        '#!/bin/sh\necho "apt-get $*" >> "$FAKES/asked"\ncase "$*" in *install*) rm "$FAKES/no-ensurepip";; esac\n',
    )
    assert checkout.set_up().returncode == 0
    assert "apt-get install -qq -y --no-install-recommends python3.11-venv" in checkout.asked()


def test_where_no_environment_can_be_made_one_line_says_what_to_install(checkout: Checkout) -> None:
    checkout.without("ensurepip")
    checkout.without("pip")
    failed = checkout.set_up()
    assert failed.returncode == 1
    (line,) = failed.stderr.splitlines()
    assert line.startswith("abviz: ") and "sudo apt install python3.11-venv" in line
    assert not (checkout.folder / ".venv").exists()


@pytest.mark.parametrize("python", [None, "#!/bin/sh\nexit 1\n"], ids=["none", "too old"])
def test_without_a_python_that_is_new_enough_one_line_says_so(checkout: Checkout, python: str | None) -> None:
    if python is None:
        (checkout.fakes / "python3").unlink()
    else:
        checkout.program("python3", python)
    failed = checkout.set_up()
    assert failed.returncode == 1
    (line,) = failed.stderr.splitlines()
    assert line.startswith("abviz: Python 3.11 or newer is needed")
