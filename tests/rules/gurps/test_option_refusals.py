"""What forbids a retreat or a drop, and what does not."""

import pytest

from tests.rules.gurps.asking import Body, block, defend, dodge, refused, sheet

DOUBLE: Body = {"maneuver": "all_out_defense_double"}
RETREAT: Body = {"kind": "retreat"}
DROP: Body = {"kind": "drop"}


def test_one_option_a_turn_and_one_a_request() -> None:
    for against in ("this_attacker", "other", "no_one"):
        turn = {"option": {"kind": "drop", "against": against}}
        assert refused(dodge(option=RETREAT), turn=turn) == ["option.once_per_turn"]
    assert refused(dodge(option=RETREAT), block(option=RETREAT), **DOUBLE) == ["option.once_per_turn"]
    assert defend([1, 1, 1], dodge(), block(option=RETREAT), defender=sheet(**DOUBLE)).refused_by == []


@pytest.mark.parametrize(
    ("attack", "defender", "expected"),
    [
        ({"kind": "missile"}, {}, "retreat.melee_only"),
        ({"kind": "thrown", "weight_g": 900}, {}, "retreat.melee_only"),
        ({}, {"posture": "kneeling"}, "retreat.posture"),
        ({}, {"posture": "sitting"}, "retreat.posture"),
        ({}, {"stunned": True}, "retreat.stunned"),
        ({}, {"maneuver": "sprint"}, "retreat.maneuver"),
        ({}, {"maneuver": "move_and_attack"}, "retreat.maneuver"),
    ],
)
def test_what_forbids_a_retreat(attack: Body, defender: Body, expected: str) -> None:
    assert refused(dodge(option=RETREAT), attack=attack, **defender) == [expected]


@pytest.mark.parametrize(
    "defender", [{"posture": "crouching"}, {"posture": "crawling"}, {"posture": "lying"}, {"maneuver": "move"}]
)
@pytest.mark.parametrize("kind", ["melee", "area"])
def test_what_does_not_forbid_a_retreat(kind: str, defender: Body) -> None:
    answer = defend([1, 1, 1], dodge(option=RETREAT), attack={"kind": kind}, defender=sheet(**defender))
    assert answer.outcome["movement"]["steps"] == 1


@pytest.mark.parametrize("posture", ["kneeling", "sitting"])
def test_a_drop_is_allowed_where_a_retreat_is_not(posture: str) -> None:
    defender = sheet(posture=posture, stunned=True, maneuver="sprint")
    answer = defend([1, 1, 1], dodge(option=DROP), attack={"kind": "missile"}, defender=defender)
    assert answer.outcome["posture"] == "lying"


@pytest.mark.parametrize("kind", ["missile", "thrown", "area"])
def test_a_drop_goes_with_a_dodge_of_any_ranged_attack(kind: str) -> None:
    attack = {"kind": kind, "weight_g": 900}
    assert defend([1, 1, 1], dodge(option=DROP), attack=attack, defender=sheet()).refused_by == []
    forbidden = ["area.dodge_only", "drop.dodge_only"] if kind == "area" else ["drop.dodge_only"]
    assert refused(block(option=DROP), attack=attack) == forbidden


@pytest.mark.parametrize(
    ("option", "kind", "expected"),
    [
        (RETREAT, "melee", ["retreat.occupied"]),
        (RETREAT, "area", ["retreat.occupied"]),
        (RETREAT, "missile", ["retreat.melee_only", "retreat.occupied"]),
        (DROP, "area", ["retreat.occupied"]),
        (DROP, "missile", []),
        (DROP, "melee", ["drop.ranged_only"]),
    ],
)
def test_a_step_does_not_lead_into_an_occupied_hex(option: Body, kind: str, expected: list[str]) -> None:
    answer = defend(
        [] if expected else [1, 1, 1],
        dodge(option={**option, "hex": "occupied"}),
        attack={"kind": kind},
        defender=sheet(),
    )
    assert answer.refused_by == expected


def test_a_drop_is_forbidden_to_the_lying_and_under_one_reading_to_acrobats() -> None:
    missile = {"kind": "missile"}
    assert refused(dodge(option=DROP), attack=missile, posture="lying") == ["drop.already_lying"]
    forbidden = {"acrobatics_with_drop": "forbidden"}
    acrobat = dodge(option=DROP, acrobatic=True)
    assert refused(acrobat, attack=missile, acrobatics=12, options=forbidden) == ["acrobatics.drop"]
    for options in (None, forbidden):
        assert (
            defend([1, 1, 1], dodge(option=DROP), attack=missile, defender=sheet(), options=options or {}).refused_by
            == []
        )
    assert defend([3, 3, 3, 1, 1, 1], acrobat, attack=missile, defender=sheet(acrobatics=12)).refused_by == []
