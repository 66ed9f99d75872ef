"""The service without what stands before its paths: no request ids, metrics and log lines, no CORS, no keys, no limits."""

from starlette.types import ASGIApp

from service.app import Application, create_app


def _nothing(app: ASGIApp) -> ASGIApp:
    return app


app = create_app()
assert isinstance(app, Application)
app.guards = _nothing
