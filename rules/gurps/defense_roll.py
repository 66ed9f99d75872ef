"""The roll of a defense: 3d against the score with all its modifiers."""

from dataclasses import dataclass, field

from rules.core.rule import Kind, rule
from rules.core.trail import Trail, part
from rules.gurps.defense_choice import DefenseKind
from rules.gurps.defense_outcome import AttemptResult, Automatic, DefenseAttempt

SOURCE = "Броски защиты"
ROLL = rule("gurps.defense.roll", SOURCE, Kind.ROLL)
RESULT = rule("gurps.defense.result", SOURCE, Kind.RESULT)
AUTOMATIC = rule("gurps.defense.automatic", SOURCE, Kind.DECISION)

DEFENSE_ROLL_RULES = (ROLL, RESULT, AUTOMATIC)

AUTOMATIC_SUMS = {
    3: Automatic.SUCCESS,
    4: Automatic.SUCCESS,
    17: Automatic.FAILURE,
    18: Automatic.FAILURE,
}


@dataclass(slots=True, unsafe_hash=True)
class DefenseRoll:
    """What the roll came to; the sum is for the record, only `stops` may decide what follows."""

    stops: bool
    sum: int = field(compare=False)
    automatic: Automatic = field(compare=False)


def roll_defense(trail: Trail) -> DefenseRoll:
    """Roll against the running total."""
    return trail.apart(part(_rolled, int(trail.total)))


def _rolled(trail: Trail, effective: int) -> DefenseRoll:
    """3 and 4 always succeed, 17 and 18 always fail; otherwise equal to the score or lower stops the attack."""
    rolled = trail.sum(ROLL, 3, 6, effective=effective)
    automatic = AUTOMATIC_SUMS.get(rolled, Automatic.NONE)
    if automatic is Automatic.NONE:
        stops = rolled <= effective
    else:
        stops = automatic is Automatic.SUCCESS
        trail.decision(AUTOMATIC, int(stops), rolled=rolled)
    trail.result(RESULT, effective - rolled, stops=int(stops))
    return DefenseRoll(stops, rolled, automatic)


def attempt_of(kind: DefenseKind, base: int, effective: int, rolled: DefenseRoll) -> DefenseAttempt:
    """A dodge or a block as it is answered."""
    return DefenseAttempt(
        kind=kind,
        result=AttemptResult.SUCCESS if rolled.stops else AttemptResult.FAILURE,
        base=base,
        effective=effective,
        roll=rolled.sum,
        margin=effective - rolled.sum,
        automatic=rolled.automatic,
    )
