"""What is no question: each contradiction, with where it stands."""

from typing import Any

import pytest

from tests.rules.action_points.asking import Body, faults, spell

SWORD: Body = {"type": "sword"}
LEVEL: Body = {"kind": "fae", "level": 1}
WEAKNESS = spell(inflicts={"state": "reduced", "parameter": "ap", "amount": 8})


def of_fighter(fighter: Body, **body: Any) -> list[tuple[str, str]]:
    """What is wrong with a fighter, in an action that needs nothing of one."""
    return faults("defense-cost", attack_ap=7, defense={"type": "dodge"}, fighter=fighter, **body)


def of_attack(attack: Body, **body: Any) -> list[tuple[str, str]]:
    """What is wrong with an attack."""
    return faults("defense-cost", attack=attack, defense={"type": "dodge"}, **body)


def of_exchange(attack: Body = SWORD, **body: Any) -> list[tuple[str, str]]:
    """What is wrong with an attack and its answer."""
    return faults("attack", attack=attack, **{"attacker": {"ap": 20}, "defender": {"hp_max": 150, "ap": 20}, **body})


def of_item(item: Body, **fighter: Any) -> list[tuple[str, str]]:
    """What is wrong with an item of a plan."""
    return faults("turn-plan", fighter={"ap": 20, **fighter}, items=[item])


def condition(**of: Any) -> Body:
    """A fighter in one condition."""
    return {"conditions": [of]}


