"""A fight that is kept: what a command comes to (decide), and what its effects make of the state (evolve).

A system tells how a command becomes a stateless request, from the sheets and counters that the fight keeps, and what the
outcome changes. The state itself never reaches `resolve`, so a fight adds no second path through the rules, and every
event can be checked as any resolution. All that changes is a list of effects; the state is the fold of the log
(rules/core/evolve.py).
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

from annotated_types import Len

from rules.core.action import Action
from rules.core.audit import AuditTrail
from rules.core.dice import Dice
from rules.core.rule import Rule

C = TypeVar("C")
O = TypeVar("O")  # noqa: E741 - the outcome
SheetT = TypeVar("SheetT")
StateT = TypeVar("StateT")
TurnT = TypeVar("TurnT")
WHOLE = "*"
PLAIN = frozenset({str, int, bool, type(None)})

CombatantId = Annotated[str, Len(1, 40)]
"""How a command names a combatant of the fight."""


class Sender(StrEnum):
    """On whose behalf a change is made."""

    GM = "gm"
    PLAYER = "player"


@dataclass(slots=True)
class Combatant:
    """One who fights: `sheet`, lasting `state` and per-turn `turn` are the system's own dataclasses.

    `state` and `turn` share no name. A field of theirs may have the name of one of the sheet, whose present value it then is
    (hit points as they were sent, and as they are now): the sheet is only ever replaced as a whole. `joined` counts those who
    came before.
    """

    name: str
    joined: int
    sheet: Any
    state: Any
    turn: Any


@dataclass(frozen=True, slots=True)
class Handle(Generic[SheetT, StateT, TurnT]):
    """A combatant with its id, typed by its system: what the rules of a fight ask one of is added in a subclass."""

    id: str
    combatant: Combatant

    @property
    def name(self) -> str:
        """What people call the combatant."""
        return self.combatant.name

    @property
    def sheet(self) -> SheetT:
        """What was brought into the fight."""
        sheet: SheetT = self.combatant.sheet
        return sheet

    @property
    def state(self) -> StateT:
        """What lasts."""
        state: StateT = self.combatant.state
        return state

    @property
    def turn(self) -> TurnT:
        """What counts until it begins anew."""
        turn: TurnT = self.combatant.turn
        return turn


@dataclass(slots=True)
class Fight:
    """The state of a fight as its system sees it.

    `opening` is what was said when it opened, house rules (`opening.options`) included. `order` holds ids of combatants in
    turn order, `turn` the id of the one whose turn it is, `pending` what waits for an answer. `combatants` stand in the
    order of joining.
    """

    opening: Any
    round: int = 0
    turn: str | None = None
    order: list[str] = field(default_factory=list)
    combatants: dict[str, Combatant] = field(default_factory=dict)
    pending: Any = None


@dataclass(frozen=True, slots=True)
class Effect:
    """One change of one field: of a combatant, or, when `combatant` is None, of the fight.

    `field` is a path (`parries.rapier`), or `*` for a combatant as a whole. `rule` is the rule that brought it about, or None.
    """

    combatant: str | None
    field: str
    before: Any
    after: Any
    rule: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A stateless request that an event became, and what the rules answered."""

    action: Action[Any, Any]
    request: Any
    outcome: Any
    trail: AuditTrail


class NotAllowed(Exception):
    """The rules, or the state of the fight, forbid a command: `refused_by` are rule ids, `code` has a text."""

    def __init__(self, refused_by: Sequence[str], code: str = "refused", **facts: str | int) -> None:
        super().__init__(code)
        self.refused_by = list(dict.fromkeys(refused_by))
        self.code = code
        self.facts = facts


