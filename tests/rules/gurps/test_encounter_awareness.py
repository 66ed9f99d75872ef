"""What the target of an attack in a fight knows of it."""

import pytest

from tests.rules.gurps.fighting import DODGE, MISS, begun, mira, pending

ATTACK = {"actor": "ogre", "target": "mira", "weapon": "club"}


def test_a_hidden_attacker_is_not_known_until_the_first_attack() -> None:
    fight = begun()
    fight.change("ogre", hidden=True)
    fight.act("attack", MISS, **ATTACK)
    assert fight.request["attack"]["awareness"] == "unseen_unknown"
    assert ("mira", "alert_to", ["ogre"], "awareness.now_alert") in fight.effects
    fight.act("attack", MISS, **ATTACK)
    assert fight.request["attack"]["awareness"] == "alert"
    assert fight.effects == []


def test_who_is_seen_again_is_forgotten() -> None:
    fight = begun()
    fight.change("ogre", hidden=True, witnesses=["mira"])
    fight.change("ogre", hidden=False)
    assert mira(fight).state.alert_to == []
    fight.act("attack", MISS, **ATTACK)
    assert "awareness" not in fight.request["attack"]
    fight.change("ogre", hidden=True)
    fight.act("attack", MISS, **ATTACK)
    assert fight.request["attack"]["awareness"] == "unseen_unknown"


def test_an_unknown_foe_who_hits_still_strikes_as_one() -> None:
    fight = begun()
    fight.change("ogre", hidden=True)
    pending(of=fight)
    assert mira(fight).state.alert_to == ["ogre"]
    assert fight.refused("active-defense", actor="mira", defenses=[DODGE]) == ["awareness.unseen_unknown"]
    fight.act("active-defense", [1, 1], actor="mira", defenses=[])
    assert fight.outcome["now_alert"] is True


@pytest.mark.parametrize("awareness", ["partly_sees", "surprise"])
def test_of_a_hidden_attacker_nothing_is_said(awareness: str) -> None:
    fight = begun()
    fight.change("ogre", hidden=True)
    assert fight.refused("attack", **ATTACK, attack={"awareness": awareness}) == "awareness_of_hidden"
