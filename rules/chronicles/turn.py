"""What lasts for a turn: the one action, and what comes back with the next turn."""

from enum import StrEnum

from rules.core.rule import Kind, rule

ONE_ACTION = rule("chronicles.turn.one_action", "published", Kind.REFUSAL)
INITIATIVE_ORDER = rule("chronicles.initiative.order", "published", Kind.ROLL, Kind.DECISION)
TURN_RESET = rule("chronicles.turn.reset", "Уклонение", Kind.EFFECT)
TURN_OFF_BALANCE = rule("chronicles.turn.off_balance", "Уклонение", Kind.EFFECT)
WILLPOWER_POINTS = rule("chronicles.willpower.points", "published", Kind.REFUSAL)
WILLPOWER_ONE_PER_TURN = rule("chronicles.willpower.one_per_turn", "published", Kind.REFUSAL)
STAY_CONSCIOUS = rule("chronicles.health.stay_conscious", "published", Kind.DECISION)
DODGE_SCOPE = rule("chronicles.dodge.scope", "Пример", Kind.REFUSAL)

RULES = (
    INITIATIVE_ORDER,
    ONE_ACTION,
    TURN_RESET,
    TURN_OFF_BALANCE,
    WILLPOWER_POINTS,
    WILLPOWER_ONE_PER_TURN,
    STAY_CONSCIOUS,
    DODGE_SCOPE,
)


class ActionState(StrEnum):
    """What became of a character's one action of this turn."""

    UNSPENT = "unspent"
    GIVEN_UP = "given_up"
    SPENT = "spent"