class NotForYou(Exception):
    """The sender may not do this: another's combatant, or a field that is the game master's."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class _RollsNow(Exception):
    """An action came to its first die, so its rules forbid nothing."""


class _NoDice:
    """Dice for asking only what is forbidden: rules refuse before they roll."""

    def faces(self, rule: Rule, count: int, sides: int) -> list[int]:
        raise _RollsNow

    def finish(self) -> None:
        """Nothing was rolled."""


class Play:
    """One change being decided: the fight, the dice of the event, and what comes of it.

    `fight` is this change's own and may be read freely; it is changed only through `set`, `join` and `leave`, which record
    effects. `by` says who sends the command, `own` for which combatants they may act (a game master: all), `own_dice`
    whether they may tell what was rolled at the table. `trail` takes the steps that belong to the fight itself (an order, a
    reset), not to a stateless resolution.
    """

    def __init__(self, fight: Fight, dice: Dice, by: Sender, own: frozenset[str], *, own_dice: bool = True) -> None:
        self.fight = fight
        self.dice = dice
        self.by = by
        self.own = own
        self.own_dice = own_dice
        self.asked: list[Asked] = []
        self.effects: list[Effect] = []
        self.trail = AuditTrail(dice)

    @property
    def by_gm(self) -> bool:
        """Whether the game master sends the command."""
        return self.by is Sender.GM

    def combatant(self, combatant_id: str) -> Combatant:
        """A combatant of the fight; `NotAllowed` when there is none of that id."""
        found = self.fight.combatants.get(combatant_id)
        if found is None:
            raise NotAllowed([], "no_such_combatant", combatant=combatant_id)
        return found

    def act_for(self, combatant_id: str) -> Combatant:
        """The combatant, if the sender may act for it."""
        found = self.combatant(combatant_id)
        if not self.by_gm and combatant_id not in self.own:
            raise NotForYou("another_combatant", combatant=combatant_id)
        return found

    def gm_only(self, **given: object) -> None:
        """Demand that fields which are the game master's were left out (None) by anybody else."""
        for name, value in given.items():
            if value is not None and not self.by_gm:
                raise NotForYou("gm_field", field=name)

    def demand_own_dice(self, **told: object) -> None:
        """Demand that what was rolled at the table is told (not None) only by those who may bring dice of their own."""
        for name, value in told.items():
            if value is not None and not self.own_dice:
                raise NotForYou("own_dice_told", field=name)

    def demand_turn(self, combatant_id: str, rule: Rule | None = None) -> None:
        """Demand that it is this combatant's turn; `rule` is the one that forbids it otherwise, where there is one."""
        if self.fight.turn != combatant_id:
            raise NotAllowed([rule.id] if rule else [], "not_your_turn", combatant=combatant_id)

    def refuse(self, *rules: Rule) -> None:
        """Refuse the command under these rules, if there are any."""
        if rules:
            raise NotAllowed([each.id for each in rules])

    def ask(self, action: Action[Any, O], request: Any, forbidden: Sequence[Rule] = ()) -> O:
        """Resolve a stateless request on the dice of the event; `NotAllowed` when the rules refuse it.

        `forbidden` are rules of the fight that refuse it too: they are told together with those of the action, and nothing is
        rolled.
        """
        if forbidden:
            raise NotAllowed([*[each.id for each in forbidden], *self._refusals(action, request)])
        trail = AuditTrail(self.dice)
        outcome = action.resolve(request, trail)
        if trail.refused or outcome is None:
            raise NotAllowed(trail.refusals)
        self.asked.append(Asked(action, request, outcome, trail))
        return outcome

    def _refusals(self, action: Action[Any, Any], request: Any) -> list[str]:
        trail = AuditTrail(_NoDice())
        with suppress(_RollsNow):
            action.resolve(request, trail)
        return trail.refusals

    def set(self, combatant_id: str | None, path: str, value: Any, rule: Rule | None = None) -> None:
        """Change one field, and record it; a value that is the same already is no effect."""
        holder, key = self._place(combatant_id, path)
        before = holder.get(key) if isinstance(holder, dict) else getattr(holder, key)
        if before == value:
            return
        self.effects.append(Effect(combatant_id, path, _kept(before), _kept(value), rule.id if rule else None))
        if not isinstance(holder, dict):
            setattr(holder, key, value)
        elif value is None:
            holder.pop(key, None)
        else:
            holder[key] = value

    def join(self, combatant_id: str, name: str, sheet: Any, begun: tuple[Any, Any]) -> None:
        """Add a combatant with the state and the counters that it begins with, last in the order of joining."""
        if combatant_id in self.fight.combatants:
            raise NotAllowed([], "combatant_exists", combatant=combatant_id)
        joined = max((each.joined for each in self.fight.combatants.values()), default=-1) + 1
        combatant = Combatant(name, joined, sheet, *begun)
        self.fight.combatants[combatant_id] = combatant
        self.effects.append(Effect(combatant_id, WHOLE, None, copy.deepcopy(combatant), None))

    def leave(self, combatant_id: str) -> None:
        """Remove a combatant, from the turn order too."""
        gone = self.combatant(combatant_id)
        if combatant_id in self.fight.order:
            self.set(None, "order", [each for each in self.fight.order if each != combatant_id])
        if self.fight.turn == combatant_id:
            self.set(None, "turn", None)
        del self.fight.combatants[combatant_id]
        self.effects.append(Effect(combatant_id, WHOLE, copy.deepcopy(gone), None, None))

    def _place(self, combatant_id: str | None, path: str) -> tuple[Any, str]:
        *parents, key = path.split(".", 1)
        first = parents[0] if parents else key
        holder = self.fight if combatant_id is None else _part_with(self.fight.combatants[combatant_id], first)
        return (getattr(holder, first), key) if parents else (holder, key)


