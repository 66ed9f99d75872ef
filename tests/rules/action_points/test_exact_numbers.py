"""AP add up exactly: tenths in, fractions inside, no binary floats anywhere."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.action_points.exact import divided, exact, rounded
from rules.action_points.options import ApRounding
from service.answers import resolution_body
from service.texts import texts_in
from tests.cases_of import cases_of
from tests.rules.action_points.asking import Body, ask, faults, plan, quote, resolution, strike

tenths = st.integers(0, 10_000).map(lambda number: number / 10)


def values_in(value: Any) -> Iterator[Any]:
    """Every value, however deep."""
    if hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from values_in(getattr(value, name))
    elif isinstance(value, dict):
        for each in value.values():
            yield from values_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from values_in(each)
    else:
        yield value


def answered_cases() -> list[Any]:
    """Every case that is no 422."""
    return [
        pytest.param(case, id=case["name"]) for case in cases_of("action-points") if case["expect"]["status"] == 200
    ]


@pytest.mark.parametrize("case", answered_cases())
def test_no_binary_float_is_in_an_answer(case: dict[str, Any]) -> None:
    action = case["request"]["path"].rsplit("/", 1)[1]
    body = {name: value for name, value in case["request"]["body"].items() if name != "dice"}
    found = resolution(action, case["request"]["body"]["dice"], **body)
    facts = [step.facts for step in found.audit]
    steps = [(step.value, step.total) for step in found.audit]
    assert not [each for each in values_in([found.outcome, steps, facts]) if isinstance(each, float)]


def test_seven_times_120_percent_is_eight_and_two_fifths() -> None:
    found = resolution("defense-cost", attack_ap=7, defense={"type": "parry"}, options={"ap_rounding": "tenths"})
    assert (found.outcome.exact_ap, found.outcome.cost_ap) == (Fraction(42, 5), Fraction(42, 5))
    (price,) = [step.value for step in found.audit if step.rule.endswith("defense.price")]
    assert price == Fraction(42, 5)
    assert str(resolution_body(found, texts_in("en"))["outcome"].exact_ap) == "42/5"


@given(tenths)
def test_a_tenth_is_read_exactly(number: float) -> None:
    assert exact(number) == Fraction(str(number))
    assert isinstance(exact(number), int) == number.is_integer()


@pytest.mark.parametrize(
    ("number", "fine"),
    [
        (8.4, True),
        (8.40000005, True),
        (8.39999995, True),
        (8.4000002, False),
        (8.45, False),
        (1e-7, True),
        (0.01, False),
        (1000, True),
        (0.1 + 0.2, True),
    ],
)
def test_the_tolerance_is_a_millionth_of_a_tenth(number: float, *, fine: bool) -> None:
    found = faults("defense-cost", attack_ap=7, defense={"type": "dodge"}, fighter={"ap": number})
    assert found == ([] if fine else [("#/fighter/ap", "tenths")])


def test_a_number_within_the_tolerance_is_the_tenth() -> None:
    assert plan("draw_weapon", fighter={"ap": 8.40000005}).outcome["ap_available"] == 8.4
    assert faults("turn-plan", fighter={"ap": 5}, items=[{"type": "walk", "distance_m": 1e-7}]) == [
        ("#/items/0/distance_m", "greater_than_equal")
    ]


@given(st.fractions(0, 1000, max_denominator=100), st.sampled_from(ApRounding))
def test_rounding(price: Fraction, rounding: ApRounding) -> None:
    expected = {
        ApRounding.UP: Fraction(ceil(price)),
        ApRounding.DOWN: Fraction(floor(price)),
        ApRounding.TENTHS: Fraction(ceil(price * 10), 10),
    }
    assert rounded(price, rounding) == expected[rounding]


@given(st.integers(0, 10_000), st.integers(1, 100))
def test_a_quotient_is_exact(number: int, by: int) -> None:
    assert divided(number, by) * by == number
    assert isinstance(divided(number, by), int) == (number % by == 0)


@pytest.mark.parametrize(
    ("rounding", "metres", "price"),
    [
        ("up", 2.5, 2),
        ("down", 2.5, 1),
        ("tenths", 2.5, 1.3),
        ("up", 0.1, 1),
        ("down", 0.1, 0),
        ("tenths", 0.1, 0.1),
        ("up", 4, 2),
        ("down", 4, 2),
        ("tenths", 4, 2),
    ],
)
def test_a_flight_is_rounded_once(rounding: str, metres: float, price: float) -> None:
    answer = plan({"type": "fly", "distance_m": metres}, options={"ap_rounding": rounding})
    limit = [] if price == metres / 2 else [("ap.rounding", "limit", price, price)]
    assert answer.steps == [
        ("ap.available", "base", 20, 20),
        ("move.fly", "base", metres / 2, metres / 2),
        *limit,
        ("ap.spent", "effect", -price, 20 - price),
        ("turn.result", "result", price, None),
    ]


def test_nothing_but_movement_and_defenses_is_rounded() -> None:
    """AP in tenths stay in tenths through everything else."""
    answer = plan(
        {"type": "attack", "attack": {"type": "rifle", "critical": {"paid_ap": 0.3, "pay_ap": 1.1}}},
        {"type": "ability", "ability": {"ap": 3}},
        fighter={"ap_max": 20.5, "ap_spent": 0.2},
    ).outcome
    assert (answer["ap_available"], answer["ap_spent"], answer["ap_left"]) == (20.3, 4.1, 16.2)
    assert answer["ap_needed"] == 18.7


@given(
    st.lists(
        st.one_of(
            st.builds(
                lambda kind, metres: {"type": kind, "distance_m": metres},
                st.sampled_from(["walk", "run", "fly", "climb"]),
                st.integers(1, 60).map(lambda number: number / 10),
            ),
            st.sampled_from(
                [{"type": "draw_weapon"}, {"type": "dash"}, {"type": "attack", "attack": {"type": "knife"}}]
            ),
        ),
        min_size=1,
        max_size=8,
    ),
    tenths.filter(lambda number: number <= 60),
    st.sampled_from(ApRounding),
)
def test_what_is_spent_and_what_is_left_add_up(items: list[Body], ap: float, rounding: ApRounding) -> None:
    found: Any = resolution("turn-plan", fighter={"ap": ap}, items=items, options={"ap_rounding": rounding.value})
    outcome = found.outcome
    assert outcome.ap_spent + outcome.ap_left == exact(ap)
    assert outcome.ap_left >= 0
    assert sum(-(step.value or 0) for step in found.audit if step.rule.endswith("ap.spent")) == outcome.ap_spent
    assert sum(item.cost_ap for item in outcome.items if item.status == "done") == outcome.ap_spent
    refused = sum(item.cost_ap for item in outcome.items if item.status == "not_allowed")
    assert sum(item.cost_ap for item in outcome.items) == outcome.ap_needed + refused


@pytest.mark.parametrize("language", ["en", "ru"])
def test_texts_show_the_price_before_rounding(language: str) -> None:
    fighter = {"earlier_defenses": [{"type": "dodge", "ap": 999.9}, *[{"type": "dodge", "ap": 1}] * 19]}
    options = {"escalation_base": "first_defense", "disarm_cost": "in_addition"}
    answer = quote("disarm", attack_ap=7, fighter=fighter, options=options, language=language)
    assert answer.outcome["exact_ap"] == 12498.75
    shown = "12498.75" if language == "en" else "12498,75"
    assert shown in answer.text("defense.price")
    assert shown in answer.text("ap.rounding")


DEFENSES = ("dodge", "dash", "parry", "disarm", "absorb_spell")
ONCE = ("dash", "disarm")
EARLIER: tuple[list[str], ...] = (
    [],
    ["dodge"],
    ["dash", "dodge"],
    ["parry", "dash", "absorb_spell"],
    ["disarm", "dodge", "dodge", "parry"],
)
FAMILY = {"dodge": 0, "dash": 0, "parry": 1, "disarm": 1, "absorb_spell": 1}


@pytest.mark.parametrize(
    ("defense", "earlier"),
    [(each, earlier) for each in DEFENSES for earlier in EARLIER if each not in earlier or each not in ONCE],
)
@pytest.mark.parametrize("counter", ["shared", "by_type"])
@pytest.mark.parametrize("dashes", ["separate", "counts"])
def test_the_price_of_a_defense(defense: str, earlier: list[str], counter: str, dashes: str) -> None:
    """The published percentages, computed here by another way, for every reading and every rounding."""
    made = [{"type": kind, "ap": 3.7 + at} for at, kind in enumerate(earlier)]
    counted = [
        each
        for each in made
        if (dashes == "counts" or each["type"] != "dash")
        and (counter == "shared" or FAMILY[str(each["type"])] == FAMILY[defense])
    ]
    for base, disarm, absorb, rounding in product(
        ("attack", "first_defense"),
        ("instead", "in_addition"),
        ("as_parry", "own_price"),
        ("up", "down", "tenths"),
    ):
        own_price = absorb == "own_price" and defense == "absorb_spell"
        answer = quote(
            {"type": defense} | ({"absorb_ap": 4.6} if own_price else {}),
            attack_ap=7,
            fighter={"earlier_defenses": made},
            options={
                "defense_counter": counter,
                "dash_escalation": dashes,
                "escalation_base": base,
                "disarm_cost": disarm,
                "absorb_cost": absorb,
                "ap_rounding": rounding,
            },
        ).outcome
        ordinal: int | None = len(counted) + 1
        literal = base == "first_defense" and counted and defense != "dash"
        parry = 100 if literal else 120
        own = {"dodge": 100, "dash": 100, "parry": parry, "absorb_spell": parry, "disarm": 150}[defense]
        own += parry if defense == "disarm" and disarm == "in_addition" else 0
        percent: int | None = own + 50 * len(counted)
        basis = Fraction(str(counted[0]["ap"])) if literal else Fraction(5 if defense == "dash" else 7)
        price = basis * own / 100 + basis * len(counted) / 2
        if defense == "dash" and dashes == "separate":
            ordinal, percent, basis, price = None, None, Fraction(5), Fraction(5)
        if own_price:
            percent, basis, price = None, Fraction(23, 5), Fraction(23, 5)
        cost = {"up": Fraction(ceil(price)), "down": Fraction(floor(price)), "tenths": Fraction(ceil(price * 10), 10)}
        shown = (answer["ordinal"], answer["percent"], answer["base_ap"], answer["exact_ap"], answer["cost_ap"])
        assert shown == (ordinal, percent, float(basis), float(price), float(cost[rounding]))


def test_a_price_may_become_nothing() -> None:
    options = {"ap_rounding": "down", "absorb_cost": "own_price"}
    absorb = {"type": "absorb_spell", "absorb_ap": 0.9}
    answer = ask("defense-cost", attack_ap=7, defense=absorb, fighter={"ap": 0}, options=options)
    assert (answer.outcome["result"], answer.outcome["exact_ap"], answer.outcome["cost_ap"]) == ("affordable", 0.9, 0)


def test_tenths_go_through_an_exchange() -> None:
    outcome = strike(
        "sword",
        "parry",
        attacker={"ap": 9.3},
        defender={"ap": 8.4},
        options={"ap_rounding": "tenths"},
    ).outcome
    assert (outcome["attacker"]["ap_after"], outcome["defender"]["ap_after"]) == (2.3, 0)
    assert outcome["defender"]["earlier_defenses"] == [{"type": "parry", "ap": 8.4}]
