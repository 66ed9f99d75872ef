"""A Dodge: drop before doubling, ties miss, a dodged weapon adds nothing, Defense 0, lost balance."""

from typing import Any

import pytest

from tests.rules.chronicles.asking import Answer, ask, faults


def dodge(dice: list[int], successes: int = 1, options: dict[str, str] | None = None, **defense: Any) -> Answer:
    return ask("dodge", dice, attack_successes=successes, defense=defense, options=options or {})


def test_defense_drops_before_it_is_doubled() -> None:
    """(3 - 2) x 2 = 2 dice, not 3 x 2 - 2 = 4."""
    answer = dodge([2, 2], score=3, attacks_defended=2)
    assert answer.step("dodge.doubled")["value"] == 2
    assert answer.outcome["defense"]["roll"]["pool"] == 2
    assert answer.outcome["defense"]["score"] == 1


def test_everything_about_defense_itself_comes_before_the_doubling() -> None:
    answer = dodge([2] * 4, score=3, modifiers=[{"value": 2}], off_balance=1, attacks_defended=2, willpower=False)
    assert answer.steps()[:5] == [
        ("defense.score", "base", 3, 3),
        ("defense.modifier", "modifier", 2, 5),
        ("defense.off_balance", "modifier", -1, 4),
        ("defense.drop", "modifier", -2, 2),
        ("attack.known_successes", "base", 1, 1),
    ]


def test_the_dice_of_a_dodge_come_after_the_doubling() -> None:
    answer = dodge(
        [2] * 7,
        score=2,
        willpower=True,
        roll={"modifiers": [{"label": "Merit", "value": 2}, {"value": -1}], "wound_penalty": -1},
    )
    assert answer.steps()[2:8] == [
        ("dodge.gives_up_action", "effect", None, None),
        ("dodge.doubled", "base", 4, 4),
        ("pool.modifier", "modifier", 2, 6),
        ("pool.modifier", "modifier", -1, 5),
        ("dodge.willpower", "modifier", 3, 8),
        ("wounds.penalty", "modifier", -1, 7),
    ]
    assert answer.outcome["defense"]["willpower_spent"] is True
    assert answer.outcome["defense"]["roll"]["willpower_spent"] is True


def test_willpower_is_not_added_to_defense_itself() -> None:
    answer = dodge([2] * 7, score=2, willpower=True)
    assert "willpower.resistance" not in answer.rules
    assert answer.outcome["defense"]["score"] == 2


@pytest.mark.parametrize(("option", "pool"), [("applies", 3), ("ignored", 4)])
def test_wounds_come_off_a_dodge_unless_the_table_ignores_them(option: str, pool: int) -> None:
    answer = dodge([2] * pool, options={"dodge_wound_penalty": option}, score=2, roll={"wound_penalty": -1})
    assert answer.outcome["defense"]["roll"]["pool"] == pool
    assert ("wounds.penalty" in answer.rules) == (option == "applies")


@pytest.mark.parametrize(
    ("attack", "hits", "net"), [(0, 0, 0), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 2, 0), (1, 2, 0), (3, 2, 1)]
)
def test_a_tie_misses_and_more_successes_do_nothing(attack: int, hits: int, net: int) -> None:
    answer = ask(
        "dodge",
        [9] * hits + [2] * (2 - hits),
        attack_successes=attack,
        defense={"score": 1},
        weapon={"kind": "melee", "rating": 4},
    )
    outcome = answer.outcome
    assert (outcome["attack_successes"], outcome["dodge_successes"]) == (attack, hits)
    assert outcome["net_successes"] == net
    assert outcome["result"] == ("hit" if net else "miss")
    assert outcome["damage_total"] == (net + 4 if net else 0)
    assert ("dodge.equal_misses" in answer.rules) == (net == 0)
    assert ("weapon.rating" in answer.rules) == (net > 0)
    assert "attack.miss" not in answer.rules
    assert (answer.step("dodge.subtract")["value"], answer.step("dodge.subtract")["total"]) == (-hits, net)
    assert "contest.tie" not in answer.rules


