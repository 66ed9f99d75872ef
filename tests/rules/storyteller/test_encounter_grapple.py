"""Clinches and holds that last: how they begin, what can be done in them, how they end."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from rules.core.faults import Malformed
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import MIRA, OGRE, begun, clinch, hold, of


def turn_of(fight: Table, combatant_id: str) -> None:
    """The turn of one who has not acted."""
    while fight.state["turn"] != combatant_id:
        last = fight.state["turn"] == fight.state["order"][-1]
        fight.end_turn([6, 4, 1] if last else [])
    fight.change(combatant_id, has_acted=False)


def clinched() -> Table:
    """The ogre and Mira in a clinch, on Mira's turn."""
    fight = begun("ogre")
    clinch(fight)
    turn_of(fight, "mira")
    return fight


def held(**options: str) -> Table:
    """Mira held by the ogre, on her turn."""
    fight = begun("ogre", **options)
    hold(fight)
    turn_of(fight, "mira")
    return fight


# how they begin


def test_a_clinch_is_for_both() -> None:
    fight = begun("ogre")
    clinch(fight)
    bond = {"kind": "clinch", "role": "both"}
    assert [effect for effect in fight.effects if effect[1] == "grapple"] == [
        ("ogre", "grapple", {**bond, "with": "mira"}, "clinch.begins"),
        ("mira", "grapple", {**bond, "with": "ogre"}, "clinch.begins"),
    ]


def test_a_hold_is_for_one() -> None:
    fight = begun("ogre")
    fight.act("defend", actor="ogre", maneuver="block", against="hunter")
    hold(fight)
    assert [effect for effect in fight.effects if effect[1] == "grapple"] == [
        ("ogre", "grapple", {"kind": "hold", "with": "mira", "role": "holder"}, "hold.begins"),
        ("mira", "grapple", {"kind": "hold", "with": "ogre", "role": "held"}, "hold.begins"),
    ]
    assert of(fight, "ogre").condition == "free"
    assert of(fight, "ogre").turn.readied_defense is not None


def test_whom_the_blow_fells_is_not_bound() -> None:
    fight = begun("ogre")
    fight.change("mira", wounds={"bashing": 6})
    fight.act("attack", [10] * 6 + [1] * 2 + [7] * 2 + [1] * 2, actor="ogre", target="mira", maneuver="clinch")
    assert fight.outcome["effect"] == "clinched"
    assert (of(fight, "mira").state.status, of(fight, "mira").state.grapple) == ("unconscious", None)


def test_another_takes_the_held_over() -> None:
    fight = begun("ogre")
    hold(fight)
    turn_of(fight, "hunter")
    fight.act("attack", [10] * 4, actor="hunter", target="mira", maneuver="hold")
    assert of(fight, "ogre").state.grapple is None
    bond = of(fight, "mira").state.grapple
    assert bond is not None
    assert bond["with"] == "hunter"


# in a clinch


@pytest.mark.parametrize("actor", ["mira", "ogre"])
def test_either_does_harm(actor: str) -> None:
    fight = clinched()
    turn_of(fight, actor)
    dice = {"mira": [2] * 4 + [7, 7], "ogre": [2] * 2 + [7] * 2 + [2] * 2}[actor]
    fight.act("grapple", dice, actor, actor=actor, choice="inflict")
    sheets = {"mira": MIRA, "ogre": OGRE}
    assert (fight.request["grapple"], fight.request["choice"]) == ("clinch", "inflict")
    assert fight.request["actor"] == {"strength": sheets[actor]["traits"]["strength"]}
    victim = {"mira": "ogre", "ogre": "mira"}[actor]
    assert (victim, "wounds", {"bashing": 1, "lethal": 0, "aggravated": 0}, "health.track") in fight.effects
    assert (actor, "has_acted", True, "maneuver.one_action") in fight.effects
    assert fight.refused("grapple", actor=actor, choice="inflict") == ["maneuver.one_action"]


def test_either_gets_both_free() -> None:
    fight = clinched()
    fight.act("grapple", [7] + [2] * 3 + [2] * 6, "mira", actor="mira", choice="escape", specialty=True)
    assert fight.request["actor"] == {"roll": {"traits": MIRA["traits"], "specialty": True}}
    assert fight.request["opponent"]["roll"]["armor_penalty"] == 1
    assert (of(fight, "mira").state.grapple, of(fight, "ogre").state.grapple) == (None, None)


def test_a_tie_frees_nobody() -> None:
    fight = clinched()
    fight.act("grapple", [2] * 10, actor="mira", choice="escape")
    assert fight.outcome["result"] == "still_grappled"
    assert of(fight, "mira").condition == "clinched"


def test_whom_harm_fells_is_free() -> None:
    fight = clinched()
    fight.change("ogre", wounds={"lethal": 6})
    fight.act("grapple", [2] * 4 + [7, 7], actor="mira", choice="inflict")
    assert of(fight, "ogre").state.status == "unconscious"
    assert of(fight, "mira").state.grapple is None


def test_nothing_else_can_be_done() -> None:
    fight = clinched()
    strike = {"actor": "mira", "target": "hunter", "maneuver": "strike"}
    for slug, body in (
        ("attack", strike),
        ("announce", strike),
        ("roll", {"actor": "mira", "attribute": "wits"}),
        ("take-position", {"actor": "mira", "prone": True}),
        ("release", {"actor": "mira"}),
        ("defend", {"actor": "mira", "maneuver": "dodge"}),
        ("declare", {"actor": "mira", "kind": "action"}),
    ):
        assert fight.refused(slug, "mira", **body) == ["clinch.no_other"]
    assert fight.refused("grapple", actor="mira", choice="squeeze") == ["grapple.choice"]


