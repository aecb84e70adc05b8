"""The fast reader of records against the one that names what is wrong, on hostile input."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.errors import Actor
from evaluator.formats.record import (
    MAX_RECORD_BYTES,
    DetailedResults,
    Earlier,
    Reason,
    Record,
    Step,
)
from evaluator.formats.record_json import from_json, read_fast, read_strictly, to_json
from tests.records import failed, make_record

EARLIER = Earlier(score_key="1" * 64, scores={"score": 0.1}, finished="2026")
STEP = Step(step="ingestion", wall_seconds=1.5, cpu_seconds=0.5, peak_memory=2**33, exit_code=137,
            gpus=["NVIDIA H200"], log='{"loss": 0.5}\n\\"\u2028\x00\x7f 1e-05')  # fmt: skip
RECORDS = [
    make_record(),
    make_record(scores={"score": 1e-05, "a": -0.0, "b": 1e300, "c": 1.5e-7, "d": 1e16}),
    make_record().model_copy(update={
        "steps": [STEP, STEP], "extra": {'": 1e-05,\n': 1.0}, "earlier": [EARLIER, EARLIER],
        "sealed": "c2VjcmV0", "detailed_results": DetailedResults(sha256="2" * 64, bytes=10),
    }),
    failed(make_record(), Actor.PARTICIPANT, Reason.EXITED),
]  # fmt: skip
CONTENTS = [to_json(record) for record in RECORDS]
HOSTILE = [
    b"NaN", b"-Infinity", b"1e999", b"true", b"null", b"[]", b"{}", b'""', b"-0", b"1.", b"01",
    b"9" * 300, b"1e308", b"9" * 400, b"9" * 5000,
    b"18446744073709551616", b'"\\ud800"', b'"\xff"', b'"\x01"', b"[[[[",
    b'{"a": 1, "a": 1}', b'"1.0"', b"1E5", b"0.10", b"1e-5", b"0x1", b"'a'", b"/**/1",
    b"\xef\xbb\xbf",
]  # fmt: skip


def strictly(content: bytes) -> Record | None:
    try:
        return read_strictly(content)
    except ValueError:
        return None


def agrees(content: bytes) -> None:
    """What the fast reader takes the strict one reads alike; both together read what it reads."""
    fast, strict = read_fast(content), strictly(content)
    # As written, for 0.0 and -0.0 are equal.
    assert fast is None or (strict is not None and to_json(fast) == to_json(strict))
    try:
        assert from_json(content) == strict
    except ValueError:
        assert strict is None


@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_written_is_read_fast(content: bytes) -> None:
    assert read_fast(content) == strictly(content) != None  # noqa: E711


def test_doubled_keys_are_seen_behind_quotation_marks_in_another_spelling() -> None:
    """A mark that is spelled with six characters makes no room for a key that is there twice."""
    content = to_json(make_record().model_copy(update={"steps": [STEP]}))
    fewer = content.replace(b'\\"loss\\"', b"\\u0022loss\\u0022")
    doubled = fewer.replace(b'"version": 1', b'"version": 1,\n  "version": 1')
    assert doubled.count(b'"') == content.count(b'"')
    assert read_fast(content) is not None
    assert read_fast(doubled) is None
    with pytest.raises(ValueError, match=r"twice|doubled|version"):
        from_json(doubled)


@given(
    st.sampled_from(CONTENTS), st.integers(0, 2**16), st.integers(0, 3000),
    st.sampled_from(HOSTILE) | st.binary(max_size=8),
)  # fmt: skip
def test_bytes_changed(content: bytes, at: int, length: int, new: bytes) -> None:
    at %= len(content)
    agrees(content[:at] + new + content[at + length % 8 :])


@given(st.sampled_from(CONTENTS), st.integers(0, 2**16), st.sampled_from(HOSTILE))
def test_a_value_replaced(content: bytes, which: int, new: bytes) -> None:
    lines = content.split(b"\n")
    at = which % len(lines)
    key, colon, value = lines[at].partition(b'": ')
    if colon and value[-1:] not in b"{[":
        lines[at] = key + colon + new + (b"," if value.endswith(b",") else b"")
    agrees(b"\n".join(lines))


@given(st.sampled_from(CONTENTS), st.integers(0, 2**16), st.integers(0, 2**16), st.booleans())
def test_a_line_doubled_or_moved(content: bytes, which: int, to: int, doubled: bool) -> None:
    lines = content.split(b"\n")
    line = lines[which % len(lines)] if doubled else lines.pop(which % len(lines))
    lines.insert(to % len(lines), line)
    agrees(b"\n".join(lines))


def _doubled(data: dict[str, Any], chance: random.Random) -> str:
    """Write JSON in which each object may hold one of its keys twice, the true one last."""
    pairs = []
    for key, value in data.items():
        inner = _doubled(value, chance) if isinstance(value, dict) else json.dumps(value)
        if chance.random() < 0.05:
            pairs.append(f"{json.dumps(key)}: {json.dumps('other')}")
        pairs.append(f"{json.dumps(key)}: {inner}")
    return "{" + ", ".join(pairs) + "}"


@given(st.sampled_from(CONTENTS), st.integers(0, 2**32))
def test_keys_doubled_anywhere(content: bytes, seed: int) -> None:
    text = _doubled(json.loads(content), random.Random(seed))  # noqa: S311
    agrees(text.encode())
    data = json.loads(text)
    agrees((json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode())


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["scores"].update(score=True),
        lambda d: d["scores"].update(score=None),
        lambda d: d["scores"].update(score="0.5"),
        lambda d: d["scores"].update(score=10**400),
        lambda d: d["extra"].update(n=False),
        lambda d: d.update(more=1),
        lambda d: d["provenance"].update(more=1),
        lambda d: d["steps"][0].update(wall_seconds=-1.0),
        lambda d: d["steps"][0].update(exit_code=1.5),
        lambda d: d["steps"][0].update(exit_code=True),
        lambda d: d["keys"].update(score="A" * 64),
        lambda d: d["keys"].update(score="a" * 64 + "\n"),
        lambda d: d["keys"]["parts"].update(image=1),
        lambda d: d["provenance"].update(isolation="chroot"),
        lambda d: d["provenance"].pop("queue"),
        lambda d: d.pop("version"),
        lambda d: d.update(version=True),
        lambda d: d.update(version=1.0),
    ],
)
def test_each_is_refused_by_both(change: Change) -> None:
    data = json.loads(CONTENTS[0])
    change(data)
    content = (json.dumps(data, indent=2, sort_keys=True) + "\n").encode()
    assert read_fast(content) is None
    with pytest.raises(ValueError):
        from_json(content)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + CONTENTS[0],
        CONTENTS[0].replace(b"\n", b"\r\n"),
        CONTENTS[0].rstrip(),
        json.dumps(json.loads(CONTENTS[0])).encode(),
        CONTENTS[0].replace(b'"version": 1', b'"sealed": null,\n  "version": 1'),
        CONTENTS[0].replace(b'"default"', b'"\\u0064efault"'),
    ],
)
def test_other_spellings_are_read_as_well(content: bytes) -> None:
    agrees(content)
    assert from_json(content) == RECORDS[0]


def test_too_large_or_too_deep_is_refused() -> None:
    large = make_record().model_copy(update={"sealed": "x" * MAX_RECORD_BYTES})
    for content in (to_json(large), b"[" * 100_000, b'{"scores": ' * 100_000):
        assert read_fast(content) is None
        with pytest.raises(ValueError):
            from_json(content)


@example(b'{"version": 1}')
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_at_all(content: bytes) -> None:
    agrees(content)
