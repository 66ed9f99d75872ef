"""The border between turns or rounds: AP come back, whips are paid off, conditions run down, HP regenerate."""

from dataclasses import dataclass, field, replace

from rules.action_points.conditions import Characteristic, ConditionCause, KeptCondition, reduction
from rules.action_points.fighter import Fighter
from rules.action_points.options import ApRefresh, LowHpStun, Options, RegenerationAt
from rules.action_points.permissions import STATE_RULES, Role, note_low_hp, refuse_by_state
from rules.action_points.sheet import Sheet, stun_if_low
from rules.action_points.sources import BEYOND, ON_LEVELS, ON_PARAMETERS, ON_STATES
from rules.action_points.whip import (
    FREED,
    HELD,
    NOT_HELD,
    RELEASE,
    RELEASE_AP,
    WhipAnswer,
    WhipStatus,
    refuse_too_few,
    release_price,
)
from rules.core.rule import Kind, rule
from rules.core.trail import Number, Trail

AP_REFRESH = rule("action_points.ap.refresh", ON_PARAMETERS, Kind.EFFECT)
REGENERATION = rule("action_points.regeneration.round", ON_LEVELS, Kind.MODIFIER)
REGENERATION_CAP = rule("action_points.regeneration.cap", BEYOND, Kind.LIMIT)
RUNS_DOWN = rule("action_points.state.runs_down", ON_STATES, Kind.EFFECT)
ENDS = rule("action_points.state.ends", ON_STATES, Kind.EFFECT)
STUN_ENDS = rule("action_points.stun.ends", BEYOND, Kind.EFFECT)
BORDER_RULES = (
    AP_REFRESH,
    *STATE_RULES,
    NOT_HELD,
    RELEASE_AP,
    RELEASE,
    FREED,
    HELD,
    RUNS_DOWN,
    ENDS,
    REGENERATION,
    REGENERATION_CAP,
    STUN_ENDS,
)


@dataclass(slots=True)
class Border:
    """A border between turns or rounds, and the sheet of the fighter who passes it."""

    fighter: Fighter
    options: Options
    sheet: Sheet
    ended: list[KeptCondition] = field(default_factory=list)
    counters_reset: bool = False

    @property
    def hold(self) -> KeptCondition | None:
        """The hold of a whip, if it lasts."""
        return next((each for each in self.sheet.conditions if each.cause is ConditionCause.WHIP), None)

    def start_turn(self, answer: WhipAnswer | None, trail: Trail) -> None:
        """AP by option, then the payment for the release."""
        self.refresh(ApRefresh.START_OF_OWN_TURN, trail)
        if answer is WhipAnswer.PAY:
            self.pay_release(trail)
        hold = self.hold
        if hold is not None and not trail.refused:
            trail.decision(HELD, paid=hold.paid_ap)

    def end_turn(self, trail: Trail) -> None:
        """Conditions run down, regeneration by option, the stun of low HP, AP."""
        self.run_down(trail)
        self.regenerate(RegenerationAt.TURN_END, trail)
        self.check_stun(trail)
        self.refresh(ApRefresh.END_OF_OWN_TURN, trail)

    def end_round(self, trail: Trail) -> None:
        """Regeneration, the stun of low HP, AP by option."""
        self.regenerate(RegenerationAt.ROUND_END, trail)
        self.check_stun(trail)
        self.refresh(ApRefresh.ROUND_END, trail)

    def refresh(self, now: ApRefresh, trail: Trail) -> None:
        """AP are restored to the maximum less the reductions that last, never saved up."""
        if self.options.ap_refresh is not now:
            return
        maximum = self.fighter.ap_maximum or 0
        full = max(0, maximum - reduction(self.sheet.conditions, Characteristic.AP))
        trail.effect(AP_REFRESH, full - (self.sheet.ap or 0), total=full)
        self.sheet.ap = full
        self.counters_reset = True

    def pay_release(self, trail: Trail) -> None:
        """15 AP free, at once or by option in parts, if nothing but the whip forbids acting."""
        note_low_hp(self.fighter, Role.FIGHTER, trail)
        hold, ap = self.hold, self.sheet.ap or 0
        if hold is None:
            trail.refuse(NOT_HELD)
            return
        self.refuse_payment(ap, trail)
        if trail.refused:
            return
        price = release_price(hold.paid_ap or 0, self.options)
        paid = min(price, ap)
        self.sheet.ap = ap - paid
        trail.effect(RELEASE, -paid, total=self.sheet.ap)
        at = self.sheet.conditions.index(hold)
        if paid == price:
            self.ended.append(self.sheet.conditions.pop(at))
            trail.effect(FREED)
        else:
            self.sheet.conditions[at] = replace(hold, paid_ap=(hold.paid_ap or 0) + paid)

    def refuse_payment(self, ap: Number, trail: Trail) -> None:
        """Who is immobilised by anything else, stunned or bound cannot pay, nor who has too few AP."""
        fighter = self.fighter
        refuse_by_state(
            Role.FIGHTER,
            trail,
            immobilised=fighter.immobilised_without_whip,
            stunned=fighter.stunned,
            bound=fighter.bound,
        )
        if not trail.refused:
            refuse_too_few(ap, self.options, trail)

    def run_down(self, trail: Trail) -> None:
        """A state with turns loses one at the end of each own turn; at 0 it is gone."""
        lasting = []
        for condition in self.sheet.conditions:
            if condition.turns is None:
                lasting.append(condition)
                continue
            shorter = replace(condition, turns=condition.turns - 1)
            trail.effect(RUNS_DOWN, -1, total=shorter.turns, state=shorter.state)
            if shorter.turns:
                lasting.append(shorter)
            else:
                self.ended.append(shorter)
                trail.effect(ENDS, state=shorter.state)
        self.sheet.conditions = lasting

    def regenerate(self, now: RegenerationAt, trail: Trail) -> None:
        """Regeneration is added once a round, up to the maximum, for all but the dead."""
        regained = self.fighter.regenerates
        if self.options.regeneration_at is not now or self.sheet.dead or not regained:
            return
        trail.carry(self.sheet.hp)
        trail.modifier(REGENERATION, regained)
        if trail.total > self.sheet.hp_max:
            trail.limit(REGENERATION_CAP, self.sheet.hp_max, total=self.sheet.hp_max)
        self.sheet.hp = int(trail.total)

    def check_stun(self, trail: Trail) -> None:
        """The stun of low HP comes and, unless it has to be lifted, goes with them."""
        sheet = self.sheet
        stun_if_low(sheet, trail)
        lifted_only = self.options.low_hp_stun is LowHpStun.UNTIL_LIFTED
        if sheet.has_low_hp or not sheet.low_hp_listed or lifted_only:
            return
        self.ended += [each for each in sheet.conditions if each.cause is ConditionCause.LOW_HP]
        sheet.conditions = [each for each in sheet.conditions if each.cause is not ConditionCause.LOW_HP]
        trail.effect(STUN_ENDS, sheet.effective_hp, hp_max=sheet.hp_max)

    @property
    def whip(self) -> WhipStatus:
        """Whether a whip holds the fighter now."""
        if self.fighter.whip_hold is None:
            return WhipStatus.NONE
        return WhipStatus.HELD if self.hold is not None else WhipStatus.FREED
