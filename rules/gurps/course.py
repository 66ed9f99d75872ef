"""What a defense has come to so far: the record that grows from attempt to attempt."""

from dataclasses import dataclass, field

from rules.gurps.defense_choice import DefenseOption
from rules.gurps.defense_outcome import DefenseAttempt
from rules.gurps.posture import Posture
from rules.gurps.tool import Hand
from rules.gurps.turn import OptionKind, UsedOption


@dataclass(slots=True)
class Course:
    """The course of one defense, or of two, against one attack."""

    posture: Posture
    """The posture at the time."""
    lasting: OptionKind | None
    """The retreat or drop whose bonus holds for the next attempt."""
    stopped: bool = False
    heard: bool | None = None
    """Whether the attack was heard; None: not asked yet."""
    attempts: list[DefenseAttempt] = field(default_factory=list)
    exposed: list[Hand] = field(default_factory=list)
    """The hands whose arms the attacker may strike instead, if the attack gets through."""
    option: DefenseOption | None = None
    """The option that was used with one of the attempts."""
    used_option: UsedOption | None = None
    thrown_back: bool = False
    block_tried: bool = False
    acrobatic_dodge_tried: bool = False
    second_defense_tried: bool = False
