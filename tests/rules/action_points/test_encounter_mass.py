"""Mass attacks in a fight: paid once, target after target, each with its own answer."""

from typing import Any

import pytest

from rules.core.encounter import NotForYou
from tests.rules.action_points.fighting import (
    Body,
    begun,
    fog,
    spell,
    spent,
    state,
    strike,
)
from tests.rules.fights import Table


def results(of: Table) -> list[str]:
    """What came of each attack of the last event."""
    return [each["resolution"]["outcome"]["result"] for each in of.draft.resolutions]


def mass(fight: Table, *targets: Body | str, attack: Body | None = None, own: str | None = None) -> None:
    """Mira's mass attack on these."""
    named = [{"target": each} if isinstance(each, str) else each for each in targets]
    fight.act("attack", [], own, actor="mira", attack=attack or fog(), targets=named)


def passive(target: str, **more: Any) -> Body:
    return {"target": target, "defense": {"type": "none"}, **more}


def test_a_mass_attack_is_paid_once_and_goes_in_turn_order() -> None:
    fight = begun()
    mass(fight, passive("imp"), passive("ogre"))
    first, second = (each["request"] for each in fight.draft.resolutions)
    assert ("already_paid" in first["attack"], second["attack"]["already_paid"]) == (False, True)
    assert (first["defender"]["hp"], second["defender"]["hp"]) == (200, 150)
    assert (spent(fight, "mira"), state(fight, "ogre").hp, state(fight, "imp").hp) == (6, 190, 140)
    assert fight.state["pending"] is None


def test_each_target_of_a_mass_attack_answers_in_its_turn() -> None:
    fight = begun()
    mass(fight, "imp", "ogre", own="mira")
    assert (spent(fight, "mira"), [each["target"] for each in fight.state["pending"]["targets"]]) == (
        0,
        ["ogre", "imp"],
    )
    assert fight.refused("answer", "imp", actor="imp") == "nothing_to_answer"
    assert fight.refused("answer", "ogre", actor="ogre", defense={"type": "dodge"}) == ["dodge.direct_only"]
    fight.act("answer", [], "ogre", actor="ogre", defense={"type": "absorb_spell"})
    assert (results(fight), spent(fight, "mira"), spent(fight, "ogre")) == (["absorbed"], 6, 8)
    assert fight.state["pending"]["paid"] is True
    assert [each["target"] for each in fight.state["pending"]["targets"]] == ["imp"]
    fight.act("answer", [], "imp", actor="imp")
    assert fight.request["attack"]["already_paid"] is True
    assert (spent(fight, "mira"), state(fight, "imp").hp, fight.state["pending"]) == (6, 140, None)


def test_answers_that_are_sent_along_are_kept_until_their_turn() -> None:
    fight = begun()
    mass(fight, "ogre", {"target": "imp", "defense": {"type": "absorb_spell"}}, own="mira imp")
    assert fight.state["pending"]["targets"][1]["defense"]["type"] == "absorb_spell"
    fight.act("answer", [], "ogre", actor="ogre")
    assert (results(fight), fight.state["pending"]) == (["hit", "absorbed"], None)
    with pytest.raises(NotForYou):
        mass(begun(), "ogre", passive("imp"), own="mira")


def test_targets_that_it_misses_answer_nothing() -> None:
    fight = begun()
    far = fog(range_bands={"ineffective_beyond_m": 20})
    mass(fight, {"target": "ogre", "distance_m": 20.1}, "imp", attack={**far, "distance_m": 20})
    assert results(fight) == ["out_of_range"]
    assert fight.state["pending"]["targets"][0]["target"] == "imp"
    fight.act("answer", actor="imp")
    assert (results(fight), fight.request["attack"]["distance_m"]) == (["hit"], 20)


def test_a_mass_attack_is_not_critical() -> None:
    fight = begun()
    attack = {**fog(), "critical": {}}
    targets = [{"target": "ogre"}, {"target": "imp"}]
    assert fight.refused("attack", actor="mira", attack=attack, targets=targets) == ["critical.scope"]


def test_a_mass_attack_on_one_is_an_attack() -> None:
    fight = begun()
    strike(fight, fog())
    assert (results(fight), spent(fight, "mira")) == (["hit"], 6)


def test_a_mass_blow_goes_on_although_the_weapon_fell() -> None:
    """It is one blow: what comes of it for one target does not save the others."""
    fight = begun()
    blow = {**spell(delivery="cold_weapon", scope="mass", name="scythe", damage=20)}
    mass(fight, {"target": "ogre", "defense": {"type": "disarm"}}, "imp", attack=blow)
    assert state(fight, "mira").dropped_weapon == "scythe"
    fight.act("answer", actor="imp")
    assert state(fight, "imp").hp == 130
