"""The least that an ASGI application can do: read the body, answer with a constant of so many bytes."""

import os
from typing import Any

BODY = b" " * int(os.environ.get("ANSWER_BYTES", "2048"))
HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY))]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer any request."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": BODY})
