"""Scores files: one spelling, lines that stand for cells, and a reader that hostile input meets."""

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Attachment, Earlier, Granted, Reason, Record, Step
from evaluator.core.formats.record_lines import (
    decode_logs,
    encode_logs,
    file_of,
    from_json,
    records_of,
    to_json,
    without_logs,
)
from evaluator.core.formats.scores_file import (
    ScoresFile,
    _read_strictly,
    decode,
    encode,
    merged,
    of_lines,
)
from tests.records import NAME, failed, make_record

EARLIER = Earlier(score_key="1" * 64, scores={"score": 0.1}, finished="2026")
STEP = Step(step="ingestion", wall_seconds=1.5, cpu_seconds=0.5, peak_memory=2**33, exit_code=137,
            gpus=["NVIDIA H200"], granted=Granted(cpus=2.0, memory=2**30), less="2 of 4 cores",
            log='{"loss": 0.5}\n\\"\u2028\x00\x7f 1e-05')  # fmt: skip


def of(task: str, record: Record, repeat: int | None = None) -> Record:
    cell = msgspec.structs.replace(NAME, task=task, repeat=repeat)
    parts = {**record.keys.parts, "repeat": str(repeat or 0)}
    return record.replace(cell=cell, keys=record.keys.replace(parts=parts))


RECORDS = [
    of("one", make_record()),
    of("two", make_record(scores={"score": 1e-05, "a": -0.0, "b": 1e300, "c": 1.5e-7, "d": 1e16})),
    of("three", make_record().replace(
        steps=[STEP], extra={'": 1e-05,\n': 1.0}, earlier=[EARLIER, EARLIER],
        sealed="c2VjcmV0", tries=2, id="3" * 64,
        attachments=dict.fromkeys(("html", "samples.gz"), Attachment(sha256="2" * 64, bytes=10)),
    ), 0),
    of("three", failed(make_record(), Actor.PARTICIPANT, Reason.EXITED), 1),
]  # fmt: skip
WHOLE = encode(file_of(RECORDS))
CONTENTS = [WHOLE, *map(to_json, RECORDS)]
HOSTILE = [
    b"NaN", b"-Infinity", b"1e999", b"true", b"null", b"[]", b"{}", b'""', b"-0", b"1.", b"01",
    b"9" * 300, b"1e308", b"9" * 400, b"9" * 5000,
    b"18446744073709551616", b'"\\ud800"', b'"\xff"', b'"\x01"', b"[[[[",
    b'{"a": 1, "a": 1}', b'"1.0"', b"1E5", b"0.10", b"1e-5", b"0x1", b"'a'", b"/**/1",
    b"\xef\xbb\xbf", b'"task":"one",',
]  # fmt: skip


def strictly(content: bytes) -> ScoresFile | None:
    try:
        return _read_strictly(content)
    except ValueError:
        return None


def agrees(content: bytes) -> None:
    """What is read at once is what the reader that names faults reads."""
    strict = strictly(content)
    try:
        file = decode(content)
    except ValueError:
        assert strict is None
    else:  # As written, for 0.0 and -0.0 are equal.
        assert strict is not None and encode(file) == encode(strict)


@pytest.mark.parametrize("content", CONTENTS)
def test_canonical_bytes(content: bytes) -> None:
    assert encode(decode(content)) == content
    assert strictly(content) == decode(content)


def test_every_kind_of_cell_comes_back() -> None:
    expected = sorted(RECORDS, key=lambda one: (one.cell.task, one.cell.repeat or 0))
    assert list(records_of(decode(WHOLE))) == list(map(without_logs, expected))
    for record in RECORDS:
        assert from_json(to_json(record)) == record


def test_a_line_for_each_cell_and_what_they_share_once() -> None:
    same = [of(f"task-{number}", make_record()) for number in range(9)]
    content = encode(file_of(same))
    assert content.count(b'\n{"task":') == 9
    assert content.count(b"a processor") == 1
    before, after = content.split(b"\n"), encode(file_of(same[:4] + same[5:])).split(b"\n")
    assert [line for line in before if line not in after] == [before[-8]]


def test_a_union_of_two_files_is_a_union_of_their_lines() -> None:
    one, other = file_of(RECORDS[:2]), file_of(RECORDS[2:])
    both = merged(one, other)
    assert encode(both) == WHOLE
    assert merged(both, other) == both
    part = of_lines(both, both.runs, both.cells[:1])
    assert decode(encode(part)).cells == both.cells[:1]
    newer = of("one", make_record(scores={"score": 0.75}))
    assert next(records_of(merged(one, file_of([newer])))).scores == {"score": 0.75}


