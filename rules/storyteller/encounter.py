"""How a fight is kept: what its combatants bring, what can be done in it, and what a round takes and gives back."""

from rules.core.encounter import EncounterRules
from rules.storyteller.encounter_ambush import AMBUSH_COMMAND
from rules.storyteller.encounter_attack import ANNOUNCE_COMMAND, ATTACK_COMMAND
from rules.storyteller.encounter_changes import CombatantChange, changed
from rules.storyteller.encounter_declare import ABORT_COMMAND, DECLARE_COMMAND
from rules.storyteller.encounter_defense import DEFEND_COMMAND
from rules.storyteller.encounter_grapple import GRAPPLE_COMMAND, RELEASE_COMMAND
from rules.storyteller.encounter_harm import DAMAGE_COMMAND
from rules.storyteller.encounter_position import POSITION_COMMAND
from rules.storyteller.encounter_rolls import RESISTED_ROLL_COMMAND, ROLL_COMMAND
from rules.storyteller.encounter_sheet import Opening, Sheet
from rules.storyteller.encounter_state import State, Turn, begin
from rules.storyteller.encounter_turns import end_turn, joined, left

ENCOUNTER = EncounterRules(
    opening=Opening,
    sheet=Sheet,
    state=State,
    turn=Turn,
    change=CombatantChange,
    begin=begin,
    end_turn=end_turn,
    commands=(
        DECLARE_COMMAND,
        ANNOUNCE_COMMAND,
        DEFEND_COMMAND,
        ABORT_COMMAND,
        AMBUSH_COMMAND,
        ATTACK_COMMAND,
        GRAPPLE_COMMAND,
        RELEASE_COMMAND,
        POSITION_COMMAND,
        DAMAGE_COMMAND,
        ROLL_COMMAND,
        RESISTED_ROLL_COMMAND,
    ),
    sheet_example={
        "traits": {
            "strength": 3,
            "dexterity": 3,
            "stamina": 2,
            "perception": 2,
            "wits": 3,
            "brawl": 2,
            "dodge": 2,
            "melee": 3,
        },
        "nature": "mortal",
        "armor": {"rating": 2, "penalty": 1},
        "weapons": [{"id": "sword", "name": "Grandmother's sword", "preset": "sword"}],
        "wielded": "sword",
        "willpower": {"rating": 5, "points": 4},
        "specialties": ["melee"],
    },
    joined=joined,
    changed=changed,
    left=left,
)
