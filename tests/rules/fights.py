"""A fight without HTTP and without a store: each event is decided, folded, taken back and replayed as the service does."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rules.core.dice import SuppliedDice
from rules.core.encounter import Combatant, EncounterRules, Fight, NotAllowed, Play, Sender, as_sent
from rules.core.evolve import evolve, undone
from rules.core.system import System
from service.encounters.kept import empty_state, fight_of, plain, rules_of
from service.encounters.ledger import Draft, EventKind, resolutions_in
from service.encounters.views import step_told
from service.questions import QUESTIONS, Asked
from service.texts import LANGUAGES, texts_in
from service.wire import reader_of

Decide = Callable[[Play], None]


class Table:
    """A fight of one system: its state as JSON values, and the last event."""

    def __init__(self, system: System, **opening: Any) -> None:
        self.system = system
        self.rules: EncounterRules = rules_of(system)
        self.opening: dict[str, Any] = plain(reader_of(self.rules.opening).read(opening))
        self.state = empty_state()
        self.draft = Draft(EventKind.OPENED, "gm")

    def fight(self) -> Fight:
        """The state, typed."""
        return fight_of(self.state, self.opening, self.system)

    def combatant(self, combatant_id: str) -> Combatant:
        """A combatant, typed."""
        return self.fight().combatants[combatant_id]

    def join(self, combatant_id: str, /, **sheet: Any) -> None:
        """A combatant enters."""
        read = reader_of(self.rules.sheet).read(sheet)

        def joined(play: Play) -> None:
            play.join(combatant_id, combatant_id.title(), read, self.rules.begin(read))
            if self.rules.joined is not None:
                self.rules.joined(play, combatant_id)

        self._make(joined, [], None)

    def act(self, slug: str, dice: list[int] | None = None, own: str | None = None, /, **body: Any) -> None:
        """A command: the game master's, or that of the player who has the combatants `own`, named with spaces between."""
        command = self.rules.command(slug)
        assert command is not None, slug
        read = reader_of(command.body).read(body)
        self._make(lambda play: command.play(play, read), dice or [], own)

    def end_turn(self, dice: list[int] | None = None) -> None:
        """The end of a turn."""
        self._make(self.rules.end_turn, dice or [], None)

    def change(self, combatant_id: str, /, **body: Any) -> None:
        """A change by hand."""
        assert self.rules.changed is not None
        read, change = reader_of(self.rules.change).read(body), self.rules.changed
        self._make(lambda play: change(play, combatant_id, read), [], None)

    def leave(self, combatant_id: str) -> None:
        """A combatant leaves."""

        def left(play: Play) -> None:
            if self.rules.left is not None:
                self.rules.left(play, combatant_id)
            play.leave(combatant_id)

        self._make(left, [], None)

    def refused(self, slug: str, own: str | None = None, /, **body: Any) -> list[str] | str:
        """By which rules a command is refused, without the system's name; by its code where no rule does."""
        before = copy.deepcopy(self.state)
        with pytest.raises(NotAllowed) as raised:
            self.act(slug, [], own, **body)
        assert self.state == before
        refused = raised.value
        if refused.refused_by:
            return [rule.split(".", 1)[1] for rule in refused.refused_by]
        assert texts_in("en").fault(refused.code, refused.facts) != texts_in("en").fault(
            "unknown", {"code": refused.code}
        )
        return refused.code

    @property
    def request(self) -> dict[str, Any]:
        """The first stateless request of the last event, as it is kept."""
        request: dict[str, Any] = self.draft.resolutions[0]["request"]
        return request

    @property
    def outcome(self) -> dict[str, Any]:
        """What came of it."""
        outcome: dict[str, Any] = self.draft.resolutions[0]["resolution"]["outcome"]
        return outcome

    @property
    def effects(self) -> list[tuple[str | None, str, Any, str | None]]:
        """The effects of the last event: combatant, field, what it is now, rule without the system's name."""
        return [
            (each["combatant"], each["field"], each["to"], each["rule"] and each["rule"].split(".", 1)[1])
            for each in self.draft.effects
        ]

    @property
    def steps(self) -> list[tuple[str, Any]]:
        """The fight's own steps of the last event: rule without the system's name, value."""
        return [(each["rule"].split(".", 1)[1], each.get("value")) for each in self.draft.audit]

    def _make(self, decide: Decide, dice: list[int], own: str | None) -> None:
        sender = Sender.GM if own is None else Sender.PLAYER
        play = Play(self.fight(), SuppliedDice(dice), sender, frozenset((own or "").split()))
        draft = self._decided(decide, play)
        before = copy.deepcopy(self.state)
        evolve(self.state, draft.effects)
        assert self.state == self._as_json(play.fight), "the fold of the effects is the state that was decided"
        back = copy.deepcopy(self.state)
        evolve(back, undone(draft.effects))
        assert back == before, "undone, the state is the one before"
        self._check_replay(decide, draft, before, sender, dice)
        self._check_requests(play)
        self._check_texts(draft)
        self.draft = draft

    def _decided(self, decide: Decide, play: Play) -> Draft:
        draft = Draft(EventKind.ACTION, play.by.value)
        decide(play)
        play.dice.finish()
        draft.take(play, self.system, "dice")
        return draft

    def _check_replay(
        self, decide: Decide, draft: Draft, before: dict[str, Any], sender: Sender, dice: list[int]
    ) -> None:
        """The same decision on the same state, by one who may act for all, on the dice as the log has them."""
        event = {"further": draft.resolutions[1:], "request": None, "resolution": None}
        if draft.resolutions:
            event |= draft.resolutions[0]
        audits = [each["resolution"]["audit"] for each in resolutions_in(event)]
        steps = [step for audit in [*audits, draft.audit] for step in audit]
        rolled = [face for step in steps if "dice" in step for face in step["dice"]["faces"]]
        assert rolled == dice, "the log has the dice in the order in which they were rolled"
        play = Play(
            fight_of(before, self.opening, self.system), SuppliedDice(rolled), sender, frozenset(before["combatants"])
        )
        again = self._decided(decide, play)
        assert (again.resolutions, again.audit, again.effects) == (draft.resolutions, draft.audit, draft.effects)

    def _check_requests(self, play: Play) -> None:
        """Every request could have been sent, and comes to the same."""
        for asked in play.asked:
            question = QUESTIONS[self.system.slug, asked.action.slug]
            sent = plain(as_sent(asked.request))
            request = question.reader.read(sent)
            assert request == asked.request
            faces = [face for step in asked.trail.steps for face in step.faces or ()]
            assert question.resolve(Asked(request, None, faces)).outcome == asked.outcome

    def _check_texts(self, draft: Draft) -> None:
        """The fight's own steps have words in both languages."""
        for language in LANGUAGES:
            for step in draft.audit:
                text = step_told(step, texts_in(language))["text"]
                assert text
                assert "None" not in text
                assert "none" not in text

    def _as_json(self, fight: Fight) -> dict[str, Any]:
        combatants = {
            name: {
                "name": each.name,
                "joined": each.joined,
                "sheet": plain(as_sent(each.sheet)),
                "state": plain(each.state),
                "turn": plain(each.turn),
            }
            for name, each in fight.combatants.items()
        }
        return {
            "round": fight.round,
            "turn": fight.turn,
            "order": fight.order,
            "combatants": combatants,
            "pending": plain(fight.pending),
        }
