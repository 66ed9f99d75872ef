"""What does a kind have at a level?

No dice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.action_points.exact import divided
from rules.action_points.options import Options, SelfHealing
from rules.action_points.plan_items import CHANGE_SHAPE_KINDS
from rules.action_points.sheet import LOW_HP_STUNS
from rules.action_points.sources import ON_LEVELS
from rules.action_points.tables import FIXED_AP, GROUPS, LEVELS, SHAPE_CHANGERS, CreatureKind, Group, ItemType
from rules.core.action import Action
from rules.core.odds import OddsOver
from rules.core.rule import Kind, Rule, rule
from rules.core.trail import Number, Trail

GROUP_RULES: Mapping[Group, Rule] = {
    group: rule(f"action_points.character.{group}", ON_LEVELS, Kind.DECISION) for group in Group
}
CIRCLE_OF_POWER = rule("action_points.character.circle_of_power", ON_LEVELS, Kind.BASE)
HIT_POINTS = rule("action_points.character.hit_points", ON_LEVELS, Kind.BASE)
ACTION_POINTS = rule("action_points.character.action_points", ON_LEVELS, Kind.BASE)
REGENERATION = rule("action_points.character.regeneration", ON_LEVELS, Kind.BASE)
SELF_HEALING = rule("action_points.character.self_healing", ON_LEVELS, Kind.DECISION)
RESULT = rule("action_points.character.result", ON_LEVELS, Kind.RESULT)


class CharacterResult(StrEnum):
    """The question always has an answer."""

    OK = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRequest:
    """A kind and a level."""

    kind: CreatureKind
    """What the character is."""
    level: Annotated[int, Ge(1), Le(5)]
    """The level, which is the circle of power as well."""
    options: Options = Options()
    """House rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterOutcome:
    """What the character has."""

    result: CharacterResult
    """Always `ok`."""
    kind: CreatureKind
    """The kind that was asked for."""
    group: Group
    """The table of levels that the kind shares."""
    level: int
    """The level that was asked for."""
    circle_of_power: int
    """What the force of spells, powers and abilities depends on: the level."""
    hp_max: int
    """Maximum HP."""
    ap_max: int
    """Maximum AP of a turn."""
    regeneration: int
    """HP regained each round."""
    stun_below_hp: Number
    """A tenth of the maximum HP: strictly below it the character is stunned."""
    can_change_shape: bool
    """Lycans and polymorphs can, lucifuges cannot."""
    change_shape_ap: int | None
    """What changing shape costs; null if the character cannot."""
    self_healing: bool
    """Whether the character can heal itself; the source gives no amount and no price."""


def resolve(request: CharacterRequest, trail: Trail) -> CharacterOutcome:
    """The table, line by line."""
    kind, level, group = request.kind, request.level, GROUPS[request.kind]
    given = LEVELS[group][level - 1]
    stun_below = divided(given.hp, 10)
    changes_shape = kind in SHAPE_CHANGERS
    heals = group is Group.POLYMORPHS or request.options.self_healing is SelfHealing.ALL_KINDS
    trail.decision(GROUP_RULES[group], level, kind=kind)
    trail.base(CIRCLE_OF_POWER, level)
    trail.base(HIT_POINTS, given.hp)
    trail.base(ACTION_POINTS, given.ap)
    trail.base(REGENERATION, given.regeneration)
    trail.limit(LOW_HP_STUNS, stun_below, total=stun_below)
    trail.decision(CHANGE_SHAPE_KINDS, int(changes_shape), kind=kind)
    trail.decision(SELF_HEALING, int(heals))
    trail.result(RESULT, level, kind=kind)
    return CharacterOutcome(
        result=CharacterResult.OK,
        kind=kind,
        group=group,
        level=level,
        circle_of_power=level,
        hp_max=given.hp,
        ap_max=given.ap,
        regeneration=given.regeneration,
        stun_below_hp=stun_below,
        can_change_shape=changes_shape,
        change_shape_ap=FIXED_AP[ItemType.CHANGE_SHAPE] if changes_shape else None,
        self_healing=heals,
    )


CHARACTER = Action(
    slug="character",
    request=CharacterRequest,
    outcome=CharacterOutcome,
    resolve=resolve,
    rules=(
        *GROUP_RULES.values(),
        CIRCLE_OF_POWER,
        HIT_POINTS,
        ACTION_POINTS,
        REGENERATION,
        LOW_HP_STUNS,
        CHANGE_SHAPE_KINDS,
        SELF_HEALING,
        RESULT,
    ),
    odds_over=OddsOver(("result",), lambda outcome: (outcome.result,)),
    example={"kind": "lycan", "level": 3, "seed": "table-7"},
    max_dice=100,
    max_sides=20,
)
