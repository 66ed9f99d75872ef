"""Conditions: what lowers a fighter, holds them or leaves them senseless, and for how long."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from rules.action_points.exact import exact, only_tenths
from rules.core.faults import needed_with, only_with
from rules.core.nullable import NULL_ALLOWED
from rules.core.trail import Number


class ConditionState(StrEnum):
    """What a condition does: `reduced` forbids nothing, the others forbid actions."""

    REDUCED = "reduced"
    IMMOBILISED = "immobilised"
    BOUND = "bound"
    STUNNED = "stunned"


class ConditionCause(StrEnum):
    """What ends a condition: its turns (`effect`), HP (`low_hp`) or 15 AP (`whip`)."""

    EFFECT = "effect"
    LOW_HP = "low_hp"
    WHIP = "whip"


class Characteristic(StrEnum):
    """What a reduction lowers."""

    HP = "hp"
    AP = "ap"
    DAMAGE = "damage"


Turns = Annotated[int, Ge(1), Le(1000)]
Amount = Annotated[int, Ge(1), Le(10_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCondition:
    """A condition as the sheet keeps it; one that still lasts can be sent as it is in the next request."""

    state: ConditionState
    """What it does."""
    cause: ConditionCause
    """What ends it."""
    turns: int | None
    """Own turns of the bearer that it still lasts, 0 for one that has just run down; null: until lifted."""
    parameter: Characteristic | None = None
    """What is lowered; null unless `reduced`."""
    amount: int | None = None
    """By how much; null unless `reduced`."""
    paid_ap: Number | None = None
    """AP paid so far for the release; null unless the cause is `whip`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition that a fighter is in. An outcome's condition can be sent as it is: null is the same as left out."""

    state: ConditionState
    """What it does: `reduced` lowers a characteristic, the others forbid actions."""
    cause: ConditionCause = ConditionCause.EFFECT
    """What ends it: its turns; `low_hp` (only with `stunned`): HP; `whip` (only with `immobilised`): 15 AP."""
    parameter: Annotated[Characteristic | None, NULL_ALLOWED] = None
    """What is lowered; with `reduced`, and only then."""
    amount: Annotated[Amount | None, NULL_ALLOWED] = None
    """By how much; with `reduced`, and only then."""
    turns: Annotated[Turns | None, NULL_ALLOWED] = None
    """Own turns of the bearer that it still lasts; null: until somebody lifts it."""
    paid_ap: Annotated[Annotated[float, Ge(0), Le(14.9)] | None, NULL_ALLOWED] = None
    """AP paid so far towards the 15 that free from a whip, 0 unless told; only with cause `whip`. One decimal at most.
    Counts with option `whip_release` `instalments`."""

    def __post_init__(self) -> None:
        only_tenths(paid_ap=self.paid_ap)
        _reduction_is_whole(self.state, self.parameter, self.amount)
        state, cause = self.state, self.cause
        only_with("state stunned", cause is not ConditionCause.LOW_HP or state is ConditionState.STUNNED, cause=cause)
        only_with(
            "state immobilised", cause is not ConditionCause.WHIP or state is ConditionState.IMMOBILISED, cause=cause
        )
        only_with("cause whip", cause is ConditionCause.WHIP, paid_ap=self.paid_ap)

    def kept(self) -> KeptCondition:
        """The condition as the sheet keeps it."""
        whip = self.cause is ConditionCause.WHIP
        return KeptCondition(
            state=self.state,
            cause=self.cause,
            turns=self.turns,
            parameter=self.parameter,
            amount=self.amount,
            paid_ap=exact(self.paid_ap or 0) if whip else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InflictedCondition:
    """What a hit does beside its damage."""

    state: ConditionState
    """What the target will be: `reduced` meets its magic resistance, the others take hold as they are."""
    parameter: Characteristic | None = None
    """What is lowered; with `reduced`, and only then."""
    amount: Amount | None = None
    """By how much before magic resistance; with `reduced`, and only then."""
    turns: Annotated[Turns | None, NULL_ALLOWED] = None
    """Own turns of the target that it will last; null: until somebody lifts it."""

    def __post_init__(self) -> None:
        _reduction_is_whole(self.state, self.parameter, self.amount)

    def kept(self, amount: int | None = None) -> KeptCondition:
        """The condition as it takes hold, with the amount that remained of a reduction."""
        return KeptCondition(
            state=self.state,
            cause=ConditionCause.EFFECT,
            turns=self.turns,
            parameter=self.parameter,
            amount=amount,
        )


STUN_OF_LOW_HP = KeptCondition(state=ConditionState.STUNNED, cause=ConditionCause.LOW_HP, turns=None)

AnyCondition = Condition | KeptCondition


def reduction(conditions: Sequence[AnyCondition], of: Characteristic) -> int:
    """How much a characteristic is lowered in all."""
    return sum(each.amount or 0 for each in conditions if each.parameter is of) if conditions else 0


def in_state(conditions: Sequence[AnyCondition], state: ConditionState) -> bool:
    """Whether a condition of that state is listed."""
    return bool(conditions) and any(each.state is state for each in conditions)


def immobilised_by_other(conditions: Sequence[AnyCondition]) -> bool:
    """Whether anything but a whip immobilises."""
    return any(
        each.state is ConditionState.IMMOBILISED and each.cause is not ConditionCause.WHIP for each in conditions
    )


def is_low(effective_hp: int, hp_max: int) -> bool:
    """HP strictly below 10 % of the maximum stun."""
    return effective_hp * 10 < hp_max


def _reduction_is_whole(state: ConditionState, parameter: Characteristic | None, amount: int | None) -> None:
    reduced = state is ConditionState.REDUCED
    only_with("state reduced", reduced, parameter=parameter, amount=amount)
    needed_with("state reduced", reduced, parameter=parameter, amount=amount)
