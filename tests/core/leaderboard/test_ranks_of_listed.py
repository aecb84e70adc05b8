"""Ranks are among what a board lists: a participant's other entries change nobody's."""

import pytest

from evaluator.site.boards.ranking_note import ranking_note
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.core.leaderboard.test_ranks import COLUMNS, EXTENSION

MEAN = "pullbench: {aggregate: mean_rank}\n"
RULES = ("Force_Last", "Force_Best", "Add")


def tasks(entries: Entries) -> Entries:
    """Three participants, over whom ranks differ from task to task."""
    entries.enter("ada", "ada", {"a": 9}, {"a": 5})
    entries.enter("bob", "bob", {"a": 8}, {"a": 9})
    entries.enter("eve", "eve", {"a": 4}, {"a": 4})
    return entries


def means(entries: Entries) -> dict[str, float]:
    return {row.submission.participant: row.overall["mean_rank"] for row in entries.board().rows}


@pytest.mark.parametrize("rule", RULES)
def test_ten_extra_entries_change_nobody_elses_mean_rank(rule: str) -> None:
    entries = tasks(Entries(make_benchmark(tasks="0, 1", rule=rule, extra=MEAN)))
    before = means(entries)
    assert before == {"ada": 1.5, "bob": 1.5, "eve": 3}
    for number in range(10):  # between ada and bob on both tasks
        entries.enter("eve", f"try{number}", {"a": 8.1 + number / 100}, {"a": 5.1 + number / 100})
    after = means(entries)
    assert len(entries.board().rows) == 3
    assert len(entries.board().unlisted) == 10
    # eve's listed entry is now between them; the ten others are not ranks of anybody's
    assert after == {"ada": 2, "bob": 2, "eve": 2}
    assert all("mean_rank" not in row.overall for row in entries.board().unlisted)


@pytest.mark.parametrize("rule", RULES)
def test_extra_entries_that_are_not_listed_change_nothing(rule: str) -> None:
    """The listed entry stays the same; the extra ones are worse, older or taken back."""
    entries = Entries(make_benchmark(tasks="0, 1", rule=rule, extra=MEAN))
    for number in range(10):
        entries.enter(
            "eve", f"try{number}", {"a": 3 + number / 100}, {"a": 3 + number / 100},
            leaderboard=rule != "Add",
        )  # fmt: skip
    assert means(tasks(entries)) == {"ada": 1.5, "bob": 1.5, "eve": 3}


def test_the_best_is_chosen_by_own_values_first_by_how_many_tasks_are_finished() -> None:
    entries = Entries(make_benchmark(tasks="0, 1", rule="Force_Best", extra=MEAN))
    entries.enter("ada", "half", {"a": 100}, FAILED)
    entries.enter("ada", "whole", {"a": 1}, {"a": 3})
    entries.enter("ada", "worse", {"a": 2}, {"a": 1})
    entries.enter("bob", "only", {"a": 2}, {"a": 2})
    board = entries.board()
    assert {row.submission.name for row in board.rows} == {"whole", "only"}
    assert {row.submission.name: row.overall["mean_rank"] for row in board.rows} == {
        "whole": 1.5, "only": 1.5,
    }  # fmt: skip


def test_a_failed_entry_is_listed_where_there_is_no_other() -> None:
    entries = Entries(make_benchmark(tasks="0, 1", rule="Force_Best", extra=MEAN))
    entries.enter("ada", "half", {"a": 100}, FAILED).enter("bob", "none", FAILED, FAILED)
    rows = {row.submission.name: row for row in entries.board().rows}
    assert rows["half"].rank == 1
    assert rows["none"].rank is None


def test_columns_of_ranks_are_among_the_listed_too() -> None:
    ranks = "{operation: avg_rank, fields: [a, b]}"
    benchmark = make_benchmark(COLUMNS % "asc", rule="Force_Best", extra=EXTENSION % ranks)
    entries = Entries(benchmark)
    entries.enter("ada", "ada", {"a": 9, "b": 1}).enter("bob", "bob", {"a": 5, "b": 2})
    before = {row.submission.name: row.overall["r"] for row in entries.board().rows}
    for number in range(10):
        entries.enter("bob", f"try{number}", {"a": 4 - number / 100, "b": 0})
    after = {row.submission.name: row.overall["r"] for row in entries.board().rows}
    assert before == after == {"ada": 1, "bob": 2}


@pytest.mark.parametrize(
    ("ranks", "several", "sentence"),
    [
        (
            "{operation: avg_rank, fields: [a, b], over: tasks, ties: dense}", True,
            "Rank is the mean of the ranks by A and B on each task, and then the mean over the "
            "tasks, among the submissions of this board; equal values have one rank",
        ),
        (
            "{operation: mrr, fields: [a]}", True,
            "Rank is the mean of 1 / rank, for the ranks by A of the values over all tasks, among",
        ),
        (
            "{operation: avg_rank, fields: [a, b], ties: average}", False,
            "Rank is the mean of the ranks by A and B, among the submissions of this board; equal "
            "values have the mean of their ranks, and a submission without one of the values",
        ),
    ],
)  # fmt: skip
def test_the_note_says_how_ranks_are_made(ranks: str, several: bool, sentence: str) -> None:
    tasks_of = "0, 1" if several else "0"
    benchmark = make_benchmark(COLUMNS % "asc", tasks=tasks_of, extra=EXTENSION % ranks)
    assert sentence in ranking_note(Entries(benchmark).board())


def test_the_note_of_one_field_speaks_of_one_rank() -> None:
    ranks = "{operation: avg_rank, fields: [a], over: tasks}"
    benchmark = make_benchmark(COLUMNS % "asc", tasks="0, 1", extra=EXTENSION % ranks)
    note = ranking_note(Entries(benchmark).board())
    assert "ranked by the mean over 2 tasks of Rank (lower is better)" in note
    assert "Rank is the rank by A on each task, and then the mean over the tasks, among" in note


def test_the_note_says_what_tasks_weigh() -> None:
    extra = "pullbench: {tasks: {1: {weight: 3}}}\n"
    entries = Entries(make_benchmark(tasks="0, 1", extra=extra))
    board = entries.enter("a", "x", {"a": 1}, {"a": 2}).board()
    assert "Means over the tasks are weighted: One 1, Two 3." in ranking_note(board)
    assert board.rows[0].overall["a"] == 1.75


def test_the_note_of_plain_boards() -> None:
    def note(**options: str) -> str:
        return ranking_note(Entries(make_benchmark(**options)).enter("a", "x", {"a": 1}).board())

    assert note() == "1 submission, ranked by A (higher is better). Equal results share a rank."
    assert "ranked by the mean over 2 tasks of A (higher" in note(tasks="0, 1")
    first = "pullbench: {aggregate: none, ranking: {ties: dense, decimals: 4}}\n"
    text = note(tasks="0, 1", extra=first)
    assert "ranked by A on One" in text
    assert "none is left out after them" in text and "rounded to 4 decimals" in text


def test_the_note_says_which_tasks_are_withdrawn() -> None:
    more = "pullbench: {tasks: {1: {withdrawn: {date: 2026-05-01, reason: wrong labels}}}}\n"
    note = ranking_note(Entries(make_benchmark(tasks="0, 1", extra=more)).board())
    assert "Two does not count: withdrawn on 2026-05-01: wrong labels." in note
    assert "the mean over 1 task of A" in note
