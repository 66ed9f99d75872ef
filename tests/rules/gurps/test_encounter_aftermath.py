"""What a defense leaves behind in a fight: parries, counters, options, weapons, posture."""

from typing import Any

from service.encounters.kept import plain
from tests.rules.gurps.fighting import (
    BLOCK,
    DODGE,
    FAILED,
    HIT,
    MADE,
    MIRA,
    SURELY,
    begun,
    defend,
    mira,
    next_turn_of,
    parry,
    pending,
)

# parries


def test_parries_are_counted_by_weapon() -> None:
    fight = begun()
    for weapon, count in (("saber", 0), ("saber", 1), ("dagger", 0), ("saber", 2)):
        defend(pending(of=fight), SURELY, parry(weapon))
        assert fight.request["defenses"][0]["tool"].get("previous_parries", 0) == count
    assert mira(fight).turn.parries == {"saber": 3, "dagger": 1}
    next_turn_of(fight, "mira")
    assert mira(fight).turn.parries == {}


def test_bare_hands_are_counted_by_hand_and_both_take_the_larger() -> None:
    fight = begun()
    for weapon, before in (("fist", 0), ("hold", 1), ("fist", 2), ("hold", 3)):
        defend(pending("bite", of=fight), FAILED, parry(weapon))
        assert fight.request["defenses"][0]["tool"].get("previous_parries", 0) == before
    assert mira(fight).turn.parries == {"right": 4, "left": 2}


def test_no_more_than_fifty_parries_are_counted() -> None:
    fight = begun()
    for _ in range(51):
        defend(pending("bite", of=fight), FAILED, parry())
    assert mira(fight).turn.parries == {"saber": 50}


# what a defense leaves behind


def test_a_parry_that_fails_counts_and_the_attack_comes_through() -> None:
    fight = defend(pending(), [*FAILED, 3, 4], parry())
    assert fight.effects == [
        ("mira", "parries.saber", 1, "parry.repeated"),
        ("mira", "hp", 4, "damage.injury"),
        ("mira", "shock", 4, "injury.shock"),
        (None, "pending", None, None),
    ]


def test_a_dodge_uses_nothing_up() -> None:
    assert defend(pending(), MADE, DODGE).effects == [(None, "pending", None, None)]


def test_who_declines_is_struck() -> None:
    fight = defend(pending(), [1, 2])
    assert fight.outcome["attempts"] == []
    assert mira(fight).state.hp == 8


def test_one_block_a_turn() -> None:
    fight = defend(pending(), MADE, BLOCK)
    assert ("mira", "block_used", True, "block.once_per_turn") in fight.effects
    pending(of=fight)
    assert fight.refused("active-defense", actor="mira", defenses=[BLOCK]) == ["block.once_per_turn"]
    defend(fight, MADE, DODGE)
    next_turn_of(fight, "ogre")
    defend(pending(of=fight), MADE, BLOCK)


def test_one_acrobatic_dodge_a_turn() -> None:
    acrobatic = {**DODGE, "acrobatic": True}
    fight = defend(pending(), [*MADE, *MADE], acrobatic)
    assert ("mira", "acrobatic_dodge_used", True, "acrobatics.once_per_turn") in fight.effects
    pending(of=fight)
    assert fight.refused("active-defense", actor="mira", defenses=[acrobatic]) == ["acrobatics.once_per_turn"]


def test_a_second_defense_is_kept_in_mind() -> None:
    fight = begun(ogres=False, double_defense="per_turn")
    fight.act("maneuver", actor="mira", maneuver="all_out_defense_double")
    fight.end_turn()
    defend(pending(of=fight), [*FAILED, *SURELY], parry(), parry("dagger"))
    assert ("mira", "double_defense_used", True, "double_defense.allowed") in fight.effects
    assert mira(fight).turn.parries == {"saber": 1, "dagger": 1}
    pending(of=fight)
    both = [parry(), parry("dagger")]
    assert fight.refused("active-defense", actor="mira", defenses=both) == ["double_defense.spent"]


def test_a_retreat_holds_against_that_foe_and_no_other() -> None:
    fight = begun()
    defend(pending(of=fight), MADE, {**DODGE, "option": {"kind": "retreat"}})
    used = {"kind": "retreat", "against": "ogre", "posture_before": "standing"}
    assert ("mira", "option", used, "option.once_per_turn") in fight.effects
    defend(pending(of=fight), MADE, DODGE)
    assert fight.request["defender"]["turn"] == {"option": {"kind": "retreat", "against": "this_attacker"}}
    assert fight.outcome["attempts"][0]["effective"] == 9 + 1 + 3
    fight.join("wolf", basic_speed=5, weapons=[{"id": "bite", "tool": {"parry": {"score": 5}}, "skill": 12}])
    fight.end_turn()
    assert fight.state["turn"] == "wolf"
    fight.act("attack", HIT, actor="wolf", target="mira", weapon="bite")
    defend(fight, MADE, DODGE)
    assert fight.request["defender"]["turn"] == {"option": {"kind": "retreat", "against": "other"}}
    assert fight.outcome["attempts"][0]["effective"] == 9 + 1
    assert mira(fight).turn.option.against == "ogre"


