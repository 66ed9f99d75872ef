"""The files of the house: what is committed or would be, and nothing that is built or installed."""

import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = {"node_modules", "build", "dist", "__pycache__"}


@lru_cache
def all_files() -> tuple[Path, ...]:
    """Every file of the repository, relative to its root."""
    git = shutil.which("git")
    if git is not None and (ROOT / ".git").exists():
        command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return tuple(path for name in listed.split("\0") if name and (ROOT / (path := Path(name))).is_file())
    return tuple(path for path in (each.relative_to(ROOT) for each in ROOT.rglob("*")) if is_ours(path))


def is_ours(path: Path) -> bool:
    """Whether a file, where no git says so, is neither built nor installed nor hidden."""
    return (ROOT / path).is_file() and not any(part in BUILT or part.startswith(".") for part in path.parts)


def python_files(*folders: str) -> list[Path]:
    """The Python files of some folders, or of all."""
    return [path for path in all_files() if path.suffix == ".py" and (not folders or path.parts[0] in folders)]


def lines_of(path: Path) -> list[str]:
    """The lines of a text; a file that is no text has none."""
    try:
        return (ROOT / path).read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return []
