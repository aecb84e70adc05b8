"""The one door of JSON and TOML from outside: bounded, and with an error of its own."""

import time
import tracemalloc

import msgspec
import pytest

from evaluator.core.formats.json_reader import (
    MAX_DEPTH,
    MAX_VALUES,
    UnreadableError,
    form_reader,
    read_json,
)
from evaluator.core.formats.settings import read_toml


class Row(msgspec.Struct):
    """Ignores keys that it does not know."""

    name: str = ""


read_row = form_reader(Row, max_bytes=2**25)
DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"other": %b}' % DEEP, "nested too deeply"),
        (b'{"name": "\xff"}', "UTF-8"),
        (b'{"name": "a', "not valid JSON|truncated"),
        (b"[%b]" % (b"0," * MAX_VALUES + b"0"), "holds more than 2,000,000 values"),
        (b'"%b"' % (b"x" * 2**25), "at most 33,554,432 are read"),
    ],
)
def test_whatever_cannot_be_read_gives_the_same_error(content: bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_json(content, max_bytes=2**25)
    with pytest.raises(UnreadableError, match=message):
        read_row(content)


def test_toml_that_is_nested_too_deeply_gives_the_same_error() -> None:
    with pytest.raises(UnreadableError, match="nested too deeply"):
        read_toml(b"a = " + DEEP)
    with pytest.raises(UnreadableError, match="not valid TOML"):
        read_toml(b"a = \xff")


def test_what_is_read_can_be_walked() -> None:
    """Whoever reads it recurses, perhaps from a deeper stack than the parser's."""
    with pytest.raises(UnreadableError, match="nested too deeply"):
        read_json(DEEP, max_bytes=2**20)
    deep = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert read_json(deep, max_bytes=2**20) is not None
    with pytest.raises(UnreadableError, match="nested too deeply"):
        read_json(b'{"a": %b}' % deep, max_bytes=2**20)


def test_signs_within_texts_are_no_values() -> None:
    text = r"[{,\"" * MAX_VALUES
    assert read_row(msgspec.json.encode({"name": text})).name == text
    # A text without an end is looked at once.
    start = time.process_time()
    with pytest.raises(UnreadableError):
        read_row(b'{"name": "' + rb"\"," * 5_000_000)
    assert time.process_time() - start < 5


def test_many_values_take_no_memory() -> None:
    tracemalloc.start()
    with pytest.raises(UnreadableError, match="more than"):
        read_json(b"[%b{}]" % (b'{"":0},' * 1_500_000), max_bytes=2**25)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**26


def test_a_doubled_key_among_many_is_found_at_once() -> None:
    pairs = ",".join(f'"{number}":0' for number in range(100_000))
    start = time.process_time()
    with pytest.raises(UnreadableError, match="the key 'last' twice"):
        read_json(f'{{{pairs},"last":1,"last":2}}'.encode(), max_bytes=2**25)
    assert time.process_time() - start < 5
