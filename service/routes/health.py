"""`GET /healthz` and `GET /readyz`, for operators."""

from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """Whether the service is alive, or ready."""

    status: str


@router.get("/healthz", operation_id="checkHealth", summary="Is the process alive?")
async def healthz() -> Health:
    """Answers as long as the event loop turns."""
    return Health(status="alive")


@router.get("/readyz", operation_id="checkReadiness", summary="Does the service take requests?")
async def readyz() -> Health:
    """Answers when requests can be taken."""
    return Health(status="ready")
