"""What something in a fight costs: the action of the round or a share of it, and Willpower."""

from dataclasses import dataclass, replace

from rules.core.encounter import Play
from rules.core.rule import Rule
from rules.storyteller.encounter_fighter import Fighter
from rules.storyteller.encounter_said import RollTerms
from rules.storyteller.encounter_state import Declaration, Deed, deed_of
from rules.storyteller.multiple_action import SPLIT
from rules.storyteller.throws import WILLPOWER
from rules.storyteller.turn import NO_POINTS, ONE_A_ROUND, ONE_ACTION


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether there is an action for something, and what it takes: nothing, the one action, or a share with its dice."""

    there: bool = True
    costs: bool = True
    share: int | None = None
    dice: int | None = None

    @property
    def forbidden(self) -> list[Rule]:
        """What forbids it."""
        return [] if self.there else [ONE_ACTION]

    def spend(self, play: Play, actor: Fighter) -> None:
        """The action or the share is used."""
        if not self.costs:
            return
        if self.share is None:
            play.set(actor.id, "has_acted", True, ONE_ACTION)
            return
        shares = list(actor.turn.shares)
        shares[self.share] = {**shares[self.share], "used": True}
        play.set(actor.id, "shares", shares, SPLIT)


FREE = Allowance(costs=False)
NONE_LEFT = Allowance(there=False)


def allowance(actor: Fighter, deed: Deed) -> Allowance:
    """What an attack or a roll may take: not after a round of defending was chosen, and of a multiple action its share."""
    if actor.turn.has_acted or actor.turn.declared in (Declaration.FULL_DEFENSE, Declaration.ABORTED):
        return NONE_LEFT
    if actor.turn.declared is not Declaration.MULTIPLE:
        return Allowance()
    return share_for(actor, deed)


def share_for(actor: Fighter, deed: Deed) -> Allowance:
    """The first share for it that is not used."""
    for at, share in enumerate(actor.turn.shares):
        if not share["used"] and deed_of(share) == deed:
            return Allowance(share=at, dice=share["dice"])
    return NONE_LEFT


def willpower_missing(spender: Fighter, terms: RollTerms) -> list[Rule]:
    """A success costs a point that is there, and only one a round."""
    if not terms.spend_willpower:
        return []
    missing = [] if spender.state.willpower.points else [NO_POINTS]
    return [*missing, ONE_A_ROUND] if spender.turn.willpower_spent else missing


def pay_willpower(play: Play, spender: Fighter, terms: RollTerms) -> None:
    """One point less, for the success that it gave."""
    if terms.spend_willpower:
        willpower = spender.state.willpower
        play.set(spender.id, "willpower", replace(willpower, points=willpower.points - 1), WILLPOWER)
        play.set(spender.id, "willpower_spent", True, ONE_A_ROUND)
