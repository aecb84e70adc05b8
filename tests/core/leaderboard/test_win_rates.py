"""Win rates, and what does not count for them."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.cells import Cell
from evaluator.core.ranking.ranks import shares
from evaluator.core.ranking.rules import WinRate
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository


def by_name(**values: float) -> dict[str, float]:
    """Shares on one task of entries, each named by its participant and a number."""
    found = shares(np.array([list(values.values())]), [name[0] for name in values])[0]
    return {
        name: share
        for name, share in zip(values, found.tolist(), strict=True)
        if not math.isnan(share)
    }


def test_shares_by_hand() -> None:
    assert by_name(a1=3, b1=2, c1=2, d1=1) == {"a1": 1.0, "b1": 0.5, "c1": 0.5, "d1": 0.0}
    assert by_name(a1=3) == {}
    # One participant's own are opponents where there are no others.
    assert by_name(a1=3, a2=1, a3=3) == {"a1": 0.75, "a2": 0.0, "a3": 0.75}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_shares_are_what_brute_force_gives(
    participants: list[str], tasks: int, source: random.Random
) -> None:
    values = [
        [source.choice([math.nan, -math.inf, 0.0, 1.0, 1.5, 2.0]) for _ in participants]
        for _ in range(tasks)
    ]
    found = shares(np.array(values), participants)
    for line, own in zip(found.tolist(), values, strict=True):
        for place, (share, value) in enumerate(zip(line, own, strict=True)):
            groups: dict[str, list[float]] = {}
            for other, theirs in enumerate(own):
                if other != place and not math.isnan(theirs):
                    won = 1.0 if value > theirs else 0.5 if value == theirs else 0.0
                    groups.setdefault(participants[other], []).append(won)
            if math.isnan(value) or not groups:
                assert math.isnan(share)
                continue
            expected = sum(sum(group) / len(group) for group in groups.values()) / len(groups)
            assert share == pytest.approx(expected, abs=1e-12)


def test_ten_weak_programs_make_no_winner() -> None:
    honest = by_name(a1=3, b1=2, c1=1)
    stuffed = by_name(a1=3, b1=2, c1=1, **{f"bw{i}": 0 for i in range(10)})
    # a beats b's programs as one, and c's; b's weak ones lift c by a part of one opponent alone.
    assert stuffed["a1"] == honest["a1"] == 1.0
    assert honest["b1"] == pytest.approx(1 / 2)
    assert stuffed["b1"] == pytest.approx((0 + 1 + 1) / 3)
    assert stuffed["b1"] < stuffed["a1"]
    assert stuffed["c1"] == pytest.approx((0 + 10 / 11) / 2)


def test_a_task_that_has_not_run_costs_nothing() -> None:
    rule, none = WinRate(), math.nan
    parts = shares(np.array([[1, 0, none], [none, 1, 0]]), ["a", "b", "c"])
    assert rule.overall([parts[0, 0]], [1], 0.5) == {"coverage": 0.5, "win_rate": 1.0}
    assert rule.overall(parts[:, 1].tolist(), [1] * len(parts), 1.0) == {
        "coverage": 1.0,
        "win_rate": 0.5,
    }
    assert math.isnan(parts[1, 0])


def board_of(repo: Repository, task: str | None = None) -> Board:
    return leaderboard(repo.snapshot(), "growing", phase=None, task=task, now=utc_now())


def record(repo: Repository, cell: Cell, distance: float) -> None:
    repo.put(record_of(cell, scores={"distance": distance, "right": 0}))


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
        growing.take_off(cells[f"growing/alice/right/main/{task}"].id)
    first, last = board_of(growing).rows
    assert (first.submission.participant, first.rank) == ("bob", 1)
    # Better wherever both have run, and yet without a rank: it has run on a third.
    assert last.overall["win_rate"] == 1.0
    assert last.overall["coverage"] == pytest.approx(1 / 3)
    assert (last.rank, last.state) == (None, "missing")
    cell = cells["growing/bob/first/main/carol~words"]
    growing.put(failed(record_of(cell), Actor.PARTICIPANT, Reason.EXITED))
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
