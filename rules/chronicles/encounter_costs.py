"""What an action in a fight costs: the action of the turn, Willpower, boxes of the health track."""

from dataclasses import replace

from rules.chronicles.dodge_roll import ACTION_GIVEN_UP
from rules.chronicles.encounter_state import Fighter
from rules.chronicles.health import MARK, UPGRADE, HealthTrack
from rules.chronicles.options import Options, WillpowerLimit
from rules.chronicles.target import TargetResult
from rules.chronicles.turn import ONE_ACTION, WILLPOWER_ONE_PER_TURN, WILLPOWER_POINTS, ActionState
from rules.core.encounter import Play
from rules.core.rule import Rule


def demand_place(play: Play, actor: Fighter) -> None:
    """A player acts when the order has come to the character; the game master lets others act out of it."""
    if play.fight.turn is not None and not play.by_gm:
        play.demand_turn(actor.id)


def action_missing(actor: Fighter) -> list[Rule]:
    """One action a turn, and none for who gave it up to Dodge."""
    if actor.action_state is ActionState.GIVEN_UP:
        return [ACTION_GIVEN_UP]
    return [ONE_ACTION] if actor.action_state is ActionState.SPENT else []


def spend_action(play: Play, actor: Fighter) -> None:
    """The action of this turn is gone."""
    play.set(actor.id, "action_state", ActionState.SPENT, ONE_ACTION)


def willpower_missing(spender: Fighter, options: Options) -> list[Rule]:
    """Who has no Willpower left cannot spend it; where the table says so, only one point a turn."""
    missing = [] if spender.state.willpower.left else [WILLPOWER_POINTS]
    once = options.willpower_limit is WillpowerLimit.PER_TURN
    if once and spender.turn.willpower_spent_this_turn:
        missing.append(WILLPOWER_ONE_PER_TURN)
    return missing


def spend_willpower(play: Play, spender: Fighter, rule: Rule) -> None:
    """One point less, for what the rule gives."""
    willpower = spender.state.willpower
    play.set(spender.id, "willpower", replace(willpower, current=willpower.left - 1), rule)
    play.set(spender.id, "willpower_spent_this_turn", spender.turn.willpower_spent_this_turn + 1, rule)


def mark_health(play: Play, target: Fighter, result: TargetResult | None) -> None:
    """The boxes are marked as the damage left them."""
    track: HealthTrack | None = result.health if result is not None else None
    if result is not None and track is not None:
        play.set(target.id, "health", track, UPGRADE if result.upgrades else MARK)
