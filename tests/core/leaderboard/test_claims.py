"""What participants state beside what was computed, and predictions entered twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.core.compute.scoring import read_scores
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.formats.bundle import parse_bundle
from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.leaderboard.facts import check_claim, claim_mark
from evaluator.core.leaderboard.tables import to_text
from evaluator.site.boards.comparison import same_predictions
from evaluator.site.boards.exports.board_json import to_data
from tests.core.leaderboard.boards import FILES, HEAD, Entries, make_benchmark

COLUMNS = """\
      - {title: A, key: a, index: 0, sorting: desc, precision: 3}
      - {title: Validation, key: v, index: 1, sorting: desc, precision: 4}
"""
EXTRA = """\
fact_sheet:
  said: {key: said, type: text, title: Said, is_on_leaderboard: true}
pullbench:
  fingerprint: digest
  columns: {v: {optional: true, claim: said}}
"""


def entries() -> Entries:
    return Entries(make_benchmark(COLUMNS, extra=EXTRA))


def answered(found: Entries, answer: str) -> Entries:
    found.submissions[-1] = replace(found.submissions[-1], fact_sheet={"said": answer})
    return found


@pytest.mark.parametrize(
    ("answer", "agrees"),
    [
        ("0.5267", True),
        ("0.527", True),
        ("0.53", True),
        (".5267", True),
        (" 0.52671 ", True),
        ("0.5268", False),
        ("0.8989", False),
        ("0.5", False),
        ("1", False),
        ("52.67", False),
        ("nan", False),
        ("", False),
        ("about 0.5267", False),
        (".", False),
    ],
)
def test_a_claim_agrees_in_the_decimals_that_it_has(answer: str, agrees: bool) -> None:
    board = answered(entries().enter("ada", "one", {"a": 1, "v": 0.52671}), answer).board()
    claim = check_claim(board.rows[0], "said", board)
    assert claim is not None
    assert (claim.column.key, claim.found, claim.agrees) == ("v", 0.52671, agrees)
    assert claim_mark(board.rows[0], "said", board) == ("" if agrees else " (recomputed: 0.5267)")


def test_what_cannot_be_compared() -> None:
    found = answered(entries().enter("ada", "one", {"a": 1}), "0.5")
    board = found.board()
    assert claim_mark(board.rows[0], "said", board) == " (not recomputed)"
    assert " (not recomputed)" in to_text(board)
    data = to_data(board)["rows"][0]
    assert data["claims"] == {"said": {"column": "v", "found": None, "agrees": False}}
    assert data["overall"] == {"a": 1.0}
    found.submissions[-1] = replace(
        found.submissions[-1], reported=Reported(source="x", url="", scores={"one": {"v": 0.7}})
    )
    board = found.board()
    assert check_claim(board.rows[0], "said", board) is None
    board = entries().enter("ada", "silent", {"a": 1, "v": 1}).board()
    assert check_claim(board.rows[0], "said", board) is None


def test_a_column_may_be_left_out_only_where_the_bundle_says_so(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text(json.dumps({"a": 1}))
    found = read_scores(tmp_path, ("a", "v"), {"v"})
    assert found.columns == {"a": 1.0}
    with pytest.raises(CellFailedError, match=r"no score for column 'v'$"):
        read_scores(tmp_path, ("a", "v"))
    (tmp_path / "scores.json").write_text('{"a": 1, "v": NaN}')
    assert read_scores(tmp_path, ("a", "v"), {"v"}).columns == {"a": 1.0}
    with pytest.raises(CellFailedError, match="column 'v' is nan"):
        read_scores(tmp_path, ("a", "v"))
    (tmp_path / "scores.json").write_text('{"a": 1, "v": Infinity}')
    with pytest.raises(CellFailedError, match="column 'v' is inf"):
        read_scores(tmp_path, ("a", "v"), {"v"})


def test_rows_without_an_optional_value_come_after_their_equals() -> None:
    found = entries().enter("ada", "dash", {"a": 1}).enter("bob", "full", {"a": 1, "v": 0.1})
    found.enter("eve", "better", {"a": 2})
    assert [(r.submission.name, r.rank) for r in found.board().rows] == [
        ("better", 1),
        ("full", 2),
        ("dash", 3),
    ]


def test_a_column_that_breaks_no_ties() -> None:
    extra = EXTRA.replace("optional: true,", "optional: true, breaks_ties: false,")
    extra += "  ranking: {ties: dense, decimals: 4}\n"
    found = Entries(make_benchmark(COLUMNS, extra=extra))
    found.enter("ada", "one", {"a": 0.08381, "v": 0.1}).enter("bob", "two", {"a": 0.08384, "v": 1})
    found.enter("eve", "three", {"a": 0.08})
    assert [(r.submission.name, r.rank) for r in found.board().rows] == [
        ("one", 1),
        ("two", 1),
        ("three", 2),
    ]


@pytest.mark.parametrize(
    ("columns", "where", "what"),
    [
        ("{a: {optional: true}}", "optional", "ranked by this column"),
        ("{v: {claim: sayd}}", "claim", "which is no question"),
    ],
)
def test_what_a_bundle_may_not_say(columns: str, where: str, what: str) -> None:
    text = HEAD % ("0", "Force_Best", COLUMNS) + EXTRA.replace(
        "{v: {optional: true, claim: said}}", columns
    )
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is None
    (problem,) = problems
    assert where in str(problem)
    assert what in str(problem)


def test_equal_predictions_are_named() -> None:
    found = entries()
    for name, digest in (("one", 7.0), ("two", 7.0), ("three", 8.0)):
        found.enter(f"by-{name}", name, {"a": 1})
        cell = next(cell for cell in found.records if cell.submission == name)
        found.records[cell] = found.records[cell].replace(extra={"digest": digest})
    found.enter("eve", "failed", "failed")
    board = found.board()
    assert same_predictions(board) == {
        "bench/by-one/one": ("by-two/two",),
        "bench/by-two/two": ("by-one/one",),
    }
    same = {row["submission"]: row["same_predictions"] for row in to_data(board)["rows"]}
    assert same == {"one": ["by-two/two"], "two": ["by-one/one"], "three": [], "failed": []}
    assert (
        same_predictions(replace(board, benchmark=replace(board.benchmark, fingerprint=""))) == {}
    )