@pytest.mark.parametrize(("state", "costs"), [("unspent", True), ("given_up", False)])
def test_a_dodge_costs_the_action_once(state: str, *, costs: bool) -> None:
    answer = dodge([2, 2], score=1, action_state=state)
    assert answer.outcome["defense"]["gives_up_action"] is costs
    assert ("dodge.gives_up_action" in answer.rules) is costs


def test_a_dodge_counts_as_an_attack_defended() -> None:
    defense = dodge([2, 2], score=2, attacks_defended=1, attacks_undefended=3).outcome["defense"]
    assert (defense["attacks_defended"], defense["attacks_undefended"]) == (2, 3)
    assert (defense["mode"], defense["applied"]) == ("dodge", True)


# Defense 0


@pytest.mark.parametrize("face", range(1, 11))
def test_defense_of_nothing_is_a_chance_die(face: int) -> None:
    answer = dodge([face], score=1, attacks_defended=3)
    defense = answer.outcome["defense"]
    assert (defense["score"], defense["roll"]["pool"], defense["roll"]["chance_die"]) == (0, 0, True)
    assert answer.outcome["dodge_successes"] == int(face == 10)
    assert defense["off_balance_next_turn"] is (face == 1)
    assert ("dodge.off_balance" in answer.rules) is (face == 1)
    assert answer.rules[4:8] == ["dodge.gives_up_action", "dodge.doubled", "dodge.zero_defense", "roll.chance_die"]


def test_bonus_dice_count_at_nothing() -> None:
    answer = dodge([8, 2, 2, 2], score=0, willpower=True, roll={"modifiers": [{"value": 2}], "wound_penalty": -1})
    roll = answer.outcome["defense"]["roll"]
    assert (roll["pool"], roll["chance_die"], roll["willpower_spent"]) == (4, False, True)
    assert answer.rules[2:8] == [
        "dodge.gives_up_action",
        "dodge.doubled",
        "dodge.zero_defense",
        "pool.modifier",
        "dodge.willpower",
        "wounds.penalty",
    ]


def test_the_option_leaves_the_chance_die_and_its_qualities() -> None:
    answer = dodge(
        [4, 10, 10, 3],
        options={"dodge_at_zero_defense": "chance_die_only", "chance_die_ten": "again"},
        score=0,
        willpower=True,
        roll={"modifiers": [{"value": 2}], "wound_penalty": -2, "rote": True, "again": "eight_again"},
    )
    roll = answer.outcome["defense"]["roll"]
    assert (roll["pool"], roll["faces"], roll["successes"]) == (0, [4, 10, 10, 3], 2)
    assert roll["willpower_spent"] is answer.outcome["defense"]["willpower_spent"] is False
    assert answer.rules[2:6] == ["dodge.gives_up_action", "dodge.doubled", "dodge.zero_defense", "roll.chance_die"]


def test_the_option_is_for_defense_of_nothing_only() -> None:
    """Defense 1 that penalties bring to nothing keeps its bonuses."""
    answer = dodge(
        [2] * 2,
        options={"dodge_at_zero_defense": "chance_die_only"},
        score=1,
        willpower=True,
        roll={"modifiers": [{"value": -3}]},
    )
    assert answer.outcome["defense"]["roll"]["pool"] == 2
    assert answer.outcome["defense"]["willpower_spent"] is True


def test_penalties_that_leave_a_chance_die_can_cost_balance_too() -> None:
    answer = dodge([1], score=1, roll={"wound_penalty": -2})
    assert answer.outcome["defense"]["off_balance_next_turn"] is True
    assert "dodge.zero_defense" not in answer.rules


