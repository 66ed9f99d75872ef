"""The unit of systemd, as it is read there: a name may stand several times."""

from tests.house.files import ROOT

FOLDER = ROOT / "deploy" / "systemd"


def unit() -> dict[str, list[str]]:
    """What the unit says, by section and name: `Service.User`."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in (FOLDER / "rulewright.service").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(f"{section}.{name}", []).append(value)
    return found


def environment_file() -> dict[str, str]:
    """The settings that a bare machine begins with."""
    lines = (FOLDER / "environment").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
