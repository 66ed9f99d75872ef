"""Damage that comes from no attack, and the roll to stay conscious.

Order of dice: none for damage; to stay conscious those of the pool (see `rolls`).
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.chronicles.damage import DAMAGE, DamageRequest, DamageSource, IncomingDamage
from rules.chronicles.encounter_costs import mark_health, spend_willpower, willpower_missing
from rules.chronicles.encounter_state import Fighter, fighter, options_of, own_fighter
from rules.chronicles.health import Condition
from rules.chronicles.pools import WILLPOWER_DICE, DicePool
from rules.chronicles.roll import ROLL, RollRequest
from rules.chronicles.turn import STAY_CONSCIOUS, WILLPOWER_ONE_PER_TURN, WILLPOWER_POINTS
from rules.core.encounter import CombatantId, Command, NotAllowed, Play


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageCommand:
    """Points of damage that come from no attack: a fall, fire, another minute of dying."""

    target: CombatantId
    """Who takes them."""
    damage: IncomingDamage
    """The points before armor."""
    kind: DamageSource = DamageSource.OTHER
    """What does the damage; only a `firearm` meets ballistic armor."""
    armor_piercing: Annotated[int, Ge(0), Le(10)] = 0
    """Points of armor that do not count."""
    ignore_armor: bool = False
    """Whether armor does not stop it at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayConsciousCommand:
    """The roll to stay conscious, once a turn while the last box is marked with bashing damage."""

    actor: CombatantId
    """Who is fading."""
    willpower: bool = False
    """Whether a point of Willpower is spent on it: 3 more dice."""


def damage(play: Play, body: DamageCommand) -> None:
    """The points, through the target's armor or past it, onto the track."""
    target = fighter(play, body.target)
    request = DamageRequest(
        damage=body.damage,
        kind=body.kind,
        armor_piercing=body.armor_piercing,
        target=target.as_target(armored=not body.ignore_armor),
        options=options_of(play),
    )
    mark_health(play, target, play.ask(DAMAGE, request).target)


def stay_conscious(play: Play, body: StayConsciousCommand) -> None:
    """Stamina, without wound penalty; no success is unconsciousness."""
    actor, options = own_fighter(play, body.actor), options_of(play)
    pool = DicePool(total=_stamina_to_roll(actor), willpower=body.willpower)
    forbidden = willpower_missing(actor, options) if body.willpower else []
    rolled = play.ask(ROLL, RollRequest(pool=pool, options=options), forbidden)
    play.set(actor.id, "rolled_stamina", True, STAY_CONSCIOUS)
    if body.willpower:
        spend_willpower(play, actor, WILLPOWER_DICE)
    if not rolled.successes:
        play.trail.decision(STAY_CONSCIOUS)
        play.set(actor.id, "unconscious", True, STAY_CONSCIOUS)


def _stamina_to_roll(actor: Fighter) -> int:
    """The roll is for who is fading and still awake, once a turn."""
    if actor.state.unconscious:
        raise NotAllowed([], "unconscious_already", combatant=actor.id)
    if actor.condition is not Condition.FADING:
        raise NotAllowed([], "not_fading", combatant=actor.id)
    if actor.turn.rolled_stamina:
        raise NotAllowed([], "stamina_rolled", combatant=actor.id)
    stamina = actor.sheet.rolled_stamina
    if stamina is None:
        raise NotAllowed([], "stamina_unknown", combatant=actor.id)
    return stamina


DAMAGE_COMMAND = Command(
    slug="damage",
    body=DamageCommand,
    play=damage,
    action=DAMAGE,
    gm_only=True,
    example={"target": "ogre", "damage": {"lethal": 1}, "ignore_armor": True},
)
STAY_CONSCIOUS_COMMAND = Command(
    slug="stay-conscious",
    body=StayConsciousCommand,
    play=stay_conscious,
    action=ROLL,
    example={"actor": "mira", "willpower": True},
    rules=(STAY_CONSCIOUS, WILLPOWER_POINTS, WILLPOWER_ONE_PER_TURN),
)
