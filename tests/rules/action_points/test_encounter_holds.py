"""Plans, the hold of a whip and critical attacks, which last from turn to turn."""

import pytest

from rules.core.encounter import NotForYou
from service.faults import Malformations
from tests.rules.action_points.fighting import Body, aimed, begun, plan, rounds, spell, spent, state, strike
from tests.rules.fights import Table

AIMED = {"type": "aimed_shot", "distance_m": 30, "critical": {}}
AXE = {"type": "two_handed", "critical": {}}


# plans


def test_a_plan_that_fits_is_done() -> None:
    fight = begun(stealth_rule="only_walk_keeps")
    fight.change("mira", hidden=True)
    plan(
        fight,
        {"type": "walk", "distance_m": 2},
        {"type": "ability", "ability": {"ap": 3, "needs_hands": False}},
        "dash",
    )
    assert fight.request == {
        "fighter": {"kind": "mage", "level": 3, "hp": 140, "ap_spent": 0, "hidden": True},
        "items": [
            {"type": "walk", "distance_m": 2},
            {"type": "ability", "ability": {"ap": 3, "needs_hands": False}},
            {"type": "dash"},
        ],
        "options": {"stealth_rule": "only_walk_keeps"},
    }
    assert fight.effects == [
        ("mira", "ap_spent", 12, "ap.spent"),
        ("mira", "dash_used", True, "dash.once_per_turn"),
        ("mira", "hidden", False, "stealth.run_breaks"),
    ]
    assert fight.refused("turn-plan", actor="mira", items=[{"type": "dash"}]) == ["dash.once_per_turn"]


def test_walking_keeps_stealth() -> None:
    fight = begun()
    fight.change("mira", hidden=True)
    plan(fight, {"type": "walk", "distance_m": 0.5})
    assert (state(fight, "mira").hidden, spent(fight, "mira")) == (True, 1)


def test_a_plan_that_does_not_fit_changes_nothing() -> None:
    fight = begun()
    run: Body = {"type": "run", "distance_m": 15}
    assert fight.refused("turn-plan", actor="mira", items=[run, {"type": "interact"}]) == ["turn.too_expensive"]
    assert fight.refused("turn-plan", actor="mira", items=[run, {"type": "change_shape"}]) == [
        "ability.change_shape_kinds"
    ]
    assert spent(fight, "mira") == 0
    plan(fight, run, "draw_weapon")


def test_who_changes_shape_has_a_kind() -> None:
    fight = begun()
    fight.end_turn()
    assert fight.refused("turn-plan", actor="ogre", items=[{"type": "change_shape"}]) == "kind_unknown"


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        ({"type": "attack"}, ("#/items/0/type", "attack_in_plan")),
        ({"type": "attack", "attack": {"type": "sword"}}, ("#/items/0/attack", "unexpected_keyword_argument")),
        ({"type": "walk"}, ("#/items/0/distance_m", "needed_with")),
        ({"type": "dash", "ability": {"ap": 1}}, ("#/items/0/ability", "only_with")),
        ({"type": "walk", "distance_m": 1.25}, ("#/items/0/distance_m", "tenths")),
    ],
)
def test_an_item_that_is_none(item: Body, fault: tuple[str, str]) -> None:
    with pytest.raises(Malformations) as raised:
        begun().act("turn-plan", actor="mira", items=[item])
    assert [(each.pointer, each.code) for each in raised.value.faults] == [fault]


# the hold of a whip


def held(**options: str) -> Table:
    """Mira's whip holds the ogre, in the ogre's turn."""
    fight = begun(**options)
    strike(fight, "whip_grab")
    fight.end_turn()
    assert fight.state["turn"] == "ogre"
    return fight


def holders(fight: Table, combatant: str = "ogre") -> list[tuple[str, str | None, float | None]]:
    """The conditions of a combatant, by cause, with the holder and what was paid."""
    return [(each.cause.value, each.holder, each.paid_ap) for each in state(fight, combatant).conditions]


def test_a_grab_holds_and_the_holder_is_remembered() -> None:
    fight = held()
    assert holders(fight) == [("whip", "mira", 0)]
    assert fight.refused("attack", **aimed("punch", "ogre", "mira")) == ["state.immobilised"]
    assert fight.refused("turn-plan", actor="ogre", items=[{"type": "dash"}]) == ["state.immobilised"]
    rounds(fight)
    assert holders(fight) == [("whip", "mira", 0)]


def test_a_grab_may_be_paid_off_at_once() -> None:
    fight = begun()
    fight.act("attack", [], "mira", **aimed("whip_grab"))
    fight.act("answer", [], "ogre", actor="ogre", if_grabbed="pay")
    assert (fight.outcome["grab"], spent(fight, "ogre"), holders(fight)) == ("freed", 15, [])
    assert ("ogre", "ap_spent", 15, "whip.release") in fight.effects
    fight = begun()
    fight.act("attack", **aimed("whip_grab"), if_grabbed="pay")
    assert fight.outcome["grab"] == "freed"
    fight = begun()
    fight.change("ogre", ap_spent=6)
    assert fight.refused("attack", **aimed("whip_grab"), if_grabbed="pay") == ["whip.release_ap"]


