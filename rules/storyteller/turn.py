"""The rules of a round: they show in what is possible, or forbid something where a fight is kept."""

from rules.core.rule import Kind, rule

ONE_ACTION = rule("storyteller.maneuver.one_action", "БОЕВЫЕ МАНЕВРЫ", Kind.REFUSAL)
LAST_WORD = rule("storyteller.maneuver.last_word", "Маневры ближнего боя")
THREE_SECONDS = rule("storyteller.round.three_seconds", "Сложности защиты")
TURN_ORDER = rule("storyteller.turn.order", "Сложности защиты; Борьба", Kind.REFUSAL)
NO_POINTS = rule("storyteller.willpower.no_points", "published", Kind.REFUSAL)
ONE_A_ROUND = rule("storyteller.willpower.one_a_round", "published", Kind.REFUSAL)

RULES = (ONE_ACTION, LAST_WORD, THREE_SECONDS, TURN_ORDER, NO_POINTS, ONE_A_ROUND)
