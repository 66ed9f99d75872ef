"""What a key needs for a path. Paths are closed unless they are listed here as open."""

from service.gate.keys import Scope

METRICS_PATH = "/metrics"
OPEN_PATHS = frozenset({"/", "/docs", "/openapi.json", "/v1/systems"})
OPEN_FOLDERS = ("/static/", "/problems/", "/v1/systems/")


def scope_of(path: str) -> Scope | None:
    """The scope that a path needs; None when it is open to everybody."""
    if path == METRICS_PATH:
        return Scope.METRICS
    if path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
        return None
    parts = path.split("/", 4)
    if len(parts) > 3 and parts[3] == "encounters":
        return Scope.ENCOUNTERS
    return Scope.ODDS if path.endswith("/odds") else Scope.RESOLVE
