"""The order of a round, what each round gives back, what is declared for it, and aborting."""

import pytest

from rules.core.encounter import NotAllowed, NotForYou
from rules.storyteller import STORYTELLER
from service.faults import Malformations
from tests.rules.fights import Table
from tests.rules.storyteller.fighting import MIRA, begun, clinch, hold, of, table

TWO = [{"for": "attack", "maneuver": "strike", "dice": 2}, {"for": "dodge", "dice": 3}]
STRIKE = {"actor": "mira", "target": "ogre", "maneuver": "strike"}


# rounds


def test_the_first_round_rolls_for_all_in_the_order_of_joining() -> None:
    fight = table()
    fight.end_turn([1, 9, 10])
    assert fight.request == {
        "combatants": [
            {"id": "mira", "dexterity": 3, "wits": 3},
            {"id": "ogre", "dexterity": 2, "wits": 1},
            {"id": "hunter", "dexterity": 3, "wits": 2},
        ]
    }
    assert (fight.state["round"], fight.state["turn"]) == (1, "hunter")
    assert fight.state["order"] == ["hunter", "ogre", "mira"]
    assert ("order", "initiative.order") in [(effect[1], effect[3]) for effect in fight.effects]


def test_the_order_goes_round_and_a_new_round_rolls_anew() -> None:
    fight = begun()
    for expected in ("ogre", "hunter"):
        fight.end_turn()
        assert (fight.state["round"], fight.state["turn"]) == (1, expected)
    fight.end_turn([1, 1, 10])
    assert (fight.state["round"], fight.state["order"]) == (2, ["hunter", "mira", "ogre"])


def test_equals_take_their_turns_in_the_order_of_joining() -> None:
    fight = Table(STORYTELLER)
    for name in ("zoe", "anna"):
        fight.join(name, **MIRA)
    fight.end_turn([4, 4])
    assert fight.state["order"] == ["zoe", "anna"]
    assert [place["rank"] for place in fight.outcome["order"]] == [1, 1]


def test_who_is_down_has_no_turn_and_rolls_no_initiative() -> None:
    fight = begun()
    fight.change("ogre", wounds={"lethal": 7})
    fight.end_turn()
    assert fight.state["turn"] == "hunter"
    fight.end_turn([1, 1])
    assert fight.outcome["unable"] == ["ogre"]
    assert fight.state["order"] == ["mira", "hunter"]


def test_where_nobody_is_able_nobody_has_the_turn() -> None:
    fight = begun()
    for each in ("mira", "ogre", "hunter"):
        fight.change(each, wounds={"bashing": 7})
    fight.end_turn([])
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (2, None, [])
    fight.change("ogre", wounds={})
    fight.end_turn([5])
    assert (fight.state["round"], fight.state["turn"]) == (3, "ogre")


def test_a_fight_of_nobody_has_no_rounds() -> None:
    with pytest.raises(NotAllowed) as raised:
        Table(STORYTELLER).end_turn()
    assert raised.value.code == "nobody_fights"


def test_wounds_slow_and_do_not_heal() -> None:
    fight = table()
    fight.change("mira", wounds={"bashing": 4})
    fight.end_turn([1, 1, 1])
    assert fight.request["combatants"][0]["health"] == "wounded"
    assert [place["rating"] for place in fight.outcome["order"] if place["id"] == "mira"] == [4]
    assert of(fight, "mira").state.wounds.bashing == 4


def test_a_new_round_gives_back_what_is_per_round_and_nothing_else() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.act("declare", actor="hunter", kind="action")
    fight.change(
        "mira", has_acted=True, abort_failed=True, defenses_made=1, willpower_spent=True, cover="light", prone=True
    )
    while fight.state["round"] == 1:
        last = fight.state["turn"] == fight.state["order"][-1]
        fight.end_turn([1, 1, 1] if last else [])
    for each in ("mira", "ogre", "hunter"):
        turn = of(fight, each).turn
        assert (turn.declared, turn.has_acted, turn.abort_failed, turn.defenses_made) == ("none", False, False, 0)
        assert (turn.willpower_spent, turn.foes, turn.readied_defense) == (False, [], None)
    mira = of(fight, "mira").state
    assert (mira.engaged, mira.cover, mira.prone) == (True, "light", True)
    assert mira.grapple is not None