FIGHTERS: list[tuple[Body, list[tuple[str, str]]]] = [
    ({}, []),
    (LEVEL, []),
    ({"kind": "fae"}, []),
    ({"level": 1}, [("#/fighter/kind", "needed_with")]),
    ({"kind": "fae", "level": 0}, [("#/fighter/level", "greater_than_equal")]),
    ({"kind": "fae", "level": 6}, [("#/fighter/level", "less_than_equal")]),
    ({"kind": "elf"}, [("#/fighter/kind", "enum")]),
    (LEVEL | {"hp_max": 150}, [("#/fighter/hp_max", "not_together")]),
    (LEVEL | {"ap_max": 15}, [("#/fighter/ap_max", "not_together")]),
    (LEVEL | {"regeneration": 0}, [("#/fighter/regeneration", "not_together")]),
    (LEVEL | {"circle_of_power": 1}, [("#/fighter/circle_of_power", "not_together")]),
    ({"hp_max": 0}, [("#/fighter/hp_max", "greater_than_equal")]),
    ({"hp_max": 100_000, "ap_max": 1000, "regeneration": 10_000, "circle_of_power": 100}, []),
    ({"hp_max": 100_001}, [("#/fighter/hp_max", "less_than_equal")]),
    ({"ap_max": 1000.1}, [("#/fighter/ap_max", "less_than_equal")]),
    ({"regeneration": 10_001}, [("#/fighter/regeneration", "less_than_equal")]),
    ({"circle_of_power": 101}, [("#/fighter/circle_of_power", "less_than_equal")]),
    ({"hp": 10}, [("#/fighter/hp_max", "needed_with")]),
    ({"hp_max": 10, "hp": 10}, []),
    ({"hp_max": 10, "hp": 11}, [("#/fighter/hp", "less_than_equal")]),
    (LEVEL | {"hp": 150, "ap": 15}, []),
    (LEVEL | {"hp": 151}, [("#/fighter/hp", "less_than_equal")]),
    (LEVEL | {"ap": 15.1}, [("#/fighter/ap", "less_than_equal")]),
    ({"ap": 1000}, []),
    ({"ap": 1000.1}, [("#/fighter/ap", "less_than_equal")]),
    ({"ap_max": 15.5, "ap": 15.6}, [("#/fighter/ap", "less_than_equal")]),
    (LEVEL | {"ap": 5, "ap_spent": 10}, [("#/fighter/ap_spent", "not_together")]),
    (LEVEL | {"ap": 15, "ap_spent": 0}, [("#/fighter/ap_spent", "not_together")]),
    ({"ap_spent": 0}, [("#/fighter/ap_max", "needed_with")]),
    ({"ap_max": 15, "ap_spent": 1000}, []),
    ({"magic_resistance": 101}, [("#/fighter/magic_resistance", "less_than_equal")]),
    ({"passive_protection": 100_001}, [("#/fighter/passive_protection", "less_than_equal")]),
    ({"dash_used": 1}, [("#/fighter/dash_used", "bool_type")]),
    ({"ap": "5"}, [("#/fighter/ap", "float_type")]),
    ({"ap": True}, [("#/fighter/ap", "float_type")]),
    ({"ap": None}, [("#/fighter/ap", "float_type")]),
    ({"mana": 3}, [("#/fighter/mana", "unexpected_keyword_argument")]),
    (condition(state="bound"), []),
    (condition(state="bound", turns=None), []),
    (condition(state="bound", turns=0), [("#/fighter/conditions/0/turns", "greater_than_equal")]),
    (condition(state="bound", turns=1001), [("#/fighter/conditions/0/turns", "less_than_equal")]),
    (condition(cause="effect"), [("#/fighter/conditions/0/state", "missing")]),
    (condition(state="reduced", parameter="ap", amount=1), []),
    (condition(state="reduced", amount=1), [("#/fighter/conditions/0/parameter", "needed_with")]),
    (condition(state="reduced", parameter="ap"), [("#/fighter/conditions/0/amount", "needed_with")]),
    (condition(state="bound", parameter="ap"), [("#/fighter/conditions/0/parameter", "only_with")]),
    (condition(state="bound", amount=1), [("#/fighter/conditions/0/amount", "only_with")]),
    (
        condition(state="reduced", parameter="ap", amount=10_001),
        [("#/fighter/conditions/0/amount", "less_than_equal")],
    ),
    (condition(state="stunned", cause="low_hp"), []),
    (condition(state="bound", cause="low_hp"), [("#/fighter/conditions/0/cause", "only_with")]),
    (condition(state="immobilised", cause="whip", paid_ap=14.9), []),
    (condition(state="stunned", cause="whip"), [("#/fighter/conditions/0/cause", "only_with")]),
    (condition(state="immobilised", paid_ap=0), [("#/fighter/conditions/0/paid_ap", "only_with")]),
    (
        condition(state="immobilised", cause="whip", paid_ap=15),
        [("#/fighter/conditions/0/paid_ap", "less_than_equal")],
    ),
    (
        {"conditions": [{"state": "immobilised", "cause": "whip"}, {"state": "immobilised", "cause": "whip"}]},
        [("#/fighter/conditions/1/cause", "duplicate")],
    ),
    ({"conditions": [{"state": "bound"}] * 32}, []),
    ({"conditions": [{"state": "bound"}] * 33}, [("#/fighter/conditions", "too_long")]),
    ({"earlier_defenses": [{"type": "dodge", "ap": 1000}] * 20}, []),
    ({"earlier_defenses": [{"type": "dodge"}] * 21}, [("#/fighter/earlier_defenses", "too_long")]),
    ({"earlier_defenses": [{"type": "none"}]}, [("#/fighter/earlier_defenses/0/type", "enum")]),
    ({"earlier_defenses": [{"type": "parry", "ap": 8.45}]}, [("#/fighter/earlier_defenses/0/ap", "tenths")]),
]


@pytest.mark.parametrize(("fighter", "expected"), FIGHTERS)
def test_a_fighter(fighter: Body, expected: list[tuple[str, str]]) -> None:
    assert of_fighter(fighter) == expected


BOW: Body = {"ap": 6, "damage": 20, "delivery": "ranged"}
SECOND, THIRD, LAST = "every_second_beyond_m", "every_third_beyond_m", "ineffective_beyond_m"


def bow(**bands: float) -> Body:
    """An attack with these range bands."""
    return {"type": "custom", "custom": BOW | {"range_bands": bands}}


