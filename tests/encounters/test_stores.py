"""What every encounter promises holds on the system's Redis and on a cluster as on the bundled store."""

from collections.abc import Iterator

import pytest

from service.store.programs import find_program
from tests.encounters.test_changes import (
    test_a_double_click_counts_once,
    test_a_key_of_another_request_is_refused,
    test_a_retried_change_answers_the_same_and_does_nothing,
    test_a_stale_version_changes_nothing,
    test_changes_at_once_are_all_made,
    test_the_log_comes_in_pages,
    test_the_log_verifies_before_and_after_the_end,
    test_undo_takes_back_the_last_event_that_stands,
    test_versions_have_no_gap_and_an_etag,
)
from tests.store.servers import redis_program, running, running_cluster

__all__ = [
    "test_a_double_click_counts_once",
    "test_a_key_of_another_request_is_refused",
    "test_a_retried_change_answers_the_same_and_does_nothing",
    "test_a_stale_version_changes_nothing",
    "test_changes_at_once_are_all_made",
    "test_the_log_comes_in_pages",
    "test_the_log_verifies_before_and_after_the_end",
    "test_undo_takes_back_the_last_event_that_stands",
    "test_versions_have_no_gap_and_an_etag",
]


@pytest.fixture(scope="module", params=["redis", "cluster"])
def store_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where another kind of store is."""
    directory = tmp_path_factory.mktemp("store")
    if request.param == "redis":
        program = redis_program()
        if program is None:
            pytest.skip("redis-server is not installed; on Debian: apt-get install redis-server")
        with running(program, directory) as server:
            yield server.url
    else:
        program = find_program()
        if program is None:
            pytest.skip("no server for encounters is installed; the extra `embedded` brings one")
        with running_cluster(program, directory) as cluster:
            yield cluster.url
