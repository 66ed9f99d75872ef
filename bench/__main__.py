"""`python -m bench`: what the service and its rules take, beside something that everyone can compare with.

One run, sides in turn; it prints tables and writes nothing.
"""

import argparse
import sys

from bench import dice, encounters, guards, odds, over_http, process

ITEMS = {
    "http": over_http.run,
    "guards": guards.run,
    "process": process.run,
    "odds": odds.run,
    "dice": dice.run,
    "encounters": encounters.run,
}


def main() -> int:
    """Run the items that were asked for."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: seconds instead of minutes")
    parser.add_argument("items", nargs="*", metavar="ITEM", help=f"only these of {', '.join(ITEMS)}")
    arguments = parser.parse_args()
    unknown = [item for item in arguments.items if item not in ITEMS]
    if unknown:
        parser.error(f"there is no {unknown[0]}")
    for name in arguments.items or ITEMS:
        ITEMS[name](quick=arguments.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
