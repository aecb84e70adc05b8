"""Scores of a tree: read file by file, or cell by cell, and the same either way."""

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, PlatformError
from evaluator.core.leaderboard.snapshot_boards import read_tables
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository


def test_bulk_and_single_reading_agree(small: Repository) -> None:
    write_records(small)
    small.commit()
    cell, *_ = cells_of(small).values()
    small.put(record_of(cell, scores={"right": 0.25}))  # the working tree is what counts
    files = small.snapshot().record_files
    bulk = {record.cell: record for record in files.stream(files)}
    assert bulk == {cell: files[cell] for cell in reversed(list(files))}
    assert bulk[cell.id].scores == {"right": 0.25}


def test_what_is_no_scores_file_is_left_out(small: Repository) -> None:
    bad, linked, good = write_records(small)
    small.write(bad, (small.path / bad).read_bytes().replace(b'"key"', b'"keys"'))
    (small.path / linked).unlink()
    (small.path / linked).symlink_to("/etc/passwd")
    small.commit()
    taken = small.snapshot()
    assert {cell.scores_path for cell in taken.record_files} == {good}
    tables = read_tables(taken, utc_now())
    assert {cell.id.scores_path for cell in tables.open} == {bad, linked}
    assert set(small.reasons().values()) == {"its record cannot be read"}


def test_a_platform_fault_settles_nothing(small: Repository) -> None:
    write_records(small)
    first, second, *_ = cells_of(small).values()
    small.put(failed(record_of(first), Actor.PLATFORM))
    files = small.snapshot().record_files
    assert not files.is_settled(first.id, first.keys.score)
    assert files.is_settled(second.id, second.keys.score)
    assert not files.is_settled(second.id, "0" * 64)
    keys = files.score_keys(first.id.place).values()
    assert first.keys.score not in keys
    assert second.keys.score in keys


def test_a_file_that_changes_while_it_is_read(small: Repository) -> None:
    cell, *_ = cells_of(small).values()
    write_records(small)
    taken = small.snapshot()
    small.write(cell.id.scores_path, "{}")
    with pytest.raises(PlatformError, match="changed while it was read"):
        taken.record_files.get(cell.id)


def test_new_records_replace_old_ones(small: Repository) -> None:
    write_records(small)
    small.commit()
    taken = small.snapshot()
    cell, other, *_ = cells_of(small).values()
    name = cell.benchmark.name
    before = taken.record_files.records(name)
    new = record_of(cell).replace(scores={"score": 0.75})
    later = taken.with_records({cell.id: new})
    assert later.record_files.records(name)[cell.id] == new
    assert later.record_files.records(name)[other.id] == before[other.id]
    assert taken.record_files.records(name)[cell.id] == before[cell.id]
    assert later.record_files.is_settled(cell.id, cell.keys.score)
