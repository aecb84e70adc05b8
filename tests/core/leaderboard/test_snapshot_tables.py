"""Boards from scores files are those from records that are all in memory."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.cell import Place
from evaluator.core.formats.record import Attachment, Earlier, Reason, Record
from evaluator.core.formats.record_lines import without_logs
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.snapshot_boards import SnapshotTables, read_tables
from evaluator.core.planning import records
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.entries import board_entry, entries
from evaluator.core.planning.records import read_scores
from evaluator.core.planning.snapshot import Snapshot, read_decisions
from evaluator.site.boards.exports.board_json import to_data, to_json
from tests.core.leaderboard.boards import make_board
from tests.records import cells_of, failed, record_of
from tests.repository import Repository

NOW = utc_now()
BUNDLES = ("small", "repeats", "folds", "staged", "growing", "transposed", "parallel")


def troubled(repo: Repository) -> None:
    """Commit records of all kinds: finished, failed, faulty, of other content, bad, and none."""
    for number, cell in enumerate(cells_of(repo).values()):
        record = record_of(cell, scores=dict.fromkeys(record_of(cell).scores, 0.1 + number))
        if number % 8 == 5:
            keys = record.keys.replace(score="0" * 64)
            record = record.replace(keys=keys)
        if number % 8 != 7:
            repo.put(_of_kind(record, number % 8))
    for number, cell in enumerate(cells_of(repo).values()):
        if number % 8 == 6:
            repo.write(cell.id.scores_path, '{"cells": "none"}')
    repo.commit()


def _of_kind(record: Record, kind: int) -> Record:
    if kind == 1:
        return failed(record, Actor.PARTICIPANT, Reason.EXITED)
    if kind == 2:
        return failed(record, Actor.PLATFORM)
    if kind == 3:
        earlier = Earlier(score_key="1" * 64, finished="2025-01-01T00:00:00+00:00", scores={})
        return record.replace(earlier=[earlier])
    if kind == 4:
        kept = Attachment(sha256="2" * 64, bytes=3)
        return record.replace(attachments={"html": kept}, extra={"more": 0.5})
    return record


def boards(taken: Snapshot, tables: SnapshotTables) -> dict[str, Board]:
    return {
        f"{name}/{phase.slug}": tables.board(benchmark, phase)
        for name, benchmark in taken.benchmarks.items()
        for phase in benchmark.phases
    }


def of_whole_records(taken: Snapshot) -> tuple[dict[str, Board], list[Cell]]:
    """Return the same from records that are all in memory."""
    entered = [item for one in entries(taken, NOW) if (item := board_entry(taken, one))]
    every = list(cells(taken, NOW))
    keys = {cell: record.keys.score for cell, record in taken.record_files.items()}
    stale = frozenset(c.id for c in every if c.id in keys and keys[c.id] != c.keys.score)
    unsettled = [
        cell for cell in every
        if not cell.phase.has_started(NOW)
        or not taken.record_files.is_settled(cell.id, cell.keys.score)
    ]  # fmt: skip
    made = {
        f"{name}/{phase.slug}": make_board(
            benchmark, phase, entered, taken.record_files.records(name), stale=stale,
            commit=taken.tree.commit,
            decisions=read_decisions(taken, benchmark)[0],
        )
        for name, benchmark in taken.benchmarks.items()
        for phase in benchmark.phases
    }  # fmt: skip
    return made, unsettled


RESULT = (
    "state", "values", "deviations", "seconds", "peak_memory", "error", "less", "earlier",
)  # fmt: skip


def same_rows(found: Sequence[Row], expected: Sequence[Row]) -> None:
    assert [row.submission for row in found] == [row.submission for row in expected]
    for one, other in zip(found, expected, strict=True):
        assert (one.rank, one.state, one.finished, one.submitted) == (
            other.rank, other.state, other.finished, other.submitted,
        )  # fmt: skip
        assert (one.overall, one.counted, one.standing) == (
            other.overall, other.counted, other.standing,
        )  # fmt: skip
        assert (one.facts, one.less) == (other.facts, other.less)
        for own, others in ((one.tasks, other.tasks), (one.variants, other.variants)):
            assert list(own) == list(others)
            for slug, result in others.items():
                for name in RESULT:
                    assert getattr(own[slug], name) == getattr(result, name), name
                assert own[slug].records == tuple(map(without_logs, result.records))


def check(taken: Snapshot, tables: SnapshotTables) -> None:
    made, unsettled = of_whole_records(taken)
    assert tables.open == unsettled
    found = boards(taken, tables)
    assert found.keys() == made.keys()
    for name, board in found.items():
        same_rows(board.rows, made[name].rows)
        same_rows(board.unlisted, made[name].unlisted)
        one, other = publish(board), publish(made[name])
        assert to_json(one) == to_json(other)
        assert to_data(one) == to_data(other)


@pytest.mark.parametrize("bundle", BUNDLES)
def test_rows_are_those_of_whole_records(repo: Repository, bundle: str) -> None:
    repo.with_bundle(bundle)
    troubled(repo)
    if bundle == "transposed":  # what no longer counts keeps the records of its time
        many = "submissions/transposed/carol/many/submission.yaml"
        for cell in cells_of(repo).values():
            if cell.submission.name == "many":
                repo.put(record_of(cell))
        for cell in cells_of(repo).values():
            if cell.submission.name == "many":
                repo.put(record_of(cell))
        repo.replace(many, "kind: dataset", "kind: dataset\nretired: a joke")
    taken = repo.snapshot()
    tables = read_tables(taken, NOW)
    check(taken, tables)
    rows = [row for board in boards(taken, tables).values() for row in board.rows]
    assert rows
    if bundle == "transposed":
        (row,) = [row for row in rows if row.submission.retired]
        assert [one.state for one in row.tasks.values()] == ["finished"] * 2


@pytest.mark.parametrize("bundle", BUNDLES)
def test_rows_read_by_an_earlier_build_are_those_of_whole_records(
    repo: Repository, bundle: str, tmp_path: Path
) -> None:
    repo.with_bundle(bundle)
    troubled(repo)
    folder = tmp_path / "lines"
    check(repo.snapshot(), read_tables(repo.snapshot(), NOW, cache=Cache(folder)))
    check(repo.snapshot(), read_tables(repo.snapshot(), NOW, cache=Cache(folder)))
    changed = sorted(cells_of(repo).items())[::3]
    for number, (_, cell) in enumerate(changed):
        (repo.path / cell.id.scores_path).unlink(missing_ok=True)
        repo.put(_of_kind(record_of(cell), number % 5))
    check(repo.snapshot(), read_tables(repo.snapshot(), NOW, cache=Cache(folder)))
    gone = repo.path / changed[0][1].submission.path
    gone.rename(gone.with_name("a-renamed-one"))
    check(repo.snapshot(), read_tables(repo.snapshot(), NOW, cache=Cache(folder)))
    text = (repo.path / changed[0][1].benchmark.path / "competition.yaml").read_text()
    repo.write(
        f"{changed[0][1].benchmark.path}/competition.yaml",
        text.replace("execution_time_limit: ", "execution_time_limit: 1"),
    )
    check(repo.snapshot(), read_tables(repo.snapshot(), NOW, cache=Cache(folder)))


def test_files_that_did_not_change_are_not_read_again(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.with_bundle("small")
    for cell in cells_of(repo).values():
        repo.put(record_of(cell))
    repo.commit()
    read: list[Place] = []

    def noted(content: bytes, place: Place) -> ScoresFile:
        read.append(place)
        return read_scores(content, place)

    monkeypatch.setattr(records, "read_scores", noted)
    tables = read_tables(repo.snapshot(), NOW, cache=Cache(tmp_path / "lines"))
    assert len(read) == len({*read}) == sum(len(one.submissions) for one in tables.tables.values())
    cell = next(iter(cells_of(repo).values()))
    repo.put(record_of(cell, scores=dict.fromkeys(record_of(cell).scores, 0.3)))
    read.clear()
    read_tables(repo.snapshot(), NOW, cache=Cache(tmp_path / "lines"))
    assert read == [cell.id.place]


def test_one_phase_can_be_asked_for(small: Repository) -> None:
    troubled(small)
    taken = small.snapshot()
    tables = read_tables(taken, NOW, only=("echo", "main"))
    assert list(tables.tables) == [("echo", "main")]
    benchmark = taken.benchmarks["echo"]
    asked, whole = (
        one.board(benchmark, benchmark.phases[0]) for one in (tables, read_tables(taken, NOW))
    )
    assert to_json(publish(asked)) == to_json(publish(whole))


def test_more_may_be_hidden_than_when_a_board_was_ranked(small: Repository) -> None:
    """As on former boards, which hide what is hidden today."""
    for cell in cells_of(small).values():
        small.put(record_of(cell))
    small.commit()
    taken = small.snapshot()
    benchmark = taken.benchmarks["adding"]
    board = read_tables(taken, NOW).board(benchmark, benchmark.phases[0])
    right, distance = benchmark.leaderboard.columns
    rules = replace(benchmark.leaderboard, columns=(right, replace(distance, hidden=True)))
    later = replace(board, benchmark=replace(benchmark, leaderboard=rules))
    for one, keys in ((board, {"right", "distance"}), (later, {"right"})):
        shown = publish(one)
        rows = shown.rows
        assert {key for row in rows for key in row.overall} == keys
        assert {key for row in rows for task in row.tasks.values() for key in task.values} == keys
        assert ('"distance"' in to_json(shown)) == ("distance" in keys)
