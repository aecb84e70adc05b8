from pathlib import Path

import pytest

from evaluator.core.compute.scoring import (
    MAX_SCORES_BYTES,
    check_rejection,
    read_scores,
)
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.formats.record import MAX_EXTRA, Reason


def write(folder: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        raw = content.encode() if isinstance(content, str) else content
        (folder / name.replace("_", ".")).write_bytes(raw)
    return folder


def reason(folder: Path, columns: tuple[str, ...] = ("a", "b")) -> Reason:
    with pytest.raises(CellFailedError) as caught:
        check_rejection(folder)
        read_scores(folder, columns)
    assert caught.value.error.message.isprintable()
    return caught.value.error.reason


def test_json_comes_before_text(tmp_path: Path) -> None:
    write(tmp_path, scores_json='{"a": 1, "b": -2.5, "c": 3, "d": "x"}', scores_txt="a: 9\nb: 9\n")
    found = read_scores(tmp_path, ("b", "a"))
    assert found.columns == {"b": -2.5, "a": 1.0}
    assert found.extra == {"c": 3.0}


@pytest.mark.parametrize(
    "text", ["a: 1\nb: 2\n", "a:1\nb:2", "\ufeffa : 1\r\n\r\n# note\n'b': 2\r\n"]
)
def test_text(tmp_path: Path, text: str) -> None:
    assert read_scores(write(tmp_path, scores_txt=text), ("a", "b")).columns == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    "text",
    [
        "---\na: 1\nb: 2\n",
        "# by fold\nscores: [0.1, 0.2]\na: 1 # the mean\nb: 2\n...\n",
        "a: 1\nfolds:\n- 0.1\n- 0.2\nb: 2\n",
        "folds:\n  a: 7\n  b: 8\na: 1\nb: 2\n",
        "a: !!float 1\nx: !!python/object/apply:os.system ['exit 1']\nb: '2'\n",
        "{a: 1, b: 2, note: 'all: well'}\n",
        "status: well done\na: 1.0\nb: 2e0\n? [odd, key]\n: 1\n",
        "x: &x 1\ny: *x\na: 1\nb: 2\n",
        "---\na:1\nall is well\nb:2 # the rest\n",
        "a: 1\nb: 2\nset: x: y\n",
    ],
)
def test_scores_txt_is_yaml_and_what_is_no_column_is_left_alone(tmp_path: Path, text: str) -> None:
    """As AutoDL's lists, and CodaLab's lines without a blank."""
    found = read_scores(write(tmp_path, scores_txt=text), ("a", "b"), extra=())
    assert (found.columns, found.extra) == ({"a": 1, "b": 2}, {})


def test_a_list_or_a_text_under_a_column_is_named(tmp_path: Path) -> None:
    for written, says in (("[1, 2]", "a list"), ("{c: 1}", "a mapping"), ("fine", "fine")):
        write(tmp_path, scores_txt=f"a: {written}\n")
        with pytest.raises(
            CellFailedError, match=f"the score of column 'a' is {says}, not a finite"
        ):
            read_scores(tmp_path, ("a",))


@pytest.mark.parametrize(
    "files",
    [
        {"scores_txt": "a: 1\nb:\n"},  # as AutoDL, whose parent program leaves it empty
        *({"scores_json": f'{{"a": 1, "b": {none}}}'} for none in ("null", "NaN", '"nan"', '"NA"')),
        *({"scores_txt": f"a: 1\nb: {none}\n"} for none in ("nan", "NaN", ".nan", "NA", "None")),
        *({"scores_txt": f"a:1\nb:{none}\n"} for none in ("nan", "null")),
    ],
)
def test_null_and_nan_under_an_optional_column_are_no_score(
    tmp_path: Path, files: dict[str, str]
) -> None:
    write(tmp_path, **files)
    assert read_scores(tmp_path, ("a", "b"), optional=("b",)).columns == {"a": 1}
    with pytest.raises(CellFailedError):
        read_scores(tmp_path, ("a", "b"))


@pytest.mark.parametrize("written", ["Infinity", '"inf"', "[]", '"none yet"'])
def test_what_is_neither_a_number_nor_none_fails_under_an_optional_column_too(
    tmp_path: Path, written: str
) -> None:
    write(tmp_path, scores_json=f'{{"a": 1, "b": {written}}}')
    with pytest.raises(CellFailedError, match="the score of column 'b' is"):
        read_scores(tmp_path, ("a", "b"), optional=("b",))


def test_the_truth_beside_the_scores_goes_nowhere(tmp_path: Path) -> None:
    """As codabench-dummy-challenge, which writes its ground truth."""
    write(tmp_path, scores_json='{"score": 97, "error": 0.3, "ground_truth": 10}')
    assert read_scores(tmp_path, ("score",), extra=("error",)).extra == {"error": 0.3}


@pytest.mark.slow
def test_yaml_cannot_take_a_worker_down(tmp_path: Path) -> None:
    """Nesting is not followed, and aliases are not expanded."""
    bomb = "x0: &x0 [1]\n" + "".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]\n" for n in range(1, 60))
    write(tmp_path, scores_txt=f"{bomb}a: 1\ndeep: {'[' * 20_000}{']' * 20_000}\n")
    assert read_scores(tmp_path, ("a",)).columns == {"a": 1}


