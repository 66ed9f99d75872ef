"""HEAD, wherever there is GET."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """ASGI: a HEAD is answered as a GET of the same path would be, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        begun = False

        async def of_head(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                scope.update({**asked, "method": "HEAD"})  # for those outside: the route that was found, for example
                await send(message)
            elif not message.get("more_body", False):
                await send({"type": "http.response.body", "body": b""})

        async def until_begun() -> Message:
            return {"type": "http.disconnect"} if begun else await receive()  # ends a stream

        await self._app(asked, until_begun, of_head)
