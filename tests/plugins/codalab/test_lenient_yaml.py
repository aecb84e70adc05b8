"""YAML of other people: what an import reads that the strict reader refuses."""

from typing import Any

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.schema import Document, dump_yaml, read_yaml


def read(content: str | bytes, *, lenient: bool = True) -> Document:
    data = content.encode() if isinstance(content, str) else content
    return read_yaml(data, "file.yaml", Actor.ORGANISER, lenient=lenient)


@pytest.mark.parametrize(
    ("content", "data", "warning"),
    [
        ("a: 1\na: 2\n", {"a": 2}, "is there twice; the last one counts"),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}, ""),
        ("---\na: 1\t# tab\n", {"a": 1}, ""),
        (b"a: caf\xe9 \x96 x\n", {"a": "café \u2013 x"}, "Windows-1252"),
        ("a: é\n".encode("utf-16"), {"a": "é"}, "UTF-16"),
        ("\ufeffa: 1\n", {"a": 1}, ""),
        ("x: &x {a: 1}\ny: {<<: *x, b: 3}", {"x": {"a": 1}, "y": {"a": 1, "b": 3}}, ""),
        ("x: &x {a: 1}\ny: {a: 2, <<: *x}", {"x": {"a": 1}, "y": {"a": 2}}, ""),
        ("y: {<<: [{a: 1}, {a: 2, b: 2}]}\n", {"y": {"a": 1, "b": 2}}, ""),
        # 1.5: as CodaLab's dumps write every text, and numbers of Python 2.
        ("!!python/unicode 'a': !!python/unicode 'caf\\xe9'\n", {"a": "caf\\xe9"}, ""),
        ("a: !!python/str 'x'\nb: !!python/unicode '5'\n", {"a": "x", "b": "5"}, ""),
        ("a: !!python/long 5\nb: !!python/tuple [1, 2]\n", {"a": 5, "b": [1, 2]}, ""),
    ],
)  # fmt: skip
def test_read(content: str | bytes, data: dict[str, Any], warning: str) -> None:
    document = read(content)
    assert document.data == data
    assert [problem.severity for problem in document.problems] == ["warning"] * bool(warning)
    assert warning in str(document.problems)


@pytest.mark.parametrize(
    "content",
    [
        "a: !!python/name:os.system x\n",
        "a: !!python/object/apply:os.system [ls]\n",
        "a: 1\n---\nb: 2\n",
        "- 1\n",
        "y: {<<: 1}\n",
        "a: [\n",
    ],
)
def test_still_refused(content: str) -> None:
    assert any(problem.severity == "error" for problem in read(content).problems)


def test_a_bomb_of_anchors_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert "expands to more than" in str(read("\n".join(lines)).problems)


def test_the_strict_reader_is_as_it_was() -> None:
    for content in ("a: 1\na: 2\n", b"a: caf\xe9\n", "x: &x {a: 1}\ny: {<<: *x}\n"):
        problems = read(content, lenient=False).problems
        assert [problem.severity for problem in problems] == ["error"]


def test_what_is_written_reads_the_same() -> None:
    shared = ["yes", "1.5", "2020-01-01", "é", "", "a: b", "# no comment", "line\nline\n"]
    data = {"z": 1, "a": {"list": shared, "again": shared}, "empty": [], "none": None, "no": False}
    written = dump_yaml(data)
    assert b"&" not in written
    assert read(written, lenient=False).data == data
    assert list(read(written).data) == list(data)
    assert dump_yaml(read(written).data) == written
