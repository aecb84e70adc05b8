import pytest

from evaluator.core.formats.extension import PredictionsFile
from evaluator.core.formats.predictions import MAX_REPORTED, check_predictions

EXPECTED = PredictionsFile(
    file="p.csv", columns={"id": "integer", "value": "number", "note": "string"}, unique=["id"]
)


def faults(text: str | bytes, expected: PredictionsFile = EXPECTED) -> list[tuple[int | None, str]]:
    content = text.encode() if isinstance(text, str) else text
    return [(found.line, found.message) for found in check_predictions(expected, content, "p.csv")]


@pytest.mark.parametrize(
    "text",
    [
        "id,value,note\n1,0.5,a\n-2,1e-9,\n",
        "\ufeffid,value,note\r\n1,0.5,a\r\n",
        'id,value,note\n1, 5 ,"two\nlines, quoted"\n\n2,6,x',
    ],
    ids=["plain", "byte order mark and CRLF", "quotes and a blank line"],
)
def test_accepted(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,nan,a", "not a finite number"),
        ("1,inf,a", "not a finite number"),
        ("1,1e999,a", "not a finite number"),
        ("1,1_000,a", "not a finite number"),
        ("1,,a", "not a finite number"),
        ("1,high,a", "not a finite number"),
        ("1.5,1,a", "not a whole number"),
        ("१,1,a", "not a whole number"),
        ("1,0,5,a", "decimal comma"),
        ("1,1", "has 2 fields, not 3"),
        ("\x1b[31m,1,a", r"'\\x1b[31m'"),
    ],
)
def test_a_bad_row_is_named_with_its_line(row: str, message: str) -> None:
    found = faults(f"id,value,note\n7,1,ok\n{row}\n")
    assert [line for line, _ in found] == [3]
    assert found[0][1].startswith("row 2 ")
    assert message.replace("\\\\", "\\") in found[0][1]


def test_doubled_ids() -> None:
    assert faults("id,value,note\n1,1,a\n2,1,a\n1,1,b\n") == [
        (4, "row 3 has the id '1' again; line 2 has it already")
    ]


@pytest.mark.parametrize("header", ["", "id,value", "value,id,note", "id,value,note,more", "a\x1b"])
def test_wrong_header(header: str) -> None:
    ((line, message),) = faults(f"{header}\n1,1,a\n")
    assert line == 1
    assert message.startswith("has the header")
    assert "\x1b" not in message


def test_number_of_rows() -> None:
    expected = EXPECTED.model_copy(update={"rows": 3})
    assert faults("id,value,note\n1,1,a\n", expected) == [(None, "has 1 rows")]


def test_many_faults_are_counted() -> None:
    rows = "".join(f"{n},x,a\n" for n in range(100))
    found = faults("id,value,note\n" + rows)
    assert len(found) == MAX_REPORTED + 1
    assert found[-1][1] == "has 80 more faults like these"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,value,note\n1,\xff,a\n", "is not UTF-8: byte 16"),
        (b'id,value,note\n1,"open,a\n', "is not CSV"),
        (b"id,value,note\n1,a\x00,b\n", ""),
        (b"id,value,note\n1," + b"9" * 200_000 + b",b\n", "is not CSV"),
    ],
    ids=["encoding", "quote", "nul", "field size"],
)
def test_not_csv(content: bytes, message: str) -> None:
    ((_, found),) = faults(content)
    assert message in found