ATTACKS: list[tuple[Body, list[tuple[str, str]]]] = [
    ({"type": "pistol"}, []),
    ({"type": "slap"}, [("#/attack/type", "enum")]),
    (SWORD | {"distance_m": 10_000.1}, [("#/attack/distance_m", "less_than_equal")]),
    (SWORD | {"distance_m": -0.1}, [("#/attack/distance_m", "greater_than_equal")]),
    (SWORD | {"shot_number": 0}, [("#/attack/shot_number", "greater_than_equal")]),
    (SWORD | {"shot_number": 10_001}, [("#/attack/shot_number", "less_than_equal")]),
    (SWORD | {"damage_bonuses": [{"source": "fire", "value": 1000}] * 8}, []),
    (SWORD | {"damage_bonuses": [{"source": "fire", "value": 1}] * 9}, [("#/attack/damage_bonuses", "too_long")]),
    (
        SWORD | {"damage_bonuses": [{"source": "", "value": 1001}]},
        [
            ("#/attack/damage_bonuses/0/source", "string_too_short"),
            ("#/attack/damage_bonuses/0/value", "less_than_equal"),
        ],
    ),
    ({"type": "custom"}, [("#/attack/custom", "needed_with")]),
    (SWORD | {"custom": BOW}, [("#/attack/custom", "only_with")]),
    ({"type": "custom", "custom": {"delivery": "spell"}}, [("#/attack/custom/ap", "missing")]),
    ({"type": "custom", "custom": {"ap": 6}}, [("#/attack/custom/delivery", "missing")]),
    (spell(ap=0), [("#/attack/custom/ap", "greater_than_equal")]),
    (spell(ap=201), [("#/attack/custom/ap", "less_than_equal")]),
    (spell(ap=6.5), [("#/attack/custom/ap", "int_type")]),
    (spell(ap=200, damage=10_000, name="x" * 64), []),
    (spell(damage=10_001), [("#/attack/custom/damage", "less_than_equal")]),
    (spell(name=""), [("#/attack/custom/name", "string_too_short")]),
    (spell(inflicts={"state": "bound"}), []),
    (spell(inflicts={"state": "bound", "turns": None}), []),
    (
        spell(inflicts={"state": "bound", "cause": "effect"}),
        [("#/attack/custom/inflicts/cause", "unexpected_keyword_argument")],
    ),
    (
        spell(inflicts={"state": "immobilised", "paid_ap": 1}),
        [("#/attack/custom/inflicts/paid_ap", "unexpected_keyword_argument")],
    ),
    (spell(inflicts={"state": "reduced", "amount": 1}), [("#/attack/custom/inflicts/parameter", "needed_with")]),
    (spell(inflicts={"state": "bound", "amount": 1}), [("#/attack/custom/inflicts/amount", "only_with")]),
    (spell(scope="mass") | {"already_paid": True}, []),
    (spell() | {"already_paid": True}, [("#/attack/already_paid", "only_with")]),
    (spell() | {"already_paid": False}, []),
    (SWORD | {"already_paid": True}, [("#/attack/already_paid", "only_with")]),
    (spell(scope="mass") | {"already_paid": True, "critical": {}}, [("#/attack/already_paid", "not_together")]),
    (bow(**{SECOND: 10}), []),
    (bow(**{SECOND: 10, THIRD: 10, LAST: 10}), []),
    (bow(), [("#/attack/custom/range_bands", "band_needed")]),
    (bow(**{SECOND: 10.1, THIRD: 10}), [(f"#/attack/custom/range_bands/{THIRD}", "greater_than_equal")]),
    (bow(**{SECOND: 10, LAST: 9.9}), [(f"#/attack/custom/range_bands/{LAST}", "greater_than_equal")]),
    (bow(**{THIRD: 10, LAST: 9}), [(f"#/attack/custom/range_bands/{LAST}", "greater_than_equal")]),
    (bow(**{LAST: 10_000.1}), [(f"#/attack/custom/range_bands/{LAST}", "less_than_equal")]),
    *(
        (
            {"type": "custom", "custom": {"ap": 6, "delivery": delivery, "range_bands": {SECOND: 10}}},
            [("#/attack/custom/range_bands", "only_with")],
        )
        for delivery in ("unarmed", "cold_weapon")
    ),
    *(
        ({"type": "custom", "custom": {"ap": 6, "delivery": delivery, "range_bands": {SECOND: 10}}}, [])
        for delivery in ("ranged", "spell", "ability")
    ),
    (SWORD | {"critical": {}}, []),
    (SWORD | {"critical": {"paid_ap": 13.9}}, []),
    (SWORD | {"critical": {"paid_ap": 14}}, [("#/attack/critical/paid_ap", "less_than")]),
    (SWORD | {"critical": {"pay_ap": 0.1}}, []),
    (SWORD | {"critical": {"pay_ap": 0}}, [("#/attack/critical/pay_ap", "greater_than_equal")]),
    (SWORD | {"critical": {"pay_ap": 1000.1}}, [("#/attack/critical/pay_ap", "less_than_equal")]),
    (SWORD | {"critical": {"response": "fled"}}, [("#/attack/critical/response", "enum")]),
    (SWORD | {"critical": None}, [("#/attack/critical", "dataclass_type")]),
]