def test_one_option_a_turn() -> None:
    fight = begun()
    retreat = {**DODGE, "option": {"kind": "retreat"}}
    defend(pending(of=fight), MADE, retreat)
    pending(of=fight)
    assert fight.refused("active-defense", actor="mira", defenses=[retreat]) == ["option.once_per_turn"]


def test_a_dive_for_cover_is_against_no_one() -> None:
    fight = begun()
    defend(pending("blast", of=fight), MADE, {**DODGE, "option": {"kind": "retreat"}})
    assert plain(mira(fight).turn.option) == {"kind": "retreat", "against": None, "posture_before": "standing"}
    defend(pending(of=fight), MADE, DODGE)
    assert fight.request["defender"]["turn"] == {"option": {"kind": "retreat", "against": "no_one"}}


def test_a_dive_may_last() -> None:
    fight = begun(dive_bonus="lasting")
    defend(pending("blast", of=fight), MADE, {**DODGE, "option": {"kind": "retreat"}})
    assert mira(fight).turn.option.against == "ogre"


def test_a_drop_is_remembered_with_the_posture_before_it() -> None:
    fight = begun()
    fight.change("mira", posture="crouching")
    defend(pending("bow", of=fight), MADE, {**DODGE, "option": {"kind": "drop", "cover": True}})
    assert fight.effects == [
        ("mira", "posture", "lying", "drop.posture"),
        ("mira", "option", {"kind": "drop", "against": "ogre", "posture_before": "crouching"}, "option.once_per_turn"),
        ("mira", "covered", True, "drop.cover"),
        (None, "pending", None, None),
    ]
    defend(pending("bow", of=fight), MADE, DODGE)
    turn = {"option": {"kind": "drop", "against": "this_attacker", "posture_before": "crouching"}}
    assert fight.request["defender"]["turn"] == turn
    assert fight.request["defender"]["posture"] == "lying"
    assert fight.outcome["attempts"][0]["effective"] == 9 + 1 + 3


def test_a_weapon_that_breaks_is_broken() -> None:
    fight = begun()
    fight.change("ogre", sheet=heavy_club(8000))
    fight.change("mira", sheet={**MIRA, "st": 20})
    fight.act("attack", HIT, actor="ogre", target="mira", weapon="club")
    defend(fight, MADE, parry())
    assert fight.outcome["attempts"][0]["result"] == "overwhelmed"
    assert ("mira", "weapons.saber", "broken", "heavy.broken") in fight.effects


def test_a_weapon_that_is_swept_aside_is_dropped() -> None:
    fight = begun()
    fight.change("ogre", sheet=heavy_club(12_000))
    fight.change("mira", sheet={**MIRA, "weapons": [{**MIRA["weapons"][0], "tool": {"parry": {"skill": 15}}}]})
    fight.act("attack", HIT, actor="ogre", target="mira", weapon="club")
    defend(fight, [], parry())
    assert ("mira", "parries.saber", 1, "parry.repeated") in fight.effects
    assert ("mira", "weapons.saber", "dropped", "heavy.dropped") in fight.effects


def test_who_is_thrown_back_may_fall() -> None:
    fight = begun()
    fight.change("ogre", sheet=heavy_club(12_000))
    fight.act("attack", HIT, actor="ogre", target="mira", weapon="club")
    defend(fight, FAILED, parry("fist"))
    assert fight.outcome["attacker_may_hit"] == ["original_target", "right_arm"]
    assert ("mira", "posture", "lying", "heavy.fall") in fight.effects
    assert mira(fight).turn.parries == {"right": 1}


def test_who_has_dropped_before_falls_by_the_rule_of_falling() -> None:
    fight = begun()
    defend(pending("bow", of=fight), MADE, {**DODGE, "option": {"kind": "drop"}})
    fight.change("mira", posture="standing")
    fight.change("ogre", sheet=heavy_club(12_000))
    fight.act("attack", HIT, actor="ogre", target="mira", weapon="club")
    defend(fight, FAILED, parry("fist"))
    assert ("mira", "posture", "lying", "heavy.fall") in fight.effects


def heavy_club(weight_g: int) -> dict[str, Any]:
    """An ogre with a club of this weight."""
    club = {"id": "club", "tool": {"hand": "both", "parry": {"score": 9}, "weight_g": weight_g}, "skill": 13}
    return {"basic_speed": 5.25, "st": 20, "dx": 11, "weapons": [club]}


def test_a_parry_that_is_not_heard_does_not_count() -> None:
    fight = begun()
    fight.change("ogre", hidden=True, witnesses=["mira"])
    defend(pending(of=fight), [*FAILED, 1, 1], parry())
    assert fight.outcome["attempts"][0]["result"] == "prevented"
    assert mira(fight).turn.parries == {}


def test_a_parry_that_becomes_a_dodge_does_not_count() -> None:
    fight = begun()
    fight.change("ogre", hidden=True, witnesses=["mira"])
    defend(pending(of=fight), [*FAILED, 2, 2, 1], parry(fallback="dodge"))
    assert [each["kind"] for each in fight.outcome["attempts"]] == ["dodge"]
    assert mira(fight).turn.parries == {}
