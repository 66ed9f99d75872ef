"""A change being decided: what it records, what it refuses, and what it sends."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from rules.core.action import Action
from rules.core.dice import SuppliedDice
from rules.core.encounter import Combatant, Fight, NotAllowed, Play, Sender, as_sent, change_fields
from rules.core.odds import OddsOver
from rules.core.rule import Kind, rule
from rules.core.trail import Trail

TIRED = rule("play.tired", "published", Kind.REFUSAL)
RAIN = rule("play.rain", "published", Kind.REFUSAL)
ROLL = rule("play.roll", "published", Kind.ROLL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    hits: int = 5
    skills: Mapping[str, "Skill"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    level: int
    rank: int = 0


@dataclass(slots=True)
class State:
    hits: int = 5


@dataclass(slots=True)
class Turn:
    acted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    hits: int | None = None
    skills: Mapping[str, Skill] | None = None
    acted: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    tired: bool = False


def resolve(request: Request, trail: Trail) -> int | None:
    if request.tired:
        trail.refuse(TIRED)
        return None
    return trail.sum(ROLL, 1, 10)


ACTION: Action[Request, int] = Action(
    slug="act",
    request=Request,
    outcome=int,
    resolve=resolve,
    rules=(TIRED, ROLL),
    odds_over=OddsOver(("face",), lambda face: (face,)),
    example={},
    max_dice=1,
    max_sides=10,
)


def play_on(dice: list[int]) -> Play:
    fight = Fight(opening=None, combatants={"mira": Combatant("Mira", 0, Sheet(), State(), Turn())})
    return Play(fight, SuppliedDice(dice), Sender.GM, frozenset())


@pytest.mark.parametrize(
    ("tired", "refused_by"), [(False, ["play.rain"]), (True, ["play.rain", "play.tired"])], ids=["fit", "tired"]
)
def test_what_the_fight_forbids_is_told_with_what_the_action_forbids(tired: bool, refused_by: list[str]) -> None:
    play = play_on([7])
    with pytest.raises(NotAllowed) as refused:
        play.ask(ACTION, Request(tired=tired), (RAIN,))
    assert refused.value.refused_by == refused_by
    assert play.asked == []
    assert play.ask(ACTION, Request()) == 7


def test_a_name_that_state_and_sheet_share_is_the_present_value() -> None:
    play = play_on([])
    mira = play.fight.combatants["mira"]
    change_fields(play, "mira", Change(hits=2, acted=True, skills={"sword": Skill(level=12)}))
    assert (mira.sheet.hits, mira.state.hits, mira.turn.acted) == (5, 2, True)
    assert [(effect.field, effect.after) for effect in play.effects] == [
        ("hits", 2),
        ("acted", True),
        ("sheet", Sheet(skills={"sword": Skill(level=12)})),
    ]


def test_a_map_of_a_sheet_is_sent_without_what_is_at_its_default() -> None:
    sheet = Sheet(hits=3, skills={"sword": Skill(level=12), "axe": Skill(level=9, rank=1)})
    assert as_sent(sheet) == {"hits": 3, "skills": {"sword": {"level": 12}, "axe": {"level": 9, "rank": 1}}}