def test_a_hold_is_paid_off_in_a_plan() -> None:
    fight = held()
    plan(fight, "whip_release", {"type": "run", "distance_m": 5}, actor="ogre")
    assert (spent(fight, "ogre"), holders(fight)) == (20, [])
    assert ("ogre", "conditions", [], "whip.freed") in fight.effects


def test_a_hold_is_paid_off_in_parts() -> None:
    fight = held(whip_release="instalments")
    fight.change("ogre", ap_spent=11.5)
    plan(fight, "whip_release", actor="ogre")
    assert (holders(fight), spent(fight, "ogre")) == ([("whip", "mira", 8.5)], 20)
    assert fight.effects[-1][3] == "whip.held"
    rounds(fight)
    plan(fight, "whip_release", actor="ogre")
    assert (holders(fight), spent(fight, "ogre"), fight.outcome["ap_spent"]) == ([], 6.5, 6.5)


def test_what_is_paid_at_once_counts_in_parts() -> None:
    fight = begun(whip_release="instalments")
    fight.change("ogre", ap_spent=8)
    fight.act("attack", **aimed("whip_grab"), if_grabbed="pay")
    assert (holders(fight), spent(fight, "ogre")) == ([("whip", "mira", 12)], 20)


def test_a_second_whip_does_not_hold_as_well() -> None:
    fight = held()
    fight.end_turn()
    strike(fight, "whip_grab", actor="imp", target="ogre")
    assert holders(fight) == [("whip", "mira", 0)]


def test_other_conditions_keep_the_holder() -> None:
    fight = held()
    fight.end_turn()
    strike(fight, spell(inflicts={"state": "bound"}), actor="imp", target="ogre")
    assert holders(fight) == [("whip", "mira", 0), ("effect", None, None)]
    fight.end_turn()
    assert holders(fight) == [("whip", "mira", 0), ("effect", None, None)]


@pytest.mark.parametrize(
    "change",
    [
        {"dead": True},
        {"hp": 13},
        {"conditions": [{"state": "stunned"}]},
        {"conditions": [{"state": "immobilised"}]},
        {"dropped_weapon": "whip"},
    ],
)
def test_a_hold_ends_with_its_holder(change: Body) -> None:
    fight = held()
    fight.change("mira", **change)
    assert holders(fight) == []
    assert fight.effects[-1] == ("ogre", "conditions", [], "whip.freed")
    assert fight.steps == [("whip.freed", None)]


@pytest.mark.parametrize("change", [{"conditions": [{"state": "bound"}]}, {"dropped_weapon": "sword"}, {"hp": 14}])
def test_a_hold_goes_on_while_its_holder_can_act(change: Body) -> None:
    fight = held()
    fight.change("mira", **change)
    assert holders(fight) == [("whip", "mira", 0)]


def test_a_hold_ends_when_its_whip_is_knocked_away_or_its_holder_leaves() -> None:
    fight = begun()
    strike(fight, "whip_grab")
    strike(fight, "whip", "disarm", target="imp")
    assert (state(fight, "mira").dropped_weapon, holders(fight)) == ("whip", [])
    fight = held()
    fight.leave("mira")
    assert holders(fight) == []


def test_a_hold_ends_when_its_holder_is_struck_down_or_lifted_by_hand() -> None:
    fight = held()
    fight.change("mira", hp=20)
    fight.end_turn()
    strike(fight, "knife", actor="imp", target="mira")
    assert holders(fight) == []
    fight = held()
    fight.change("ogre", conditions=[])
    assert fight.steps == []


def test_a_hold_of_nobody_in_the_fight_is_ended_by_ap_alone() -> None:
    fight = begun()
    whip: Body = {"state": "immobilised", "cause": "whip"}
    fight.change("ogre", conditions=[whip])
    fight.change("imp", conditions=[{**whip, "holder": "ghost"}])
    assert (len(state(fight, "ogre").conditions), state(fight, "imp").conditions) == (1, [])
    fight.end_turn()
    plan(fight, "whip_release", actor="ogre")
    assert state(fight, "ogre").conditions == []


# critical attacks


def test_a_critical_attack_goes_on_from_turn_to_turn() -> None:
    fight = begun()
    fight.act("attack", [], "mira", **aimed({**AXE, "critical": {"pay_ap": 3.5}}))
    pending = {"target": "ogre", "type": "two_handed", "custom": None, "paid_ap": 3.5}
    assert fight.effects == [
        ("mira", "ap_spent", 3.5, "ap.spent"),
        ("mira", "pending_critical", pending, "critical.progress"),
    ]
    fight.act("attack", [], "mira", **aimed(AXE))
    assert fight.request["attack"]["critical"] == {"paid_ap": 3.5}
    assert (spent(fight, "mira"), state(fight, "mira").pending_critical.paid_ap) == (18, 18)  # type: ignore[union-attr]
    rounds(fight)
    fight.act("attack", [], "mira", **aimed(AXE))
    assert fight.state["pending"]["attacker"] == "mira"
    fight.act("answer", [], "ogre", actor="ogre")
    assert fight.outcome["result"] == "hit"
    assert fight.effects == [
        ("mira", "ap_spent", 2, "ap.spent"),
        ("mira", "pending_critical", None, "critical.progress"),
        ("ogre", "hp", 0, "critical.kills"),
        ("ogre", "dead", True, "critical.kills"),
        (None, "pending", None, None),
    ]