def test_logs_stand_in_a_file_of_their_own() -> None:
    logs = {"one": {"scoring": "fine\n"}, "two.0": {"ingestion": "", "scoring": "x"}}
    content = encode_logs(logs)  # type: ignore[arg-type]
    assert content is not None and decode_logs(content) == logs
    assert encode_logs({"one": {}}) is None
    assert STEP.log.encode()[:5] not in WHOLE
    with pytest.raises(ValueError, match="not a file of logs"):
        decode_logs(b'{"version": 2, "logs": {"one": {"sideways": "x"}}}')


@given(
    st.sampled_from(CONTENTS), st.integers(0, 2**16), st.integers(0, 3000),
    st.sampled_from(HOSTILE) | st.binary(max_size=8),
)  # fmt: skip
def test_bytes_changed(content: bytes, at: int, length: int, new: bytes) -> None:
    at %= len(content)
    agrees(content[:at] + new + content[at + length % 8 :])


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
    agrees(_doubled(json.loads(content), random.Random(seed)).encode())  # noqa: S311


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d["cells"][0]["scores"].update(score=True),
            r"cells\[0\].scores.score \('one'\): Expected `float`",
        ),
        (
            lambda d: d["cells"][0]["scores"].update(score="0.5"),
            r"\.scores\.score.*`float`, got `str`",
        ),
        (lambda d: d["cells"][0]["scores"].update(score=10**400), "scores.score"),
        (lambda d: d["cells"][0].update(more=1), "more"),
        (lambda d: next(iter(d["runs"].values())).update(more=1), "more"),
        (lambda d: next(iter(d["runs"].values())).update(cpu="x"), "not the name of what it"),
        (lambda d: d["cells"][0]["scoring"].__setitem__(0, -1.0), r"scoring\[0\]"),
        (lambda d: d["cells"][0]["scoring"].__setitem__(3, True), r"scoring\[3\]"),
        (lambda d: d["cells"][0]["scoring"].append(1), "scoring"),
        (lambda d: d["cells"][0].update(key="A" * 64), r"cells\[0\]\.key \('one'\)"),
        (lambda d: d["cells"][0].update(key="a" * 64 + "\n"), r"cells\[0\]\.key \('one'\)"),
        (lambda d: d["cells"][0].update(run="0" * 8), r"cells\[0\]\.run: there is no 00000000"),
        (lambda d: d["cells"][0].update(started="yesterday"), "started"),
        (lambda d: d["cells"][0].update(started="9999-12-31T00:00:00Z"), "after the year"),
        (lambda d: d["cells"].append(d["cells"][-1]), "'one' is there twice"),
        (lambda d: d["cells"].insert(0, {**d["cells"][0], "task": "z"}), "comes after"),
        (lambda d: d["cells"].clear(), "cells"),
        (lambda d: d.pop("version"), "version None"),
        (lambda d: d.update(version=1), "version 1; this pullbench reads 2"),
        (lambda d: d.update(version=True), "version"),
        (lambda d: d.pop("phase"), "phase"),
    ],
)
def test_a_fault_is_named_with_its_key(change: Change, message: str) -> None:
    data = json.loads(to_json(RECORDS[0]))
    change(data)
    with pytest.raises(ValueError, match=message):
        decode(json.dumps(data).encode())


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + WHOLE,
        WHOLE.replace(b"\n", b"\r\n"),
        WHOLE.rstrip(),
        json.dumps(json.loads(WHOLE), indent=2).encode(),
        WHOLE.replace(b'"default"', b'"\\u0064efault"'),
    ],
)
def test_other_spellings_are_read_as_well(content: bytes) -> None:
    assert encode(decode(content)) == WHOLE


def test_half_a_character_is_refused() -> None:
    content = to_json(RECORDS[3]).replace(b"it broke", b"\\ud800")
    with pytest.raises(ValueError, match="text that is none"):
        decode(content)


def test_too_deep_is_refused() -> None:
    for content in (b"[" * 100_000, b'{"cells": ' * 100_000):
        with pytest.raises(ValueError):
            decode(content)


@example(b'{"version": 2}')
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_at_all(content: bytes) -> None:
    agrees(content)
