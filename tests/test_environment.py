"""The lists of packages agree with each other."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from rattler import MatchSpec, Version, VersionSpec

HOUSE = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
ENVIRONMENT = yaml.safe_load((HOUSE / "environment.yml").read_text(encoding="utf-8"))
NEEDED = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
EXTRAS = [Requirement(line) for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines]
BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
ALL = [each for each in (*NEEDED, *EXTRAS, *BUILD, Requirement("editables")) if each.name != "abviz"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
SYSTEMS = [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64"), ("win32", "AMD64")]
ONLY_IN_CONDA = {"graphviz", "pip", "python"}  # Graphviz itself, and pip to install abviz


def applies(requirement: Requirement, platform: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(platform)


def pins(platform: dict[str, str]) -> dict[str, str]:
    """Return the one version that constraints.txt allows of each package on a platform; {} stands for this one."""
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
    here = {"sys_platform": system, "platform_machine": machine, "os_name": "nt" if system == "win32" else "posix"}
    for python in PYTHONS:
        pinned = pins(here | {"python_version": python})
        for requirement in ALL:
            if applies(requirement, here | {"python_version": python}):
                version = pinned[canonicalize_name(requirement.name)]
                assert requirement.specifier.contains(version), f"{requirement}, but {version} is pinned"


def test_what_the_packages_need_is_pinned_too() -> None:
    """As far as it is installed here."""
    waiting = [(each.name, frozenset(each.extras)) for each in ALL if applies(each, {})]
    seen = set[tuple[str, frozenset[str]]]()
    while waiting:
        name, extras = package = waiting.pop()
        if package not in seen:
            seen.add(package)
            for each in map(Requirement, metadata.requires(name) or []):
                if any(applies(each, {"extra": extra}) for extra in ("", *extras)):
                    waiting.append((each.name, frozenset(each.extras)))
    names = {canonicalize_name(name) for name, _ in seen}
    assert len(names) > 100 and names <= set(pins({}))


def test_conda_gets_the_same_packages_in_the_same_versions() -> None:
    specs = {str(spec.name.normalized): spec for spec in map(MatchSpec, ENVIRONMENT["dependencies"])}
    needed = {"python-graphviz" if each.name == "graphviz" else each.name: each for each in NEEDED}
    assert set(specs) == set(needed) | ONLY_IN_CONDA
    for name, requirement in needed.items():
        assert set(str(specs[name].version).split(",")) == set(str(requirement.specifier).split(","))
        pinned = Version(pins({})[canonicalize_name(requirement.name)])
        assert VersionSpec(str(specs[name].version)).matches(pinned)
    assert ENVIRONMENT["name"] == "abviz" and ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]


def test_conda_gets_a_python_that_fits() -> None:
    """Named to the minor version: repo2docker reads no range, and would start from its own default."""
    (minor,) = re.findall(r"python =(3\.\d+)$", "\n".join(ENVIRONMENT["dependencies"]), re.MULTILINE)
    assert minor in PYTHONS and SpecifierSet(PROJECT["project"]["requires-python"]).contains(minor)


@pytest.mark.parametrize(("repository", "package"), [("ruff-pre-commit", "ruff"), ("nbstripout", "nbstripout")])
def test_a_commit_is_held_to_the_pinned_versions(repository: str, package: str) -> None:
    config = yaml.safe_load((HOUSE / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (version,) = [repo["rev"] for repo in config["repos"] if repo["repo"].endswith(f"/{repository}")]
    assert version.removeprefix("v") == pins({})[package]
