"""Spans, if an operator asks for them: by the variables of OpenTelemetry, or by a provider that stands already.

FastAPI makes them. What it would tell of a query may open a fight (`?ticket=`), so only what is known to be harmless stays.
"""

import os
import re
from importlib.metadata import version
from typing import Any

from fastapi.telemetry import TelemetryConfig
from opentelemetry import trace
from starlette.types import Scope

from service.settings import InvalidSettingsError

QUERY = "url.query"
HARMLESS = re.compile(r"(after|limit)=\d{1,9}")
REDACTED = "REDACTED"
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
ONLY_PROTOCOL = "http/protobuf"


def telemetry() -> TelemetryConfig:
    """What FastAPI is told: spans of requests where somebody takes them, and neither its metrics nor its logs."""
    demand_extra()
    exported = endpoint() is not None
    provider = _provider_to_export() if exported else _provider_that_stands()
    return {
        "tracer_provider": provider,
        "tracing": provider is not None,
        "operation_spans": False,
        "metrics": False,
        "logs": False,
        "auto_configure": exported,
    }


def demand_extra() -> None:
    """InvalidSettingsError when spans are asked for, but cannot be sent."""
    name = endpoint()
    if name is None:
        return
    asked = next(filter(os.environ.get, PROTOCOLS), None)
    if asked is not None and os.environ[asked] != ONLY_PROTOCOL:
        raise InvalidSettingsError(f"{asked}: only {ONLY_PROTOCOL} works, not {os.environ[asked]!r}")
    try:
        import opentelemetry.exporter.otlp.proto.http.trace_exporter  # noqa: F401, PLC0415 - only if it is wanted
    except ImportError:
        raise InvalidSettingsError(
            f"{name} is set, and what sends spans is not installed: it comes with the extra `telemetry`, "
            "pip install 'rulewright[telemetry]'"
        ) from None


def endpoint() -> str | None:
    """The variable that says where spans are sent, None if they are not."""
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if disabled or os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "none":
        return None
    return next((name for name in ENDPOINTS if os.environ.get(name)), None)


def name_span(scope: Scope, route: str) -> None:
    """Tell the span of a request its route, which FastAPI's router does for those that pass it."""
    if "fastapi.telemetry" in scope:
        span = trace.get_current_span()
        span.set_attribute("http.route", route)
        span.update_name(f"{scope['method']} {route}")


def redacted(query: str) -> str:
    """A query without anything that may be a secret."""
    return "&".join(each if HARMLESS.fullmatch(each) else REDACTED for each in query.split("&"))


def _provider_that_stands() -> Any:
    """The provider that the process was started with, None without one."""
    provider = trace.get_tracer_provider()
    if not hasattr(provider, "add_span_processor"):
        return None
    return _redacting(provider)


def _provider_to_export() -> Any:
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - a tenth of a second that most need not wait
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    resource = Resource.create({"service.version": version("rulewright")})
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "rulewright"}))
    return _redacting(TracerProvider(resource=resource, shutdown_on_exit=False))


def _redacting(provider: Any) -> Any:
    from opentelemetry.sdk.trace import Span, SpanProcessor  # noqa: PLC0415

    class Redaction(SpanProcessor):
        """Rewrites the query of a span when it begins, before anybody can send it."""

        def on_start(self, span: Span, parent_context: Any = None) -> None:
            query = (span.attributes or {}).get(QUERY)
            if query is not None:
                span.set_attribute(QUERY, redacted(str(query)))

    provider.add_span_processor(Redaction())
    return provider