def test_who_leaves_hands_on_the_turn() -> None:
    fight = begun()
    fight.leave("mira")
    assert (fight.state["turn"], fight.state["order"]) == ("ogre", ["ogre", "hunter"])
    fight.end_turn()
    fight.leave("hunter")
    assert (fight.state["turn"], fight.state["round"]) == (None, 1)
    fight.end_turn([3])
    assert (fight.state["turn"], fight.state["round"]) == ("ogre", 2)


def test_who_leaves_is_forgotten() -> None:
    fight = begun("ogre")
    fight.act("attack", [2, 2, 2], actor="ogre", target="mira", maneuver="strike")
    fight.act("defend", actor="mira", maneuver="block", against="ogre")
    fight.leave("ogre")
    mira = of(fight, "mira").turn
    assert mira.foes == []
    assert mira.readied_defense is not None
    assert mira.readied_defense.against is None


def test_who_leaves_holds_nobody() -> None:
    fight = begun("ogre")
    hold(fight)
    fight.leave("ogre")
    assert of(fight, "mira").state.grapple is None


def test_the_aim_of_an_announcement_or_an_ambush_leaves() -> None:
    fight = table()
    fight.act("ambush", [9] * 3 + [2] * 2 + [2] * 2, actor="mira", target="hunter")
    fight.leave("hunter")
    assert of(fight, "mira").state.ambush is None
    fight.end_turn([9, 1])
    fight.act("announce", **STRIKE)
    fight.leave("ogre")
    assert of(fight, "mira").turn.announced is None


def test_who_comes_later_waits_for_the_next_round() -> None:
    fight = begun()
    fight.join("zoe", **MIRA)
    assert "zoe" not in fight.state["order"]
    assert fight.refused("attack", actor="zoe", target="ogre", maneuver="strike") == ["turn.order"]


# declarations


@pytest.mark.parametrize("kind", ["action", "full_defense"])
def test_a_declaration_is_made_once_and_before_acting(kind: str) -> None:
    fight = begun()
    fight.act("declare", [], "mira", actor="mira", kind=kind)
    assert of(fight, "mira").turn.declared == kind
    assert fight.refused("declare", actor="mira", kind="action") == ["maneuver.one_action"]
    fight.change("hunter", has_acted=True)
    assert fight.refused("declare", actor="hunter", kind=kind) == ["maneuver.one_action"]


def test_the_dice_of_a_multiple_action_are_divided_on_the_pools_of_the_sheet() -> None:
    fight = begun()
    roll = {"for": "roll", "attribute": "wits", "ability": "alertness", "dice": 1}
    more = [{"for": "block", "dice": 1}, {"for": "parry", "dice": 1}]
    aimed = {"for": "attack", "maneuver": "shot", "dice": 1}
    disarm = {"for": "attack", "maneuver": "disarm", "dice": 1}
    custom = {"for": "attack", "maneuver": "custom", "attribute": "strength", "ability": "athletics", "dice": 1}
    shares = [*TWO[:1], {"for": "dodge", "dice": 1}, roll, *more, aimed, disarm, custom]
    fight.change("mira", traits={**MIRA["traits"], "dexterity": 10, "wits": 10, "strength": 10})
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    assert [(each["attribute"], each.get("ability", 0)) for each in fight.request["actions"]] == [
        (10, 2),
        (10, 2),
        (10, 1),
        (10, 2),
        (10, 1),
        (10, 0),
        (10, 1),
        (10, 0),
    ]
    assert fight.request["actions"][0] == {"label": "attack", "dice": 2, "attribute": 10, "ability": 2}
    assert fight.state["combatants"]["mira"]["turn"]["shares"][0] == {
        "for": "attack",
        "maneuver": "strike",
        "attribute": None,
        "ability": None,
        "dice": 2,
        "used": False,
    }


