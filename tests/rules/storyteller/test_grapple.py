"""Later rounds of a clinch or a hold: harm without an attack roll, squeezing, getting free."""

from typing import Any

import pytest

from tests.rules.storyteller.asking import Answer, ask, faults, refused


def grapple(dice: list[int], kind: str, choice: str, **body: Any) -> Answer:
    body.setdefault("actor", {"strength": 4})
    body.setdefault("opponent", {"body": {"nature": "mortal", "stamina": 2}})
    return ask("grapple", dice, grapple=kind, choice=choice, **body)


ROLLS: dict[str, Any] = {"actor": {"roll": {"pool": 2}}, "opponent": {"roll": {"pool": 2}}}


@pytest.mark.parametrize(("kind", "state"), [("clinch", "clinched"), ("hold", "held")])
@pytest.mark.parametrize("actor", range(3))
@pytest.mark.parametrize("opponent", range(3))
def test_more_successes_are_needed_to_get_free(kind: str, state: str, actor: int, opponent: int) -> None:
    dice = [6] * actor + [2] * (2 - actor) + [6] * opponent + [2] * (2 - opponent)
    answer = grapple(dice, kind, "escape", **ROLLS)
    free = actor > opponent
    assert answer.outcome["result"] == ("escaped" if free else "still_grappled")
    assert answer.outcome["state_after"] == ("free" if free else state)
    assert (answer.outcome["damage"], answer.outcome["health_levels"]) == (None, 0)
    assert answer.rules[0] == f"{kind}.escape"
    assert answer.rules[-1] == "grapple.result"


@pytest.mark.parametrize(
    ("kind", "choice", "rule"), [("clinch", "inflict", "clinch.inflict"), ("hold", "squeeze", "hold.squeeze")]
)
def test_strength_damage_without_a_roll(kind: str, choice: str, rule: str) -> None:
    answer = grapple([6, 2, 6, 6, 6], kind, choice)
    assert (
        answer.outcome["damage"] | {"type": "bashing", "pool": 4, "rolled": 3, "levels": 1} == answer.outcome["damage"]
    )
    assert (answer.outcome["actor"], answer.outcome["opponent"]) == (None, None)
    assert answer.rules[0] == rule


@pytest.mark.parametrize(("own", "theirs", "won"), [(0, 0, False), (1, 1, False), (1, 0, True), (0, 1, False)])
def test_a_squeeze_may_have_to_be_won(own: int, theirs: int, won: bool) -> None:
    dice = [6 if own else 2, 6 if theirs else 2, *([2, 2, 6, 6, 2, 2] if won else [])]
    answer = grapple(
        dice,
        "hold",
        "squeeze",
        actor={"roll": {"pool": 1}, "damage_pool": 4},
        opponent={"roll": {"pool": 1}, "body": {"nature": "mortal", "stamina": 2}},
        options={"squeeze": "contested"},
    )
    assert answer.outcome["result"] == ("damaged" if won else "no_grip")
    assert answer.outcome["state_after"] == "held"
    assert (answer.outcome["damage"] is None) == (not won)


@pytest.mark.parametrize("soak", ["removes_dice", "removes_levels"])
def test_automatic_damage_of_a_clinch_is_soaked_afterwards_whatever_the_option(soak: str) -> None:
    """Wounds, armor and halving are as ever; no damage die is rolled, and the successes are the pool."""
    answer = grapple(
        [6, 6, 2, 2],
        "clinch",
        "inflict",
        actor={"strength": 5, "damage_modifiers": [{"dice": 1}]},
        opponent={"body": {"nature": "mortal", "stamina": 1, "armor": 3, "wounds": {}}},
        options={"clinch_damage": "automatic", "soak": soak},
    )
    told = answer.outcome["damage"]
    assert told | {"pool": 6, "rolled": 0, "successes": 6, "soak_successes": 2, "levels": 2} == told
    assert told["armor_destroyed"]
    assert told["health"]["bashing"] == 2
    assert "damage.roll" not in answer.rules


def test_automatic_damage_is_of_a_clinch_alone() -> None:
    answer = grapple([2, 2, 2, 2, 2, 2], "hold", "squeeze", options={"clinch_damage": "automatic"})
    assert answer.outcome["damage"]["rolled"] == 4


def test_an_opponent_without_dice_scores_nothing() -> None:
    for theirs in ({"pool": 0, "spend_willpower": True}, {"pool": 9, "health": "incapacitated"}):
        answer = grapple([6], "hold", "escape", actor={"roll": {"pool": 1}}, opponent={"roll": theirs})
        assert answer.outcome["result"] == "escaped"
        assert (
            answer.outcome["opponent"] | {"pool": 0, "successes": 0, "result": "no_dice"} == answer.outcome["opponent"]
        )


@pytest.mark.parametrize(("kind", "choice"), [("hold", "inflict"), ("clinch", "squeeze")])
@pytest.mark.parametrize("squeeze", ["automatic", "contested"])
@pytest.mark.parametrize(("health", "pool"), [("healthy", 1), ("healthy", 0), ("incapacitated", 1)])
def test_each_choice_belongs_to_its_kind(kind: str, choice: str, squeeze: str, health: str, pool: int) -> None:
    expected = ["grapple.choice"]
    if choice == "squeeze" and squeeze == "contested":
        expected += ["health.incapacitated"] if health == "incapacitated" else [] if pool else ["pool.empty"]
    answer = grapple(
        [],
        kind,
        choice,
        actor={"roll": {"pool": pool, "health": health}, "strength": 1},
        opponent={"roll": {"pool": 1}, "body": {"nature": "mortal", "stamina": 2}},
        options={"squeeze": squeeze},
    )
    assert refused(answer) == expected


@pytest.mark.parametrize(("health", "rule"), [("healthy", "pool.empty"), ("incapacitated", "health.incapacitated")])
def test_who_wants_free_needs_dice(health: str, rule: str) -> None:
    answer = grapple(
        [], "clinch", "escape", actor={"roll": {"pool": 0, "health": health}}, opponent={"roll": {"pool": 1}}
    )
    assert refused(answer) == [rule]


def test_what_a_choice_does_not_need_is_ignored() -> None:
    answer = grapple(
        [6, 2],
        "clinch",
        "escape",
        actor={"roll": {"pool": 1}, "strength": 4},
        opponent={"roll": {"pool": 1}, "body": {"nature": "mortal", "stamina": 2}},
    )
    assert answer.outcome["result"] == "escaped"
    hurt = grapple([2, 2, 6, 6, 6, 6], "clinch", "inflict", actor={"roll": {"pool": 0}, "strength": 4})
    assert hurt.outcome["health_levels"] == 2


def test_strength_beside_a_finished_pool_is_always_malformed() -> None:
    both = {"roll": {"pool": 1}, "strength": 1, "damage_pool": 1}
    found = faults("grapple", grapple="hold", choice="escape", actor=both, opponent={"roll": {"pool": 1}})
    assert found == [("#/actor/damage_pool", "not_together")]
