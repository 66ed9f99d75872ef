"""Spans of requests: named by their route, part of the client's trace, and without secrets; and nothing unless asked for."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from service.command import main
from service.observability import tracing
from service.settings import InvalidSettingsError
from tests.observability.conftest import app_with, client_of
from tests.observability.servers import ROOT, SERVE, UVICORN, logged_service

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What a process that was started with a provider of its own exports."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


async def span_of(exported: InMemorySpanExporter, method: str, path: str, **sent: Any) -> ReadableSpan:
    """The one span of one request."""
    async with client_of(app_with()) as client:
        await client.request(method, path, headers=SENT, **sent)
    [span] = exported.get_finished_spans()
    return span


@pytest.mark.parametrize(
    ("method", "path", "name", "status"),
    [
        ("POST", "/v1/gurps/success-roll", "POST /v1/gurps/success-roll", 422),
        ("POST", "/v1/gurps/encounters/0123456789abcdef0123/turns", "POST /v1/gurps/encounters/{id}/turns", 503),
        ("GET", "/v1/systems/gurps", "GET /v1/systems/{system}", 200),
        ("GET", "/no/such/path", "GET", 404),
        ("GET", "/breaks/it", "GET /breaks/{what}", 500),
    ],
)
async def test_a_span_has_the_name_of_its_route(
    exported: InMemorySpanExporter, method: str, path: str, name: str, status: int
) -> None:
    span = await span_of(exported, method, path, **({"json": {}} if method == "POST" else {}))
    assert (span.name, span.kind) == (name, SpanKind.SERVER)
    assert span.attributes is not None
    route = name.partition(" ")[2] or None
    assert (span.attributes.get("http.route"), span.attributes["http.response.status_code"]) == (route, status)


async def test_a_span_belongs_to_the_trace_of_the_client(exported: InMemorySpanExporter) -> None:
    span = await span_of(exported, "GET", "/healthz")
    assert span.context is not None
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)


async def test_the_log_has_the_trace_of_the_span(
    exported: InMemorySpanExporter, capsys: pytest.CaptureFixture[str]
) -> None:
    async with client_of(app_with(access_log="all")) as client:
        await client.get("/healthz")
    [span] = exported.get_finished_spans()
    assert span.context is not None
    assert f'"trace_id":"{span.context.trace_id:032x}"' in capsys.readouterr().err


async def test_a_span_tells_no_ticket(exported: InMemorySpanExporter) -> None:
    span = await span_of(exported, "GET", "/v1/gurps/encounters/0123456789abcdef0123/stream?ticket=open-sesame&after=3")
    assert span.attributes is not None
    assert span.attributes["url.query"] == "REDACTED&after=3"
    assert "sesame" not in span.to_json()


async def test_an_unexpected_error_is_in_the_span_without_its_message(exported: InMemorySpanExporter) -> None:
    span = await span_of(exported, "GET", "/breaks/it")
    assert span.status.is_ok is False
    assert "the sheet of Mira" not in span.to_json()


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("after=3&limit=20", "after=3&limit=20"),
        ("ticket=a.b.c", "REDACTED"),
        ("after=3&ticket=a", "after=3&REDACTED"),
        ("after=ticket", "REDACTED"),
        ("after=1234567890", "REDACTED"),
        ("rwk_secret", "REDACTED"),
        ("", "REDACTED"),
        ("after=1;ticket=a", "REDACTED"),
        ("after=1\n", "REDACTED"),
    ],
)
def test_only_what_is_harmless_stays_of_a_query(query: str, left: str) -> None:
    assert tracing.redacted(query) == left


def test_nothing_is_traced_unless_somebody_takes_it() -> None:
    told = tracing.telemetry()
    assert not any(told[name] for name in ("tracing", "metrics", "logs", "operation_spans", "auto_configure"))


def test_without_a_collector_nothing_that_makes_or_sends_spans_is_imported() -> None:
    """The metrics of the SDK are another matter: redis-py imports them where they are installed."""
    program = "import sys, service.app; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True).split()
    assert "service.observability.tracing" in loaded
    assert [name for name in loaded if name.startswith(("opentelemetry.sdk.trace", "opentelemetry.exporter"))] == []


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {ENDPOINT: ""},
        {ENDPOINT: "http://c", "OTEL_SDK_DISABLED": "true"},
        {ENDPOINT: "http://c", "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_the_variables_that_ask_for_nothing(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert tracing.endpoint() is None


def test_a_collector_without_the_extra_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(InvalidSettingsError, match=r"rulewright\[telemetry\]"):
        app_with()
    assert main(["serve"]) == 2
    assert f"{ENDPOINT} is set" in capsys.readouterr().err


@pytest.mark.parametrize("variable", tracing.PROTOCOLS)
def test_a_protocol_that_is_not_spoken_is_refused(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4317")
    monkeypatch.setenv(variable, "grpc")
    with pytest.raises(InvalidSettingsError, match=f"^{variable}: .* not 'grpc'"):
        app_with()


class Collector(BaseHTTPRequestHandler):
    """Takes what is exported, and says so."""

    taken: list[tuple[str, bytes]] = []  # noqa: RUF012 - one for all requests

    def do_POST(self) -> None:
        self.taken.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def collector() -> Iterator[str]:
    """The URL of a collector."""
    Collector.taken.clear()
    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("command", [SERVE, UVICORN], ids=["serve", "uvicorn"])
def test_a_collector_gets_the_spans_before_the_service_ends(
    collector: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    with logged_service(tmp_path, command=command, environment={ENDPOINT: collector}) as service:
        httpx.get(f"{service.url}/v1/gurps/encounters/0123456789abcdef0123/stream?ticket=open-sesame", headers=SENT)
        service.stop()
    assert {path for path, _ in Collector.taken} == {"/v1/traces"}
    assert all(b"sesame" not in body for _, body in Collector.taken)
    requests = [ExportTraceServiceRequest.FromString(body) for _, body in Collector.taken]
    found = [each for request in requests for each in request.resource_spans]
    resource = {each.key: each.value.string_value for each in found[0].resource.attributes}
    assert (resource["service.name"], resource["service.version"]) == ("rulewright", "0.1.0")
    spans = [span for each in found for scope in each.scope_spans for span in scope.spans]
    [span] = [span for span in spans if span.name.endswith("/stream")]
    assert (span.name, span.trace_id.hex()) == ("GET /v1/gurps/encounters/{id}/stream", TRACE)
