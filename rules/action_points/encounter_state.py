"""What a fight keeps of a combatant, and what a stateless request is told of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.action_points.attack_kinds import CustomAttack
from rules.action_points.conditions import ConditionCause, KeptCondition
from rules.action_points.encounter_sheet import MOST_CONDITIONS, FightCondition, FighterSheet, Opening
from rules.action_points.fighter import EarlierDefense, Fighter
from rules.action_points.options import DisarmLimit, Options
from rules.action_points.tables import AttackType
from rules.core.encounter import Handle, NotAllowed, Play
from rules.core.rule import Rule
from rules.core.trail import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotCount:
    """Shots at one target, by the band in which they were fired; those of which every one hits or none are not counted."""

    every_second: int = 0
    every_third: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCritical:
    """A critical attack that is paid in part; only the same attack on the same target goes on with it."""

    target: str
    type: AttackType
    custom: CustomAttack | None
    paid_ap: Fraction


@dataclass(slots=True, kw_only=True)
class State:
    """What lasts for the fight, or until the rules or the game master change it.

    `started_fight` marks the attacker. `shots` are counted by target. `dropped_weapon` lies on the ground, and those of
    `dropped_before` under it; `disarmed` says that no cold weapon has been taken in hand since.
    """

    hp: int
    conditions: list[FightCondition]
    hidden: bool
    dead: bool = False
    started_fight: bool = False
    disarm_used: bool = False
    disarmed: bool = False
    dropped_weapon: str | None = None
    dropped_before: list[str] = field(default_factory=list)
    shots: dict[str, ShotCount] = field(default_factory=dict)
    pending_critical: PendingCritical | None = None


@dataclass(slots=True, kw_only=True)
class Turn:
    """What counts until AP are restored: what was spent, and how attacks were answered."""

    ap_spent: Fraction = Fraction(0)
    earlier_defenses: list[EarlierDefense] = field(default_factory=list)
    dash_used: bool = False


def begin(sheet: FighterSheet) -> tuple[State, Turn]:
    """One who joins: HP, conditions and stealth of the sheet, and full AP."""
    hp = sheet.fighter().hp_now or 0
    return State(hp=hp, conditions=list(sheet.conditions), hidden=sheet.hidden), Turn()


def as_number(value: Number) -> float:
    """An exact number as JSON has it."""
    return value.numerator if value.denominator == 1 else float(value)


def opening_of(play: Play) -> Opening:
    """What was said when the fight opened."""
    opening: Opening = play.fight.opening
    return opening


def options_of(play: Play) -> Options:
    """The house rules of the fight."""
    return opening_of(play).options


@dataclass(frozen=True, slots=True)
class Participant(Handle[FighterSheet, State, Turn]):
    """A combatant, as the rules look at one."""

    @property
    def hold(self) -> FightCondition | None:
        """The hold of a whip, if there is one."""
        return next((each for each in self.state.conditions if each.cause is ConditionCause.WHIP), None)

    @property
    def dropped(self) -> frozenset[str]:
        """All weapons that lie on the ground."""
        last = self.state.dropped_weapon
        return frozenset(self.state.dropped_before) | (frozenset() if last is None else {last})

    def told(self) -> Fighter:
        """All that a stateless request says of the combatant now."""
        state, turn = self.state, self.turn
        return self.sheet.fighter(
            hp=state.hp,
            ap_spent=as_number(turn.ap_spent),
            conditions=tuple(each.told() for each in state.conditions),
            earlier_defenses=tuple(turn.earlier_defenses),
            dash_used=turn.dash_used,
            disarm_used=state.disarm_used,
            has_cold_weapon=self.sheet.has_cold_weapon and not state.disarmed,
            hidden=state.hidden,
        )

    def rested(self) -> Fighter:
        """The combatant with full AP: how fast somebody is does not depend on what was spent."""
        return replace(self.told(), ap_spent=None)

    @property
    def ap_full(self) -> Number:
        """AP at a refresh now."""
        return self.told().ap_full or 0


def participant(play: Play, combatant_id: str) -> Participant:
    """A combatant of the fight."""
    return Participant(combatant_id, play.combatant(combatant_id))


def own_participant(play: Play, combatant_id: str) -> Participant:
    """A combatant for whom the sender may act."""
    return Participant(combatant_id, play.act_for(combatant_id))


def participants(play: Play, *, without: str | None = None) -> list[Participant]:
    """All combatants in the order of joining, but for one who leaves."""
    return [Participant(name, each) for name, each in play.fight.combatants.items() if name != without]


def demand_nothing_waits(play: Play) -> None:
    """While an attack waits for its answer, nothing else is done."""
    if play.fight.pending is not None:
        raise NotAllowed([], "attack_waits", combatant=play.fight.pending.targets[0].target)


def demand_alive(each: Participant) -> None:
    """The dead do nothing, and nothing is done to them."""
    if each.state.dead:
        raise NotAllowed([], "combatant_dead", combatant=each.id)


def set_conditions(
    play: Play, bearer: Participant, after: Iterable[KeptCondition], rule: Rule, *, holder: str | None = None
) -> None:
    """Keep the conditions of an outcome; a hold remembers whose whip it is, `holder` if it is new."""
    before = bearer.hold
    held_by = holder if before is None else before.holder
    kept = [_kept(each, held_by) for each in after]
    play.set(bearer.id, "conditions", kept[-MOST_CONDITIONS:], rule)


def _kept(condition: KeptCondition, held_by: str | None) -> FightCondition:
    return FightCondition(
        state=condition.state,
        cause=condition.cause,
        parameter=condition.parameter,
        amount=condition.amount,
        turns=condition.turns,
        paid_ap=None if condition.paid_ap is None else as_number(condition.paid_ap),
        holder=held_by if condition.cause is ConditionCause.WHIP else None,
    )


def end_hold(play: Play, bearer: Participant, rule: Rule) -> None:
    """The hold of a whip is gone."""
    kept = [each for each in bearer.state.conditions if each.cause is not ConditionCause.WHIP]
    play.set(bearer.id, "conditions", kept, rule)


def spend(play: Play, spender: Participant, ap: Number, rule: Rule) -> None:
    """AP leave the budget of the turn."""
    play.set(spender.id, "ap_spent", spender.turn.ap_spent + ap, rule)


def use_disarm(play: Play, combatant_id: str, rule: Rule | None, *, used: bool = True) -> None:
    """The disarm of a fight is its maker's, or by option one for all."""
    whose: Sequence[str] = list(play.fight.combatants) if _one_for_all(play) else [combatant_id]
    for each in whose:
        play.set(each, "disarm_used", used, rule)


def _one_for_all(play: Play) -> bool:
    return options_of(play).disarm_limit is DisarmLimit.PER_FIGHT
