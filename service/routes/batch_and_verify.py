"""`POST /v1/batch` and `POST /v1/verify`."""

from typing import Any

from service.answers import encode
from service.batch import answer_batch, cost_of_batch
from service.gate.allowance import PAID_AT_THE_GATE, spend
from service.http import Asking, JsonEndpoint
from service.routes.raw import RawRoute
from service.texts import Texts
from service.verification import VerifyRequest, verify
from service.wire import Reader

_verify_reader = Reader(VerifyRequest)


def batch_and_verify_routes(max_body_bytes: int) -> list[RawRoute]:
    """The two routes."""
    return [
        RawRoute(
            "/v1/batch",
            JsonEndpoint(batched, max_body_bytes),
            operation_id="resolveBatch",
            summary="Many requests in one call",
            description="Up to 1,000 requests of any systems, each answered on its own: a fault spoils only its item.",
            tags=["batch"],
        ),
        RawRoute(
            "/v1/verify",
            JsonEndpoint(verified, max_body_bytes),
            operation_id="verifyResolution",
            summary="Does a resolution follow from its request?",
            description="Replays the request on the seed or the dice of the resolution and says where the two first differ.",
            tags=["verify"],
        ),
    ]


async def batched(value: Any, texts: Texts, asking: Asking) -> bytes:
    """Many answers, when they are paid for."""
    await spend(asking.scope, cost_of_batch(value) - PAID_AT_THE_GATE)
    return await answer_batch(value, texts)


def verified(value: Any, texts: Texts) -> bytes:
    """Whether a claimed resolution follows."""
    return encode(verify(_verify_reader.read(value), texts))
