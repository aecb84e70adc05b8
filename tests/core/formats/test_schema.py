import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.core.errors import Actor
from evaluator.core.formats.json_reader import finite, read_json
from evaluator.core.formats.schema import MAX_BYTES, Document, dotted, read_yaml


def read(content: str | bytes) -> Document:
    raw = content.encode() if isinstance(content, str) else content
    return read_yaml(raw, "a.yaml", Actor.ORGANISER)


def only_problem(content: str | bytes) -> str:
    document = read(content)
    assert len(document.problems) == 1, document.problems
    return str(document.problems[0])


def test_lines_of_keys() -> None:
    document = read("a: 1\nb:\n  - c: x\n    d: [1,\n      2]\n")
    assert document.data == {"a": 1, "b": [{"c": "x", "d": [1, 2]}]}
    assert document.lines["b", 0, "d"] == 4
    assert document.lines["b", 0, "d", 1] == 5
    assert not document.problems


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbfa: 1\nb: x\n", b"a: 1\r\nb: x\r\n", b"---\na: 1\nb: x\n...\n"],
    ids=["byte order mark", "CRLF", "markers"],
)
def test_other_ways_to_write_the_same(content: bytes) -> None:
    document = read(content)
    assert document.data == {"a": 1, "b": "x"}
    assert document.lines["b",] in {2, 3}


def test_doubled_keys_are_each_named_with_their_line() -> None:
    document = read("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert [(problem.key, problem.line) for problem in document.problems] == [("b.c", 2), ("a", 3)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: !!python/object/apply:os.system [id]\n", "carries the tag"),
        ("a: !secret x\n", "carries the tag '!secret'"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "merge key"),
        ("? [a, b]\n: 1\n", "has a key that is not a plain value"),
        ("a: 1\n---\nb: 2\n", "expected a single document"),
        ("- a\n- b\n", "must hold keys and values"),
        ("just text\n", "must hold keys and values"),
        ("", "must hold keys and values"),
        ("a: 2026-02-31\n", "cannot be read"),
        ("a: *nobody\n", "undefined alias"),
        ("a: &a [*a]\n", "nested"),
        ("a:\n\tb: 1\n", "YAML indents with spaces"),
        ("a: b: c\n", "needs quotes"),
        (b"a: \xff\xfe\n", "is not UTF-8: byte 3"),
        ("a: 1\x00\n", "not valid YAML"),
        ("a: '" + "x" * MAX_BYTES + "'\n", "bytes; at most"),
    ],
)
def test_refused_by_name(content: str | bytes, message: str) -> None:
    assert message in only_problem(content)


def test_alias_bomb() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "anchors" in only_problem("\n".join(lines))


@pytest.mark.parametrize(
    "content", ["[" * 100_000, "{a: " * 100_000, "a: " + "[" * 100_000, "- " * 100_000],
    ids=["lists", "mappings", "below a key", "dashes"],
)  # fmt: skip
def test_deep_nesting_does_not_crash(content: str) -> None:
    assert "nested" in only_problem(content)


def test_nesting_that_is_deep_but_small() -> None:
    assert "nested more than" in only_problem("a: " + "[" * 60 + "]" * 60)
    assert not read("a: " + "[" * 40 + "]" * 40).problems


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_data_or_problems(content: bytes) -> None:
    document = read(content)
    assert document.problems or isinstance(document.data, dict)


@given(st.text(alphabet="ab:-?[]{}&*!<>|'\"#%@ \n\t,012.", max_size=120))
@settings(max_examples=500, deadline=None)
def test_any_yaml_like_text_gives_data_or_problems(content: str) -> None:
    document = read(content)
    assert document.problems or isinstance(document.data, dict)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1, "a": 2}', "key 'a' twice"),
        (b'{"a": NaN}', "holds NaN"),
        (b'{"a": -Infinity}', "holds -Infinity"),
        (b'{"a": 1', "not valid JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"' + b"x" * 200 + b'"', "at most 100"),
    ],
)
def test_json_refused_by_name(content: bytes, message: str) -> None:
    size = 100 if len(content) == 202 else 2**20
    with pytest.raises(ValueError, match=message):
        read_json(content, max_bytes=size)


@given(st.binary(max_size=200))
def test_any_bytes_give_json_or_a_reason(content: bytes) -> None:
    try:
        value = read_json(content, max_bytes=1000)
    except ValueError:
        return
    json.dumps(value)


@pytest.mark.parametrize("value", [True, "1", None, [1], float("nan"), float("inf"), 10**400])
def test_not_a_score(value: object) -> None:
    assert finite(value) is None


def test_finite() -> None:
    assert finite(3) == 3.0
    assert finite(-0.5) == -0.5


def test_dotted() -> None:
    assert dotted(("phases", 0, "start")) == "phases[0].start"
    assert dotted(("a\x1b[31m",)) == "a\\x1b[31m"
