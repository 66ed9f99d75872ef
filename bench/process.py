"""A resolution without HTTP: by the rules alone, from JSON to JSON, and as one of a thousand in a batch."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from bench.bodies import ACTIVE_DEFENSE, SUCCESS_ROLL, as_json
from bench.measure import Rounds, in_turn, microseconds
from bench.table import shown, table
from service.answers import encode, resolution_body
from service.batch import MAX_ITEMS, answer_batch
from service.json_input import parse
from service.questions import QUESTIONS
from service.texts import texts_in

SEED = "table-7"
ASKED = (("gurps", "success-roll", SUCCESS_ROLL), ("gurps", "active-defense", ACTIVE_DEFENSE))


def run(*, quick: bool) -> None:
    """Tell what one resolution takes."""
    rows = []
    for system, action, body in ASKED:
        steps = len(QUESTIONS[system, action].resolve(QUESTIONS[system, action].read(body), SEED).audit)
        timed = in_turn(_sides(system, action, body), 7 if quick else 25)
        rows += [_row(f"{system}/{action}, {steps} steps, {side}", timed, side) for side in timed.of]
    table("One resolution in process", ("microseconds", "median", "least"), rows)


def _row(name: str, timed: Rounds, side: str) -> list[str]:
    return [name, shown(timed.median(side)), shown(min(timed.of[side]))]


def _sides(system: str, action: str, body: dict[str, Any]) -> dict[str, Callable[[], float]]:
    question, texts, sent = QUESTIONS[system, action], texts_in("en"), as_json(body, SEED)
    asked = question.read(parse(sent))
    items = [{"system": system, "action": action, "request": body}] * MAX_ITEMS
    batch = json.dumps({"seed": SEED, "items": items}).encode()

    def from_json_to_json() -> bytes:
        return encode(resolution_body(question.resolve(question.read(parse(sent))), texts))

    def in_a_batch() -> bytes:
        return asyncio.run(answer_batch(parse(batch), texts))

    one_of_batch = microseconds(in_a_batch, 1)
    return {
        "the rules alone": microseconds(lambda: question.resolve(asked), 300),
        "from JSON to JSON": microseconds(from_json_to_json, 300),
        f"one of {MAX_ITEMS:,} in a batch": lambda: one_of_batch() / MAX_ITEMS,
    }