@pytest.mark.parametrize(("attack", "expected"), ATTACKS)
def test_an_attack(attack: Body, expected: list[tuple[str, str]]) -> None:
    assert of_attack(attack) == expected


OWN_PRICE = {"options": {"absorb_cost": "own_price"}}
FIRST = {"options": {"escalation_base": "first_defense"}}
THRESHOLD = {"options": {"magic_resistance": "threshold"}}
UNTOLD = {"hp_max": 150, "ap": 20, "earlier_defenses": [{"type": "dash", "ap": 5}, {"type": "dodge"}]}

EXCHANGES: list[tuple[Body, list[tuple[str, str]]]] = [
    ({}, []),
    ({"defender": {"ap": 20}}, [("#/defender/hp_max", "needed_with")]),
    ({"defender": LEVEL}, []),
    ({"attacker": {}}, [("#/attacker/ap", "needed_with")]),
    ({"attacker": {"ap_max": 20}}, []),
    ({"attack": spell(scope="mass") | {"already_paid": True}, "attacker": {}}, []),
    ({"defender": {"hp_max": 150}}, []),
    ({"defender": {"hp_max": 150}, "defense": {"type": "dodge"}}, [("#/defender/ap", "needed_with")]),
    ({"defender": {"hp_max": 150}, "attack": {"type": "whip_grab"}}, []),
    (
        {"defender": {"hp_max": 150}, "attack": {"type": "whip_grab"}, "if_grabbed": "pay"},
        [("#/defender/ap", "needed_with")],
    ),
    ({"defender": {"hp_max": 150}, "attack": {"type": "whip"}, "if_grabbed": "pay"}, []),
    ({"attack": {"type": "pistol"}}, [("#/attack/distance_m", "needed_with")]),
    ({"attack": bow(**{LAST: 10})}, [("#/attack/distance_m", "needed_with")]),
    ({"attack": {"type": "rifle", "critical": {"pay_ap": 1}}}, [("#/attack/distance_m", "needed_with")]),
    ({"attack": spell()}, []),
    ({"defense": {"type": "none"}}, []),
    ({"defense": {"type": "none", "direction": "back"}}, [("#/defense/direction", "only_with")]),
    ({"defense": {"type": "dash", "direction": "back"}}, []),
    ({"defense": {"type": "dash", "direction": "up"}}, [("#/defense/direction", "enum")]),
    ({"defense": {"type": "parry", "needs_hands": True}}, [("#/defense/needs_hands", "only_with")]),
    ({"defense": {"type": "parry", "absorb_ap": 5}}, [("#/defense/absorb_ap", "only_with")]),
    ({"defense": {"type": "absorb_spell", "absorb_ap": 5}}, [("#/defense/absorb_ap", "only_with")]),
    ({"defense": {"type": "absorb_spell"}} | OWN_PRICE, [("#/defense/absorb_ap", "needed_with")]),
    ({"defense": {"type": "absorb_spell", "absorb_ap": 200}} | OWN_PRICE, []),
    (
        {"defense": {"type": "absorb_spell", "absorb_ap": 200.1}} | OWN_PRICE,
        [("#/defense/absorb_ap", "less_than_equal")],
    ),
    ({"defense": {"type": "absorb_spell", "absorb_ap": 5.25}} | OWN_PRICE, [("#/defense/absorb_ap", "tenths")]),
    ({"defense": {"type": "dodge"}} | OWN_PRICE, []),
    ({"defense": {"type": "dodge"}, "defender": UNTOLD}, []),
    (
        {"defense": {"type": "dodge"}, "defender": UNTOLD} | FIRST,
        [("#/defender/earlier_defenses/1/ap", "needed_with")],
    ),
    ({"defense": {"type": "dash"}, "defender": UNTOLD} | FIRST, []),
    ({"defense": {"type": "none"}, "defender": UNTOLD} | FIRST, []),
    (
        {
            "defense": {"type": "dodge"},
            "defender": UNTOLD,
            "options": {"escalation_base": "first_defense", "dash_escalation": "counts"},
        },
        [],
    ),
    (
        {
            "defense": {"type": "parry"},
            "defender": UNTOLD,
            "options": {"escalation_base": "first_defense", "defense_counter": "by_type"},
        },
        [],
    ),
    (
        {
            "defense": {"type": "absorb_spell", "absorb_ap": 5},
            "defender": UNTOLD,
            "options": {"escalation_base": "first_defense", "absorb_cost": "own_price"},
        },
        [],
    ),
    ({"attack": WEAKNESS} | THRESHOLD, [("#/attacker/circle_of_power", "needed_with")]),
    ({"attack": WEAKNESS, "attacker": {"ap": 20, "circle_of_power": 0}} | THRESHOLD, []),
    ({"attack": WEAKNESS, "attacker": LEVEL} | THRESHOLD, []),
    ({"attack": spell(inflicts={"state": "bound"})} | THRESHOLD, []),
    ({"options": {"ap_rounding": "sideways"}}, [("#/options/ap_rounding", "enum")]),
    ({"options": {"luck": "good"}}, [("#/options/luck", "unexpected_keyword_argument")]),
]


