"""Steps of a fight itself, which are kept with the facts for their texts."""

from rules.chronicles.damage_points import DamagePoints
from rules.chronicles.dodge_roll import ZERO_DEFENSE
from rules.chronicles.health import Health, Marking
from rules.chronicles.options import DodgeAtZeroDefense
from rules.chronicles.rolls import POOL
from rules.core.audit import AuditTrail
from rules.core.dice import SuppliedDice
from service.encounters.ledger import fight_step
from service.encounters.views import step_told
from service.texts import texts_in


def told(trail: AuditTrail) -> list[str]:
    return [step_told(fight_step(step), texts_in("en"))["text"] for step in trail.steps]


def test_a_text_chooses_by_a_named_value() -> None:
    trail = AuditTrail(SuppliedDice([]))
    trail.decision(ZERO_DEFENSE, option=DodgeAtZeroDefense.CHANCE_DIE_ONLY)
    assert told(trail) == ["Defense 0 leaves a chance die, whatever bonuses there are"]


def test_a_text_shows_the_term_for_a_named_value() -> None:
    trail = AuditTrail(SuppliedDice([]))
    Marking(Health(boxes=7)).take(DamagePoints(lethal=2), trail)
    assert told(trail) == ["2 empty boxes of 7 marked: lethal"]


def test_a_text_shows_the_faces() -> None:
    trail = AuditTrail(SuppliedDice([8, 3]))
    trail.faces(POOL, 2, 10, success=8, dodge=False)
    assert "8, 3" in told(trail)[0]
