"""Small tables on the standard output."""

import sys
from collections.abc import Sequence


def say(line: str = "") -> None:
    """One line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A title and aligned columns, the first to the left and the others to the right."""
    widths = [max(len(row[at]) for row in (columns, *rows)) for at in range(len(columns))]
    say()
    say(title)
    for row in (columns, ["-" * width for width in widths], *rows):
        first, *others = (
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        say("  ".join([first, *others]))


def shown(number: float) -> str:
    """A number with as many digits as say something."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"
