"""`GET /healthz` and `GET /readyz`, for operators."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from service.answers import encode
from service.readiness import Readiness, Verdict

NO_STORE = {"cache-control": "no-store"}

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """Whether the service is alive."""

    status: str


@router.get("/healthz", operation_id="checkHealth", summary="Is the process alive?")
async def healthz(response: Response) -> Health:
    """Answers as long as the event loop turns."""
    response.headers.update(NO_STORE)
    return Health(status="alive")


@router.get("/readyz", operation_id="checkReadiness", summary="Does the process take requests?", response_model=None)
async def readyz(request: Request) -> Response:
    """Says 200 when requests should be sent here, and 503 when what they need is away or the process is about to end."""
    readiness: Readiness = request.app.state.readiness
    seen = await readiness.look()
    status = 200 if seen.status is Verdict.READY else 503
    return Response(encode(seen), status, headers=NO_STORE, media_type="application/json")
