"""`GET /metrics`, for operators."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from service.observability.exposition import metrics_text

router = APIRouter(tags=["operations"])


@router.get("/metrics", operation_id="readMetrics", summary="What can be counted", response_class=Response)
def metrics(request: Request) -> Response:
    """Answers in the text format of Prometheus, or in that of OpenMetrics if it is asked for; beside the event loop."""
    text, media = metrics_text(request.headers.get("accept", ""))
    return Response(text, headers={"content-type": media, "cache-control": "no-store"})
