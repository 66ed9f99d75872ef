"""How a sheet states Dodge, Block and Parry: as the score itself, or as what it is figured from."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, MultipleOf

from rules.core.faults import Malformed, exactly_one, only_with


@dataclass(frozen=True, slots=True, kw_only=True)
class DodgeScore:
    """Dodge: either the `score`, or the `basic_speed` that it is figured from."""

    score: Annotated[int, Ge(-10), Le(60)] | None = None
    """Dodge as on the sheet: encumbrance and bonuses are in it, `reeling` and `exhausted` are not."""
    basic_speed: Annotated[float, Ge(0), Le(40), MultipleOf(0.25)] | None = None
    """Basic Speed, in quarters."""
    bonus: Annotated[int, Ge(-10), Le(10)] | None = None
    """Combat Reflexes, Enhanced Dodge and the like, beside `basic_speed`; absent: 0."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, basic_speed=self.basic_speed)
        only_with("basic_speed", self.basic_speed is not None, bonus=self.bonus)
        if self.basic_speed is not None and (self.basic_speed * 4) % 1:
            raise Malformed("multiple_of", "basic_speed", multiple_of=0.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillScore:
    """Block or Parry: either the `score`, or the `skill` that it is figured from."""

    score: Annotated[int, Ge(-10), Le(60)] | None = None
    """The score as on the sheet and as `defense-scores` answers it: the weapon's own modifier, the off hand, encumbrance
    and bonuses are in it."""
    skill: Annotated[int, Ge(0), Le(60)] | None = None
    """The skill: of the shield or cloak (with a body DX or Wrestling), of the weapon, or of bare hands."""
    bonus: Annotated[int, Ge(-10), Le(10)] | None = None
    """Combat Reflexes, Enhanced Block or Parry and the like, beside `skill`; absent: 0."""

    def __post_init__(self) -> None:
        exactly_one(score=self.score, skill=self.skill)
        only_with("skill", self.skill is not None, bonus=self.bonus)
