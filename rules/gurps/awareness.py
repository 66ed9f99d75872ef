"""What the defender knows of the attack: unseen attackers, blindness, surprise."""

from rules.core.rule import Kind, rule
from rules.core.trail import Trail
from rules.gurps.incoming_attack import Attack, Awareness
from rules.gurps.inner_roll import passes
from rules.gurps.options import BlindDefense, Options
from rules.gurps.sheet import Defender

READINESS = "Готовность к атаке; Видимость и защита"
VISIBILITY = "Видимость и защита"
SURPRISE = "Внезапости и неожиданности"
UNSEEN_UNKNOWN = rule("gurps.awareness.unseen_unknown", READINESS, Kind.REFUSAL)
NOW_ALERT = rule("gurps.awareness.now_alert", VISIBILITY, Kind.EFFECT)
PARTLY_SEES = rule("gurps.awareness.partly_sees", VISIBILITY, Kind.DECISION)
UNSEEN = rule("gurps.awareness.unseen", VISIBILITY, Kind.MODIFIER)
HEARING = rule("gurps.awareness.hearing", VISIBILITY, Kind.ROLL, Kind.DECISION)
FALLBACK = rule("gurps.awareness.fallback", VISIBILITY, Kind.DECISION)
BLIND = rule("gurps.awareness.blind", VISIBILITY, Kind.DECISION)
NO_DEFENSE = rule("gurps.surprise.no_defense", SURPRISE, Kind.REFUSAL)
DETECTION = rule("gurps.surprise.detection", SURPRISE, Kind.ROLL, Kind.DECISION)
DODGE_ONLY = rule("gurps.surprise.dodge_only", SURPRISE, Kind.REFUSAL)

AWARENESS_RULES = (
    UNSEEN_UNKNOWN,
    NOW_ALERT,
    PARTLY_SEES,
    UNSEEN,
    HEARING,
    FALLBACK,
    BLIND,
    NO_DEFENSE,
    DETECTION,
    DODGE_ONLY,
)

HEARING_MODIFIER = -2


def reads_as_alert(attack: Attack, defender: Defender, options: Options) -> bool:
    """A blind defender is in the alert state against every known attack, or against all attacks."""
    if not defender.blind:
        return False
    if attack.awareness is Awareness.UNSEEN_UNKNOWN:
        return options.blind_defense is BlindDefense.ALL_ATTACKS
    return attack.awareness is Awareness.SEES or attack.awareness is Awareness.PARTLY_SEES


def is_in_the_dark(attack: Attack, defender: Defender, *, read_as_alert: bool) -> bool:
    """Alert against what is not seen; a blind defender who notices a surprise does not see it either."""
    if read_as_alert or attack.awareness is Awareness.ALERT:
        return True
    return defender.blind and attack.detection is not None


def notices(trail: Trail, attack: Attack, defender: Defender) -> bool:
    """The game master may allow a roll to notice a surprise, and then a defense."""
    if attack.detection is None:
        return True
    if not passes(trail, DETECTION, attack.detection.skill + attack.detection.modifier):
        return False
    if defender.blind:
        trail.decision(BLIND)
    return True


def hears(trail: Trail, hearing: int) -> bool:
    """Parry or Block only after a successful Hearing roll at -2."""
    return passes(trail, HEARING, hearing + HEARING_MODIFIER)


def modify_for_sight(trail: Trail, attack: Attack, defender: Defender, *, in_the_dark: bool) -> None:
    """While the weapon is seen at all, no penalty; against what is not seen, -4."""
    if attack.awareness is Awareness.PARTLY_SEES and not defender.blind:
        trail.decision(PARTLY_SEES, 0)
    if in_the_dark:
        trail.modifier(UNSEEN, -4)


def become_alert(trail: Trail, attack: Attack) -> None:
    """Whoever was attacked by an unseen and unknown foe is alert from then on."""
    if attack.awareness is Awareness.UNSEEN_UNKNOWN:
        trail.effect(NOW_ALERT)
