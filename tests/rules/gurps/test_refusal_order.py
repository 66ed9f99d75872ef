"""All refusals in order, each once, and what stands beside them in the audit."""

from tests.rules.gurps.asking import Body, ask, block, defend, dodge, parry, refused, sheet

DOUBLE: Body = {"maneuver": "all_out_defense_double"}
RETREAT: Body = {"kind": "retreat"}


def test_all_refusals_of_a_dodge_and_a_block_stand_in_order_each_once() -> None:
    assert refused(
        dodge(acrobatic=True, option={"kind": "drop", "hex": "occupied"}),
        block(option={"kind": "retreat", "hex": "occupied"}),
        attack={"kind": "area", "direction": "rear", "critical": True, "awareness": "surprise", "forbids": ["block"]},
        state="helpless",
        maneuver="all_out_attack",
        posture="lying",
        creature="handless_animal",
        shield={"block": {"score": 11}, "ready": False},
        stunned=True,
        turn={"block_used": True, "acrobatic_dodge_used": True, "option": {"kind": "drop", "against": "other"}},
        options={"acrobatics_with_drop": "forbidden"},
    ) == [
        "defense.critical_hit",
        "defense.incapable",
        "maneuver.all_out_attack",
        "surprise.no_defense",
        "direction.rear",
        "double_defense.maneuver",
        "acrobatics.untrained",
        "acrobatics.once_per_turn",
        "option.once_per_turn",
        "drop.already_lying",
        "acrobatics.drop",
        "retreat.occupied",
        "creature.dodge_only",
        "area.dodge_only",
        "block.forbidden",
        "block.needs_item",
        "block.once_per_turn",
        "direction.rear_block",
        "retreat.stunned",
    ]


def test_all_refusals_of_two_parries_stand_in_order_each_once() -> None:
    flawed = {
        "ready": False,
        "skill_name": "parry_missile_weapons",
        "attacked_with": True,
        "traits": ["unbalanced", "fencing"],
    }
    assert refused(
        parry(flawed, injure_limb={"skill": 10}, option={"kind": "drop"}),
        parry(flawed, injure_limb={"skill": 10}, option={"kind": "retreat", "hex": "occupied"}),
        attack={"weapon_class": "flail", "direction": "left", "forbids": ["parry"]},
        maneuver="move_and_attack",
        posture="kneeling",
    ) == [
        "double_defense.maneuver",
        "double_defense.different",
        "parry.forbidden",
        "parry.not_ready",
        "parry.missile_skill",
        "maneuver.move_and_attack",
        "parry.unbalanced",
        "direction.weapon_side",
        "parry.flail_forbidden",
        "parry.injure_limb_needs",
        "drop.dodge_only",
        "drop.ranged_only",
        "option.once_per_turn",
        "retreat.posture",
        "retreat.maneuver",
        "retreat.occupied",
    ]


def test_the_refusals_of_the_first_defense_come_before_those_of_the_second() -> None:
    assert refused(parry({"ready": False}, option=RETREAT), dodge(acrobatic=True), stunned=True, **DOUBLE) == [
        "parry.not_ready",
        "retreat.stunned",
        "acrobatics.untrained",
    ]


def test_a_refused_defense_ends_with_the_outcome_and_makes_the_attacked_alert() -> None:
    answer = defend([], dodge(), attack={"awareness": "unseen_unknown"}, defender=sheet())
    assert answer.steps() == [
        ("awareness.unseen_unknown", "refusal", None, None),
        ("awareness.now_alert", "effect", None, None),
        ("defense.outcome", "result", 0, None),
    ]
    seen = defend([], dodge(), attack={"critical": True}, defender=sheet())
    assert seen.rules == ["defense.critical_hit", "defense.outcome"]


def test_nothing_forbids_to_decline() -> None:
    answer = defend(
        [],
        attack={"critical": True, "direction": "rear", "awareness": "unseen_unknown"},
        defender={"state": "helpless", "maneuver": "all_out_attack"},
    )
    assert answer.steps() == [
        ("defense.declined", "decision", None, None),
        ("awareness.now_alert", "effect", None, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert (answer.outcome["attempts"], answer.outcome["now_alert"]) == ([], True)


def test_a_forbidden_defense_stops_an_attack_before_it_is_rolled() -> None:
    answer = ask(
        "attack",
        roll={"skill": 4, "modifiers": [{"name": "fog", "value": -2}]},
        attack={"kind": "melee", "awareness": "unseen_unknown", "deceptive": 1},
        defender=sheet(maneuver="all_out_attack"),
        defenses=[dodge()],
    )
    assert answer.outcome is None
    assert answer.steps() == [
        ("maneuver.all_out_attack", "refusal", None, None),
        ("awareness.unseen_unknown", "refusal", None, None),
        ("attack.skill", "base", 4, 4),
        ("modifier.custom", "modifier", -2, 2),
        ("attack.deceptive_cost", "modifier", -2, 0),
        ("attack.deceptive_limit", "refusal", None, None),
        ("success.minimum", "refusal", None, None),
        ("attack.outcome", "result", 0, None),
    ]
