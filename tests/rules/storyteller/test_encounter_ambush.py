"""Ambushes: before the first round and later, what they give, and how long."""

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import begun, clinch, hold, of, table

SNEAK = {"actor": "mira", "target": "ogre"}
STRIKE = {**SNEAK, "maneuver": "strike"}
SURPRISE = [8, 8, 2, 2, 2, 2, 2]
TIE = [2] * 7
SPOTTED = [2] * 5 + [8, 2]


def test_what_is_rolled() -> None:
    fight = table()
    fight.act("ambush", SURPRISE, "mira", **SNEAK)
    assert fight.request["attacker"]["roll"]["traits"]["stealth"] == 2
    assert fight.request["target"]["roll"]["armor_penalty"] == 1
    assert (fight.outcome["attacker"]["pool"], fight.outcome["target"]["pool"]) == (5, 2)


def test_a_surprise_gives_one_attack_at_once_that_takes_no_action() -> None:
    fight = table()
    fight.act("ambush", SURPRISE, **SNEAK)
    kept = {"target": "ogre", "bonus": 2, "awareness": "ambushed", "last_round": 1}
    assert fight.effects == [("mira", "ambush", kept, "ambush.surprise")]
    fight.act("defend", actor="ogre", maneuver="block")
    fight.act("attack", [2] * 7, "mira", **STRIKE)
    assert (fight.request["ambush_successes"], fight.request["defender"]["awareness"]) == (2, "ambushed")
    assert fight.steps == [("ambush.no_defense", None)]
    mira = of(fight, "mira")
    assert (mira.turn.has_acted, mira.state.ambush) == (False, None)
    assert fight.refused("attack", **STRIKE) == ["turn.order"]


def test_it_is_for_that_target_alone() -> None:
    fight = table()
    fight.act("ambush", SURPRISE, **SNEAK)
    assert fight.refused("attack", **{**STRIKE, "target": "hunter"}) == ["turn.order"]


