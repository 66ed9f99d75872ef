"""The Defense Bonus of shields, cloaks and magic."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.direction import covers
from rules.gurps.incoming_attack import Direction
from rules.gurps.options import MagicDb, Options
from rules.gurps.sheet import Defender
from rules.gurps.shield import Shield

SHIELD_DB = rule("gurps.db.shield", "Бонус к защите", Kind.MODIFIER)
MAGIC_DB = rule("gurps.db.magic", "Бонус к защите", Kind.MODIFIER)
AREA_DB = rule("gurps.db.area", "В укрытие", Kind.DECISION)

DEFENSE_BONUS_RULES = (SHIELD_DB, MAGIC_DB, AREA_DB)


def ready_db(shield: Shield | None) -> int:
    """The DB of a ready shield or cloak."""
    return shield.db if shield is not None and shield.ready else 0


def best_magic_db(defender: Defender) -> int:
    """Only the best magical DB counts."""
    return max(defender.magic_db, default=0)


def shield_db_against(direction: Direction, shield: Shield | None) -> int:
    """A shield's DB is added against an attack from the front or the shield side."""
    return shield.db if shield is not None and shield.ready and covers(shield.hand, direction) else 0


def magic_db_against(direction: Direction, defender: Defender, options: Options) -> int:
    """Magic has no shield side, unless it is read as a shield's."""
    if not defender.magic_db:
        return 0
    if options.magic_db is MagicDb.AS_SHIELD:
        hand = defender.shield.hand if defender.shield is not None else None
        if not covers(hand, direction):
            return 0
    return best_magic_db(defender)


def modify_for_defense_bonus(
    trail: Trail, direction: Direction, defender: Defender, options: Options, *, area: bool
) -> None:
    """The DB of the shield and the best magical DB; against an area neither plays a part."""
    shield = shield_db_against(direction, defender.shield)
    magic = magic_db_against(direction, defender, options)
    if area:
        if shield or magic:
            trail.decision(AREA_DB, 0, lost=shield + magic)
        return
    trail.modifier_if_any(SHIELD_DB, shield)
    trail.modifier_if_any(MAGIC_DB, magic)
