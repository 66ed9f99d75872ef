"""What several workers need to be counted together: a directory, known before the first of them counts."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from service.settings import InvalidSettingsError

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which prometheus_client looks for it when it is imported."""


def demand_directory() -> None:
    """InvalidSettingsError when the directory that the environment names cannot be written to."""
    named = os.environ.get(DIRECTORY)
    if named is not None and not (os.path.isdir(named) and os.access(named, os.W_OK | os.X_OK)):
        raise InvalidSettingsError(f"{DIRECTORY}: {named} is no directory that can be written to")


@contextmanager
def counted_together(workers: int) -> Iterator[None]:
    """While this lasts, workers that are started count into one directory; a single one needs none."""
    if workers == 1 or DIRECTORY in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="rulewright-metrics-", ignore_cleanup_errors=True) as directory:
        os.environ[DIRECTORY] = directory
        try:
            yield
        finally:
            del os.environ[DIRECTORY]