@pytest.mark.parametrize(("body", "expected"), EXCHANGES)
def test_an_exchange(body: Body, expected: list[tuple[str, str]]) -> None:
    assert of_exchange(**body) == expected


MEASURED = ("walk", "run", "fly", "climb", "throw", "telekinetic_throw")
UNMEASURED = ("dash", "draw_weapon", "stow_weapon", "swap_weapon", "reload", "reload_crossbow", "pick_up", "interact")

ITEMS: list[tuple[Body, list[tuple[str, str]]]] = [
    *(({"type": kind, "distance_m": 1000}, []) for kind in MEASURED),
    *(({"type": kind}, [("#/items/0/distance_m", "needed_with")]) for kind in MEASURED),
    *(({"type": kind, "distance_m": 1000.1}, [("#/items/0/distance_m", "less_than_equal")]) for kind in MEASURED),
    *(({"type": kind, "distance_m": 1.25}, [("#/items/0/distance_m", "tenths")]) for kind in MEASURED),
    *(({"type": kind, "distance_m": 0.1}, []) for kind in MEASURED),
    *(({"type": kind, "distance_m": 0}, [("#/items/0/distance_m", "greater_than_equal")]) for kind in MEASURED[:4]),
    *(({"type": kind, "distance_m": 0}, []) for kind in MEASURED[4:]),
    *(
        ({"type": kind, "distance_m": 1}, [("#/items/0/distance_m", "only_with")])
        for kind in (*UNMEASURED, "change_shape", "whip_release")
    ),
    ({"type": "run", "distance_m": 1, "direction": "back"}, [("#/items/0/direction", "only_with")]),
    ({"type": "attack"}, [("#/items/0/attack", "needed_with")]),
    ({"type": "reload", "attack": SWORD}, [("#/items/0/attack", "only_with")]),
    ({"type": "ability"}, [("#/items/0/ability", "needed_with")]),
    ({"type": "reload", "ability": {"ap": 1}}, [("#/items/0/ability", "only_with")]),
    ({"type": "ability", "ability": {}}, [("#/items/0/ability/ap", "missing")]),
    ({"type": "ability", "ability": {"ap": 0}}, []),
    ({"type": "ability", "ability": {"ap": 200, "name": "Fog", "needs_hands": False}}, []),
    ({"type": "ability", "ability": {"ap": 201}}, [("#/items/0/ability/ap", "less_than_equal")]),
    ({"type": "ability", "ability": {"ap": 1.5}}, [("#/items/0/ability/ap", "int_type")]),
    ({"type": "attack", "attack": {"type": "rifle"}}, []),
    (
        {"type": "attack", "attack": {"type": "rifle", "critical": {"paid_ap": 16}}},
        [("#/items/0/attack/critical/paid_ap", "less_than")],
    ),
    ({"type": "change_shape"}, [("#/fighter/kind", "needed_with")]),
]


@pytest.mark.parametrize(("item", "expected"), ITEMS)
def test_an_item(item: Body, expected: list[tuple[str, str]]) -> None:
    assert of_item(item) == expected


