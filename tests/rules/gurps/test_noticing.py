"""What has to be noticed before a defense: unseen foes, surprises, attacks from behind; in the order of the dice."""

import pytest

from tests.rules.gurps.asking import Body, bare_hand, block, defend, dodge, parry, sheet, thrown

DARK = {"awareness": "alert"}
DOUBLE = {"maneuver": "all_out_defense_double"}
NOTICED = {"awareness": "surprise", "detection": {"skill": 12, "allows": "any"}}
UNUSED = {"block_used": False, "acrobatic_dodge_used": False, "double_defense_used": False, "option": None}
PREVENTED = {
    "result": "prevented",
    "base": None,
    "effective": None,
    "roll": None,
    "margin": None,
    "automatic": "none",
    "parries_after": None,
    "weapon": None,
    "limb_injured": None,
}


def test_the_dice_fall_in_order_detection_blind_fighting_hearing_defense_then_damage() -> None:
    answer = defend(
        [3, 3, 4, 3, 3, 5, 4, 3, 3, 4, 4, 4, 6, 5],
        parry(),
        attack={**NOTICED, "direction": "rear"},
        defender=sheet(blind=True, blind_fighting=11),
        damage={"dice": 2, "type": "crushing"},
    )
    assert [(each[0], each[1]) for each in answer.steps()] == [
        ("surprise.detection", "roll"),
        ("surprise.detection", "decision"),
        ("awareness.blind", "decision"),
        ("direction.blind_fighting", "roll"),
        ("direction.blind_fighting", "decision"),
        ("awareness.hearing", "roll"),
        ("awareness.hearing", "decision"),
        ("parry.score", "base"),
        ("awareness.unseen", "modifier"),
        ("direction.rear_defense", "modifier"),
        ("direction.rear_parry", "modifier"),
        ("defense.roll", "roll"),
        ("defense.result", "result"),
        ("defense.outcome", "result"),
        ("damage.roll", "roll"),
        ("damage.injury", "result"),
    ]
    assert answer.outcome["damage"] == {"basic": 11, "penetrating": 11, "injury": 11}


@pytest.mark.parametrize("defense", [dodge(option={"kind": "retreat"}), block(), parry()])
def test_a_surprise_that_is_not_noticed_prevents_the_first_defense_and_uses_nothing_up(defense: Body) -> None:
    answer = defend(
        [4, 4, 3],
        defense,
        block() if defense["kind"] == "dodge" else dodge(),
        attack={**NOTICED, "direction": "rear"},
        defender=sheet(blind_fighting=12, traits=["double_jointed"], **DOUBLE),
    )
    assert answer.rules == ["surprise.detection", "surprise.detection", "defense.outcome"]
    assert answer.outcome["attempts"] == [{"kind": defense["kind"], **PREVENTED}]
    assert answer.outcome["turn"] == UNUSED
    assert (answer.outcome["result"], answer.outcome["movement"]) == ("failure", None)


def test_the_modifier_of_a_detection_is_the_game_masters() -> None:
    attack = {"awareness": "surprise", "detection": {"skill": 12, "modifier": 1}}
    answer = defend([*thrown(13), 3, 3, 3], dodge(), attack=attack, defender=sheet())
    assert answer.step("surprise.detection", "decision")[2] == 1


def test_a_hopeless_detection_fails_without_dice() -> None:
    attack = {"awareness": "surprise", "detection": {"skill": 4}}
    answer = defend([], dodge(), attack=attack, defender=sheet())
    assert answer.steps() == [
        ("success.minimum", "decision", None, None),
        ("surprise.detection", "decision", 0, None),
        ("defense.outcome", "result", 0, None),
    ]


def test_whoever_sees_does_not_become_blind_by_noticing() -> None:
    answer = defend([3, 3, 4, 3, 3, 3], block(), attack=NOTICED, defender=sheet())
    assert "awareness.blind" not in answer.rules
    assert answer.attempt["effective"] == 11


def test_peripheral_vision_needs_no_blind_fighting_roll() -> None:
    answer = defend(
        [2, 2, 2], dodge(), attack={"direction": "rear"}, defender=sheet(traits=["peripheral_vision"], blind_fighting=5)
    )
    assert "direction.blind_fighting" not in answer.rules
    assert answer.outcome["result"] == "success"


