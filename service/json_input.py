"""Reading JSON that anybody may have sent: what is not JSON is told apart from what is JSON and still no good."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from service.faults import Fault, InvalidJson, Malformations

WHOLE_BELOW = 1e18
"""From here on a number with a point or an exponent stays a float: 1e308 in five bytes would become an int of 309 digits."""
MOST_FAULTS = 100
LONGEST_KEY = 128
"""What lies below a longer key is told as being wrong with what the key stands in: pointers are as long as their keys."""


class _Object(dict[str, Any]):
    """An object in which a key stood twice."""

    repeated: str


def parse(body: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    `InvalidJson` when it is none (also NaN, Infinity, invalid UTF-8, nesting too deep to read); `Malformations`, with
    pointers, for keys that stand twice and for strings with a NUL or half a surrogate pair. A number that is whole is an
    int, however it was written, up to what anybody counts.
    """
    return _parse_quickly(body) if b"\\" not in body else _parse_carefully(body)


def _parse_quickly(body: bytes) -> Any:
    """The value if all is well; otherwise the careful reader says what is not.

    A key that stood twice is read once, so that fewer quotation marks are written again than were read.
    """
    try:
        value = _decode(body)
        if _encode(value).count(b'"') == body.count(b'"'):
            return value
    except (msgspec.DecodeError, OverflowError, RecursionError):
        pass
    return _parse_carefully(body)


def _parse_carefully(body: bytes) -> Any:
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson("utf8", position=error.start) from None
    faults: list[str] = []
    value = _load(text, faults)
    if faults or "\\u" in text:
        _refuse_unusable(value)
    return value


def _load(text: str, faults: list[str]) -> Any:
    def unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        times = Counter(key for key, _ in pairs)
        marked = _Object(found)
        marked.repeated = next(key for key in times if times[key] > 1)
        faults.append(marked.repeated)
        return marked

    def load(parse_int: Any = None) -> Any:
        return json.loads(
            text,
            object_pairs_hook=unique_object,
            parse_float=_number,
            parse_constant=_refuse_constant,
            parse_int=parse_int,
        )

    try:
        try:
            return load()
        except json.JSONDecodeError:
            raise
        except ValueError:
            return load(_huge_or_int)
    except json.JSONDecodeError as error:
        raise InvalidJson("syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InvalidJson("nesting") from None


def _number(literal: str) -> int | float:
    value = float(literal)
    return int(value) if value.is_integer() and abs(value) < WHOLE_BELOW else value


_decode = msgspec.json.Decoder(float_hook=_number).decode
_encode = msgspec.json.Encoder().encode


def _huge_or_int(literal: str) -> int | float:
    try:
        return int(literal)
    except ValueError:
        return -math.inf if literal.startswith("-") else math.inf


def _refuse_constant(literal: str) -> None:
    raise InvalidJson("constant", literal=literal)


class _Place(NamedTuple):
    """Where a value stands: a key or an index in what stands at another place. Most never have to be written down."""

    within: "_Place | None"
    part: str | int


def _refuse_unusable(value: Any) -> None:
    found: list[Fault] = []
    pending: list[tuple[_Place | None, Any]] = [(None, value)]
    while pending and len(found) < MOST_FAULTS:
        place, each = pending.pop()
        if isinstance(each, str):
            code = _unusable_text(each)
            if code:
                found.append(Fault(_pointer(place), code, {}))
        elif isinstance(each, dict):
            if isinstance(each, _Object):
                found.append(Fault(_pointer(place), "duplicate_key", {"key": printable(each.repeated)}))
            for key, inner in each.items():
                if _unusable_text(key):
                    found.append(Fault(_pointer(place), "unusable_key", {"key": printable(key)}))
                else:
                    pending.append((_Place(place, key), inner))
        elif isinstance(each, list):
            pending.extend((_Place(place, index), inner) for index, inner in enumerate(each))
    if found:
        raise Malformations(sorted(found, key=lambda fault: fault.pointer)[:MOST_FAULTS])


def _pointer(place: _Place | None) -> str:
    parts: list[str | int] = []
    while place is not None:
        parts.append(place.part)
        place = place.within
    return pointer_to(reversed(parts))


def pointer_to(parts: Iterable[str | int]) -> str:
    """The JSON pointer of a place, as a URI fragment; of what encloses it, from a key on that is too long to be any of ours."""
    pointer = "#"
    for part in parts:
        if isinstance(part, str) and len(part) > LONGEST_KEY:
            break
        pointer += f"/{str(part).replace('~', '~0').replace('/', '~1')}"
    return pointer


def _unusable_text(text: str) -> str:
    if "\0" in text:
        return "nul"
    return "surrogate" if any("\ud800" <= character <= "\udfff" for character in text) else ""


def printable(text: str) -> str:
    """A text that came from outside, cut short and safe to be written as UTF-8."""
    return text[:80].encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
