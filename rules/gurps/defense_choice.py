"""A defense as it is chosen: its kind, the retreat or drop that goes with it, and what it is made with."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, needed_with, only_with
from rules.gurps.rolls import Modifier
from rules.gurps.tool import Tool
from rules.gurps.turn import OptionKind


class DefenseKind(StrEnum):
    """The three active defenses."""

    DODGE = "dodge"
    BLOCK = "block"
    PARRY = "parry"


class Hex(StrEnum):
    """Whether the hex that a step leads to is free."""

    FREE = "free"
    OCCUPIED = "occupied"


class Facing(StrEnum):
    """A turn by one hex side."""

    UNCHANGED = "unchanged"
    LEFT = "left"
    RIGHT = "right"


class Fallback(StrEnum):
    """What is done instead of a block or parry when the Hearing roll fails."""

    NONE = "none"
    DODGE = "dodge"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseOption:
    """A retreat or a drop, chosen together with a defense; against an area it is a dive for cover."""

    kind: OptionKind
    """`retreat`: a step away from a melee attack or an area; `drop`: falling flat in a dodge of a ranged attack (area too)."""
    hex: Hex = Hex.FREE
    """Whether the hex is free that the step leads to."""
    facing: Facing = Facing.UNCHANGED
    """A turn by one hex side; only with a `retreat`."""
    cover: bool = False
    """Whether one drops behind cover; only with a `drop`."""

    def __post_init__(self) -> None:
        if self.facing is not Facing.UNCHANGED and self.kind is not OptionKind.RETREAT:
            raise Malformed("only_with", "facing", field="facing", condition="kind: retreat")
        if self.cover and self.kind is not OptionKind.DROP:
            raise Malformed("only_with", "cover", field="cover", condition="kind: drop")


@dataclass(frozen=True, slots=True, kw_only=True)
class LimbStrike:
    """The follow-up on the limb that a weapon has parried."""

    skill: Annotated[int, Ge(0), Le(60)]
    """The weapon skill to roll against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseChoice:
    """What is chosen of any defense, whatever it is made with."""

    kind: DefenseKind
    """What is tried."""
    option: DefenseOption | None = None
    """A retreat or drop chosen together with it; one a turn."""
    modifiers: Annotated[tuple[Modifier, ...], Len(0, 20)] = ()
    """Everything else: footing, afflictions and so on."""
    acrobatic: bool | None = None
    """An acrobatic dodge: Acrobatics is rolled first. Only for a `dodge`; absent: no."""
    fallback: Fallback | None = None
    """Dodge instead when the Hearing roll fails; asked only against an unseen attacker. Only for a `block` or `parry`;
    absent: `none`."""

    def check_kind(self) -> None:
        """What belongs to a defense of another kind is malformed."""
        if self.kind is DefenseKind.DODGE:
            only_with("kind: block, parry", False, fallback=self.fallback)
        else:
            only_with("kind: dodge", False, acrobatic=self.acrobatic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defense(DefenseChoice):
    """One active defense against one attack."""

    tool: Tool | None = None
    """What parries; needed for a `parry`, and only for it."""
    injure_limb: LimbStrike | None = None
    """After a successful parry of an unarmed attack with a weapon, roll to injure the limb. Only for a `parry`."""

    def __post_init__(self) -> None:
        self.check_kind()
        parry = self.kind is DefenseKind.PARRY
        needed_with("kind: parry", parry, tool=self.tool)
        only_with("kind: parry", parry, tool=self.tool, injure_limb=self.injure_limb)

    @property
    def falls_back(self) -> bool:
        """Whether it turns into a dodge when the attack is not heard."""
        return self.fallback is Fallback.DODGE
