"""The random stream `hmac-sha256-v1` once more, in the plainest way: byte by byte, from its description alone.

It shares nothing with rules/core/stream.py, not even `hmac`: so that one mistake cannot stand in both.
"""

import hashlib
from collections.abc import Iterable, Iterator

HASH_BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 says it."""
    if len(key) > HASH_BLOCK:
        key = hashlib.sha256(key).digest()
    key = key + bytes(HASH_BLOCK - len(key))
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def stream_bytes(seed: str) -> Iterator[int]:
    """The blocks in order, one byte at a time, without end."""
    index = 0
    while True:
        yield from hmac_sha256(seed.encode("utf-8"), ("dice/1/" + str(index)).encode("ascii"))
        index += 1


def die(source: Iterator[int], sides: int) -> int:
    """One face; a byte that would make some faces likelier is skipped."""
    while True:
        byte = next(source)
        if byte < 256 - (256 % sides):
            return byte % sides + 1


def faces(seed: str, rolls: Iterable[tuple[int, int]]) -> list[int]:
    """The faces of several rolls, each a count of dice and their sides, from the start of a seed's stream."""
    source = stream_bytes(seed)
    return [die(source, sides) for count, sides in rolls for _ in range(count)]
