"""How a fight is kept: what its combatants bring, what can be done in it, and what turns and rounds do."""

from rules.action_points.encounter_attack import ANSWER_COMMAND, ATTACK_COMMAND
from rules.action_points.encounter_bodies import WaitingAttack
from rules.action_points.encounter_changes import CombatantChange, changed, joined, left
from rules.action_points.encounter_critical import INTERRUPT_COMMAND, TAKE_COVER_COMMAND
from rules.action_points.encounter_plan import TURN_PLAN_COMMAND
from rules.action_points.encounter_sheet import FighterSheet, Opening
from rules.action_points.encounter_state import State, Turn, begin
from rules.action_points.encounter_turns import end_turn
from rules.core.encounter import EncounterRules

ENCOUNTER = EncounterRules(
    opening=Opening,
    sheet=FighterSheet,
    state=State,
    turn=Turn,
    pending=WaitingAttack,
    change=CombatantChange,
    begin=begin,
    end_turn=end_turn,
    commands=(ATTACK_COMMAND, ANSWER_COMMAND, TURN_PLAN_COMMAND, INTERRUPT_COMMAND, TAKE_COVER_COMMAND),
    sheet_example={"kind": "fae", "level": 2, "passive_protection": 5},
    joined=joined,
    changed=changed,
    left=left,
)
