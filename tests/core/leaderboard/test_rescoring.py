"""A board before its benchmark was changed, beside what it is."""

from collections.abc import Mapping

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Earlier
from evaluator.site.content.rescoring import Rescoring, rescoring
from tests.core.leaderboard.boards import FAILED, ONE_COLUMN, Entries, make_benchmark

OLD, OLDER = "1" * 64, "2" * 64
CHANGED = "2026-06-01T00:00:00+00:00"


def again(entries: Entries, name: str, *versions: Mapping[str, float], task: str = "one") -> None:
    """Say that a submission's scores replaced others, the oldest first."""
    cell = next(c for c in entries.records if c.submission == name and c.task == task)
    record = entries.records[cell]
    earlier = [
        Earlier(score_key=OLD, scores=dict(scores), finished="2026-02-01T00:00:00+00:00")
        for scores in versions
    ]
    times = {"started": CHANGED, "finished": CHANGED}
    entries.records[cell] = record.replace(
        earlier=earlier,
        provenance=record.provenance.replace(**times),
    )


def cell_of(entries: Entries, name: str) -> CellId:
    return next(cell for cell in entries.records if cell.submission == name)


def made(entries: Entries, *stale: str) -> Rescoring | None:
    waiting = frozenset(cell_of(entries, name) for name in stale)
    return rescoring(entries.board(stale=waiting))


def lines(found: Rescoring | None) -> list[tuple[str, float | None, int | None, int | None]]:
    assert found is not None
    return [
        (item.row.submission.name, item.before.get("a"), item.rank_before, item.row.rank)
        for item in found.rows
    ]


def test_nothing_was_scored_again() -> None:
    assert made(Entries(make_benchmark()).enter("ada", "one", {"a": 1})) is None


def test_former_values_and_ranks_stand_beside_the_present_ones() -> None:
    entries = (
        Entries(make_benchmark()).enter("ada", "first", {"a": 1}).enter("bob", "second", {"a": 2})
    )
    again(entries, "first", {"a": 9}, {"a": 5})
    again(entries, "second", {"a": 3})
    found = made(entries)
    # The last version before this one, not the oldest.
    assert lines(found) == [("second", 3, 2, 1), ("first", 5, 1, 2)]
    assert found is not None
    assert (found.count, found.since) == (2, CHANGED)
    assert [item.moved for item in found.rows] == [1, -1]
    assert [column.key for column in found.columns] == ["a"]


def test_who_entered_after_the_change_was_not_there_before() -> None:
    entries = Entries(make_benchmark()).enter("ada", "old", {"a": 1}).enter("bob", "new", {"a": 2})
    again(entries, "old", {"a": 0.5})
    assert lines(made(entries)) == [("old", 0.5, 1, 2)]


def test_what_is_not_scored_again_yet_has_its_former_value_and_rank() -> None:
    entries = (
        Entries(make_benchmark()).enter("ada", "done", {"a": 1}).enter("bob", "waits", {"a": 7})
    )
    again(entries, "done", {"a": 5})
    found = made(entries, "waits")
    assert lines(found) == [("done", 5, 2, 1), ("waits", 7, 1, None)]
    assert found is not None
    assert found.count == 1


def test_what_became_stale_after_the_change_is_no_former_score() -> None:
    entries = (
        Entries(make_benchmark()).enter("ada", "done", {"a": 1}).enter("bob", "edited", {"a": 7})
    )
    again(entries, "done", {"a": 5})
    cell = cell_of(entries, "edited")
    record = entries.records[cell]
    late = record.provenance.replace(finished="2026-07-01T00:00:00+00:00")
    entries.records[cell] = record.replace(provenance=late)
    assert lines(made(entries, "edited")) == [("done", 5, 1, 1)]


def test_a_task_that_the_change_did_not_touch_counts_as_it_is() -> None:
    entries = Entries(make_benchmark(tasks="0, 1")).enter("ada", "one", {"a": 1}, {"a": 3})
    again(entries, "one", {"a": 2}, task="two")
    assert lines(made(entries)) == [("one", 1.5, 1, 1)]


def test_a_submission_that_fails_now_keeps_its_former_rank() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", FAILED)
    again(entries, "one", {"a": 2})
    assert lines(made(entries)) == [("one", 2, 1, None)]


TWO = ONE_COLUMN + "      - {title: B, key: b, index: 1}\n"


def test_a_column_that_is_new_has_no_former_value() -> None:
    entries = Entries(make_benchmark(TWO)).enter("ada", "one", {"a": 1, "b": 4})
    again(entries, "one", {"a": 2})
    found = made(entries)
    assert found is not None
    assert [column.key for column in found.columns] == ["a", "b"]
    assert dict(found.rows[0].before) == {"a": 2}


def test_a_board_that_ranked_by_another_column_is_said_and_not_made() -> None:
    entries = Entries(make_benchmark(TWO)).enter("ada", "one", {"a": 1, "b": 4})
    again(entries, "one", {"b": 2})
    found = made(entries)
    assert found is not None
    assert (found.count, found.rows, found.columns) == (1, (), ())


def test_hidden_columns_are_not_in_it() -> None:
    sealed = ONE_COLUMN + "      - {title: B, key: b, index: 1, hidden: true}\n"
    entries = Entries(make_benchmark(sealed)).enter("ada", "one", {"a": 1, "b": 4})
    again(entries, "one", {"a": 2, "b": 8})
    found = made(entries)
    assert found is not None
    assert [column.key for column in found.columns] == ["a"]
    assert dict(found.rows[0].before) == {"a": 2}
    assert "b" not in found.rows[0].row.overall


def test_columns_whose_values_stayed_are_left_out() -> None:
    entries = Entries(make_benchmark(TWO)).enter("ada", "one", {"a": 1, "b": 4})
    again(entries, "one", {"a": 2, "b": 4})
    found = made(entries)
    assert found is not None
    assert [column.key for column in found.columns] == ["a"]