def test_a_share_stays_for_the_turn() -> None:
    fight = begun("hunter")
    shares = [{"for": "attack", "maneuver": "strike", "dice": 1}, {"for": "dodge", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    fight.act("ambush", SURPRISE, **SNEAK)
    fight.act("attack", [2] * 7, **STRIKE)
    assert [share["used"] for share in of(fight, "mira").turn.shares] == [False, False]


def test_a_tie_comes_first_in_the_next_initiative_alone() -> None:
    fight = table()
    fight.act("ambush", TIE, **SNEAK)
    assert fight.outcome["result"] == "tie"
    assert fight.refused("attack", **STRIKE) == ["turn.order"]
    fight.end_turn([1, 10, 10])
    assert fight.request["combatants"][0]["strikes_first"] is True
    assert fight.state["turn"] == "mira"
    fight.act("attack", [2] * 5, **STRIKE)
    assert "ambush_successes" not in fight.request
    assert "awareness" not in fight.request["defender"]


def test_an_ambush_of_which_nothing_came_is_forgotten_after_the_next_round() -> None:
    fight = table()
    fight.act("ambush", TIE, **SNEAK)
    fight.act("ambush", [9] * 1 + [2] * 2 + [2] * 2, actor="hunter", target="ogre")
    fight.end_turn([1, 1, 1])
    assert of(fight, "hunter").surprises("ogre")
    next_round(fight)
    assert "strikes_first" not in fight.request["combatants"][0]
    assert (of(fight, "mira").state.ambush, of(fight, "hunter").state.ambush) == (None, None)


def next_round(fight: Table) -> None:
    now = fight.state["round"]
    while fight.state["round"] == now:
        last = fight.state["turn"] == fight.state["order"][-1]
        fight.end_turn([1, 1, 1] if last else [])


def test_one_made_in_a_round_counts_for_the_next() -> None:
    fight = begun()
    fight.act("ambush", TIE, **SNEAK)
    next_round(fight)
    assert fight.request["combatants"][0]["strikes_first"] is True
    next_round(fight)
    assert "strikes_first" not in fight.request["combatants"][0]


def test_who_is_noticed_has_nothing() -> None:
    fight = table()
    fight.act("ambush", SPOTTED, **SNEAK)
    assert (fight.outcome["result"], fight.effects) == ("spotted", [])


def test_who_is_noticed_at_last_has_nothing_of_an_earlier_ambush() -> None:
    fight = table()
    fight.act("ambush", SURPRISE, **SNEAK)
    fight.act("ambush", SPOTTED, **SNEAK)
    assert fight.effects == [("mira", "ambush", None, "ambush.spotted")]
    assert fight.refused("attack", **STRIKE) == ["turn.order"]


def test_the_bonus_may_be_successes() -> None:
    fight = table(ambush_bonus="successes")
    fight.act("ambush", SURPRISE, **SNEAK)
    fight.act("attack", [2] * 5 + [2] * 4 + [2] * 3, **STRIKE)
    assert fight.outcome["net_successes"] == 2


@pytest.mark.parametrize(
    ("option", "actor", "refused"),
    [
        ("attacker", "mira", True),
        ("attacker", "hunter", False),
        ("target", "mira", True),
        ("target", "hunter", True),
        ("either", "hunter", True),
    ],
)
def test_who_is_in_the_fight_cannot(option: str, actor: str, refused: bool) -> None:
    fight = begun(ambush_engaged=option)
    fight.act("attack", [2] * 5, **STRIKE)
    if refused:
        assert fight.refused("ambush", actor=actor, target="ogre") == ["ambush.engaged"]
        fight.change("mira", engaged=False)
        fight.change("ogre", engaged=False)
    fight.act("ambush", [2] * (5 if actor == "mira" else 3) + [2] * 2, actor=actor, target="ogre")
    assert fight.outcome["result"] == "tie"


def test_willpower_of_both_sides() -> None:
    fight = table()
    points = {**SNEAK, "spend_willpower": True, "resisting": {"spend_willpower": True}}
    with pytest.raises(NotForYou):
        fight.act("ambush", [], "mira", **points)
    fight.act("ambush", TIE, "mira ogre", **points)
    assert (of(fight, "mira").state.willpower.points, of(fight, "ogre").state.willpower.points) == (2, 0)
    assert fight.refused("ambush", **points) == ["willpower.one_a_round", "willpower.no_points"]


def test_who_has_no_dice_to_notice_with_spends_nothing() -> None:
    fight = table()
    fight.change("ogre", wounds={"lethal": 6})
    fight.act("ambush", [2] * 5, **SNEAK, resisting={"spend_willpower": True})
    assert of(fight, "ogre").state.willpower.points == 1


def test_the_circumstances_are_the_game_masters() -> None:
    fight = table()
    for said in ({"difficulty": 5}, {"resisting": {"modifiers": [{"dice": 1}]}}):
        with pytest.raises(NotForYou):
            fight.act("ambush", [], "mira", **SNEAK, **said)
    fight.act("ambush", [2] * 8, **SNEAK, difficulty=5, resisting={"modifiers": [{"dice": 1}]})
    assert fight.request["attacker"]["roll"]["difficulty"] == 5


def test_for_oneself_on_another_with_a_specialty_that_there_is() -> None:
    fight = table()
    with pytest.raises(NotForYou):
        fight.act("ambush", [], "ogre", **SNEAK)
    for said, field in (
        ({"target": "mira"}, "target"),
        ({"specialty": True}, "specialty"),
        ({"resisting": {"specialty": True}}, "resisting/specialty"),
    ):
        with pytest.raises(Malformed) as raised:
            fight.act("ambush", **{**SNEAK, **said})
        assert raised.value.field == field


def test_the_bound_and_the_fallen_sneak_nowhere() -> None:
    fight = begun("ogre", ambush_engaged="target")
    hold(fight)
    assert fight.refused("ambush", actor="mira", target="hunter") == ["hold.immobile"]
    fight.change("mira", free=True)
    fight.change("ogre", has_acted=False)
    clinch(fight)
    assert fight.refused("ambush", actor="mira", target="hunter") == ["clinch.no_other"]
    fight.change("mira", wounds={"bashing": 7})
    assert fight.refused("ambush", actor="mira", target="hunter") == ["health.incapacitated"]
