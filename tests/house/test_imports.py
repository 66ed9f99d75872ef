"""The rules are pure, and no system knows another."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.files import ROOT, python_files

ALLOWED = (sys.stdlib_module_names | {"annotated_types", "rules"}) - {
    "asyncio",
    "datetime",
    "http",
    "io",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}
"""The standard library without chance, time, and whatever reaches out of the program; annotated-types."""
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


def imported(path: Path) -> Iterator[str]:
    """The dotted name of every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it leads"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_the_rules_import_only_what_is_pure() -> None:
    found = {
        f"{path} imports {module}"
        for path in python_files("rules")
        for module in imported(path)
        if module.split(".")[0] not in ALLOWED
    }
    assert sorted(found) == []


def test_the_rules_call_nothing_that_reaches_out() -> None:
    found = [
        f"{path}:{node.lineno} calls {node.func.id}"
        for path in python_files("rules")
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    assert found == []


def test_the_core_knows_no_system_and_no_system_another() -> None:
    """A file in rules/<package> imports from its own package and from the core; only the catalogue imports all."""
    found = {
        f"{path} imports {module}"
        for path in python_files("rules")
        if len(path.parts) > 2
        for module in imported(path)
        if module.startswith("rules.") and module.split(".")[1] not in ("core", path.parts[1])
    }
    assert sorted(found) == []


def test_only_the_catalogue_and_the_systems_stand_beside_the_core() -> None:
    assert {path.name for path in python_files("rules") if len(path.parts) == 2} == {"__init__.py", "catalogue.py"}