def test_a_disarm_without_a_close_weapon_is_made_with_bare_hands() -> None:
    fight = begun()
    fight.change("mira", wielded="pistol")
    shares = [{"for": "attack", "maneuver": "disarm", "dice": 1}, {"for": "dodge", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    assert fight.request["actions"][0]["ability"] == 2


@pytest.mark.parametrize(
    ("wounds", "dice", "refused"),
    [
        ({}, 3, ["multiple.exceeds"]),
        ({"bashing": 6}, 1, ["pool.empty"]),
        ({"bashing": 7}, 1, ["health.incapacitated"]),
    ],
)
def test_a_multiple_action_is_refused_by_its_rules(wounds: dict[str, int], dice: int, refused: list[str]) -> None:
    fight = begun()
    fight.change("mira", wounds=wounds)
    shares = [{"for": "block", "dice": dice}, {"for": "dodge", "dice": 3}]
    assert fight.refused("declare", actor="mira", kind="multiple", shares=shares) == refused


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "multiple"},
        {"kind": "action", "shares": TWO},
        {"kind": "multiple", "shares": TWO[:1]},
        {"kind": "multiple", "shares": [{"for": "attack", "dice": 1}, TWO[1]]},
        {"kind": "multiple", "shares": [{"for": "block", "maneuver": "strike", "dice": 1}, TWO[1]]},
        {"kind": "multiple", "shares": [{"for": "roll", "dice": 1}, TWO[1]]},
        {"kind": "multiple", "shares": [{"for": "dodge", "attribute": "wits", "dice": 1}, TWO[1]]},
        {"kind": "multiple", "shares": [{**TWO[0], "dice": 0}, TWO[1]]},
    ],
)
def test_a_declaration_that_is_none(body: dict[str, object]) -> None:
    with pytest.raises(Malformations):
        begun().act("declare", actor="mira", **body)


def test_only_for_oneself() -> None:
    fight = begun()
    with pytest.raises(NotForYou):
        fight.act("declare", [], "ogre", actor="mira", kind="action")
    with pytest.raises(NotForYou):
        fight.act("abort-to-defense", [], "ogre", actor="mira", method="spend")
    with pytest.raises(NotAllowed) as raised:
        fight.act("declare", actor="nobody", kind="action")
    assert raised.value.code == "no_such_combatant"


def test_each_share_is_used_once_with_its_dice() -> None:
    fight = begun()
    fight.act("declare", actor="mira", kind="multiple", shares=TWO)
    assert fight.refused("attack", **{**STRIKE, "maneuver": "kick"}) == ["maneuver.one_action"]
    fight.act("attack", [2, 2], **STRIKE)
    assert fight.request["attacker"]["roll"]["allotted"] == 2
    assert [share["used"] for share in of(fight, "mira").turn.shares] == [True, False]
    assert fight.refused("attack", **STRIKE) == ["maneuver.one_action"]
    assert of(fight, "mira").turn.has_acted is False


@pytest.mark.parametrize("declared", ["full_defense", "aborted"])
def test_who_only_defends_neither_attacks_nor_rolls(declared: str) -> None:
    fight = begun()
    fight.act("declare", actor="mira", kind="action" if declared == "aborted" else declared)
    if declared == "aborted":
        fight.act("abort-to-defense", actor="mira", method="spend")
    assert fight.refused("attack", **STRIKE) == ["maneuver.one_action"]
    assert fight.refused("roll", "mira", actor="mira", attribute="wits") == ["maneuver.one_action"]
    assert fight.refused("announce", **STRIKE) == ["maneuver.one_action"]


