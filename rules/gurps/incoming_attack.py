"""The attack that one defends against: what it is, where it comes from, and what the defender knows of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, not_together, only_with, unique


class AttackKind(StrEnum):
    """How an attack arrives; ranged is everything but `melee`."""

    MELEE = "melee"
    THROWN = "thrown"
    MISSILE = "missile"
    AREA = "area"


class Means(StrEnum):
    """What strikes."""

    WEAPON = "weapon"
    UNARMED = "unarmed"


class Strike(StrEnum):
    """The form of the blow."""

    OTHER = "other"
    THRUST = "thrust"


class WeaponClass(StrEnum):
    """Weapons on a chain, which wrap around what stops them."""

    ORDINARY = "ordinary"
    FLAIL = "flail"
    KUSARI = "kusari"


class UnarmedSkill(StrEnum):
    """The attacker's art of fighting without weapons."""

    OTHER = "other"
    JUDO = "judo"
    KARATE = "karate"


class BodyForm(StrEnum):
    """What an unarmed attacker does with the body."""

    STRIKE = "strike"
    GRAPPLE = "grapple"
    SHOVE = "shove"
    KNOCK_DOWN = "knock_down"
    TRAMPLE = "trample"


class Direction(StrEnum):
    """Where an attack comes from, seen by the defender."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    REAR = "rear"


class Runaround(StrEnum):
    """The side on which the attacker came round, having begun the turn elsewhere."""

    NONE = "none"
    LEFT = "left"
    RIGHT = "right"


class Awareness(StrEnum):
    """What the defender knows of the attack."""

    SEES = "sees"
    PARTLY_SEES = "partly_sees"
    ALERT = "alert"
    UNSEEN_UNKNOWN = "unseen_unknown"
    SURPRISE = "surprise"


class DetectionAllows(StrEnum):
    """Which defenses a roll to notice allows."""

    DODGE = "dodge"
    ANY = "any"


class ForbiddenDefense(StrEnum):
    """A defense that an attack may rule out by its nature."""

    BLOCK = "block"
    PARRY = "parry"


class AttackerStep(StrEnum):
    """The step that the attacker's maneuver allows."""

    NONE = "none"
    TAKEN = "taken"
    AVAILABLE = "available"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackingBody:
    """An attack without a weapon: the weight behind it follows from ST."""

    st: Annotated[int, Ge(1), Le(1000)]
    """ST of the attacker."""
    form: BodyForm
    """`strike` and `grapple` weigh ST / 20 kg, the others ST / 2 kg."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """The game master's leniency: a roll to notice the threat, and then a defense."""

    skill: Annotated[int, Ge(0), Le(60)]
    """The score to roll against, such as Hearing."""
    modifier: Annotated[int, Ge(-20), Le(20)] = -2
    """Added to the score."""
    allows: DetectionAllows = DetectionAllows.DODGE
    """Which defenses success allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Height:
    """Combat at different levels."""

    vertical_cm: Annotated[int, Ge(-100_000), Le(100_000)]
    """How much higher the defender is, in centimetres; below 0: lower."""
    horizontal_cm: Annotated[int, Ge(0), Le(100_000)]
    """The horizontal distance, in centimetres."""
    flying: bool = False
    """Whether one of the two flies above the other."""
    huge_defender: bool = False
    """Whether the defender is so huge that its foes need high ground or long weapons to reach it at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack, as far as the target's defense depends on it."""

    kind: AttackKind
    """How it arrives; `area` is an area effect, an explosion or a cone."""
    means: Means = Means.WEAPON
    """What strikes; a body part that counts as a weapon is `weapon`. `unarmed` only with `kind: melee`."""
    strike: Strike = Strike.OTHER
    """Whether it is a thrust; asked only for a bare-handed parry of a melee weapon."""
    weapon_class: WeaponClass = WeaponClass.ORDINARY
    """`flail` and `kusari` only for `melee` with a `weapon`."""
    unarmed_skill: UnarmedSkill = UnarmedSkill.OTHER
    """The attacker's skill; `judo` and `karate` only with `means: unarmed`."""
    weight_g: Annotated[int, Ge(1), Le(100_000_000)] | None = None
    """The weight of the attacking weapon in grams (of the launcher, when that is parried). Needed to parry a `thrown` weapon;
    without it no weapon breaks and none is too heavy."""
    body: AttackingBody | None = None
    """The body that attacks, instead of `weight_g`; only with `means: unarmed`."""
    direction: Direction = Direction.FRONT
    """Where it comes from, seen by the defender."""
    runaround: Runaround = Runaround.NONE
    """The attacker began the turn elsewhere and came round on that side, which makes it a side attack; only with
    `direction: rear`."""
    awareness: Awareness = Awareness.SEES
    """What the defender knows of it. `partly_sees`: the weapon is seen at least a little, as in partial darkness; `alert`: on
    guard against an unseen attacker; `unseen_unknown`: unseen, weapon included, and not known to be there; `surprise`: a
    trap, a treacherous friend and the like."""
    detection: Detection | None = None
    """A roll to notice a `surprise`, if the game master allows one."""
    height: Height | None = None
    """The difference in height; it counts in melee only."""
    forbids: Annotated[tuple[ForbiddenDefense, ...], Len(0, 2)] = ()
    """Defenses that the attack rules out by its nature."""
    launcher_in_reach: bool = False
    """Whether the bow itself can be parried; only for a `missile`."""
    attacker_step: AttackerStep = AttackerStep.NONE
    """`available`: the attacker's maneuver allows a step that is still to come, so the attacker may follow a retreat."""
    deceptive: Annotated[int, Ge(0), Le(10)] = 0
    """Points that a Deceptive Attack takes off the defense; the attack pays two for each."""
    feint: Annotated[int, Ge(0), Le(30)] = 0
    """The margin of an earlier feint, taken off the defense."""

    def __post_init__(self) -> None:
        not_together(weight_g=self.weight_g, body=self.body)
        only_with("awareness: surprise", self.awareness is Awareness.SURPRISE, detection=self.detection)
        only_with("means: unarmed", self.means is Means.UNARMED, body=self.body)
        if self.forbids:
            unique("forbids", self.forbids)
        self._check_means()
        if self.runaround is not Runaround.NONE and self.direction is not Direction.REAR:
            raise Malformed("only_with", "runaround", field="runaround", condition="direction: rear")
        if self.launcher_in_reach and self.kind is not AttackKind.MISSILE:
            raise Malformed("only_with", "launcher_in_reach", field="launcher_in_reach", condition="kind: missile")

    def _check_means(self) -> None:
        armed, melee = self.means is Means.WEAPON, self.kind is AttackKind.MELEE
        if not armed and not melee:
            raise Malformed("only_with", "means", field="means: unarmed", condition="kind: melee")
        if self.weapon_class is not WeaponClass.ORDINARY and not (armed and melee):
            raise Malformed("only_with", "weapon_class", field="weapon_class", condition="kind: melee, means: weapon")
        if self.unarmed_skill is not UnarmedSkill.OTHER and armed:
            raise Malformed("only_with", "unarmed_skill", field="unarmed_skill", condition="means: unarmed")

    @property
    def on_chain(self) -> bool:
        """Whether it is made with a flail or a kusari."""
        return self.weapon_class is not WeaponClass.ORDINARY


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingAttack(Attack):
    """An attack that would hit, as far as the target's defense depends on it."""

    critical: bool = False
    """Whether it is a critical hit, against which there is no defense."""
