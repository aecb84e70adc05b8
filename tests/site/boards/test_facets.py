"""What the rows of a board may be chosen by."""

from dataclasses import replace

from evaluator.core.formats.fact_sheet import Question
from evaluator.site.boards.datasets import DatasetRow, dataset_rows
from evaluator.site.boards.facets import (
    MAX_CHOICES,
    MAX_VALUE,
    MIN_ROWS,
    Facets,
    board_facets,
    dataset_facets,
)
from evaluator.site.content.content import DatasetEntry
from tests.core.leaderboard.boards import Entries, make_benchmark

SHEET = """\
fact_sheet:
  family: {key: family, type: select, title: Family, selection: [linear, trees, neural]}
  deep: {key: deep, type: checkbox, title: Deep}
  paper: {key: paper, type: text, title: Paper}
  search: {key: search, type: select, title: Search, selection: [grid, random]}
  same: {key: same, type: select, title: Same, selection: [one]}
  unused: {key: unused, type: text, title: Nobody says}
"""
ANSWERS: list[dict[str, str | bool]] = [
    {"family": "trees", "deep": False, "paper": "x" * 1900, "search": "grid", "same": "one"},
    {"family": "trees", "deep": True, "search": "random", "same": "one"},
    {"family": "linear", "paper": "A", "search": "grid", "same": "one"},
    {"same": "one"},
]


def entered(answers: list[dict[str, str | bool]]) -> Entries:
    entries = Entries(make_benchmark(extra=SHEET))
    for number, given in enumerate(answers):
        entries.enter(f"p{number % 3}", f"s{number}", {"a": 1.0 - number / 1000})
        entries.submissions[-1] = replace(entries.submissions[-1], fact_sheet=given)
    return entries


def listed(found: Facets) -> dict[str, list[tuple[str, int]]]:
    return {
        facet.name: [(choice.value, choice.count) for choice in facet.choices]
        for facet in found.facets
    }


def test_every_question_with_something_to_choose_is_offered() -> None:
    assert listed(board_facets(entered(ANSWERS).board())) == {
        "participant": [("p0", 2), ("p1", 1), ("p2", 1)],
        "family": [("trees", 2), ("linear", 1), ("", 1)],
        "deep": [("no", 1), ("yes", 1), ("", 2)],
        "paper": [],
        # The theme and the controls have names of their own in the address.
        "sheet.search": [("grid", 2), ("random", 1), ("", 1)],
    }


def test_rows_carry_short_answers_under_the_same_names() -> None:
    board = entered(ANSWERS).board()
    found = board_facets(board)
    by_name = {row.submission.name: found.answers(row.submission) for row in board.rows}
    assert by_name["s0"] == {
        "participant": "p0", "family": "trees", "deep": "no", "paper": "x" * MAX_VALUE,
        "sheet.search": "grid", "same": "one",
    }  # fmt: skip
    assert by_name["s3"] == {"participant": "p0", "same": "one"}


def test_a_small_board_has_no_controls_and_its_rows_carry_nothing() -> None:
    board = entered(ANSWERS[: MIN_ROWS - 1]).board()
    found = board_facets(board)
    assert found.facets == ()
    assert found.answers(board.rows[0].submission) == {}


def test_a_list_that_nobody_reads_becomes_a_field_to_write_in() -> None:
    entries = entered([])
    for number in range(MAX_CHOICES + 1):
        entries.enter(f"p{number}", "s", {"a": 1.0})
    assert listed(board_facets(entries.board())) == {"participant": []}


def test_a_board_without_rows_and_one_without_questions() -> None:
    assert board_facets(Entries(make_benchmark()).board()).facets == ()
    entries = Entries(make_benchmark())
    for number in range(MIN_ROWS):
        entries.enter(f"p{number}", "s", {"a": 1.0})
    assert [facet.name for facet in board_facets(entries.board()).facets] == ["participant"]


def test_the_organisers_own_data_sets_are_his() -> None:
    entries = entered(ANSWERS)
    plain = dataset_rows(entries.board(), ())[0]
    brought = replace(plain, entry=DatasetEntry(
        submission=replace(entries.submissions[2], fact_sheet={"licence": "CC0"}),
        state="accepted", reason="", successor="", record=None, in_phase="Main",
    ))  # fmt: skip
    rows: list[DatasetRow] = [plain, brought, brought, plain]
    question = Question(key="licence", type="select", title="Licence", selection=["CC0"])
    found = dataset_facets(rows, {"licence": question})
    assert listed(found) == {
        "participant": [("p2", 2), ("the organiser", 2)],
        "licence": [("CC0", 2), ("", 2)],
    }
    assert found.answers(None) == {"participant": "the organiser"}
