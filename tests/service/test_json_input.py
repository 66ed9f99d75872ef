"""JSON is read quickly where all is well, and the careful reader has the last word where it is not."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service import json_input
from service.faults import InvalidJson, Malformations

TEXTS = st.text(st.characters(codec="utf-8", min_codepoint=1), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def read_by(reader: Any, body: bytes) -> tuple[str, Any]:
    try:
        return "value", repr(reader(body))  # 1, 1.0 and True are equal, but not the same JSON
    except InvalidJson as error:
        return error.code, error.facts
    except Malformations as error:
        return "malformed", [(fault.pointer, fault.code) for fault in error.faults]


def carefully(body: bytes) -> tuple[str, Any]:
    return read_by(json_input._parse_carefully, body)


@settings(deadline=None)
@given(VALUES, st.booleans())
def test_quick_reading_gives_the_same_value(value: Any, ascii_only: bool) -> None:
    body = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert read_by(json_input.parse, body) == carefully(body)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc:,"), VALUES), max_size=5))
def test_quick_reading_does_not_overlook_a_key_that_stands_twice(pairs: list[tuple[str, Any]]) -> None:
    inside = ",".join(f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}" for key, value in pairs)
    body = f'[{{"inner":{{{inside}}}}}]'.encode()
    read = read_by(json_input.parse, body)
    assert read == carefully(body)
    assert (
        (read[0] == "value") is (len({key for key, _ in pairs}) == len(pairs))
        or "NaN" in inside
        or "Infinity" in inside
    )


@pytest.mark.parametrize(
    "body",
    [
        b"", b" ", b"[1,]", b"01", b"1.", b".5", b"-", b"NaN", b"-Infinity", b'"\x00"', b'"\x1f"', b'"\xff"', b"\xef\xbb\xbf1",
        b'"\xed\xa0\x80"', b'{"a":1}x', b"\x0c1", b"3.0", b"-0.0", b"1e400", b"1E2", b"9" * 30, b"9" * 5000, b"-" + b"9" * 5000,
        b'{"a":1,"a":1}', b'{"a":"","a":1}', b"[" * 100_000, b"[" * 500 + b"]" * 500, b'{"a":"b:c,\\"d"}', b'"\\ud800"',
    ],
)  # fmt: skip
def test_quick_reading_agrees_on_the_edges(body: bytes) -> None:
    assert read_by(json_input.parse, body) == carefully(body)
