"""Batch: many requests of any systems in one call, each answered on its own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Len
from anyio.lowlevel import checkpoint

from rules.core.faults import DiceLeftOver, DiceNeeded
from service.answers import encode, resolution_body
from service.faults import Fault, Malformations
from service.observability.metrics import count_problem, count_resolution
from service.problems import Problem, problem_body, problem_of
from service.questions import MAX_SEED_LENGTH, QUESTIONS
from service.texts import Texts
from service.wire import Reader

MAX_ITEMS = 1000
MAX_SHARED_SEED_LENGTH = MAX_SEED_LENGTH - len("/999")
ITEMS_BETWEEN_PAUSES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """One request of a batch."""

    system: Annotated[str, Len(1, 64)]
    """The system, as in the path: `gurps`."""
    action: Annotated[str, Len(1, 64)]
    """The action, as in the path: `active-defense`."""
    request: dict[str, Any]
    """The request, as it would be sent to the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """Up to 1,000 requests. An item's fault spoils only that item."""

    items: Annotated[tuple[Any, ...], Len(1, MAX_ITEMS)]
    """The requests."""
    seed: Annotated[str, Len(1, MAX_SHARED_SEED_LENGTH)] | None = None
    """One seed for all: item n (from 0) without a seed or dice of its own reads the stream of `seed/n`, which is itself a
    seed that can be sent."""


_batch_reader = Reader(BatchRequest)
_item_reader = Reader(BatchItem)


def cost_of_batch(value: Any) -> int:
    """What a batch costs: as much as its items, of which no more are answered than there may be."""
    items = value.get("items") if isinstance(value, dict) else None
    return min(len(items), MAX_ITEMS) if isinstance(items, list) else 1


async def answer_batch(value: Any, texts: Texts) -> bytes:
    """The answers, in the order of the items: for each its status, and its resolution or its problem."""
    batch = _batch_reader.read(value)
    answers = [answer async for answer in _answers(batch, texts)]
    return b'{"items":[' + b",".join(answers) + b"]}"


async def _answers(batch: BatchRequest, texts: Texts) -> AsyncIterator[bytes]:
    for index, item in enumerate(batch.items):
        if index % ITEMS_BETWEEN_PAUSES == ITEMS_BETWEEN_PAUSES - 1:
            await checkpoint()
        seed = None if batch.seed is None else f"{batch.seed}/{index}"
        yield _answer(item, seed, texts, index)


def _answer(item: Any, seed: str | None, texts: Texts, index: int) -> bytes:
    try:
        body = _resolved(_item_reader.read(item), seed, texts)
    except (Malformations, DiceNeeded, DiceLeftOver) as error:
        problem = _within_item(problem_of(error))
        count_problem(problem.kind.name)
        body = {
            "status": problem.kind.status,
            "resolution": None,
            "problem": problem_body(problem, texts, f"/v1/batch#/items/{index}"),
        }
    return encode(body)


def _resolved(item: BatchItem, seed: str | None, texts: Texts) -> dict[str, Any]:
    question = QUESTIONS.get((item.system, item.action))
    if question is None:
        raise Malformations([_unknown(item)])
    try:
        resolution = question.resolve(question.read(item.request), seed)
    except Malformations as malformed:
        raise Malformations([_in_request(fault) for fault in malformed.faults]) from None
    count_resolution(resolution)
    return {"status": 200, "resolution": resolution_body(resolution, texts), "problem": None}


def _unknown(item: BatchItem) -> Fault:
    if any(system == item.system for system, _ in QUESTIONS):
        return Fault("#/action", "unknown_action", {"system": item.system})
    return Fault("#/system", "unknown_system", {})


def _in_request(fault: Fault) -> Fault:
    return Fault(f"#/request{fault.pointer.removeprefix('#')}", fault.code, fault.facts)


def _within_item(problem: Problem | None) -> Problem:
    if problem is None:
        raise TypeError("the faults of an item are all known")
    moved = tuple(_in_request(fault) if fault.pointer.startswith("#/dice") else fault for fault in problem.faults)
    return Problem(problem.kind, problem.facts, moved, problem.fields)
