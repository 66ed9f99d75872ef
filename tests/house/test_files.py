"""The house stays small and speaks of itself alone."""

import pytest

from tests.house.files import all_files, lines_of, python_files

LONGEST = 400

ELSEWHERE = [
    "".join(parts)
    for parts in (
        ("/wo", "rk/"),
        ("../sha", "red"),
        ("file:", "///opt"),
        ("registry.", "npmjs.org"),
        ("registry.", "yarnpkg.com"),
        ("pypi.org/", "simple"),
        ("files.", "pythonhosted.org"),
        ("index.", "crates.io"),
        ("proxy.", "golang.org"),
    )
]
"""Paths of one machine and hosts of registries, in two parts so that this list does not find itself."""


def test_there_are_files() -> None:
    assert len(python_files("rules", "service", "tests")) > 50
    assert {"rules", "service", "tests", "openapi", "clients"} <= {path.parts[0] for path in all_files()}


def test_no_python_file_is_longer_than_it_can_be_read() -> None:
    long = {str(path): lines for path in python_files() if (lines := len(lines_of(path))) > LONGEST}
    assert long == {}


@pytest.mark.parametrize("words", ELSEWHERE)
def test_no_line_points_to_one_machine_or_to_a_registry(words: str) -> None:
    found = [f"{path}:{n}" for path in all_files() for n, line in enumerate(lines_of(path), 1) if words in line]
    assert found == []


def test_every_module_says_what_it_is() -> None:
    """A docstring, except where a package only holds others."""
    silent = [
        str(path)
        for path in python_files("rules", "service")
        if (lines := lines_of(path)) and not lines[0].startswith('"""')
    ]
    assert silent == []
