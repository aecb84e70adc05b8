"""Honest files, changed as somebody would who means harm."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

HOSTILE: Sequence[Any] = (
    None, True, False, 0, -1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, -0.0,
    5e-324, "", " ", "\x00", "\ud800", "\u202e", "\x1b[2J", "::error::x", "javascript:alert(1)",
    "../../etc/passwd", "a" * 5000, "9" * 5000, "NaN", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "__proto__", [], [[]], {}, {"": {}}, [None] * 100, {"a": [{"a": 1}]},
)  # fmt: skip
RAW: Sequence[bytes] = (
    b"", b"\x00", b"{", b"[]", b"null", b"NaN", b"1e999999", b'{"a":1,"a":2}', b"[" * 100_000,
    b"9" * 100_000, b"\xff\xfe{\x00}\x00", b"\xef\xbb\xbf{}",
    b"age-encryption.org/v1\n-> X25519 A\n",
)  # fmt: skip
NAMES: Sequence[str] = (
    "main.json", "main.json.age", "main.logs.json", "main.json.age.age", ".json", "ma\nin.json",
    "ma\u202ein.json", "m" * 250 + ".json", "main.\udcff.json", "one.00.json", "one.html",
    f"one.{9:0240}.json", "one.٣.json", "con.json", "-x.json", "main.json\x1b",
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, honest: bytes) -> bytes:
    """A file that was honest, after one to three changes."""
    content = honest
    for _ in range(draw(st.integers(1, 3))):
        content = draw(st.sampled_from([_flipped, _cut, _patched, _other, _recoded]))(draw, content)
    return content


def _flipped(draw: st.DrawFn, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(draw(st.integers(1, 4)) if changed else 0):
        changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


def _cut(draw: st.DrawFn, content: bytes) -> bytes:
    start, end = sorted(draw(st.integers(0, len(content))) for _ in range(2))
    return draw(st.sampled_from([content[:start], content[:start] + content[end:], content * 2]))


def _other(draw: st.DrawFn, content: bytes) -> bytes:
    return draw(st.sampled_from(RAW)) or content[:0]


def _recoded(draw: st.DrawFn, content: bytes) -> bytes:
    text = content.decode("latin-1")
    return text.encode(draw(st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-8-sig"])))


def _patched(draw: st.DrawFn, content: bytes) -> bytes:
    """Put a hostile value in the place of any value, or beside it, in a file of JSON."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return content
    places = list(_places(data))
    if not places:
        return content
    parent, key = draw(st.sampled_from(places))
    value = draw(st.sampled_from(HOSTILE))
    if isinstance(parent, dict) and draw(st.booleans()):
        key = draw(st.sampled_from([key, f"{key} ", "__proto__", "", "a" * 300, "one.0"]))
    parent[key] = value
    return json.dumps(data, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


def _places(data: Any) -> Any:
    pairs = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in list(pairs):
        yield data, key
        yield from _places(value)
