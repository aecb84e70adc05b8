"""Records as JSON: written in one spelling, read fast, or with the reason why it is none."""

import json
import re
from typing import Any

import msgspec

from evaluator.formats.paths import shown
from evaluator.formats.record import MAX_RECORD_BYTES, RECORD_VERSION, Record, left_out
from evaluator.formats.schema import finite, read_json

_decode = msgspec.json.Decoder(Record).decode
_encode = msgspec.json.Encoder(order="sorted").encode
_encode_unsorted = msgspec.json.Encoder().encode
_EXPONENT = re.compile(rb'(?<=": )-?[0-9.]+e[-+][0-9]+(?=,?\n)')
"""A number with an exponent, which Python and msgspec spell differently, as the end of a line."""


def to_json(record: Record) -> bytes:
    """Canonical form: sorted keys, two blanks, a final newline. Raises ValueError."""
    # Parts that were made and not read have not been checked yet, and hold whole numbers as such.
    data = msgspec.to_builtins(msgspec.convert(msgspec.to_builtins(record), Record))
    text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def from_json(content: bytes) -> Record:
    """Read a record. Raises ValueError with the first reason why it is none."""
    record = read_fast(content)
    return read_strictly(content) if record is None else record


def read_fast(content: bytes) -> Record | None:
    """Read a record as pullbench writes them; None says that one has to look.

    A fifth of the time of the reader that names what is wrong. The decoder checks everything but
    doubled keys, of which it takes the last.
    """
    if len(content) > MAX_RECORD_BYTES:
        return None
    before = next(left_out)
    try:
        record = _decode(content)
    except (ValueError, RecursionError):
        return None
    if next(left_out) != before + 1:
        return None
    return record if _holds_no_more(content, record) or _is_as_written(content, record) else None


def _holds_no_more(content: bytes, record: Record) -> bool:
    """Whether no key is doubled, told by the number of quotation marks.

    What was read has two for each key and text, and those that are escaped. Whatever else is
    there, a key that is doubled or whose value is null, brings more; and nothing brings less,
    since no key of canonical form is left out, but a mark in another spelling. False says that one
    has to look.
    """
    marks = _encode_unsorted(record).count(b'"')
    return marks == content.count(b'"') and b"\\u0022" not in content


def _is_as_written(content: bytes, record: Record) -> bool:
    """Whether writing a record again gives the same bytes, which no doubled key survives."""
    again = msgspec.json.format(_encode(record), indent=2) + b"\n"
    return again == content or again == _EXPONENT.sub(_as_encoded, content)


def _as_encoded(number: re.Match[bytes]) -> bytes:
    return msgspec.json.encode(float(number[0]))


def read_strictly(content: bytes) -> Record:
    """Read a record in any spelling. Raises ValueError with the first reason why it is none."""
    data = read_json(content, max_bytes=MAX_RECORD_BYTES)
    if isinstance(data, dict) and data.get("version") != RECORD_VERSION:
        raise ValueError(
            f"has record version {data.get('version')!r}; this pullbench reads {RECORD_VERSION}"
        )
    try:
        return msgspec.convert(data, Record)
    except (msgspec.ValidationError, RecursionError) as error:
        message, _, place = str(error).partition(" - at `$")
        place = place.strip("`.")
        if "[...]" in place:
            place = place.replace("[...]", f".{_wrong_number(data)}")
        raise ValueError(f"is not a record: {f'{place}: ' if place else ''}{message}") from None


def _wrong_number(data: dict[str, Any]) -> str:
    """Return the key of the first score that is no number, which msgspec does not name."""
    return next(
        (
            shown(key)
            for part in ("scores", "extra")
            if isinstance(values := data.get(part), dict)
            for key, value in values.items()
            if finite(value) is None
        ),
        "...",
    )


def is_settled(content: bytes, score_key: str) -> bool:
    """Whether a record in canonical form is of that key, and no platform fault, at a glance."""
    return settled_key(content) == score_key


_SCORE_KEY = b'\n    "score": "'


def settled_key(content: bytes) -> str | None:
    """Score key of a record in canonical form that is no platform fault, at a glance.

    It is asked of 200,000 records, so it reads none of them. In canonical form a line cannot begin
    so elsewhere: text holds no line ends, and of its neighbours at that depth none is text under
    that name. None says that one has to look.
    """
    start = content.find(_SCORE_KEY) + len(_SCORE_KEY)
    end = start + 64
    if (
        start < len(_SCORE_KEY)
        or content[end : end + 1] != b'"'
        or not content.endswith(b"}\n")
        or b'\n    "actor": "platform"' in content
    ):
        return None
    return content[start:end].decode("ascii", "replace")
