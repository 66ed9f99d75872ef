"""SECURITY tells of tests that there are, and of all the attacks."""

import re

from tests.house.files import ROOT

SECURITY = (ROOT / "SECURITY.md").read_text("utf-8")


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", SECURITY))
    assert len(named) > 15
    assert sorted(name for name in named if not (ROOT / name).is_file()) == []


def test_every_attack_is_named() -> None:
    attacks = {f"tests/attack/{path.name}" for path in (ROOT / "tests" / "attack").glob("test_*.py")}
    assert sorted(attack for attack in attacks if attack not in SECURITY) == []


def test_every_row_of_its_tables_names_a_test() -> None:
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    heads = [row for row in rows if row.endswith("| test |")]
    assert len(heads) == 2
    assert [row for row in rows if row not in heads and "`tests/" not in row.rsplit("|", 2)[1]] == []


def test_it_is_found_from_where_people_begin() -> None:
    for document in ("README.md", "ARCHITECTURE.md"):
        assert "(SECURITY.md)" in (ROOT / document).read_text("utf-8"), document