def test_what_is_no_number_matters_only_under_a_column(tmp_path: Path) -> None:
    """Scoring programs write whole reports beside their scores."""
    more = '"c": NaN, "d": -Infinity, "e": {"f": [NaN]}, "g": null, "h": true, "i": "1"'
    write(tmp_path, scores_json=f'{{"a": 1, {more}}}')
    found = read_scores(tmp_path, ("a",))
    assert (found.columns, found.extra) == ({"a": 1}, {})
    for column in "cdeg":
        with pytest.raises(CellFailedError, match=f"the score of column '{column}' is"):
            read_scores(tmp_path, (column,))


@pytest.mark.parametrize(
    ("written", "number"),
    [("true", 1), ("false", 0), ('"0.25"', 0.25), ('" -1.5e3 "', -1500), ('"False"', 0)],
)
def test_booleans_and_text_under_a_column_are_what_codabench_makes_of_them(
    tmp_path: Path, written: str, number: float
) -> None:
    write(tmp_path, scores_json=f'{{"a": {written}}}')
    assert read_scores(tmp_path, ("a",)).columns == {"a": number}


@pytest.mark.parametrize("line", ["a: true", "a:True", "a: 1"])
def test_a_boolean_in_text(tmp_path: Path, line: str) -> None:
    assert read_scores(write(tmp_path, scores_txt=f"{line}\n"), ("a",)).columns == {"a": 1}


def test_an_integer_that_would_be_rounded_is_refused_by_its_name(tmp_path: Path) -> None:
    for whole in (2**53, -(2**60)):
        assert read_scores(write(tmp_path, scores_json=f'{{"a": {whole}}}'), ("a",)).columns == {
            "a": whole
        }
    write(tmp_path, scores_json=f'{{"a": {2**53 + 1}}}')
    with pytest.raises(
        CellFailedError, match="'a' is 9007199254740993, which no 64-bit number"
    ) as one:
        read_scores(tmp_path, ("a",))
    assert "integers above 2^53 are rounded" in one.value.error.hint


@pytest.mark.parametrize(
    "written", ['"nan"', '"inf"', '"1_000"', '"0x1"', '"1e9999"', '"\u0661"', '""']
)
def test_text_that_is_no_number(tmp_path: Path, written: str) -> None:
    write(tmp_path, scores_json=f'{{"a": {written}}}')
    with pytest.raises(CellFailedError, match="the score of column 'a' is"):
        read_scores(tmp_path, ("a",))


def test_keys_may_hold_blanks_and_colons(tmp_path: Path) -> None:
    write(tmp_path, scores_txt="set 1: error: 0.5\n")
    assert read_scores(tmp_path, ("set 1: error",)).columns == {"set 1: error": 0.5}


def test_extra_numbers_are_bounded(tmp_path: Path) -> None:
    numbers = ", ".join(f'"x{n}\\u001b": {n}' for n in range(300))
    found = read_scores(write(tmp_path, scores_json=f'{{"a": 1, {numbers}}}'), ("a",))
    assert len(found.extra) <= MAX_EXTRA
    assert all(key.isprintable() for key in found.extra)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, Reason.NO_SCORES),
        ({"scores_json": '{"a": 1}'}, Reason.WRONG_COLUMNS),
        ({"scores_json": '{"a": 1, "\\u001b[31mb": 1}'}, Reason.WRONG_COLUMNS),
        ({"scores_json": '{"a": 1, "b": "\\u001b"}'}, Reason.BAD_SCORES),
        ({"scores_json": '{"a": 1, "b": NaN}'}, Reason.BAD_SCORES),
        ({"scores_json": b"\xff"}, Reason.BAD_SCORES),
        ({"scores_json": "7"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\nb: nan\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\na: 2\nb: 1\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\n\x1b[31m\n"}, Reason.WRONG_COLUMNS),
        ({"scores_txt": "a: 1\nb: [1, 2]\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\nb:\n  c: 1\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\nb: well done\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a: 1\nb:\n"}, Reason.BAD_SCORES),
        ({"scores_txt": "a:1\nb:well done\n"}, Reason.WRONG_COLUMNS),
        ({"scores_txt": "- a: 1\n- b: 2\n"}, Reason.WRONG_COLUMNS),
        ({"scores_txt": "well done\n"}, Reason.BAD_SCORES),
        ({"scores_txt": b"\xff\xfe"}, Reason.BAD_SCORES),
        ({"scores_json": '{"a": 1, "b": 2}', "rejected_txt": "no\x1b"}, Reason.REJECTED),
        ({"rejected_txt": ""}, Reason.REJECTED),
    ],
)
def test_refused(tmp_path: Path, files: dict[str, str | bytes], expected: Reason) -> None:
    assert reason(write(tmp_path, **files)) is expected


def test_links_and_huge_files_are_not_read(tmp_path: Path) -> None:
    real = write(tmp_path, other="x")
    (real / "target").write_text('{"a": 1, "b": 2}')
    (tmp_path / "scores.json").symlink_to(tmp_path / "target")
    assert reason(tmp_path) is Reason.NO_SCORES
    (tmp_path / "scores.json").unlink()
    write(tmp_path, scores_json=b" " * (MAX_SCORES_BYTES + 1))
    assert reason(tmp_path) is Reason.NO_SCORES
