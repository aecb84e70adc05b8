"""Win rates, and what does not count for them."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.clock import utc_now
from evaluator.errors import Actor
from evaluator.formats.record import Reason
from evaluator.formats.record_json import to_json
from evaluator.leaderboard.board import Board
from evaluator.leaderboard.ranking import leaderboard
from evaluator.leaderboard.win_rates import Contest, shares, win_rates
from evaluator.planning.plan import Cell
from evaluator.statistics.win_shares import FAILED, Opponents
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository


def contests(*entries: tuple[str, float]) -> Sequence[Contest]:
    """Entries are ``participant/name`` with a value."""
    return [Contest(row=row, participant=row.split("/")[0], value=value) for row, value in entries]


def test_shares_by_hand() -> None:
    assert shares(contests(("a/1", 3), ("b/1", 2), ("c/1", 2), ("d/1", 1))) == {
        "a/1": 1.0, "b/1": 0.5, "c/1": 0.5, "d/1": 0.0,
    }  # fmt: skip
    assert shares(contests(("a/1", 3))) == {}
    assert shares([]) == {}
    # One participant's own are opponents where there are no others.
    assert shares(contests(("a/1", 3), ("a/2", 1), ("a/3", 3))) == {
        "a/1": 0.75, "a/2": 0.0, "a/3": 0.75,
    }  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_shares_as_arrays_are_the_same(
    participants: list[str], tasks: int, source: random.Random
) -> None:
    values = [
        [source.choice([math.nan, -FAILED, 0.0, 1.0, 1.5, 2.0]) for _ in participants]
        for _ in range(tasks)
    ]
    found = Opponents(participants).shares(np.array(values))
    for line, own in zip(found, values, strict=True):
        expected = shares(
            [
                Contest(row=str(place), participant=participant, value=value)
                for place, (participant, value) in enumerate(zip(participants, own, strict=True))
                if not math.isnan(value)
            ]
        )
        assert {str(place) for place, share in enumerate(line) if not math.isnan(share)} == (
            expected.keys()
        )
        for place, share in expected.items():
            assert line[int(place)] == pytest.approx(share, abs=1e-12)


def test_ten_weak_programs_make_no_winner() -> None:
    honest = shares(contests(("a/1", 3), ("b/1", 2), ("c/1", 1)))
    stuffed = shares(
        contests(("a/1", 3), ("b/1", 2), ("c/1", 1), *((f"b/w{i}", 0) for i in range(10)))
    )
    # a beats b's programs as one, and c's; b's weak ones lift c by a part of one opponent alone.
    assert stuffed["a/1"] == honest["a/1"] == 1.0
    assert honest["b/1"] == pytest.approx(1 / 2)
    assert stuffed["b/1"] == pytest.approx((0 + 1 + 1) / 3)
    assert stuffed["b/1"] < stuffed["a/1"]
    assert stuffed["c/1"] == pytest.approx((0 + 10 / 11) / 2)


def test_a_brute_force_agrees() -> None:
    values = {"a/1": 2.0, "a/2": 5.0, "b/1": 2.0, "c/1": 7.0, "c/2": 1.0, "c/3": 2.0}
    found = shares(contests(*values.items()))
    for row, value in values.items():
        groups: dict[str, list[float]] = {}
        for other, theirs in values.items():
            if other != row:
                won = 1.0 if value > theirs else 0.5 if value == theirs else 0.0
                groups.setdefault(other.split("/")[0], []).append(won)
        assert found[row] == pytest.approx(
            sum(sum(group) / len(group) for group in groups.values()) / len(groups)
        )


def test_a_task_that_has_not_run_costs_nothing() -> None:
    both = [contests(("a/1", 1), ("b/1", 0)), contests(("b/1", 1), ("c/1", 0))]
    rates = win_rates(both)
    assert (rates["a/1"].rate, rates["a/1"].tasks) == (1.0, 1)
    assert (rates["b/1"].rate, rates["b/1"].tasks) == (0.5, 2)


def board_of(repo: Repository, task: str | None = None) -> Board:
    return leaderboard(repo.snapshot(), "growing", phase=None, task=task, now=utc_now())


def record(repo: Repository, cell: Cell, distance: float) -> None:
    repo.write(
        cell.id.record_path, to_json(record_of(cell, scores={"distance": distance, "right": 0}))
    )


@pytest.fixture
def growing(repo: Repository) -> Repository:
    """Both programs have run on the three data sets; one of them is bob's."""
    repo.with_bundle("growing")
    write_records(repo)
    for name, cell in cells_of(repo).items():
        if "dataset-check" not in name:
            record(repo, cell, 0 if "bob/first/main/bob~ones" in name or "alice" in name else 2)
    return repo


def test_nobody_wins_by_their_own_data(growing: Repository) -> None:
    alice, bob = board_of(growing).rows
    assert alice.submission.participant == "alice"
    assert alice.counted == {"first", "bob~ones", "carol~words"}
    assert bob.counted == {"first", "carol~words"}
    assert (alice.overall["win_rate"], alice.overall["coverage"]) == (1.0, 1.0)
    # Its tie on its own data is no half win, and alice has nobody to beat there.
    assert (bob.overall["win_rate"], bob.overall["coverage"]) == (0.0, 1.0)
    growing.replace(
        "benchmarks/growing/competition.yaml", "task: 0\n", "task: 0\n    own: include\n"
    )
    alice, bob = board_of(growing).rows
    assert bob.overall["win_rate"] == pytest.approx(1 / 6)
    assert alice.overall["win_rate"] == pytest.approx(5 / 6)


def test_coverage_and_failures(growing: Repository) -> None:
    cells = cells_of(growing)
    for task in ("first", "bob~ones"):
        (growing.path / cells[f"growing/alice/right/main/{task}"].id.record_path).unlink()
    first, last = board_of(growing).rows
    assert (first.submission.participant, first.rank) == ("bob", 1)
    # Better wherever both have run, and yet without a rank: it has run on a third.
    assert last.overall["win_rate"] == 1.0
    assert last.overall["coverage"] == pytest.approx(1 / 3)
    assert (last.rank, last.state) == (None, "missing")
    cell = cells["growing/bob/first/main/carol~words"]
    growing.write(
        cell.id.record_path, to_json(failed(record_of(cell), Actor.PARTICIPANT, Reason.EXITED))
    )
    cell = cells["growing/alice/right/main/carol~words"]
    record(growing, cell, 99)
    first = next(row for row in board_of(growing).rows if row.submission.participant == "bob")
    assert first.overall["win_rate"] == 0.0
    assert first.overall["coverage"] == 1.0


def test_what_is_retired_counts_for_nobody(growing: Repository) -> None:
    growing.replace("submissions/growing/carol/words/submission.yaml", "kind: dataset\n",
                    "kind: dataset\nretired: wrong answers\n")  # fmt: skip
    board = board_of(growing)
    assert [task.retired for task in board.tasks] == ["", "", "wrong answers"]
    assert all("carol~words" not in row.counted for row in board.rows)
    assert all(row.tasks["carol~words"].state == "finished" for row in board.rows)
    alone = leaderboard(
        growing.snapshot(), "growing", phase=None, task="carol~words", now=utc_now()
    )
    assert [row.rank for row in alone.rows] == [None, None]


def test_one_task_is_ranked_by_its_values(growing: Repository) -> None:
    one = board_of(growing, "first")
    assert [column.key for column in one.columns] == ["distance", "right"]
    assert [(row.submission.participant, row.rank) for row in one.rows] == [
        ("alice", 1),
        ("bob", 2),
    ]
