"""What came of a run, as tables for people and as JSON."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from bench.soak.overload import Shed
from bench.soak.run import Told
from bench.soak.samples import RULE, Series
from bench.soak.sizes import Sizes
from bench.soak.tally import Came, Kind
from bench.table import say, shown, table

MEBIBYTE = 1 << 20
PARTS = (0.5, 0.95, 0.99, 1.0)


def show(told: Told) -> None:
    """Print it."""
    found = f", {told.rate / told.capacity:.0%} of {told.capacity:,.0f}" if told.capacity else ""
    aimed = f"aimed at {told.rate:,.0f}{found}"
    say(f"{told.requests:,} requests in {told.seconds:.0f} s, {told.requests / told.seconds:,.0f} a second ({aimed})")
    say(f"{told.fights:,} fights were played to their end and looked through, with {told.events:,} events.")
    columns = ("", "all", *(each.value for each in Came), "p50 ms", "p95 ms", "p99 ms", "most ms")
    table("Requests", columns, [_kind(name, kind) for name, kind in sorted(told.kinds.items())])
    columns = ("", "MiB, 2nd fifth", "MiB, last", "files, 2nd", "files, last", "cores", "verdict")
    table(f"Processes ({RULE})", columns, [_process(each) for each in told.processes])
    columns = ("bytes of the store's memory", "fights", "events each", "record", "event", "answer with a key")
    rows = [_sizes(system, sizes) for system, sizes in sorted(told.in_store.by_system.items())]
    table(f"Store: {told.in_store.used / MEBIBYTE:,.1f} MiB for {told.in_store.records:,} fights", columns, rows)
    if told.streams is not None:
        each, all_of_them = told.streams.bytes_each / 1024, told.streams.all_milliseconds
        say()
        say(
            f"{told.streams.streams:,} open streams: {each:,.1f} KiB each; all had an event within {all_of_them:,.0f} ms."
        )
    _show_failures(told.failures, told.failed)


def show_overload(sides: Mapping[str, Shed], failed: list[str]) -> None:
    """Print what came of offering too much."""
    columns = (
        "",
        "offered/s",
        "answered/s",
        "refused/s",
        "answered p50 ms",
        "p99 ms",
        "refused p99 ms",
        "newcomer p99 ms",
    )
    rows = [
        [
            name,
            shown(each.offered),
            shown(each.answered),
            shown(each.refused),
            *(shown(value) for value in (each.p50, each.p99, each.refused_p99, each.newcomer_p99)),
        ]
        for name, each in sides.items()
    ]
    table("Batches of 20, more of them than one worker can take", columns, rows)
    _show_failures(len(failed), failed)


def write(file: Path, told: Told) -> None:
    """Write it as JSON."""
    whole = asdict(told) | {"kinds": {name: _as_json(kind) for name, kind in told.kinds.items()}}
    _write(file, whole)


def write_overload(file: Path, sides: Mapping[str, Shed], failed: list[str]) -> None:
    """The same of offering too much."""
    _write(file, {"sides": {name: asdict(each) for name, each in sides.items()}, "failed": failed})


def _write(file: Path, whole: dict[str, Any]) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")


def _show_failures(failures: int, failed: list[str]) -> None:
    say()
    for each in failed:
        say(f"not as it should be: {each}")
    say(f"{failures} failures" if failures else "nothing failed")


def _kind(name: str, kind: Kind) -> list[str]:
    counts = [f"{kind.all:,}", *(f"{kind.came[each]:,}" for each in Came)]
    return [name, *counts, *(shown(kind.milliseconds(part)) for part in PARTS)]


def _process(series: Series) -> list[str]:
    memory, files = series.fifths(series.memory), series.fifths(series.files)
    verdict = {True: "flat", False: "grows", None: "too short to say"}[series.flat]
    told = [*(f"{each / MEBIBYTE:,.1f}" for each in memory), *(f"{each:,.0f}" for each in files)]
    return [series.name, *told, f"{series.cores:.2f}", verdict]


def _sizes(system: str, sizes: Sizes) -> list[str]:
    shares = (sizes.record, sizes.event, sizes.answer)
    return [system, str(sizes.fights), f"{sizes.events:.0f}", *(f"{each:,.0f}" for each in shares)]


def _as_json(kind: Kind) -> dict[str, Any]:
    names = ("p50_ms", "p95_ms", "p99_ms", "most_ms")
    return {"came": kind.came, **{name: kind.milliseconds(part) for name, part in zip(names, PARTS, strict=True)}}