def test_a_plan_needs_ap_and_one_to_fifty_items() -> None:
    assert faults("turn-plan", fighter={}, items=[{"type": "reload"}]) == [("#/fighter/ap", "needed_with")]
    assert faults("turn-plan", fighter={"ap": 1}, items=[]) == [("#/items", "too_short")]
    assert faults("turn-plan", fighter={"ap": 1}, items=[{"type": "reload"}] * 50) == []
    assert faults("turn-plan", fighter={"ap": 1}, items=[{"type": "reload"}] * 51) == [("#/items", "too_long")]


def test_a_quote_needs_an_attack_or_its_price_and_a_defense() -> None:
    dodge = {"type": "dodge"}
    assert faults("defense-cost", defense=dodge) == [("#", "exactly_one")]
    assert faults("defense-cost", defense=dodge, attack=SWORD, attack_ap=7) == [("#", "exactly_one")]
    assert faults("defense-cost", defense={"type": "none"}, attack_ap=7) == [("#/defense/type", "defense_needed")]
    assert faults("defense-cost", attack_ap=7) == [("#/defense", "missing")]
    assert faults("defense-cost", defense=dodge, attack_ap=0) == [("#/attack_ap", "greater_than_equal")]
    assert faults("defense-cost", defense=dodge, attack_ap=400) == []
    assert faults("defense-cost", defense=dodge, attack_ap=401) == [("#/attack_ap", "less_than_equal")]
    absorb = {"type": "absorb_spell"}
    assert faults("defense-cost", defense=absorb, attack_ap=7, **OWN_PRICE) == [("#/defense/absorb_ap", "needed_with")]
    untold = {"earlier_defenses": [{"type": "parry"}]}
    expected = [("#/fighter/earlier_defenses/0/ap", "needed_with")]
    assert faults("defense-cost", defense=dodge, attack_ap=7, fighter=untold, **FIRST) == expected


def test_an_upkeep_needs_both_maxima() -> None:
    whole = {"hp_max": 100, "ap_max": 10}
    assert faults("upkeep", boundary="turn_end", fighter=whole) == []
    assert faults("upkeep", boundary="turn_end", fighter={"ap_max": 10}) == [("#/fighter/hp_max", "needed_with")]
    assert faults("upkeep", boundary="turn_end", fighter={"hp_max": 9, "ap": 1}) == [
        ("#/fighter/ap_max", "needed_with")
    ]
    for boundary in ("turn_end", "round_end"):
        stay = faults("upkeep", boundary=boundary, fighter=whole, whip_release="stay")
        assert stay == [("#/whip_release", "only_with")]
    assert faults("upkeep", boundary="turn_start", fighter=whole, whip_release="stay") == []


def test_initiative_needs_ap_and_ids_that_differ() -> None:
    def of(*combatants: tuple[str, Body], **body: Any) -> list[tuple[str, str]]:
        listed = [{"id": name, "fighter": fighter} for name, fighter in combatants]
        return faults("initiative", combatants=listed, **{"attacker": "a", **body})

    a, b = ("a", {"ap": 5}), ("b", {"ap": 6})
    assert of(a, b) == []
    assert of(a, a) == [("#/combatants/1/id", "duplicate")]
    assert of(a, ("b", {"hp_max": 5})) == [("#/combatants/1/fighter/ap", "needed_with")]
    assert of(a, b, attacker="c") == [("#/attacker", "unknown_combatant")]
    assert of(a) == [("#/combatants", "too_short")]
    assert of(*((f"{at or 'a'}", {"ap": 1}) for at in range(100))) == []
    assert of(*((f"{at or 'a'}", {"ap": 1}) for at in range(101))) == [("#/combatants", "too_long")]
    assert of(a, ("x" * 65, {"ap": 1})) == [("#/combatants/1/id", "string_too_long")]
    assert of(a, b, round=0) == [("#/round", "greater_than_equal")]
    assert of(a, b, round=10_001) == [("#/round", "less_than_equal")]


@pytest.mark.parametrize("missing", ["kind", "level"])
def test_a_character_needs_kind_and_level(missing: str) -> None:
    body = {name: value for name, value in LEVEL.items() if name != missing}
    assert faults("character", **body) == [(f"#/{missing}", "missing")]