def test_blind_fighting_that_fails_prevents_the_defense() -> None:
    answer = defend([6, 5, 5], dodge(), attack={"direction": "rear"}, defender=sheet(blind_fighting=15))
    assert answer.steps()[-2:] == [
        ("direction.blind_fighting", "decision", 0, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert answer.attempt == {"kind": "dodge", **PREVENTED}


@pytest.mark.parametrize("awareness", ["sees", "partly_sees"])
def test_the_blind_see_nothing_whatever_there_is_to_see(awareness: str) -> None:
    answer = defend([1, 1, 1], dodge(), attack={"awareness": awareness}, defender=sheet(blind=True))
    assert answer.steps()[:3] == [
        ("awareness.blind", "decision", None, None),
        ("dodge.score", "base", 9, 9),
        ("awareness.unseen", "modifier", -4, 5),
    ]


def test_a_blind_defender_who_is_alert_already_is_not_read_as_alert() -> None:
    answer = defend([1, 1, 1], dodge(), attack=DARK, defender=sheet(blind=True))
    assert "awareness.blind" not in answer.rules
    assert answer.attempt["effective"] == 5


def test_blindness_is_told_before_a_runaround() -> None:
    answer = defend([1, 1, 1], dodge(), attack={"direction": "rear", "runaround": "left"}, defender=sheet(blind=True))
    assert answer.rules[:2] == ["awareness.blind", "direction.runaround"]


def test_partial_darkness_is_told_and_costs_nothing() -> None:
    answer = defend([3, 3, 3], dodge(), attack={"awareness": "partly_sees"}, defender=sheet())
    assert answer.step("awareness.partly_sees") == ("awareness.partly_sees", "decision", 0, None)


def test_a_dodge_in_the_dark_needs_no_hearing() -> None:
    answer = defend([1, 1, 1], dodge(), attack=DARK, defender={"dodge": {"score": 9}})
    assert "awareness.hearing" not in answer.rules


def test_hearing_is_rolled_once_for_the_attack() -> None:
    answer = defend([3, 3, 4, 4, 4, 4, 1, 1, 1], parry(), block(), attack=DARK, defender=sheet(**DOUBLE))
    assert answer.rules.count("awareness.hearing") == 2
    assert [each["effective"] for each in answer.outcome["attempts"]] == [6, 7]
    assert answer.outcome["turn"] == {**UNUSED, "block_used": True, "double_defense_used": True}


def test_hearing_waits_for_the_defense_that_needs_it() -> None:
    answer = defend([6, 5, 5, 3, 3, 4, 1, 1, 1], dodge(), parry(), attack=DARK, defender=sheet(**DOUBLE))
    assert answer.rules.index("awareness.hearing") > answer.rules.index("double_defense.allowed")


def test_whoever_hears_nothing_tries_the_next_defense_and_it_is_the_second() -> None:
    answer = defend([6, 5, 5, 1, 1, 1], parry({"previous_parries": 3}), dodge(), attack=DARK, defender=sheet(**DOUBLE))
    assert [each["result"] for each in answer.outcome["attempts"]] == ["prevented", "success"]
    assert answer.outcome["attempts"][0] == {"kind": "parry", **PREVENTED}
    assert answer.outcome["turn"] == {**UNUSED, "double_defense_used": True}
    assert answer.rules[2] == "double_defense.allowed"


def test_two_defenses_that_are_not_heard_use_nothing_up() -> None:
    answer = defend([6, 5, 5], parry(option={"kind": "retreat"}), block(), attack=DARK, defender=sheet(**DOUBLE))
    assert [each["result"] for each in answer.outcome["attempts"]] == ["prevented", "prevented"]
    assert answer.outcome["turn"] == UNUSED
    assert answer.rules == ["awareness.hearing", "awareness.hearing", "double_defense.allowed", "defense.outcome"]


def test_a_fallback_is_a_plain_dodge_with_the_same_option_and_modifiers() -> None:
    answer = defend(
        [6, 5, 5, 3, 3, 3],
        parry(bare_hand(), fallback="dodge", option={"kind": "retreat"}, modifiers=[{"name": "mud", "value": -2}]),
        attack={**DARK, "weapon_class": "flail"},
        defender=sheet(maneuver="all_out_defense_dodge"),
    )
    assert answer.steps()[2:] == [
        ("awareness.fallback", "decision", None, None),
        ("dodge.score", "base", 9, 9),
        ("awareness.unseen", "modifier", -4, 5),
        ("maneuver.increased_defense", "modifier", 2, 7),
        ("retreat.dodge", "modifier", 3, 10),
        ("modifier.custom", "modifier", -2, 8),
        ("defense.roll", "roll", 9, None),
        ("defense.result", "result", -1, None),
        ("retreat.movement", "effect", 1, None),
        ("defense.outcome", "result", 0, None),
    ]
    assert (answer.attempt["kind"], answer.attempt["parries_after"]) == ("dodge", None)
    assert answer.outcome["attacker_may_hit"] == ["original_target"]


def test_a_fallback_is_not_asked_where_the_attack_is_seen_or_heard() -> None:
    assert defend([3, 3, 3], parry(fallback="dodge")).attempt["kind"] == "parry"
    heard = defend([3, 3, 4, 1, 1, 1], parry(fallback="dodge"), attack=DARK, defender=sheet())
    assert heard.attempt["kind"] == "parry"


def test_the_second_defense_may_fall_back_too() -> None:
    answer = defend([6, 5, 5, 1, 1, 1], parry(), block(fallback="dodge"), attack=DARK, defender=sheet(**DOUBLE))
    assert [(each["kind"], each["result"]) for each in answer.outcome["attempts"]] == [
        ("parry", "prevented"),
        ("dodge", "success"),
    ]
    assert answer.outcome["turn"]["block_used"] is False
