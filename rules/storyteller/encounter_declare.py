"""What a combatant declares for the round, and how a declared action is dropped for a defense.

Order of dice: none for a declaration; the Willpower roll of an abort, if it is chosen and needed.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.encounter import CombatantId, Command, Play
from rules.core.faults import needed_with, only_with
from rules.core.rule import Rule
from rules.storyteller.abort_to_defense import (
    ABORT_TO_DEFENSE,
    ABORTED,
    MUST_ACT,
    SPEND,
    AbortMethod,
    AbortRequest,
    AbortResult,
    Declared,
)
from rules.storyteller.encounter_fighter import Fighter, options_of, own_fighter
from rules.storyteller.encounter_sheet import AbilityName, AttributeName
from rules.storyteller.encounter_state import DEFENSES, Declaration, KeptShare, ShareUse
from rules.storyteller.maneuvers import class_needed
from rules.storyteller.multiple_action import MULTIPLE_ACTION, SPLIT, MultipleActionRequest, Share
from rules.storyteller.tables import ARMED, DEXTERITY_BRAWL, DEXTERITY_DODGE, DEXTERITY_MELEE, UNARMED, Reads
from rules.storyteller.terms import Maneuver
from rules.storyteller.turn import ONE_ACTION

DEFENSE_READS = {
    ShareUse.BLOCK: DEXTERITY_BRAWL,
    ShareUse.DODGE: DEXTERITY_DODGE,
    ShareUse.PARRY: DEXTERITY_MELEE,
}
ABORTABLE = {
    Declaration.NONE: Declared.NONE,
    Declaration.ABORTED: Declared.NONE,
    Declaration.ACTION: Declared.ACTION,
    Declaration.FULL_DEFENSE: Declared.FULL_DEFENSE,
}


class DeclaredKind(StrEnum):
    """What is declared for the round: one action, several, or nothing but defending."""

    ACTION = "action"
    MULTIPLE = "multiple"
    FULL_DEFENSE = "full_defense"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedShare:
    """One action of a multiple action, with the dice put to it."""

    for_: ShareUse
    """What it is."""
    maneuver: Maneuver | None = None
    """How one attacks; needed by an attack, and only with it."""
    attribute: AttributeName | None = None
    """The Attribute of a roll, which needs it, or of an attack with a maneuver of one's own, Dexterity unless said."""
    ability: AbilityName | None = None
    """The Ability of a roll, or of an attack with a maneuver of one's own, Brawl unless said."""
    dice: Annotated[int, Ge(1), Le(40)]
    """The dice put to it."""

    def __post_init__(self) -> None:
        attack, roll = self.for_ is ShareUse.ATTACK, self.for_ is ShareUse.ROLL
        needed_with("for: attack", attack, maneuver=self.maneuver)
        only_with("for: attack", attack, maneuver=self.maneuver)
        needed_with("for: roll", roll, attribute=self.attribute)
        only_with("for: roll", roll or self.custom, attribute=self.attribute, ability=self.ability)

    @property
    def custom(self) -> bool:
        """Whether it is an attack with a maneuver of one's own."""
        return self.maneuver is Maneuver.CUSTOM

    def kept(self) -> KeptShare:
        """The share as the fight keeps it."""
        attribute, ability = self.attribute, self.ability
        if self.custom:
            attribute, ability = attribute or AttributeName.DEXTERITY, ability or AbilityName.BRAWL
        return {
            "for": self.for_,
            "maneuver": self.maneuver,
            "attribute": attribute,
            "ability": ability,
            "dice": self.dice,
            "used": False,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareCommand:
    """What a combatant is going to do this round. Who declares nothing has one action all the same."""

    actor: CombatantId
    """Who declares."""
    kind: DeclaredKind
    """What is declared."""
    shares: Annotated[tuple[PlannedShare, ...], Len(2, 10)] | None = None
    """How the dice of a multiple action are divided; if and only if `kind` is `multiple`."""

    def __post_init__(self) -> None:
        multiple = self.kind is DeclaredKind.MULTIPLE
        needed_with("kind: multiple", multiple, shares=self.shares)
        only_with("kind: multiple", multiple, shares=self.shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortCommand:
    """A combatant wants to defend instead of what was declared."""

    actor: CombatantId
    """Who aborts."""
    method: AbortMethod
    """With a Willpower roll, or with a Willpower point."""


def declare(play: Play, body: DeclareCommand) -> None:
    """Declare once a round, before acting; the dice of a multiple action are divided by its rules."""
    actor = own_fighter(play, body.actor)
    open_still = actor.turn.declared is Declaration.NONE and not actor.turn.has_acted
    forbidden = [*actor.hindrances, *([] if open_still else [ONE_ACTION])]
    if body.shares is None:
        play.refuse(*forbidden)
    else:
        shares = [each.kept() for each in body.shares]
        actions = tuple(_share(actor, each) for each in shares)
        request = MultipleActionRequest(health=actor.health, actions=actions, options=options_of(play))
        play.ask(MULTIPLE_ACTION, request, forbidden)
        play.set(actor.id, "shares", shares, SPLIT)
    play.set(actor.id, "declared", Declaration(body.kind.value))


def _share(actor: Fighter, planned: KeptShare) -> Share:
    attribute, ability = _traits(actor, planned)
    return Share(
        label=planned["for"].value,
        dice=planned["dice"],
        attribute=actor.sheet.traits.rating(attribute),
        ability=actor.sheet.traits.rating(ability),
    )


def _traits(actor: Fighter, planned: KeptShare) -> tuple[str, str | None]:
    """The pair of traits of a share: as said, of the defense, or of the maneuver with what is in hand."""
    if planned["attribute"] is not None:
        return planned["attribute"], planned["ability"]
    reads = DEFENSE_READS.get(planned["for"]) or _reads(actor, planned["maneuver"] or Maneuver.STRIKE)
    return reads.attribute, reads.ability


def _reads(actor: Fighter, maneuver: Maneuver) -> Reads:
    """A disarm is made with a close weapon that is in hand, else with bare hands."""
    needed, weapon = class_needed(maneuver, None), actor.in_hand
    fitting = weapon is not None and weapon.arms.range is needed
    armed = maneuver in ARMED and (fitting or maneuver not in UNARMED)
    return ARMED[maneuver][1] if armed else UNARMED[maneuver].reads


def abort_to_defense(play: Play, body: AbortCommand) -> None:
    """Drop what was declared; after one failure only the declared action remains, or none."""
    actor = own_fighter(play, body.actor)
    request = AbortRequest(
        method=body.method,
        willpower_rating=actor.state.willpower.rating,
        willpower_points=actor.state.willpower.points,
        declared=_declared(actor),
        has_acted=actor.acted,
        options=options_of(play),
    )
    outcome = play.ask(ABORT_TO_DEFENSE, request, _abort_forbidden(actor))
    if outcome.result is AbortResult.MUST_ACT:
        play.set(actor.id, "abort_failed", True, MUST_ACT)
    if outcome.result is not AbortResult.ABORTED:
        return
    if body.method is AbortMethod.SPEND:
        willpower = actor.state.willpower
        play.set(actor.id, "willpower", replace(willpower, points=willpower.points - 1), SPEND)
    play.set(actor.id, "declared", Declaration.ABORTED, ABORTED)
    play.set(actor.id, "shares", [], ABORTED)


def _abort_forbidden(actor: Fighter) -> list[Rule]:
    return [*actor.hindrances, *([MUST_ACT] if actor.turn.abort_failed else [])]


def _declared(actor: Fighter) -> Declared:
    """A multiple action without a defense is aborted like one action."""
    if actor.turn.declared is not Declaration.MULTIPLE:
        return ABORTABLE[actor.turn.declared]
    defends = any(share["for"] in DEFENSES for share in actor.turn.shares)
    return Declared.MULTIPLE_WITH_DEFENSE if defends else Declared.ACTION


DECLARE_COMMAND = Command(
    slug="declare",
    body=DeclareCommand,
    play=declare,
    action=MULTIPLE_ACTION,
    example={
        "actor": "mira",
        "kind": "multiple",
        "shares": [{"for": "attack", "maneuver": "strike", "dice": 3}, {"for": "dodge", "dice": 2}],
    },
    rules=(ONE_ACTION,),
)
ABORT_COMMAND = Command(
    slug="abort-to-defense",
    body=AbortCommand,
    play=abort_to_defense,
    action=ABORT_TO_DEFENSE,
    example={"actor": "mira", "method": "spend"},
    rules=(MUST_ACT,),
)
