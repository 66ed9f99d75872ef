"""The list of rule ids that are locked: an id may be added, and none may go or change its meaning.

`python -m tests.house.rule_ids` adds the new ones to rule_ids.json; it takes none away.
"""

import json
from pathlib import Path

from rules.catalogue import SYSTEMS

FILE = Path(__file__).parent / "rule_ids.json"

Ids = dict[str, list[str]]


def present() -> Ids:
    """The ids of every system that is there."""
    return {system.slug: sorted(rule.id for rule in system.rules) for system in SYSTEMS}


def locked() -> Ids:
    """The ids that were locked."""
    ids: Ids = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return ids


def main() -> None:
    """Lock what is there, beside what was locked."""
    before, now = locked(), present()
    ids = {slug: sorted({*before.get(slug, ()), *now.get(slug, ())}) for slug in sorted({*before, *now})}
    FILE.write_text(json.dumps(ids, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
