"""The house rules of GURPS: every default is the ruleset's reading of the source."""

from dataclasses import dataclass
from enum import StrEnum


class DoubleDefense(StrEnum):
    """How often the second defense of All-Out Defense (Double) may be tried."""

    PER_ATTACK = "per_attack"
    PER_TURN = "per_turn"


class BlindDefense(StrEnum):
    """Against which attacks the blind are on guard."""

    KNOWN_ATTACKS = "known_attacks"
    ALL_ATTACKS = "all_attacks"


class RearBlock(StrEnum):
    """Who may block an attack from behind."""

    DOUBLE_JOINTED = "double_jointed"
    NEVER = "never"


class BareHands(StrEnum):
    """Whether the side limit and the off-hand penalty of weapons hold for bare hands."""

    AS_WRITTEN = "as_written"
    AS_WEAPONS = "as_weapons"


class MagicDb(StrEnum):
    """Against attacks from where a magical Defense Bonus counts."""

    ALL_DIRECTIONS = "all_directions"
    AS_SHIELD = "as_shield"


class EncumberedParry(StrEnum):
    """What encumbrance is taken off in a fencing, Judo or Karate parry."""

    PARRY = "parry"
    SKILL = "skill"


class BreakageCheck(StrEnum):
    """After which parries of a heavy weapon the parrying weapon may break."""

    ON_CONTACT = "on_contact"
    EVERY_PARRY = "every_parry"


class UnarmedLift(StrEnum):
    """How the limit of Basic Lift is read for bare hands."""

    BY_HANDS = "by_hands"
    SINGLE = "single"


class AreaDodge(StrEnum):
    """Whether an area attack may be dodged without moving."""

    ANY = "any"
    MOVEMENT_REQUIRED = "movement_required"


class DiveBonus(StrEnum):
    """How long the bonus of a dive for cover lasts."""

    ATTACK_ONLY = "attack_only"
    LASTING = "lasting"


class DropWhileLying(StrEnum):
    """Whether one who lies may drop."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"


class AcrobaticsWithDrop(StrEnum):
    """Whether an acrobatic dodge goes with a drop."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """House rules, not to be mixed up with the option (retreat, drop) of a defense."""

    double_defense: DoubleDefense = DoubleDefense.PER_ATTACK
    """"Once" against an attack: one second defense against each attack, or one a turn."""
    blind_defense: BlindDefense = BlindDefense.KNOWN_ATTACKS
    """Whether the blind defend from attacks that they do not know of."""
    rear_block: RearBlock = RearBlock.DOUBLE_JOINTED
    """Whether the Double-Jointed may block an attack from behind."""
    bare_hands: BareHands = BareHands.AS_WRITTEN
    """The source speaks of weapons for the side limit and the off-hand penalty; `as_weapons` applies both to bare hands."""
    magic_db: MagicDb = MagicDb.ALL_DIRECTIONS
    """Magic has no shield side; `as_shield` limits it to where a shield counts."""
    encumbered_parry: EncumberedParry = EncumberedParry.PARRY
    """The full penalty comes off Parry, or off the skill before halving."""
    breakage_check: BreakageCheck = BreakageCheck.ON_CONTACT
    """A weapon may break after a successful parry and after one swept aside; `every_parry`: after a failed roll too."""
    unarmed_lift: UnarmedLift = UnarmedLift.BY_HANDS
    """Bare hands lift by the number of hands, or always once Basic Lift."""
    area_dodge: AreaDodge = AreaDodge.ANY
    """Any attack may be dodged; `movement_required`: an area only with a retreat or a drop."""
    dive_bonus: DiveBonus = DiveBonus.ATTACK_ONLY
    """A dive is away from the attack; `lasting` gives the usual lasting effect against that attacker."""
    drop_while_lying: DropWhileLying = DropWhileLying.FORBIDDEN
    """One cannot fall who lies; `allowed` lets them."""
    acrobatics_with_drop: AcrobaticsWithDrop = AcrobaticsWithDrop.ALLOWED
    """Nothing forbids it; `forbidden`: only a retreat goes with an acrobatic dodge."""
