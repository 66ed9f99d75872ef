"""What damage, clinches and holds leave behind in a fight, and damage that comes from no attack.

Order of dice: as in the stateless action.
"""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from rules.core.encounter import CombatantId, Command, Play
from rules.core.faults import exactly_one, only_with
from rules.core.rule import Rule
from rules.storyteller.body import TRACK, HealthStatus, Wounds
from rules.storyteller.damage import DAMAGE, DamageRequest
from rules.storyteller.encounter_fighter import Fighter, fighter, options_of
from rules.storyteller.encounter_said import DamageModifiers
from rules.storyteller.encounter_sheet import NO_ARMOR
from rules.storyteller.encounter_state import GrappleRole
from rules.storyteller.grapple import GrappleKind
from rules.storyteller.harm import Harm
from rules.storyteller.holds import CLINCH_BEGINS, HOLD_BEGINS
from rules.storyteller.losses import ARMOR_DESTROYED
from rules.storyteller.targeting import Targeting
from rules.storyteller.terms import DamageType

ROLES = {
    GrappleKind.CLINCH: (GrappleRole.BOTH, GrappleRole.BOTH),
    GrappleKind.HOLD: (GrappleRole.HOLDER, GrappleRole.HELD),
}
BEGINS = {GrappleKind.CLINCH: CLINCH_BEGINS, GrappleKind.HOLD: HOLD_BEGINS}


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageCommand:
    """Damage that comes from no attack: a fall, fire, a hit resolved elsewhere."""

    target: CombatantId
    """Whom it meets."""
    damage_pool: Annotated[int, Ge(0), Le(40)] | None = None
    """Finished base damage. Exactly one of `damage_pool`, `strength`."""
    strength: Annotated[int, Ge(0), Le(10)] | None = None
    """Strength, the base damage of blows."""
    bonus: Annotated[int, Ge(0), Le(20)] | None = None
    """What is added to Strength, 0 unless said. Only with `strength`."""
    type: DamageType
    """The kind of damage."""
    net_successes: Annotated[int, Ge(1), Le(40)] = 1
    """Net successes of the attack; each after the first adds a die."""
    targeting: Targeting | None = None
    """How the attack was aimed."""
    damage_modifiers: DamageModifiers = ()
    """Damage dice that the Storyteller adds or takes."""

    def __post_init__(self) -> None:
        exactly_one(damage_pool=self.damage_pool, strength=self.strength)
        only_with("strength", self.strength is not None, bonus=self.bonus)


def damage(play: Play, body: DamageCommand) -> None:
    """The damage, through soak and armor, onto the track."""
    target = fighter(play, body.target)
    request = DamageRequest(
        damage_pool=body.damage_pool,
        strength=body.strength,
        bonus=body.bonus,
        type=body.type,
        net_successes=body.net_successes,
        targeting=body.targeting,
        damage_modifiers=body.damage_modifiers,
        body=target.body(),
        options=options_of(play),
    )
    take_harm(play, target, play.ask(DAMAGE, request).damage)


def take_harm(play: Play, victim: Fighter, harm: Harm | None) -> None:
    """The track and the armor as the blow left them; who is not able any more is bound to nobody."""
    if harm is None or harm.health is None:
        return
    after = harm.health
    if harm.armor_destroyed:
        play.set(victim.id, "armor", NO_ARMOR, ARMOR_DESTROYED)
    wounds = Wounds(bashing=after.bashing, lethal=after.lethal, aggravated=after.aggravated)
    play.set(victim.id, "wounds", wounds, TRACK)
    if victim.state.status is not HealthStatus.DEAD:
        play.set(victim.id, "status", after.status, TRACK)
    if not victim.able:
        unbind(play, victim)


def bind(play: Play, attacker: Fighter, target: Fighter, kind: GrappleKind) -> None:
    """A clinch or a hold begins; neither of a clinch and nobody who is held has a readied defense."""
    unbind(play, attacker)
    unbind(play, target)
    for one, other, role in zip((attacker, target), (target, attacker), ROLES[kind], strict=True):
        play.set(one.id, "grapple", {"kind": kind, "with": other.id, "role": role}, BEGINS[kind])
        if role is not GrappleRole.HOLDER:
            play.set(one.id, "readied_defense", None, BEGINS[kind])


def unbind(play: Play, bound: Fighter) -> None:
    """The clinch or the hold is over, for both."""
    bond = bound.state.grapple
    if bond is not None:
        play.set(bound.id, "grapple", None)
        play.set(bond["with"], "grapple", None)


def lose_weapon(play: Play, loser: Fighter, rule: Rule) -> None:
    """What was in hand lies on the ground, until the game master gives it back."""
    lost = loser.state.wielded
    if lost is not None:
        play.set(loser.id, "wielded", None, rule)
        play.set(loser.id, "dropped", [*loser.state.dropped, lost], rule)


def let_go(play: Play, actor: Fighter) -> None:
    """Who holds another and does something else lets go first."""
    if actor.state.grapple and actor.state.grapple["role"] is GrappleRole.HOLDER:
        unbind(play, actor)


DAMAGE_COMMAND = Command(
    slug="damage",
    body=DamageCommand,
    play=damage,
    action=DAMAGE,
    gm_only=True,
    example={"target": "ogre", "damage_pool": 4, "type": "bashing"},
)
