"""The random stream is what its description says, face by face."""

import hmac as standard_hmac

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.core.stream import ALGORITHM, Stream
from tests.core import plain_stream

SEEDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=128)
ROLLS = st.lists(st.tuples(st.integers(0, 70), st.integers(2, 256)), max_size=8)


def drawn(seed: str, rolls: list[tuple[int, int]]) -> list[int]:
    stream = Stream(seed)
    return [face for count, sides in rolls for face in stream.faces(count, sides)]


@given(SEEDS, ROLLS)
@example("a", [(33, 129)])
@example("ё" * 128, [(1, 256), (31, 2), (1, 3), (64, 255)])
@settings(max_examples=200, deadline=None)
def test_faces_are_those_of_the_plain_description(seed: str, rolls: list[tuple[int, int]]) -> None:
    assert drawn(seed, rolls) == plain_stream.faces(seed, rolls)


def test_every_die_there_is() -> None:
    for sides in range(2, 257):
        assert Stream("every die").faces(80, sides) == plain_stream.faces("every die", [(80, sides)]), sides


@given(SEEDS, ROLLS)
@settings(max_examples=50, deadline=None)
def test_a_roll_is_the_same_die_by_die(seed: str, rolls: list[tuple[int, int]]) -> None:
    assert drawn(seed, rolls) == drawn(seed, [(1, sides) for count, sides in rolls for _ in range(count)])


def test_the_plain_hmac_is_hmac() -> None:
    for length in (1, 63, 64, 65, 512):
        key = bytes(range(256))[:length] * (1 + length // 256)
        assert plain_stream.hmac_sha256(key, b"dice/1/0") == standard_hmac.digest(key, b"dice/1/0", "sha256")


def test_the_hmac_of_rfc_4231() -> None:
    """Test case 2 of RFC 4231, so that the stream can be checked against a paper."""
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert plain_stream.hmac_sha256(b"Jefe", b"what do ya want for nothing?").hex() == expected


def test_the_first_bytes_of_the_stream_are_the_first_block() -> None:
    """A die of 256 sides shows every byte as it is."""
    block = standard_hmac.digest(b"table-7", b"dice/1/0", "sha256")
    assert Stream("table-7").faces(32, 256) == [byte + 1 for byte in block]


def test_a_skipped_byte_is_consumed() -> None:
    block = list(standard_hmac.digest(b"seed 4", b"dice/1/0", "sha256"))
    at = next(index for index, byte in enumerate(block) if byte >= 252)
    stream = Stream("seed 4")
    stream.faces(at, 256)
    assert stream.faces(2, 6) == [block[at + 1] % 6 + 1, block[at + 2] % 6 + 1]


@pytest.mark.parametrize("sides", [-1, 0, 1, 257])
def test_no_die_with_fewer_than_2_or_more_than_256_sides(sides: int) -> None:
    with pytest.raises(ValueError, match="2 to 256"):
        Stream("a").faces(1, sides)


def test_no_dice_take_nothing() -> None:
    stream = Stream("a")
    assert stream.faces(0, 6) == []
    assert stream.faces(3, 6) == Stream("a").faces(3, 6)


def test_the_name_is_that_of_the_contract() -> None:
    assert ALGORITHM == "hmac-sha256-v1"
