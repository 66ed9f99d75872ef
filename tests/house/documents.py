"""What stands in a document: its fenced blocks, its tables, what is between backticks."""

import re
from collections.abc import Iterator

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def prose(text: str) -> str:
    """A document without its fenced blocks."""
    return FENCED.sub("", text)


def rows(text: str, *columns: str) -> Iterator[list[str]]:
    """The rows of all tables with these columns, of which there is one at least."""
    head = "| " + " | ".join(columns) + " |\n"
    assert head in text, f"there is no table of {columns}"
    for part in text.split(head)[1:]:
        for line in part.splitlines()[1:]:
            if not line.startswith("|"):
                break
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def code(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall("`([^`]+)`", cell)
