"""What several workers need to be counted together: a directory, known before the first of them counts."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which prometheus_client looks for it when it is imported."""


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
