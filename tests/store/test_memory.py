"""The store of one's own takes a part of the memory that there is for this process."""

import os
from pathlib import Path

import pytest

from service.store.memory import PARTS, SMALLEST, share_of_memory

MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
LIMIT = 512 * 2**20
UNLIMITED_V1 = 9_223_372_036_854_771_712


def root_with(place: Path, groups: str, **files: object) -> Path:
    """A root folder with these groups of the process, and limits by their files: `__` stands for a slash."""
    (place / "proc/self").mkdir(parents=True)
    (place / "proc/self/cgroup").write_text(groups)
    for name, limit in files.items():
        file = place / "sys/fs/cgroup" / name.replace("__", "/").replace("memory_", "memory.")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    return place


@pytest.mark.parametrize(
    ("groups", "files"),
    [
        ("0::/\n", {"memory_max": LIMIT}),
        ("0::/system/unit\n", {"system__unit__memory_max": LIMIT, "system__memory_max": LIMIT * 2}),
        ("0::/system/unit\n", {"system__unit__memory_max": "max", "system__memory_max": LIMIT}),
        ("4:memory:/docker/a\n0::/\n", {"memory__docker__a__memory_limit_in_bytes": LIMIT}),
        ("4:cpu,memory:/elsewhere\n", {"memory__memory_limit_in_bytes": LIMIT}),
    ],
)
def test_the_smallest_limit_of_all_groups_counts(tmp_path: Path, groups: str, files: dict[str, object]) -> None:
    assert share_of_memory(root_with(tmp_path, groups, **files)) == LIMIT // PARTS


@pytest.mark.parametrize(
    ("groups", "files"),
    [
        ("0::/\n", {"memory_max": "max"}),
        ("4:memory:/\n", {"memory__memory_limit_in_bytes": UNLIMITED_V1}),
        ("4:cpu:/a\n", {"memory__a__memory_limit_in_bytes": LIMIT}),
    ],
)
def test_without_a_limit_the_machine_counts(tmp_path: Path, groups: str, files: dict[str, object]) -> None:
    assert share_of_memory(root_with(tmp_path, groups, **files)) == MACHINE // PARTS


def test_a_system_without_groups(tmp_path: Path) -> None:
    assert share_of_memory(tmp_path) == MACHINE // PARTS


def test_it_is_enough_to_work_with(tmp_path: Path) -> None:
    assert share_of_memory(root_with(tmp_path, "0::/\n", memory_max=2**20)) == SMALLEST