@pytest.mark.parametrize(
    ("attack", "paid", "defense", "result"),
    [
        (AXE, 18, "dodge", "dodged"),
        ({**AIMED, "distance_m": 60}, 15, "none", "missed"),
        ({**AIMED, "distance_m": 151}, 15, "none", "out_of_range"),
    ],
)
def test_what_ends_a_critical_attack(attack: Body, paid: int, defense: str, result: str) -> None:
    fight = begun()
    fight.act("attack", **aimed({**attack, "critical": {"pay_ap": paid}}))
    assert fight.outcome["result"] == "continues"
    assert state(fight, "mira").shots == {}
    rounds(fight)
    strike(fight, attack, defense)
    assert (fight.outcome["result"], state(fight, "mira").pending_critical) == (result, None)


@pytest.mark.parametrize(
    "another",
    [
        aimed("punch"),
        aimed("two_handed"),
        aimed(AXE, target="imp"),
        aimed(AIMED),
    ],
)
def test_another_attack_gives_it_up(another: Body) -> None:
    fight = begun()
    fight.act("attack", **aimed({**AXE, "critical": {"pay_ap": 3}}))
    fight.act("attack", **another)
    assert fight.effects[0] == ("mira", "pending_critical", None, "critical.interrupted")
    assert fight.steps[0] == ("critical.interrupted", None)


def test_a_custom_attack_goes_on_only_as_the_same() -> None:
    fight = begun(critical_scope="any")
    bow = spell(delivery="ranged", name="bow", ap=20)
    fight.act("attack", **aimed({**bow, "critical": {}}))
    rounds(fight)
    fight.act("attack", **aimed({**bow, "critical": {}}))
    assert fight.request["attack"]["critical"] == {"paid_ap": 18}
    rounds(fight)
    fight.act("attack", **aimed({**spell(delivery="ranged", name="bow", ap=10), "critical": {}}))
    assert fight.effects[0] == ("mira", "pending_critical", None, "critical.interrupted")


def trying() -> Table:
    """Mira is about to kill the ogre, in the ogre's turn."""
    fight = begun()
    fight.act("attack", **aimed(AXE))
    fight.end_turn()
    assert state(fight, "mira").pending_critical is not None
    return fight


@pytest.mark.parametrize(("slug", "rule"), [("interrupt", "critical.interrupted"), ("take-cover", "critical.covered")])
@pytest.mark.parametrize("own", [None, "ogre"])
def test_the_target_or_the_game_master_ends_it(slug: str, rule: str, own: str | None) -> None:
    fight = trying()
    with pytest.raises(NotForYou):
        fight.act(slug, [], "mira imp", attacker="mira")
    fight.act(slug, [], own, attacker="mira")
    assert fight.effects == [("mira", "pending_critical", None, rule)]
    assert (fight.steps, fight.draft.resolutions) == ([(rule, None)], [])
    assert fight.refused(slug, own, attacker="mira") == "no_critical"


@pytest.mark.parametrize(
    "change",
    [
        {"dead": True},
        {"hp": 13},
        {"conditions": [{"state": "stunned"}]},
        {"conditions": [{"state": "immobilised"}]},
        {"conditions": [{"state": "bound"}]},
        {"dropped_weapon": "two_handed"},
    ],
)
def test_it_is_lost_with_the_means_to_it(change: Body) -> None:
    fight = trying()
    fight.change("mira", **change)
    assert fight.effects[-1] == ("mira", "pending_critical", None, "critical.interrupted")


@pytest.mark.parametrize("change", [{"dropped_weapon": "sword"}, {"hp": 14}, {"hidden": True}])
def test_it_goes_on_through_anything_else(change: Body) -> None:
    fight = trying()
    fight.change("mira", **change)
    assert state(fight, "mira").pending_critical is not None


def test_a_wound_by_its_target_interrupts_it() -> None:
    fight = trying()
    strike(fight, "knife", "dodge", actor="ogre", target="mira")
    strike(fight, spell(), actor="ogre", target="mira")
    assert state(fight, "mira").pending_critical is not None
    strike(fight, "knife", actor="ogre", target="mira")
    assert ("mira", "pending_critical", None, "critical.interrupted") in fight.effects


def test_a_wound_by_another_does_not() -> None:
    fight = trying()
    fight.end_turn()
    strike(fight, "knife", actor="imp", target="mira")
    assert state(fight, "mira").pending_critical is not None
    strike(fight, "whip_grab", actor="imp", target="mira")
    assert state(fight, "mira").pending_critical is None


def test_it_is_lost_with_its_target() -> None:
    fight = trying()
    fight.change("ogre", dead=True)
    assert state(fight, "mira").pending_critical is None
    fight = trying()
    fight.leave("ogre")
    assert state(fight, "mira").pending_critical is None
