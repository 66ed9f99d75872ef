"""Success rolls and defense scores in a fight: nothing changes.

Order of dice: as in the stateless actions.
"""

from dataclasses import dataclass

from rules.core.encounter import CombatantId, Command, NotAllowed, Play
from rules.core.faults import Malformed, needed_with, only_with
from rules.gurps.defense_scores import DEFENSE_SCORES, DefenseScoresRequest
from rules.gurps.encounter_attack import RollTerms
from rules.gurps.encounter_fighter import Fighter, demand_nothing_pending, options_of, own_fighter
from rules.gurps.encounter_weapon import WeaponId
from rules.gurps.sheet import SkillLevel
from rules.gurps.success_roll import SUCCESS_ROLL, Purpose, SuccessRollRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessTerms(RollTerms):
    """What is rolled against, where the sheet does not tell it, and what modifies it."""

    skill: SkillLevel | None = None
    """The score before modifiers; needed with `purpose: other`, and only with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRollCommand:
    """3d against a score of the sheet, less shock."""

    actor: CombatantId
    """Who rolls."""
    purpose: Purpose = Purpose.OTHER
    """Which score of the sheet: `dx`, `hearing`, `acrobatics`, `blind_fighting`; `weapon_skill`: that of `weapon`;
    `detection`: Hearing; `other`: none, but `roll.skill`."""
    weapon: WeaponId | None = None
    """The weapon of the sheet; needed with `purpose: weapon_skill`, and only with it."""
    roll: SuccessTerms = SuccessTerms()
    """What modifies the roll."""

    def __post_init__(self) -> None:
        skilled = self.purpose is Purpose.WEAPON_SKILL
        needed_with("purpose: weapon_skill", skilled, weapon=self.weapon)
        only_with("purpose: weapon_skill", skilled, weapon=self.weapon)
        other = self.purpose is Purpose.OTHER
        if other is not (self.roll.skill is not None):
            code = "needed_with" if other else "only_with"
            raise Malformed(code, "roll/skill", field="roll.skill", condition="purpose: other")


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseScoresCommand:
    """Dodge, Block and every Parry of a combatant's sheet."""

    actor: CombatantId
    """Whose scores they are."""


def success_roll(play: Play, body: SuccessRollCommand) -> None:
    """A roll against a score of the sheet."""
    actor = own_fighter(play, body.actor)
    demand_nothing_pending(play)
    check = actor.check(_score(actor, body), body.roll.modifiers, body.roll.cap)
    play.ask(SUCCESS_ROLL, SuccessRollRequest(roll=check, purpose=body.purpose, options=options_of(play)))


def _score(actor: Fighter, body: SuccessRollCommand) -> int:
    """The score that the purpose picks."""
    if body.weapon is not None:
        return actor.weapon(body.weapon).skill
    sheet = actor.sheet
    scores = {
        Purpose.OTHER: body.roll.skill,
        Purpose.DX: sheet.dx,
        Purpose.HEARING: sheet.hearing,
        Purpose.DETECTION: sheet.hearing,
        Purpose.ACROBATICS: sheet.acrobatics,
        Purpose.BLIND_FIGHTING: sheet.blind_fighting,
    }
    score = scores[body.purpose]
    if score is None:
        raise NotAllowed([], "score_unknown", combatant=actor.id, purpose=body.purpose)
    return score


def defense_scores(play: Play, body: DefenseScoresCommand) -> None:
    """The scores of the sheet, those of weapons in their order."""
    actor = own_fighter(play, body.actor)
    demand_nothing_pending(play)
    tools = tuple(actor.tool(weapon) for weapon in actor.sheet.weapons)
    play.ask(DEFENSE_SCORES, DefenseScoresRequest(defender=actor.defender(), tools=tools, options=options_of(play)))


SUCCESS_ROLL_COMMAND = Command(
    slug="success-roll",
    body=SuccessRollCommand,
    play=success_roll,
    action=SUCCESS_ROLL,
    example={"actor": "mira", "purpose": "hearing", "roll": {"modifiers": [{"name": "noise", "value": -2}]}},
)
DEFENSE_SCORES_COMMAND = Command(
    slug="defense-scores",
    body=DefenseScoresCommand,
    play=defense_scores,
    action=DEFENSE_SCORES,
    example={"actor": "mira"},
)
