"""Rule ids are locked: whoever stored a resolution can look up its rules in every later release."""

from tests.house.rule_ids import locked, present


def test_no_locked_rule_id_has_gone() -> None:
    gone = {slug: sorted(set(ids) - set(present().get(slug, ()))) for slug, ids in locked().items()}
    assert {slug: ids for slug, ids in gone.items() if ids} == {}


def test_every_rule_id_is_locked() -> None:
    """Run `python -m tests.house.rule_ids` when rules were added."""
    new = {slug: sorted(set(ids) - set(locked().get(slug, ()))) for slug, ids in present().items()}
    assert {slug: ids for slug, ids in new.items() if ids} == {}


def test_every_system_is_locked() -> None:
    assert set(present()) == set(locked())
