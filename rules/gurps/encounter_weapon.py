"""The weapons of a sheet: what each is in a parry, how it attacks and what damage it does."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.faults import Malformed, only_with
from rules.gurps.damage import DamageDice
from rules.gurps.incoming_attack import (
    Attack,
    AttackingBody,
    AttackKind,
    BodyForm,
    Means,
    Strike,
    UnarmedSkill,
    WeaponClass,
)
from rules.gurps.tool import Hand, SheetTool, ToolKind

WeaponId = Annotated[str, Len(1, 40)]
HANDS = {Hand.RIGHT: (Hand.RIGHT,), Hand.LEFT: (Hand.LEFT,), Hand.BOTH: (Hand.RIGHT, Hand.LEFT)}
RESERVED = frozenset(Hand)
ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


class WeaponStatus(StrEnum):
    """Whether a weapon of the sheet can be used now."""

    READY = "ready"
    UNREADY = "unready"
    DROPPED = "dropped"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponAttack:
    """How a weapon attacks, whoever is attacked with it."""

    kind: AttackKind = AttackKind.MELEE
    """How the attack arrives."""
    means: Means | None = None
    """What strikes; absent: `unarmed` for bare hands, otherwise `weapon`."""
    strike: Strike = Strike.OTHER
    """Whether it is a thrust; an attack may say otherwise."""
    weapon_class: WeaponClass = WeaponClass.ORDINARY
    """`flail` and `kusari` only for `melee` with a `weapon`."""
    unarmed_skill: UnarmedSkill = UnarmedSkill.OTHER
    """The attacker's skill; `judo` and `karate` only with `means: unarmed`."""
    form: BodyForm | None = None
    """What the body does, from which and from ST its weight follows; only with `means: unarmed`. Absent: the weight is
    unknown."""
    launcher: bool = False
    """Whether this weapon shoots, so that its weight is not that of the missile; only with `kind: missile`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetWeapon:
    """A weapon, bare hands (`tool.kind: unarmed`), or a body part that counts as a weapon."""

    id: WeaponId
    """What commands call it: lower-case letters, digits and underscores, unique on the sheet; not `right`, `left` or `both`."""
    tool: SheetTool
    """What it is in a parry, and in which hand."""
    skill: Annotated[int, Ge(0), Le(60)]
    """The skill to attack with it, and to injure a limb that it has parried."""
    attack: WeaponAttack = WeaponAttack()
    """How it attacks."""
    damage: DamageDice | None = None
    """The damage that it does; absent: none is rolled."""

    def __post_init__(self) -> None:
        if not ID_LETTERS.issuperset(self.id) or not self.id[0].isalpha():
            raise Malformed("weapon_id", "id", id=self.id)
        if self.id in RESERVED:
            raise Malformed("weapon_id_reserved", "id", id=self.id)
        try:
            self._check_attack()
        except Malformed as wrong:
            raise Malformed(wrong.code, f"attack/{wrong.field}", **wrong.facts) from None

    def _check_attack(self) -> None:
        said = self.attack
        only_with("means: unarmed", self.means is Means.UNARMED, form=said.form)
        if said.launcher and said.kind is not AttackKind.MISSILE:
            raise Malformed("only_with", "launcher", field="launcher", condition="kind: missile")
        Attack(kind=said.kind, means=self.means, weapon_class=said.weapon_class, unarmed_skill=said.unarmed_skill)

    @property
    def means(self) -> Means:
        """What strikes."""
        if self.attack.means is not None:
            return self.attack.means
        return Means.UNARMED if self.bare_handed else Means.WEAPON

    @property
    def bare_handed(self) -> bool:
        """Whether it is a hand, or both."""
        return self.tool.kind is ToolKind.UNARMED

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands that it takes; a head or a tail takes none."""
        if self.tool.kind is ToolKind.NATURAL_WEAPON and self.tool.hand is Hand.BOTH:
            return ()
        return HANDS[self.tool.hand]

    @property
    def parry_counters(self) -> tuple[str, ...]:
        """Where its parries are counted: by weapon, those of bare hands by hand."""
        return self.hands if self.bare_handed else (self.id,)

    def body_of(self, st: int | None) -> AttackingBody | None:
        """The body behind an unarmed attack, where its form and the ST are known."""
        if self.attack.form is None or st is None:
            return None
        return AttackingBody(st=st, form=self.attack.form)

    def weight_g(self, *, launcher_in_reach: bool) -> int | None:
        """The weight that is parried: of a weapon that shoots only when it can be parried itself."""
        return None if self.attack.launcher and not launcher_in_reach else self.tool.weight_g


def unique_ids(weapons: Iterable[SheetWeapon]) -> None:
    """No two weapons of a sheet have the same id."""
    seen = set()
    for index, weapon in enumerate(weapons):
        if weapon.id in seen:
            raise Malformed("duplicate", f"weapons/{index}/id", value=weapon.id)
        seen.add(weapon.id)
