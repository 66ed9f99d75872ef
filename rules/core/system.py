"""A system: one set of rules with its options, actions and tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.action import Action
from rules.core.encounter import EncounterRules
from rules.core.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System:
    """One set of rules, equal to none but itself.

    `slug` stands in URLs, `package` in rule ids. `ruleset` is the version of the meaning of its rules. `options` is the
    frozen dataclass of house rules, whose every default is the ruleset's reading. `rules` are all, in the order of the
    book; `tables` are the data that the catalogue lists, by name, each a tuple of rows; `facts` are constants of the game.
    `encounter` says how it keeps a fight.
    """

    slug: str
    package: str
    ruleset: str
    options: type[Any]
    actions: tuple[Action[Any, Any], ...]
    rules: tuple[Rule, ...]
    tables: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    encounter: EncounterRules | None = None

    def action(self, slug: str) -> Action[Any, Any] | None:
        """The action with this slug, or None."""
        return next((action for action in self.actions if action.slug == slug), None)