# in a hold


def test_the_held_may_only_escape() -> None:
    fight = held()
    assert fight.refused("grapple", actor="mira", choice="inflict") == ["grapple.choice"]
    assert fight.refused("grapple", actor="mira", choice="squeeze") == ["hold.immobile"]
    assert fight.refused("take-position", actor="mira", cover="good") == ["hold.immobile"]
    assert fight.refused("release", actor="mira") == ["hold.immobile"]
    assert fight.refused("roll", actor="mira", attribute="wits") == ["hold.immobile"]
    fight.act("grapple", [7] + [2] * 3 + [2] * 6, actor="mira", choice="escape")
    assert of(fight, "ogre").state.grapple is None


def test_the_holder_squeezes_and_does_not_escape() -> None:
    fight = held()
    turn_of(fight, "ogre")
    assert fight.refused("grapple", actor="ogre", choice="escape") == "holder_releases"
    assert fight.refused("grapple", actor="ogre", choice="inflict") == ["grapple.choice"]
    fight.act("grapple", [2] * 2 + [7] * 2 + [2] * 2, "ogre", actor="ogre", choice="squeeze")
    assert of(fight, "mira").state.wounds.bashing == 1


def test_a_squeeze_may_have_to_be_won() -> None:
    fight = held(squeeze="contested")
    turn_of(fight, "ogre")
    fight.act("grapple", [2] * 10, actor="ogre", choice="squeeze", spend_willpower=False)
    assert fight.outcome["result"] == "no_grip"


def test_the_holder_lets_go() -> None:
    fight = held()
    assert fight.refused("release", "ogre", actor="ogre") == ["turn.order"]
    turn_of(fight, "ogre")
    fight.act("release", [], "ogre", actor="ogre")
    assert [effect[:3] for effect in fight.effects] == [("ogre", "grapple", None), ("mira", "grapple", None)]
    assert of(fight, "ogre").turn.has_acted is False
    assert fight.refused("release", actor="ogre") == "holds_nobody"


def test_the_holder_lets_go_before_a_roll_that_is_an_action() -> None:
    fight = held()
    turn_of(fight, "ogre")
    fight.act("roll", [2] * 2, actor="ogre", attribute="perception", reflexive=True)
    assert of(fight, "mira").condition == "held"
    fight.act("roll", [2] * 2, actor="ogre", attribute="perception")
    assert of(fight, "mira").condition == "free"


# who, and what it costs


def test_only_in_one_and_on_ones_own_turn() -> None:
    fight = clinched()
    assert fight.refused("grapple", "ogre", actor="ogre", choice="inflict") == ["turn.order"]
    with pytest.raises(NotForYou):
        fight.act("grapple", [], "ogre", actor="mira", choice="inflict")
    with pytest.raises(NotForYou):
        fight.act("release", [], "ogre", actor="mira")
    turn_of(fight, "hunter")
    assert fight.refused("grapple", actor="hunter", choice="inflict") == "not_grappling"


def test_an_action_that_was_divided_and_begun_is_used() -> None:
    fight = begun("ogre")
    shares = [{"for": "dodge", "dice": 1}, {"for": "block", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    fight.act("defend", actor="mira", maneuver="block")
    fight.act("attack", [10] * 3 + [2], actor="ogre", target="mira", maneuver="hold")
    fight.end_turn()
    assert fight.refused("grapple", actor="mira", choice="escape") == ["maneuver.one_action"]


def test_willpower_of_both_sides() -> None:
    fight = clinched()
    points: dict[str, Any] = {"actor": "mira", "choice": "escape", "spend_willpower": True}
    with pytest.raises(NotForYou):
        fight.act("grapple", [], "mira", **points, resisting={"spend_willpower": True})
    fight.act("grapple", [2] * 10, **points, resisting={"spend_willpower": True})
    assert (of(fight, "mira").state.willpower.points, of(fight, "ogre").state.willpower.points) == (2, 0)
    fight.change("mira", has_acted=False)
    assert fight.refused("grapple", **points) == ["willpower.one_a_round"]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"specialty": True}, "specialty"),
        ({"spend_willpower": True}, "spend_willpower"),
        ({"difficulty": 5}, "difficulty"),
        ({"modifiers": [{"dice": 1}]}, "modifiers"),
        ({"resisting": {"specialty": True}}, "resisting"),
    ],
)
def test_nothing_is_said_of_a_roll_that_is_not_made(said: dict[str, Any], field: str) -> None:
    with pytest.raises(Malformed) as raised:
        clinched().act("grapple", actor="mira", choice="inflict", **said)
    assert (raised.value.field, raised.value.code) == (field, "only_with")


def test_damage_modifiers_are_the_game_masters() -> None:
    fight = clinched()
    blow = {"actor": "mira", "choice": "inflict", "damage_modifiers": [{"dice": 1}]}
    with pytest.raises(NotForYou):
        fight.act("grapple", [], "mira", **blow)
    fight.act("grapple", [2] * 4 + [2] * 3, **blow)
    assert fight.request["actor"]["damage_modifiers"] == [{"dice": 1}]


def test_the_fallen_do_nothing() -> None:
    fight = clinched()
    fight.change("hunter", wounds={"lethal": 7})
    fight.change("mira", wounds={"lethal": 7})
    assert fight.refused("grapple", actor="mira", choice="inflict") == "not_grappling"
