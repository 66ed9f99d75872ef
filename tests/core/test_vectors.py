"""The published vectors are what both implementations give, and they reach what goes wrong easily."""

import json
from itertools import islice
from typing import Any

import pytest

from rules.core.stream import ALGORITHM, Stream
from tests.core import plain_stream
from tests.core.vectors import FOLDER, SIDES, vectors, written

FILES = sorted(FOLDER.glob("*.json"))
PUBLISHED: list[dict[str, Any]] = [each for file in FILES for each in json.loads(file.read_text("utf-8"))["vectors"]]


def bytes_consumed(vector: dict[str, Any]) -> int:
    """How many bytes of the stream a vector reads; more than its faces where bytes are skipped."""
    read = 0

    def counted() -> Any:
        nonlocal read
        for byte in plain_stream.stream_bytes(vector["seed"]):
            read += 1
            yield byte

    source = counted()
    for roll in vector["rolls"]:
        for _ in range(roll["count"]):
            plain_stream.die(source, roll["sides"])
    return read


def test_the_files_are_those_that_the_generator_writes() -> None:
    """Run `python -m tests.core.vectors` after a change of the list; the faces of a name never change."""
    assert {file.stem: file.read_text("utf-8") for file in FILES} == {
        name: written(named) for name, named in vectors().items()
    }


@pytest.mark.parametrize("vector", PUBLISHED, ids=lambda vector: f"{vector['name']} of {vector['seed']:.20}")
def test_the_engine_gives_the_published_faces(vector: dict[str, Any]) -> None:
    stream = Stream(vector["seed"])
    assert [face for roll in vector["rolls"] for face in stream.faces(**roll)] == vector["faces"]


def test_every_file_names_the_algorithm() -> None:
    assert {json.loads(file.read_text("utf-8"))["algorithm"] for file in FILES} == {ALGORITHM}


def test_the_vectors_cross_blocks_and_skip_bytes() -> None:
    by_sides = {each["rolls"][0]["sides"]: each for each in PUBLISHED if each["name"].startswith("dice of")}
    assert sorted(by_sides) == sorted(SIDES)
    for sides, vector in by_sides.items():
        read = bytes_consumed(vector)
        assert read > 4 * 32
        assert (read > len(vector["faces"])) == (256 % sides != 0)


def test_an_item_of_a_batch_reads_the_stream_of_seed_and_number() -> None:
    items = [each for each in PUBLISHED if "item" in each]
    assert items
    assert all(each["seed"] == f"{each['batch_seed']}/{each['item']}" for each in items)


def test_the_seeds_are_of_every_kind() -> None:
    seeds = {each["seed"] for each in PUBLISHED}
    assert {len(seed) for seed in seeds} >= {1, 128}
    assert any(seed.isascii() for seed in seeds)
    assert any("а" <= letter <= "я" for seed in seeds for letter in seed)
    assert any(ord(letter) > 0xFFFF for seed in seeds for letter in seed)


def test_no_two_seeds_start_alike() -> None:
    seeds = {each["seed"] for each in PUBLISHED}
    assert len({bytes(islice(plain_stream.stream_bytes(seed), 32)) for seed in seeds}) == len(seeds)
