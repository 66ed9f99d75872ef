"""The target of an attack: what it spends, how it defends itself, and the sheet that is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.action_points.attack_outcome import (
    AttackResult,
    DefenderAfter,
    DefenseStatus,
    DefenseTaken,
    KeptDefense,
)
from rules.action_points.defense_price import DefensePrice
from rules.action_points.defenses import Defense, DefenseType
from rules.action_points.exact import exact
from rules.action_points.fighter import EarlierDefenseType, Fighter
from rules.action_points.sheet import Sheet
from rules.action_points.sources import BEYOND, ON_COMBAT, ON_MOVEMENT
from rules.action_points.tables import DASH_METRES
from rules.action_points.whip import WhipStatus
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

DEFENSE_AP_SPENT = rule("action_points.defense.ap_spent", ON_COMBAT, Kind.EFFECT)
NOT_NEEDED = rule("action_points.defense.not_needed", BEYOND, Kind.DECISION)
DODGE_AVOIDS = rule("action_points.dodge.avoids", ON_COMBAT, Kind.EFFECT)
DASH_AVOIDS = rule("action_points.dash.avoids", ON_MOVEMENT, Kind.EFFECT)
PARRY_STOPS = rule("action_points.parry.stops", ON_COMBAT, Kind.EFFECT)
DISARM_DROPS = rule("action_points.disarm.drops_weapon", ON_COMBAT, Kind.EFFECT)
ABSORB_STOPS = rule("action_points.absorb.stops", ON_COMBAT, Kind.EFFECT)

SUCCESSES: Mapping[DefenseType, tuple[Rule, AttackResult, EarlierDefenseType]] = {
    DefenseType.DODGE: (DODGE_AVOIDS, AttackResult.DODGED, EarlierDefenseType.DODGE),
    DefenseType.DASH: (DASH_AVOIDS, AttackResult.DASHED, EarlierDefenseType.DASH),
    DefenseType.PARRY: (PARRY_STOPS, AttackResult.PARRIED, EarlierDefenseType.PARRY),
    DefenseType.DISARM: (DISARM_DROPS, AttackResult.DISARMED, EarlierDefenseType.DISARM),
    DefenseType.ABSORB_SPELL: (ABSORB_STOPS, AttackResult.ABSORBED, EarlierDefenseType.ABSORB_SPELL),
}
DEFENDING_RULES = (NOT_NEEDED, DEFENSE_AP_SPENT, *(stops for stops, _, _ in SUCCESSES.values()))


@dataclass(slots=True)
class Target:
    """The target's sheet and everything else that an attack may change about it."""

    sheet: Sheet
    hp_before: int
    earlier_defenses: list[KeptDefense]
    dash_used: bool
    disarm_used: bool
    spent: Number = 0
    moved: Number = 0
    damage: int = 0
    grab: WhipStatus = WhipStatus.NONE

    def pay(self, rule_of_payment: Rule, ap: Number, trail: Trail) -> None:
        """AP leave the target's budget, where it is known."""
        self.spent += ap
        if self.sheet.ap is not None:
            self.sheet.ap -= ap
        trail.effect(rule_of_payment, -ap, total=self.sheet.ap)

    def defend(self, defense: Defense, price: DefensePrice, trail: Trail) -> AttackResult:
        """A defense that is paid succeeds, and makes the next one dearer."""
        self.pay(DEFENSE_AP_SPENT, price.cost_ap, trail)
        succeeds, result, kept = SUCCESSES[defense.type]
        self.earlier_defenses.append(KeptDefense(type=kept, ap=price.cost_ap))
        facts: dict[str, Any] = {}
        if defense.type is DefenseType.DASH:
            self.dash_used = True
            self.moved = DASH_METRES[defense.goes]
            facts = {"direction": defense.goes, "metres": self.moved}
        if defense.type is DefenseType.DISARM:
            self.disarm_used = True
        trail.effect(succeeds, **facts)
        return result

    def after(self) -> DefenderAfter:
        """The sheet to keep."""
        return DefenderAfter(
            ap_spent=self.spent,
            ap_after=self.sheet.ap,
            hp_before=self.hp_before,
            hp_after=self.sheet.hp,
            hp_effective=self.sheet.effective_hp,
            stunned=self.sheet.stunned,
            dead=self.sheet.dead,
            moved_m=self.moved,
            dash_used=self.dash_used,
            disarm_used=self.disarm_used,
            earlier_defenses=tuple(self.earlier_defenses),
            conditions_after=tuple(self.sheet.conditions),
        )


def target_of(defender: Fighter) -> Target:
    """The target before the attack."""
    sheet = defender.sheet()
    return Target(
        sheet=sheet,
        hp_before=sheet.hp,
        earlier_defenses=[
            KeptDefense(type=each.type, ap=None if each.ap is None else exact(each.ap))
            for each in defender.earlier_defenses
        ],
        dash_used=defender.dash_made,
        disarm_used=defender.disarm_made,
    )


def defense_taken(defense: Defense, price: DefensePrice | None) -> DefenseTaken:
    """The answer with the price that was paid; None: it was not made."""
    if price is None:
        chosen = defense.type is not DefenseType.NONE
        return DefenseTaken(
            type=defense.type,
            status=DefenseStatus.NOT_NEEDED if chosen else DefenseStatus.NONE,
            ordinal=None,
            percent=None,
            base_ap=None,
            exact_ap=None,
            cost_ap=0,
        )
    return DefenseTaken(
        type=defense.type,
        status=DefenseStatus.MADE,
        ordinal=price.ordinal,
        percent=price.percent,
        base_ap=price.base_ap,
        exact_ap=price.exact_ap,
        cost_ap=price.cost_ap,
    )
