"""How a fight is kept: what its combatants bring, what can be done in it, and what a turn takes and gives back."""

from rules.chronicles.encounter_attack import ATTACK_COMMAND, DODGE_COMMAND
from rules.chronicles.encounter_changes import CombatantChange, changed
from rules.chronicles.encounter_health import DAMAGE_COMMAND, STAY_CONSCIOUS_COMMAND
from rules.chronicles.encounter_order import INITIATIVE_COMMAND
from rules.chronicles.encounter_rolls import CONTESTED_ROLL_COMMAND, ROLL_COMMAND
from rules.chronicles.encounter_sheet import Opening, Sheet
from rules.chronicles.encounter_stance import STANCE
from rules.chronicles.encounter_state import State, Turn, begin
from rules.chronicles.encounter_turns import end_turn, left
from rules.core.encounter import EncounterRules

ENCOUNTER = EncounterRules(
    opening=Opening,
    sheet=Sheet,
    state=State,
    turn=Turn,
    change=CombatantChange,
    begin=begin,
    end_turn=end_turn,
    commands=(
        INITIATIVE_COMMAND,
        STANCE,
        ATTACK_COMMAND,
        DODGE_COMMAND,
        ROLL_COMMAND,
        CONTESTED_ROLL_COMMAND,
        DAMAGE_COMMAND,
        STAY_CONSCIOUS_COMMAND,
    ),
    sheet_example={
        "defense": {"traits": {"dexterity": 2, "wits": 3, "athletics": 1}},
        "initiative": {"traits": {"dexterity": 2, "composure": 3}},
        "health": {"stamina": 2, "size": 5},
        "willpower": {"max": 5},
        "attacks": {"fist": {"pool": {"attribute": 2, "skill": 1}}},
    },
    changed=changed,
    left=left,
)