def _kept(value: Any) -> Any:
    return copy.deepcopy(value) if isinstance(value, list | dict) else value


def _part_with(combatant: Combatant, name: str) -> Any:
    for part in (combatant.turn, combatant.state):
        if hasattr(part, name):
            return part
    if name in ("name", "sheet"):
        return combatant
    raise AttributeError(f"no combatant has a field {name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Generic[C]):
    """One thing that somebody can do in a fight.

    `slug` stands in the URL; `body` is a frozen dataclass, as typed and described as a request. `play` decides. `action` is the
    stateless action that it becomes, None when it becomes none (a declaration, a stance). `gm_only` commands are the game
    master's. `example` is a body. `rules` are those of its own steps and refusals.
    """

    slug: str
    body: type[C]
    play: Callable[[Play, C], None]
    example: Mapping[str, Any]
    action: Action[Any, Any] | None = None
    gm_only: bool = False
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterRules:
    """How one system keeps a fight.

    `opening` (with `options`), `sheet` and `change` are frozen dataclasses that clients send; `state`, `turn` and `pending` are
    dataclasses that only the rules write. `begin` makes the state and the counters of one who joins with a sheet. `joined`,
    `changed` and `left` see to what follows from it; `end_turn` ends the turn of the one who has it, or begins the first round.
    """

    opening: type[Any]
    sheet: type[Any]
    state: type[Any]
    turn: type[Any]
    change: type[Any]
    begin: Callable[[Any], tuple[Any, Any]]
    end_turn: Callable[[Play], None]
    commands: tuple[Command[Any], ...]
    sheet_example: Mapping[str, Any]
    pending: type[Any] | None = None
    joined: Callable[[Play, str], None] | None = None
    changed: Callable[[Play, str, Any], None] | None = None
    left: Callable[[Play, str], None] | None = None
    player_fields: frozenset[str] = frozenset()

    def command(self, slug: str) -> Command[Any] | None:
        """The command with this slug, or None."""
        return next((each for each in self.commands if each.slug == slug), None)


def change_fields(play: Play, combatant_id: str, change: Any) -> None:
    """Set every field that a change gives; those of the turn, the state and the sheet have the same names in it.

    A name that the sheet shares with the state or the turn means the present value.
    """
    combatant = play.combatant(combatant_id)
    present = {each.name for part in (combatant.state, combatant.turn) for each in fields(part)}
    of_sheet = {each.name for each in fields(combatant.sheet)} - present
    given = {each.name: value for each in fields(change) if (value := getattr(change, each.name)) is not None}
    for name, value in given.items():
        if name not in of_sheet:
            play.set(combatant_id, name, value)
    new = {name: value for name, value in given.items() if name in of_sheet}
    if new:
        play.set(combatant_id, "sheet", replace(combatant.sheet, **new))


def as_sent(value: Any) -> Any:
    """A request as a client would send it: plain values, whole numbers as such, no fields that are at their defaults."""
    if type(value) in PLAIN:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {
            sent_name: as_sent(said)
            for name, sent_name, default in _sent_fields(type(value))
            if (said := getattr(value, name)) != default
        }
    if isinstance(value, tuple | list):
        return [as_sent(each) for each in value]
    if isinstance(value, Mapping):
        return {name: as_sent(each) for name, each in value.items()}
    if isinstance(value, StrEnum):
        return value.value
    return int(value) if isinstance(value, float) and value.is_integer() else value


@lru_cache(maxsize=1024)
def _sent_fields(kind: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    return tuple((each.name, each.name.removesuffix("_"), _default(each)) for each in fields(kind))


def _default(each: Any) -> Any:
    if each.default is not MISSING:
        return each.default
    return each.default_factory() if each.default_factory is not MISSING else MISSING