def test_a_pool_of_ones_keeps_balance() -> None:
    assert dodge([1, 1], score=1).outcome["defense"]["off_balance_next_turn"] is False


def test_balance_is_lost_against_an_attack_without_successes() -> None:
    answer = dodge([1], successes=0, score=0)
    assert answer.rules[-4:] == ["dodge.off_balance", "dodge.subtract", "dodge.equal_misses", "dodge.result"]
    assert answer.outcome["result"] == "miss"


def test_rote_saves_a_dodge_from_any_failure_but_the_one() -> None:
    assert dodge([9, 10], score=0, roll={"rote": True}).outcome["result"] == "miss"
    answer = dodge([1], score=0, roll={"rote": True})
    assert answer.outcome["defense"]["off_balance_next_turn"] is True
    assert "roll.chance_rote" in answer.rules


# refusals and the rest


@pytest.mark.parametrize("state", ["unspent", "given_up", "spent"])
@pytest.mark.parametrize("kind", ["melee", "firearm"])
@pytest.mark.parametrize("availability", ["available", "unaware", "immobilized", "sacrificed"])
def test_what_forbids_a_dodge_is_told_in_order(state: str, kind: str, availability: str) -> None:
    expected = ["dodge.gives_up_action"] * (state == "spent")
    expected += ["dodge.needs_defense"] * (availability != "available" or kind == "firearm")
    answer = ask(
        "dodge",
        [] if expected else [2, 2],
        attack_successes=1,
        weapon={"kind": kind},
        defense={"score": 1, "action_state": state, "availability": availability},
    )
    assert answer.refused_by == expected
    if expected:
        assert answer.rules == expected
        assert answer.outcome is None


@pytest.mark.parametrize("lets", [{"applies_to_firearms": True}, {}])
def test_bullets_can_be_dodged_by_a_power_or_the_table(lets: dict[str, bool]) -> None:
    options = {} if lets else {"firearms_vs_defense": "defense_applies"}
    answer = ask(
        "dodge",
        [8, 2],
        attack_successes=2,
        weapon={"kind": "firearm", "rating": 1},
        defense={"score": 1, **lets},
        options=options,
    )
    assert answer.outcome["damage"]["lethal"] == 2


def test_a_dodge_is_an_attack_with_known_successes() -> None:
    """Step for step, but for the name of the conclusion."""
    body: dict[str, Any] = {
        "weapon": {"kind": "melee", "rating": 2, "damage_type": "aggravated"},
        "target": {"armor": {"general": 1}, "health": {"boxes": 7, "bashing": 6}},
    }
    defense = {"score": 2, "attacks_defended": 1, "willpower": True}
    dice = [8, 2, 2, 10, 9, 7]
    dodged = ask("dodge", dice, attack_successes=4, defense=defense, **body)
    attacked = ask("attack", dice, attack={"successes": 4}, defense={**defense, "mode": "dodge"}, **body)
    assert dodged.outcome == attacked.outcome
    assert dodged.outcome["attack_roll"] is None
    assert dodged.outcome["attacker_defense_lost"] is False
    assert dodged.steps()[:-1] == attacked.steps()[:-1]
    assert (dodged.rules[-1], attacked.rules[-1]) == ("dodge.result", "attack.result")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"defense": {"score": 1, "mode": "dodge"}}, "#/defense/mode", "unexpected_keyword_argument"),
        ({"defense": {}}, "#/defense", "exactly_one"),
        ({"attack_successes": -1}, "#/attack_successes", "greater_than_equal"),
        ({"attack_successes": 201}, "#/attack_successes", "less_than_equal"),
        ({"attack": {"successes": 1}}, "#/attack", "unexpected_keyword_argument"),
    ],
)
def test_what_a_dodge_may_not_say(body: dict[str, Any], pointer: str, code: str) -> None:
    assert faults("dodge", **{"attack_successes": 1, "defense": {"score": 1}, "dice": [], **body}) == [(pointer, code)]
