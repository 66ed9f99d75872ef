"""What a command says of a roll and of an attack; what is the game master's to say is demanded of the sender."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from rules.core.encounter import Play
from rules.storyteller.attack_roll import Position, Visibility
from rules.storyteller.defender import Awareness, Room
from rules.storyteller.disarm import Backfire
from rules.storyteller.encounter_sheet import WeaponId
from rules.storyteller.harm import DamageModifier
from rules.storyteller.maneuvers import CustomManeuver
from rules.storyteller.rolls import RollModifier
from rules.storyteller.targeting import Targeting
from rules.storyteller.terms import Cover

DamageModifiers = Annotated[tuple[DamageModifier, ...], Len(0, 8)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollTerms:
    """What is said of a roll beside its traits."""

    specialty: bool = False
    """Whether a specialty fits; the sheet has to have one in the roll's Ability."""
    spend_willpower: bool = False
    """Whether a Willpower point is spent for one automatic success, once a round."""
    difficulty: Annotated[int, Ge(2), Le(10)] | None = None
    """The difficulty before modifiers, 6 unless said. The game master's."""
    modifiers: Annotated[tuple[RollModifier, ...], Len(0, 8)] = ()
    """Dice and difficulty that the Storyteller adds or takes. The game master's."""

    @property
    def any_said(self) -> bool:
        """Whether anything at all is said of the roll."""
        return self.specialty or self.spend_willpower or self.difficulty is not None or bool(self.modifiers)

    def demand_sender(self, play: Play) -> None:
        """Difficulty and modifiers are the game master's."""
        play.gm_only(difficulty=self.difficulty, modifiers=self.modifiers or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSaid(RollTerms):
    """What is said of an attack beside its target and its maneuver."""

    custom: CustomManeuver | None = None
    """The maneuver of one's own; if and only if `maneuver` is `custom`. The game master's."""
    weapon: WeaponId | None = None
    """The id of a weapon of the sheet that was not lost, which is in hand from then on; left out, the one in hand."""
    position: Position | None = None
    """From where, `front` unless said: one more die from the side, two from behind."""
    targeting: Targeting | None = None
    """What the attack is aimed at."""
    damage_modifiers: DamageModifiers = ()
    """Damage dice that the Storyteller adds or takes. The game master's."""
    opponents: Annotated[int, Ge(1), Le(20)] | None = None
    """Opponents whom the attacker fights at the same time; left out, as many as close attacks were exchanged with. The game
    master's."""
    sight: Visibility | None = None
    """What the attacker sees; left out, as it is kept. The game master's."""
    awareness: Awareness | None = None
    """What the target knows of the attack; left out, as an ambush left it. The game master's."""
    room: Room | None = None
    """Whether the target has room to dodge; left out, as the readied dodge says. The game master's."""
    cover: Cover | None = None
    """The target's cover; left out, as it is kept. The game master's."""
    backfire: Backfire | None = None
    """What a failed disarm does, `report` unless said. The game master's."""

    def demand_sender(self, play: Play) -> None:
        """Whatever the circumstances are is the game master's to say."""
        RollTerms.demand_sender(self, play)
        play.gm_only(
            custom=self.custom,
            damage_modifiers=self.damage_modifiers or None,
            opponents=self.opponents,
            sight=self.sight,
            awareness=self.awareness,
            room=self.room,
            cover=self.cover,
            backfire=self.backfire,
        )
