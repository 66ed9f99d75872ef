"""The random stream `hmac-sha256-v1`: a seed's dice, which anyone can recompute with a standard library."""

import hmac
from functools import lru_cache

ALGORITHM = "hmac-sha256-v1"
MAX_SIDES = 256


@lru_cache(maxsize=256)
def _translation(sides: int) -> tuple[bytes, bytes]:
    """The table from a byte to its face less one (face 256 is no byte), and the bytes that are skipped."""
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 2 to {MAX_SIDES} sides, not {sides}")
    kept = 256 - 256 % sides
    return bytes(byte % sides for byte in range(256)), bytes(range(kept, 256))


class Stream:
    """Faces drawn from a seed.

    Block *i* is HMAC-SHA-256(key = the seed in UTF-8, message = ASCII `dice/1/` and *i* in decimal); the stream is the
    blocks in order. A die of *s* sides takes bytes, skips those at or over 256 − (256 mod *s*) and shows byte mod *s* + 1.
    """

    __slots__ = ("_block", "_buffer", "_key", "_position")

    def __init__(self, seed: str) -> None:
        self._key = seed.encode()
        self._block = 0
        self._buffer = b""
        self._position = 0

    def faces(self, count: int, sides: int) -> list[int]:
        """The next `count` faces (0 or more) of dice with 2 to 256 sides."""
        table, skipped = _translation(sides)
        drawn = self._bytes(count).translate(table, skipped)
        while (missing := count - len(drawn)) > 0:
            drawn += self._bytes(missing).translate(table, skipped)
        return [face + 1 for face in drawn]

    def _bytes(self, count: int) -> bytes:
        end = self._position + count
        while len(self._buffer) < end:
            self._buffer += hmac.digest(self._key, b"dice/1/%d" % self._block, "sha256")
            self._block += 1
        taken = self._buffer[self._position : end]
        self._position = end
        return taken
