"""The outermost layer: every request gets an id, is measured, and leaves a line in the log if it should."""

import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.answer_head import HOOKS
from service.http import SAFETY, known_problem, send_problem
from service.observability.access_log import SLOW_SECONDS, Tell
from service.observability.identity import current, identify
from service.observability.metrics import STREAMED, observe_request

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OTHER = "other"
UNMATCHED = "unmatched"
GONE = 499
"""The status of a request whose client did not wait for the answer, as nginx has it."""


class Watch:
    """ASGI: passes a request on, and tells of it when it was answered; of a stream, when its answer begins.

    `tells_from` is the lowest status of which `tell` wants to hear, unless the request was slow. What escapes the application
    becomes a problem here, so that it has the id of its request in the log and in the answer.
    """

    def __init__(self, app: ASGIApp, tell: Tell, tells_from: int = 0) -> None:
        self._app = app
        self._tell = tell
        self._tells_from = tells_from

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        always = (*SAFETY, (b"x-request-id", identify(scope)))
        hooks = scope[HOOKS] = []
        status = 0

        def watched(message: Message) -> Any:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message["headers"], *always]
                for hook in hooks:
                    hook(status, headers)
                message["headers"] = headers
                if STREAMED in scope:
                    self._observed(scope, status, time.perf_counter() - began)
            return send(message)  # awaited by the caller: a coroutine less for each message

        outside = current.set(scope)
        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # noqa: BLE001 - as everywhere: a problem, and no trace
            problem = known_problem(error)
            if not status:
                await send_problem(watched, scope, problem)
        finally:
            if STREAMED not in scope or not status:
                self._observed(scope, status or GONE, time.perf_counter() - began)
            current.reset(outside)

    def _observed(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else OTHER
        taken = scope.get("route")
        route = template_of(scope) if taken is None else taken.path
        observe_request(method, route, status, seconds)
        if status >= self._tells_from or seconds > SLOW_SECONDS:
            self._tell(method, route, status, seconds, scope)


def template_of(scope: Scope) -> str:
    """A template for what took no route of its own, never what the client wrote."""
    if "app_root_path" in scope:  # something mounted
        return f"{scope['root_path'].removeprefix(scope['app_root_path'])}/{{path}}"
    return UNMATCHED
