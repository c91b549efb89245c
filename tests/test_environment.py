"""The lists of packages agree with each other."""

import os
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
EXTRAS = {
    extra: [Requirement(line) for line in lines] for extra, lines in PROJECT["project"]["optional-dependencies"].items()
}
FOR_CLUSTERS = EXTRAS["cluster"]
FOR_TESTS = [*FOR_CLUSTERS, *(requirement for requirement in EXTRAS["test"] if requirement.name != "abviz")]
TO_BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]

PLATFORMS = [
    {"sys_platform": system, "platform_machine": machine, "python_version": python, "os_name": name}
    for system, machine, name in [
        ("linux", "x86_64", "posix"),
        ("linux", "aarch64", "posix"),
        ("darwin", "arm64", "posix"),
        ("darwin", "x86_64", "posix"),
        ("win32", "AMD64", "nt"),
    ]
    for python in ["3.11", "3.12", "3.13", "3.14"]
]

# Where conda-forge calls a package by another name than the Python Package Index does.
CONDA_NAMES = {"graphviz": "python-graphviz"}

# What the course needs from conda-forge beside its own dependencies: Graphviz itself, and pip to install abviz.
ONLY_IN_CONDA = {"graphviz", "pip", "python"}


def is_for(platform: dict[str, str] | None, requirement: Requirement) -> bool:
    """Whether it is asked for on a platform (None: on this one)."""
    return requirement.marker is None or requirement.marker.evaluate(platform)


def pins(platform: dict[str, str]) -> dict[str, str]:
    """The one version that constraints.txt allows of each package on a platform."""
    found: dict[str, str] = {}
    for line in (HOUSE / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(platform):
            (specifier,) = requirement.specifier
            name = canonicalize_name(requirement.name)
            assert specifier.operator == "==" and name not in found, line
            found[name] = specifier.version
    return found


def conda_specs() -> dict[str, MatchSpec]:
    """What environment.yml asks for, by conda's own reader."""
    specs = [MatchSpec(line) for line in ENVIRONMENT["dependencies"]]
    return {str(spec.name.normalized): spec for spec in specs}


def test_every_package_is_pinned_within_its_range() -> None:
    for platform in PLATFORMS:
        pinned = pins(platform)
        for requirement in [*NEEDED, *FOR_TESTS, *TO_BUILD]:
            if is_for(platform, requirement):
                version = pinned[canonicalize_name(requirement.name)]
                assert requirement.specifier.contains(version), f"{requirement}, but {version} is pinned"


def all_that(requirements: list[Requirement]) -> set[str]:
    """The packages that these need, and what those need in turn, as far as they are installed here."""
    found: set[str] = set()
    here = [requirement for requirement in requirements if is_for(None, requirement)]
    waiting = [(canonicalize_name(requirement.name), frozenset(requirement.extras)) for requirement in here]
    seen = set()
    while waiting:
        name, extras = waiting.pop()
        found.add(name)
        seen.add((name, extras))
        for requirement in map(Requirement, metadata.requires(name) or []):
            marker = requirement.marker
            wanted = marker is None or any(marker.evaluate({"extra": extra}) for extra in ["", *extras])
            further = (canonicalize_name(requirement.name), frozenset(requirement.extras))
            if wanted and further not in seen:
                waiting.append(further)
    return found


def test_nothing_comes_in_unpinned() -> None:
    needed = all_that([*NEEDED, *FOR_TESTS, *TO_BUILD, Requirement("editables")])
    assert len(needed) > 100  # the packages that ours need are among them
    assert needed <= set(pins({}))


def test_conda_gets_the_same_packages() -> None:
    expected = {CONDA_NAMES.get(requirement.name, requirement.name) for requirement in NEEDED}
    assert set(conda_specs()) == expected | ONLY_IN_CONDA


def test_conda_gets_the_same_versions() -> None:
    for requirement in NEEDED:
        spec = conda_specs()[CONDA_NAMES.get(requirement.name, requirement.name)]
        assert set(str(spec.version).split(",")) == set(str(requirement.specifier).split(","))
        version = pins(PLATFORMS[0])[canonicalize_name(requirement.name)]
        assert VersionSpec(str(spec.version)).matches(Version(version))


def test_conda_gets_a_python_that_fits() -> None:
    """Named to the minor version: repo2docker reads no range, and would start from its own default."""
    (line,) = [line for line in ENVIRONMENT["dependencies"] if line.startswith("python ")]
    (minor,) = re.fullmatch(r"python =(3\.\d+)", line).groups()
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(minor)
    assert minor in {platform["python_version"] for platform in PLATFORMS}


def test_conda_uses_conda_forge_alone() -> None:
    assert ENVIRONMENT["name"] == "abviz"
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]


def test_binder_installs_abviz_itself() -> None:
    script = HOUSE / "postBuild"
    assert os.name == "nt" or os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    assert "pip install --no-deps" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize(("repository", "package"), [("ruff-pre-commit", "ruff"), ("nbstripout", "nbstripout")])
def test_a_commit_is_held_to_the_pinned_versions(repository: str, package: str) -> None:
    config = yaml.safe_load((HOUSE / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (version,) = [repo["rev"] for repo in config["repos"] if repo["repo"].endswith(f"/{repository}")]
    assert version.removeprefix("v") == pins({})[package]
