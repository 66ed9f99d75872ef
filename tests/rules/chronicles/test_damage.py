"""Points through armor onto the track: against a plain model that takes one point at a time."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.rules.chronicles.asking import Answer, ask, faults

SEVERITIES = ("bashing", "lethal", "aggravated")
Points = dict[str, int]


def damage(points: Points, target: dict[str, Any], **body: Any) -> Answer:
    return ask("damage", damage=points, target=target, **body)


def points(bashing: int = 0, lethal: int = 0, aggravated: int = 0) -> Points:
    return {"bashing": bashing, "lethal": lethal, "aggravated": aggravated}


@dataclass
class Track:
    """Boxes from the left, the worst first, as players mark them on paper; each point on its own."""

    boxes: list[int]
    upgrades: int = 0
    excess: int = 0

    def take(self, severity: int) -> None:
        if 0 in self.boxes:
            self.boxes[self.boxes.index(0)] = severity
        elif min(self.boxes) == 1:
            self.boxes[self.boxes.index(1)] = max(2, severity)
            self.upgrades += 1
        elif min(self.boxes) == 2:
            self.boxes[self.boxes.index(2)] = 3
            self.upgrades += 1
        else:
            self.excess += 1
        self.boxes.sort(reverse=True)

    @property
    def condition(self) -> str:
        return ("able", "fading", "dying", "dead")[self.boxes[-1]]

    @property
    def wound_penalty(self) -> int:
        last = [box > 0 for box in self.boxes[-3:]]
        if not any(self.boxes):
            return 0
        return -sum(last) if len(self.boxes) >= 3 else -3 + len([box for box in self.boxes if not box])


tracks = some.integers(1, 9).flatmap(lambda length: some.lists(some.integers(0, 3), min_size=length, max_size=length))
amounts = some.fixed_dictionaries({severity: some.integers(0, 7) for severity in SEVERITIES})


@given(tracks, amounts)
def test_a_track_takes_points_as_if_one_by_one(boxes: list[int], amount: Points) -> None:
    model = Track(sorted(boxes, reverse=True))
    for severity in (3, 2, 1):
        for _ in range(amount[SEVERITIES[severity - 1]]):
            model.take(severity)
    marked = {severity: boxes.count(at) for at, severity in enumerate(SEVERITIES, 1)}
    target = damage(amount, {"health": {"boxes": len(boxes), **marked}}).outcome["target"]
    assert target == {
        "damage_taken": amount,
        "health": {"boxes": len(boxes), **{each: model.boxes.count(at) for at, each in enumerate(SEVERITIES, 1)}},
        "wound_penalty": model.wound_penalty,
        "condition": model.condition,
        "upgrades": model.upgrades,
        "excess": model.excess,
    }


@given(
    amounts,
    some.integers(0, 6),
    some.integers(0, 6),
    some.integers(0, 6),
    some.sampled_from(["unarmed", "melee", "thrown", "firearm", "other"]),
)
def test_armor_takes_points_as_if_one_by_one(
    amount: Points, general: int, ballistic: int, piercing: int, kind: str
) -> None:
    left, worn = dict(amount), {"ballistic": ballistic if kind == "firearm" else 0, "general": general}
    for _ in range(piercing):
        for part in ("ballistic", "general"):
            if worn[part]:
                worn[part] -= 1
                break
    for _ in range(worn["ballistic"]):
        if left["lethal"]:
            left["lethal"], left["bashing"] = left["lethal"] - 1, left["bashing"] + 1
    for _ in range(worn["general"]):
        for severity in reversed(SEVERITIES):
            if left[severity]:
                left[severity] -= 1
                break
    if amount["lethal"] and not any(left.values()):
        left["bashing"] = 1
    armor = {"general": general, "ballistic": ballistic}
    answer = damage(amount, {"armor": armor}, kind=kind, armor_piercing=piercing)
    assert answer.outcome["target"]["damage_taken"] == left
    assert answer.outcome["result"] == ("damaged" if any(left.values()) else "no_damage")
    assert answer.step("damage.result")["value"] == sum(left.values())


def test_every_step_of_armor_says_what_is_left() -> None:
    answer = damage(
        points(lethal=5, aggravated=1),
        {"armor": {"general": 2, "ballistic": 3}, "health": {"boxes": 7}},
        kind="firearm",
        armor_piercing=2,
    )
    assert answer.steps() == [
        ("damage.points", "base", 6, 6),
        ("armor.piercing", "modifier", -2, 3),
        ("armor.ballistic", "modifier", -1, 4),
        ("armor.general", "modifier", -2, 4),
        ("health.mark", "effect", 3, None),
        ("health.mark", "effect", 1, None),
        ("health.wound_penalty", "result", 0, None),
        ("health.condition", "result", None, None),
        ("damage.result", "result", 4, None),
    ]
    assert answer.outcome["target"]["damage_taken"] == points(bashing=1, lethal=3)


def test_piercing_goes_through_ballistic_into_general() -> None:
    answer = damage(points(lethal=3), {"armor": {"general": 3, "ballistic": 1}}, kind="firearm", armor_piercing=3)
    assert answer.step("armor.piercing")["value"] == -3
    assert answer.step("armor.piercing")["total"] == 1
    assert answer.outcome["target"]["damage_taken"] == points(lethal=2)


def test_piercing_takes_no_more_than_there_is() -> None:
    answer = damage(points(lethal=3), {"armor": {"general": 1, "ballistic": 1}}, kind="firearm", armor_piercing=9)
    assert (answer.step("armor.piercing")["value"], answer.step("armor.piercing")["total"]) == (-2, 0)
    assert answer.outcome["target"]["damage_taken"] == points(lethal=3)


def test_piercing_without_armor_leaves_no_step() -> None:
    without = damage(points(lethal=3), {"armor": {"ballistic": 4}}, kind="melee", armor_piercing=3)
    assert without.rules == ["damage.points", "damage.result"]


def test_a_bruise_comes_through_what_stops_a_lethal_blow() -> None:
    answer = damage(points(lethal=2), {"armor": {"general": 5}, "health": {"boxes": 1}}, kind="melee")
    assert answer.steps()[1:] == [
        ("armor.general", "modifier", -2, 0),
        ("armor.shock", "limit", 1, 1),
        ("health.mark", "effect", 1, None),
        ("health.wound_penalty", "result", -3, None),
        ("health.condition", "result", None, None),
        ("damage.result", "result", 1, None),
    ]


def test_ballistic_armor_alone_never_needs_the_bruise() -> None:
    answer = damage(points(lethal=2), {"armor": {"ballistic": 5}}, kind="firearm")
    assert "armor.shock" not in answer.rules
    assert answer.outcome["target"]["damage_taken"] == points(bashing=2)


@pytest.mark.parametrize("stopped", [points(bashing=3), points(aggravated=3)])
def test_no_bruise_without_lethal_damage(stopped: Points) -> None:
    answer = damage(stopped, {"armor": {"general": 3}, "health": {"boxes": 7}}, kind="melee")
    assert answer.outcome["result"] == "no_damage"
    assert answer.outcome["target"]["damage_taken"] == points()


def test_no_damage_does_not_meet_armor() -> None:
    answer = damage({"bashing": 0}, {"armor": {"general": 3}, "health": {"boxes": 7}}, armor_piercing=2)
    assert answer.rules == ["damage.points", "health.wound_penalty", "health.condition", "damage.result"]
    assert answer.outcome["result"] == "no_damage"


def test_what_armor_does_not_stop_is_told_without_armor() -> None:
    answer = damage(points(lethal=3), {"health": {"boxes": 7}}, kind="firearm", armor_piercing=5)
    assert answer.outcome["target"]["damage_taken"] == points(lethal=3)


def test_without_a_track_only_the_damage_is_told() -> None:
    answer = damage(points(bashing=2), {"armor": {}})
    assert answer.outcome["target"] == {
        "damage_taken": points(bashing=2),
        "health": None,
        "wound_penalty": None,
        "condition": None,
        "upgrades": None,
        "excess": None,
    }


def test_one_blow_may_mark_upgrade_and_be_too_much() -> None:
    answer = damage(
        points(bashing=3, lethal=2, aggravated=2), {"health": {"boxes": 4, "bashing": 1, "lethal": 1, "aggravated": 1}}
    )
    assert answer.steps()[1:-3] == [
        ("health.mark", "effect", 1, None),
        ("health.upgrade", "effect", 1, None),
        ("health.upgrade", "effect", 1, None),
        ("health.excess", "effect", 1, None),
        ("health.excess", "effect", 3, None),
    ]
    target = answer.outcome["target"]
    assert target["health"] == {"boxes": 4, "bashing": 0, "lethal": 0, "aggravated": 4}
    assert (target["upgrades"], target["excess"], target["condition"]) == (2, 4, "dead")


@pytest.mark.parametrize(("marked", "penalty"), [(0, 0), (1, 0), (4, 0), (5, -1), (6, -2), (7, -3)])
def test_the_last_three_boxes_hurt(marked: int, penalty: int) -> None:
    answer = damage({"bashing": 0}, {"health": {"boxes": 7, "bashing": marked}})
    assert answer.outcome["target"]["wound_penalty"] == penalty
    assert answer.step("health.wound_penalty")["value"] == penalty


@pytest.mark.parametrize(("boxes", "marked", "penalty"), [(1, 0, 0), (1, 1, -3), (2, 0, 0), (2, 1, -2), (3, 1, -1)])
def test_a_short_track_hurts_only_once_marked(boxes: int, marked: int, penalty: int) -> None:
    answer = damage({"bashing": 0}, {"health": {"boxes": boxes, "lethal": marked}})
    assert answer.outcome["target"]["wound_penalty"] == penalty


def test_a_track_has_stamina_and_size_boxes() -> None:
    assert damage({"lethal": 1}, {"health": {"stamina": 3, "size": 5}}).outcome["target"]["health"]["boxes"] == 8
    assert damage({"lethal": 1}, {"health": {"stamina": 1, "size": 0}}).outcome["target"]["condition"] == "dying"


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"damage": {}}, "#/damage", "at_least_one"),
        ({"damage": {"lethal": 201}}, "#/damage/lethal", "less_than_equal"),
        ({"damage": {"lethal": -1}}, "#/damage/lethal", "greater_than_equal"),
        ({"damage": {"lethal": None}}, "#/damage/lethal", "int_type"),
        ({"kind": "fire"}, "#/kind", "enum"),
        ({"armor_piercing": 11}, "#/armor_piercing", "less_than_equal"),
        ({"target": {}}, "#/target", "at_least_one"),
        ({"target": {"armor": {"general": 21}}}, "#/target/armor/general", "less_than_equal"),
        ({"target": {"armor": {"ballistic": -1}}}, "#/target/armor/ballistic", "greater_than_equal"),
        ({"target": {"health": {}}}, "#/target/health", "exactly_one"),
        ({"target": {"health": {"boxes": 7, "stamina": 2, "size": 5}}}, "#/target/health", "exactly_one"),
        ({"target": {"health": {"boxes": 7, "size": 5}}}, "#/target/health", "exactly_one"),
        ({"target": {"health": {"stamina": 2}}}, "#/target/health/size", "needed_with"),
        ({"target": {"health": {"size": 5}}}, "#/target/health/stamina", "needed_with"),
        ({"target": {"health": {"boxes": 0}}}, "#/target/health/boxes", "greater_than_equal"),
        ({"target": {"health": {"boxes": 51}}}, "#/target/health/boxes", "less_than_equal"),
        ({"target": {"health": {"stamina": 16, "size": 1}}}, "#/target/health/stamina", "less_than_equal"),
        ({"target": {"health": {"stamina": 1, "size": 31}}}, "#/target/health/size", "less_than_equal"),
        (
            {"target": {"health": {"boxes": 3, "bashing": 1, "lethal": 2, "aggravated": 1}}},
            "#/target/health",
            "overfull_track",
        ),
        ({"target": {"health": {"stamina": 1, "size": 1, "lethal": 3}}}, "#/target/health", "overfull_track"),
    ],
)
def test_what_damage_may_not_say(body: dict[str, Any], pointer: str, code: str) -> None:
    whole = {"damage": {"lethal": 1}, "target": {"health": {"boxes": 7}}, "dice": [], **body}
    assert faults("damage", **whole) == [(pointer, code)]


def test_a_full_track_is_no_fault() -> None:
    assert faults("damage", damage={"lethal": 0}, target={"health": {"boxes": 3, "lethal": 3}}, dice=[]) == []
