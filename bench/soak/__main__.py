"""`./dev load`: a load like that of many tables on a service that is started for it, and what came of it.

It asks nobody but this machine, and exits with 1 when anything was not as it should be.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import uvloop

from bench.processes import DidNotStart
from bench.soak import report
from bench.soak.incidents import What
from bench.soak.overload import overload
from bench.soak.run import Plan, running, soak
from service.gate.addresses import is_loopback

MOST_MINUTES = 120.0
MOST_USERS = 512
MOST_STREAMS = 4_000
MOST_COMBATANTS = 100
MOST_WORKERS = 64
MOST_A_SECOND = 1_000_000.0


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; 0 when nothing failed."""
    given = _parser().parse_args(arguments)
    plan, status = _plan(given), 1
    try:
        status = _overload(plan, given.json) if given.overload else _soak(plan, given.json)
    except* DidNotStart as errors:  # of a store that is started again, among what the users meet then
        for error in errors.exceptions:
            sys.stderr.write(f"load: {error}\n")
    return status


def _soak(plan: Plan, file: Path | None) -> int:
    with running(plan.host, plan.workers) as there:
        told = uvloop.run(soak(plan, there))
    report.show(told)
    if file is not None:
        report.write(file, told)
    return 1 if told.failures else 0


def _overload(plan: Plan, file: Path | None) -> int:
    sides, failed = overload(plan)
    report.show_overload(sides, failed)
    if file is not None:
        report.write_overload(file, sides, failed)
    return 1 if failed else 0


def _plan(given: argparse.Namespace) -> Plan:
    happens = {What.WORKER_KILL: given.worker_kill, What.STORE_RESTART: given.store_restart}
    return Plan(
        seconds=given.minutes * 60,
        host=given.host,
        workers=given.workers,
        users=given.users,
        combatants=given.combatants,
        share=given.share,
        rate=given.rate,
        incidents=tuple(what for what, wanted in happens.items() if wanted),
        streams=given.streams,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev load", description=__doc__)
    usual = Plan()
    parser.add_argument("--minutes", type=_up_to(MOST_MINUTES), default=usual.seconds / 60, help="how long (5)")
    parser.add_argument(
        "--workers", type=_whole(1, MOST_WORKERS), default=usual.workers, help="the service's workers (2)"
    )
    parser.add_argument("--users", type=_whole(1, MOST_USERS), default=usual.users, help="how many users (48)")
    parser.add_argument("--combatants", type=_whole(2, MOST_COMBATANTS), default=2, help="in each fight (2)")
    parser.add_argument("--share", type=_up_to(1.0), default=usual.share, help="of what is possible (0.65)")
    parser.add_argument(
        "--rate", type=_up_to(MOST_A_SECOND), help="requests a second instead of a share of what is possible"
    )
    parser.add_argument("--streams", type=_whole(0, MOST_STREAMS), default=usual.streams, help="to hold open (1000)")
    parser.add_argument("--host", type=_loopback, default=usual.host, help="an address of the loopback (127.0.0.1)")
    parser.add_argument("--store-restart", action="store_true", help="kill the store in the middle, and start it again")
    parser.add_argument("--worker-kill", action="store_true", help="kill a worker in the middle")
    parser.add_argument("--overload", action="store_true", help="offer more than can be answered, instead of the rest")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write it there too")
    return parser


def _loopback(host: str) -> str:
    if not is_loopback(host):
        raise argparse.ArgumentTypeError(f"{host} is not an address of the loopback, and nobody else is loaded")
    return host


def _up_to(most: float) -> Callable[[str], float]:
    def read(value: str) -> float:
        number = float(value)
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"more than 0 and at most {most:g}")
        return number

    return read


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        number = int(value)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}")
        return number

    return read


if __name__ == "__main__":
    sys.exit(main())
