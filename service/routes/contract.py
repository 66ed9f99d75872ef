"""`GET /openapi.json`."""

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from service.routes.made_once import MadeOnce, unchanging

router = APIRouter(include_in_schema=False)


@router.get("/openapi.json")
async def contract(request: Request) -> Response:
    """The contract of this service."""
    once: MadeOnce = request.app.state.made_once
    made = await once.get("contract", lambda: msgspec.json.encode(request.app.openapi()))
    return unchanging(request, made, {})
