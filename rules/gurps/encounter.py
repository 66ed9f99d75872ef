"""How a fight is kept: what its combatants bring, what can be done in it, and what a turn takes and gives back."""

from rules.core.encounter import EncounterRules
from rules.gurps.encounter_attack import ACTIVE_DEFENSE_COMMAND, ATTACK_COMMAND
from rules.gurps.encounter_changes import PLAYER_FIELDS, CombatantChange, changed
from rules.gurps.encounter_rolls import DEFENSE_SCORES_COMMAND, SUCCESS_ROLL_COMMAND
from rules.gurps.encounter_sheet import Opening, Sheet
from rules.gurps.encounter_state import PendingAttack, State, Turn, begin
from rules.gurps.encounter_turns import MANEUVER, end_turn, joined, left

ENCOUNTER = EncounterRules(
    opening=Opening,
    sheet=Sheet,
    state=State,
    turn=Turn,
    pending=PendingAttack,
    change=CombatantChange,
    begin=begin,
    end_turn=end_turn,
    commands=(MANEUVER, ATTACK_COMMAND, ACTIVE_DEFENSE_COMMAND, SUCCESS_ROLL_COMMAND, DEFENSE_SCORES_COMMAND),
    sheet_example={
        "basic_speed": 6.25,
        "st": 12,
        "dx": 13,
        "hearing": 12,
        "hp": 12,
        "fp": 11,
        "dr": 2,
        "weapons": [
            {
                "id": "saber",
                "tool": {"skill_name": "saber", "parry": {"skill": 15}, "weight_g": 1000, "traits": ["fencing"]},
                "skill": 15,
                "damage": {"dice": 1, "adds": 2, "type": "cutting"},
            }
        ],
    },
    joined=joined,
    changed=changed,
    left=left,
    player_fields=PLAYER_FIELDS,
)
