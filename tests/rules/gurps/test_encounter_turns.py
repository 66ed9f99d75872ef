"""The order of a fight, the maneuver of a turn, and what a turn gives back."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.core.encounter import NotAllowed, NotForYou
from rules.gurps import GURPS
from service.encounters.kept import plain
from service.faults import Malformations
from tests.rules.fights import Table
from tests.rules.gurps.fighting import BLOCK, DODGE, HIT, IMP, begun, mira, next_turn_of, ogre, parry, pending, table

# the order


def test_basic_speed_goes_first_then_dx_then_who_joined_first() -> None:
    fight = Table(GURPS)
    speeds = {"a": (5, 10), "b": (5, 12), "c": (5, 12), "d": (5.25, None), "e": (5, None)}
    for name, (speed, dx) in speeds.items():
        fight.join(name, basic_speed=speed, **({} if dx is None else {"dx": dx}))
    assert fight.state["order"] == ["d", "b", "c", "a", "e"]
    assert (fight.state["round"], fight.state["turn"]) == (0, None)


def test_turns_go_round() -> None:
    fight = table()
    seen = []
    for _ in range(4):
        fight.end_turn()
        seen.append((fight.state["round"], fight.state["turn"]))
    assert seen == [(1, "mira"), (1, "ogre"), (2, "mira"), (2, "ogre")]


def test_nobody_has_a_turn_before_anybody_joins() -> None:
    with pytest.raises(NotAllowed) as refused:
        Table(GURPS).end_turn()
    assert (refused.value.code, refused.value.refused_by) == ("nobody_fights", [])


def test_who_leaves_hands_the_turn_on() -> None:
    fight = begun(ogres=False)
    fight.join("imp", **IMP)
    assert fight.state["order"] == ["mira", "ogre", "imp"]
    fight.leave("mira")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "ogre", ["ogre", "imp"])
    fight.end_turn()
    fight.leave("imp")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (2, "ogre", ["ogre"])
    fight.leave("ogre")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (2, None, [])


def test_who_leaves_out_of_turn_leaves_the_turn_where_it_is() -> None:
    fight = begun()
    fight.leave("mira")
    assert (fight.state["round"], fight.state["turn"], fight.state["order"]) == (1, "ogre", ["ogre"])


def test_who_leaves_is_nobodys_foe_any_more() -> None:
    fight = begun()
    fight.join("imp", **IMP)
    fight.change("ogre", hidden=True, witnesses=["mira"])
    fight.act(
        "attack", [*HIT, 3, 3, 3], actor="ogre", target="mira", weapon="club", defense="now", defenses=[retreat()]
    )
    assert mira(fight).turn.option.against == "ogre"
    fight.leave("ogre")
    assert mira(fight).state.alert_to == []
    assert mira(fight).turn.option.against is None


def retreat() -> dict[str, Any]:
    """A dodge with a retreat."""
    return {**DODGE, "option": {"kind": "retreat"}}


# the maneuver


def test_a_maneuver_is_declared() -> None:
    fight = begun(ogres=False)
    fight.act("maneuver", None, "mira", actor="mira", maneuver="all_out_defense_double")
    assert fight.effects == [("mira", "maneuver", "all_out_defense_double", None)]
    assert fight.draft.resolutions == []


def test_change_posture_changes_it_at_once() -> None:
    fight = begun(ogres=False)
    fight.act("maneuver", actor="mira", maneuver="change_posture", posture="kneeling")
    assert fight.effects == [
        ("mira", "maneuver", "change_posture", None),
        ("mira", "posture", "kneeling", None),
    ]


def test_a_maneuver_needs_the_turn() -> None:
    assert table().refused("maneuver", actor="mira", maneuver="move") == "not_your_turn"
    assert begun().refused("maneuver", "mira", actor="mira", maneuver="move") == "not_your_turn"


def test_a_maneuver_is_ones_own() -> None:
    with pytest.raises(NotForYou):
        begun().act("maneuver", None, "mira", actor="ogre", maneuver="move")
    assert begun().refused("maneuver", actor="nobody", maneuver="move") == "no_such_combatant"


def test_a_posture_may_be_left_to_the_game_master() -> None:
    fight = begun(ogres=False)
    fight.act("maneuver", actor="mira", maneuver="change_posture")
    assert fight.effects == [("mira", "maneuver", "change_posture", None)]


def test_a_posture_goes_with_change_posture() -> None:
    with pytest.raises(Malformations) as wrong:
        begun().act("maneuver", actor="ogre", maneuver="move", posture="lying")
    assert [fault.pointer for fault in wrong.value.faults] == ["#/posture"]


# what a turn gives back


def test_counters_begin_anew_with_the_own_turn() -> None:
    fight = begun(ogres=False)
    fight.act("maneuver", actor="mira", maneuver="all_out_defense_double")
    fight.act("attack", [6, 6, 4], actor="mira", target="ogre", weapon="fist")
    fight.end_turn()
    both = [parry("dagger"), {**BLOCK, "option": {"kind": "retreat"}}]
    fight.act(
        "attack",
        [*HIT, 6, 6, 4],
        actor="ogre",
        target="mira",
        weapon="stone",
        defense="now",
        defenses=both[:1],
    )
    fight.act(
        "attack", [*HIT, 6, 6, 4, 3, 3, 3], actor="ogre", target="mira", weapon="club", defense="now", defenses=both
    )
    acrobatic = [{**DODGE, "acrobatic": True}]
    fight.act(
        "attack",
        [*HIT, 3, 3, 3, 3, 3, 3],
        actor="ogre",
        target="mira",
        weapon="club",
        defense="now",
        defenses=acrobatic,
    )
    assert plain(mira(fight).turn) == {
        "parries": {"dagger": 2},
        "attacked_with": ["fist", "right"],
        "block_used": True,
        "acrobatic_dodge_used": True,
        "double_defense_used": True,
        "option": {"kind": "retreat", "against": "ogre", "posture_before": "standing"},
    }
    assert mira(fight).state.maneuver == "all_out_defense_double"
    used = ogre(fight).turn.attacked_with
    fight.end_turn()
    assert fight.effects == [
        (None, "round", 2, None),
        (None, "turn", "mira", None),
        ("mira", "maneuver", "other", None),
        ("mira", "parries", {}, "parry.repeated"),
        ("mira", "attacked_with", [], None),
        ("mira", "block_used", False, "block.once_per_turn"),
        ("mira", "acrobatic_dodge_used", False, "acrobatics.once_per_turn"),
        ("mira", "double_defense_used", False, "double_defense.allowed"),
        ("mira", "option", None, "option.once_per_turn"),
    ]
    assert ogre(fight).turn.attacked_with == used != []
    fight.end_turn()
    assert ogre(fight).turn.attacked_with == []


def test_shock_ends_with_the_own_turn() -> None:
    fight = begun()
    fight.change("mira", shock=3)
    fight.change("ogre", shock=2)
    fight.end_turn()
    assert (mira(fight).state.shock, ogre(fight).state.shock) == (3, 0)
    assert ("ogre", "shock", 0, "injury.shock") in fight.effects
    fight.end_turn()
    assert mira(fight).state.shock == 0


def test_posture_stun_blindness_and_weapons_last() -> None:
    fight = begun()
    lasting = {"posture": "lying", "stunned": True, "blind": True, "weapons": {"saber": "dropped"}, "covered": True}
    fight.change("mira", **lasting)
    next_turn_of(fight, "mira")
    next_turn_of(fight, "mira")
    state = plain(mira(fight).state)
    assert {name: state[name] for name in lasting} == {**lasting, "weapons": {**state["weapons"], "saber": "dropped"}}


# while an attack waits


@pytest.mark.parametrize(
    ("slug", "body"),
    [
        ("maneuver", {"actor": "ogre", "maneuver": "move"}),
        ("attack", {"actor": "ogre", "target": "mira", "weapon": "club"}),
        ("success-roll", {"actor": "mira", "purpose": "dx"}),
        ("defense-scores", {"actor": "mira"}),
        ("active-defense", {"actor": "ogre", "defenses": []}),
    ],
)
def test_no_other_command_is_accepted_while_an_attack_waits(slug: str, body: dict[str, Any]) -> None:
    assert pending().refused(slug, **body) == "attack_pending"


@pytest.mark.parametrize(
    "change",
    [
        Table.end_turn,
        lambda fight: fight.change("mira", hp=1),
        lambda fight: fight.leave("mira"),
        lambda fight: fight.join("imp", **IMP),
    ],
    ids=["end of turn", "change", "leave", "join"],
)
def test_nothing_else_happens_while_an_attack_waits(change: Callable[[Table], None]) -> None:
    fight = pending()
    with pytest.raises(NotAllowed, match="attack_pending"):
        change(fight)
    fight.act("active-defense", [6, 6, 5, 1, 1], "mira", actor="mira", defenses=[DODGE])
    fight.end_turn()
    assert fight.state["turn"] == "mira"
