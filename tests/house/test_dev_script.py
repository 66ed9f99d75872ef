"""./dev: when it makes .venv, what it installs and what it runs, by a Python that only writes down what it is told."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RAN_ALL = (
    "ran -m pytest -rs --numprocesses auto --dist loadfile --no-loadscope-reorder -m not alone",
    "ran -m pytest -rs -m alone",
)

pytestmark = pytest.mark.skipif(any(Path("/lib").glob("ld-musl-*")), reason="musl: other extras are installed there")

PYTHON = """#!/bin/sh
case "$1 $2" in
    "-c "*) [ VERSION != old ] && echo VERSION ;;
    "-m venv")
        mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/rulewright"
        echo "made VERSION" >>"$LOG" ;;
    "-m pip")
        for last; do :; done
        echo "installed $last" >>"$LOG"
        exit "${PIP_STATUS:-0}" ;;
    *) echo "ran $*" >>"$LOG" ;;
esac
"""


class Project:
    """A project of nothing but ./dev and what it looks at, in a folder with a space in its name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a project"
        self.folder.mkdir()
        for name in ("dev", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.folder)
        for name in ("node", "npm"):
            (folder / name).write_text("#!/bin/sh\nexit ${NODE_STATUS:-0}\n")
            (folder / name).chmod(0o755)
        self.log = folder / "log"
        self.said = ""

    def python(self, version: str) -> str:
        """A Python of this version."""
        program = self.log.with_name(f"python {version}")
        program.write_text(PYTHON.replace("VERSION", version))
        program.chmod(0o755)
        return str(program)

    def dev(self, *arguments: str, python: str = "3.11", status: int = 0, **environment: str) -> list[str]:
        """What ./dev tells Python to do, when it is called from somewhere else."""
        self.log.write_text("")
        run = subprocess.run(
            [self.folder / "dev", *arguments],
            cwd="/",
            env={
                "PATH": f"{self.log.parent}:{os.defpath}",
                "LOG": str(self.log),
                "PYTHON": self.python(python),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.said = run.stdout + run.stderr
        assert run.returncode == status, self.said
        return self.log.read_text().splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_first_run_makes_and_installs(project: Project) -> None:
    assert project.dev("test", "-k", "a b") == ["made 3.11", "installed .[embedded,dev]", "ran -m pytest -rs -k a b"]


def test_the_second_run_only_runs(project: Project) -> None:
    project.dev("test")
    assert project.dev("test") == [*RAN_ALL]
    assert project.said == ""


def test_serving_needs_less_than_testing(project: Project) -> None:
    assert project.dev("serve", "--port", "9000") == ["made 3.11", "installed .[embedded]", "ran serve --port 9000"]
    assert project.dev("test") == ["installed .[embedded,dev]", *RAN_ALL]
    assert project.dev("serve") == ["ran serve"]


def test_ci_installs_node_where_there_is_none(project: Project) -> None:
    project.dev("test", NODE_STATUS="1")
    assert project.dev("test", NODE_STATUS="1", CI="true") == ["installed .[embedded,dev,node]", *RAN_ALL]
    assert project.dev("test") == [*RAN_ALL]


def test_ci_takes_the_node_that_is_there(project: Project) -> None:
    project.dev("test")
    assert project.dev("test", CI="true") == [*RAN_ALL]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_what_is_needed_has_changed(project: Project, name: str) -> None:
    project.dev("test")
    with (project.folder / name).open("a") as file:
        file.write("# changed\n")
    assert project.dev("test") == ["installed .[embedded,dev]", *RAN_ALL]


def test_another_version_of_python(project: Project) -> None:
    project.dev("test")
    assert project.dev("test", python="3.12") == ["made 3.12", "installed .[embedded,dev]", *RAN_ALL]


def test_without_a_name_the_python_of_the_environment_stays(project: Project) -> None:
    project.dev("test", python="3.12")
    assert project.dev("test", PYTHON="") == [*RAN_ALL]


def test_the_project_was_moved(project: Project) -> None:
    project.dev("test")
    project.folder = project.folder.rename(project.folder.with_name("moved"))
    assert project.dev("test") == ["made 3.11", "installed .[embedded,dev]", *RAN_ALL]


def test_an_environment_made_by_hand_is_kept(project: Project) -> None:
    project.dev("test")
    (project.folder / ".venv" / ".installed").unlink()
    assert project.dev("test") == ["installed .[embedded,dev]", *RAN_ALL]


def test_an_environment_that_does_not_run_is_made_anew(project: Project) -> None:
    project.dev("test")
    (project.folder / ".venv" / "bin" / "python").unlink()
    assert project.dev("test") == ["made 3.11", "installed .[embedded,dev]", *RAN_ALL]


def test_what_could_not_be_installed_is_tried_again(project: Project) -> None:
    assert project.dev("test", PIP_STATUS="1", status=1) == ["made 3.11", "installed .[embedded,dev]"]
    assert project.dev("test") == ["installed .[embedded,dev]", *RAN_ALL]


def test_a_python_that_is_too_old(project: Project) -> None:
    project.dev("test")
    assert project.dev("test", python="old", status=1) == []
    assert "not Python 3.11 or newer" in project.said
    assert project.dev("test") == [*RAN_ALL]


def test_another_active_environment_is_left_alone(project: Project, tmp_path: Path) -> None:
    other = tmp_path / "other"
    project.dev("test", VIRTUAL_ENV=str(other))
    assert not other.exists()


def test_help_tells_every_task(project: Project) -> None:
    assert project.dev("help") == []
    assert all(
        f"./dev {task} " in project.said for task in ("serve", "test", "check", "bench", "load", "openapi", "help")
    )


def test_a_task_that_is_not_there(project: Project) -> None:
    assert project.dev("deploy", status=1) == []
    assert "there is no ./dev deploy" in project.said