# aborting


def test_a_point_drops_what_was_declared() -> None:
    fight = begun()
    fight.act("declare", actor="hunter", kind="action")
    fight.change("hunter", willpower={"rating": 4, "points": 1})
    fight.act("abort-to-defense", [], "hunter", actor="hunter", method="spend")
    assert fight.request == {"method": "spend", "willpower_rating": 4, "willpower_points": 1}
    assert fight.effects == [
        ("hunter", "willpower", {"rating": 4, "points": 0}, "abort.spend"),
        ("hunter", "declared", "aborted", "abort.aborted"),
    ]
    fight.act("defend", actor="hunter", maneuver="dodge")


def test_a_success_of_willpower_drops_a_multiple_action_without_a_defense() -> None:
    fight = begun()
    shares = [TWO[0], {"for": "roll", "attribute": "wits", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    fight.act("abort-to-defense", [6, 2, 2, 2, 2], actor="mira", method="roll")
    mira = of(fight, "mira")
    assert (mira.turn.declared, mira.turn.shares, mira.state.willpower.points) == ("aborted", [], 3)


def test_after_a_failure_only_the_declared_action_remains() -> None:
    fight = begun()
    fight.act("declare", actor="mira", kind="action")
    fight.act("abort-to-defense", [2] * 5, actor="mira", method="roll")
    assert fight.effects == [("mira", "abort_failed", True, "abort.must_act")]
    assert fight.refused("abort-to-defense", actor="mira", method="spend") == ["abort.must_act"]
    assert fight.refused("defend", actor="mira", maneuver="dodge") == ["defense.no_action"]
    fight.act("attack", [2] * 5, **STRIKE)


@pytest.mark.parametrize("declared", ["none", "full_defense", "multiple"])
def test_nothing_is_aborted_that_needs_no_aborting(declared: str) -> None:
    fight = begun()
    if declared != "none":
        shares = {"shares": TWO} if declared == "multiple" else {}
        fight.act("declare", actor="mira", kind=declared, **shares)
    fight.act("abort-to-defense", actor="mira", method="spend")
    expected = {"multiple": "multiple_with_defense"}.get(declared, declared)
    assert (fight.request["declared"], fight.outcome["result"], fight.effects) == (expected, "not_needed", [])


def test_who_has_acted_has_nothing_to_abort() -> None:
    fight = begun()
    fight.act("declare", actor="mira", kind="action")
    fight.act("attack", [2] * 5, **STRIKE)
    assert fight.refused("abort-to-defense", actor="mira", method="spend") == ["abort.already_acted"]
    fight = begun()
    shares = [TWO[0], {"for": "roll", "attribute": "wits", "dice": 1}]
    fight.act("declare", actor="mira", kind="multiple", shares=shares)
    fight.act("attack", [2] * 2, **STRIKE)
    assert fight.refused("abort-to-defense", actor="mira", method="spend") == ["abort.already_acted"]


def test_there_has_to_be_something_to_abort_with() -> None:
    fight = begun()
    fight.act("declare", actor="hunter", kind="action")
    assert fight.refused("abort-to-defense", actor="hunter", method="spend") == ["abort.no_willpower"]
    fight.change("hunter", willpower={"rating": 0, "points": 0})
    assert fight.refused("abort-to-defense", actor="hunter", method="roll") == ["pool.empty"]


def test_the_bound_and_the_fallen_declare_and_abort_nothing() -> None:
    fight = begun("ogre")
    fight.act("declare", actor="mira", kind="action")
    clinch(fight)
    assert fight.refused("declare", actor="ogre", kind="action") == ["clinch.no_other", "maneuver.one_action"]
    assert fight.refused("abort-to-defense", actor="mira", method="spend") == ["clinch.no_other"]
    fight.change("hunter", wounds={"bashing": 7})
    assert fight.refused("declare", actor="hunter", kind="full_defense") == ["health.incapacitated"]
