"""Scores of a tree: read file by file, or cell by cell, and the same either way."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec import Struct

from evaluator.clock import utc_now
from evaluator.errors import Actor, PlatformError
from evaluator.formats.record_identity import without_logs
from evaluator.formats.version_1 import read_version_1
from evaluator.leaderboard.snapshot_tables import read_tables
from evaluator.scores.migration import migrate
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository

VERSION_1 = Path(__file__).with_name("version_1")


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
    assert files.with_keys([first.keys.score, second.keys.score]) == [second.id]


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
    before = taken.records(name)
    new = record_of(cell).model_copy(update={"scores": {"score": 0.75}})
    later = taken.with_records({cell.id: new})
    assert later.records(name)[cell.id] == new
    assert later.records(name)[other.id] == before[other.id]
    assert taken.records(name)[cell.id] == before[cell.id]
    assert later.record_files.is_settled(cell.id, cell.keys.score)


def test_records_of_version_1_become_lines_that_say_the_same(tmp_path: Path) -> None:
    """But for the key of predictions, and for the ends of digests."""
    shutil.copytree(VERSION_1, tmp_path, dirs_exist_ok=True)
    files = {path: path.read_bytes() for path in tmp_path.rglob("scores/*/*.json")}
    former = {path: read_version_1(content) for path, content in files.items()}
    assert migrate(tmp_path) == len(files) > 2
    assert not any(path.exists() for path in files)
    repo = Repository(tmp_path)
    repo.commit()
    known = repo.snapshot().record_files
    for path, content in files.items():
        before = former[path]
        assert before is not None
        assert known.with_logs(before.cell) == before
        assert known[before.cell] == without_logs(before)
        data = json.loads(content)
        assert data["scores"] == before.scores
        assert data["keys"]["score"] == before.keys.score
        assert data["provenance"].items() <= vars_of(before.provenance).items()
        assert all(
            data["keys"]["parts"][name].startswith(part) for name, part in before.keys.parts.items()
        )
    assert migrate(tmp_path) == 0


def test_a_commit_with_records_of_version_1_is_read_as_before(tmp_path: Path) -> None:
    shutil.copytree(VERSION_1, tmp_path, dirs_exist_ok=True)
    repo = Repository(tmp_path)
    former = repo.commit("Version 1")
    before = repo.snapshot(former).record_files
    migrate(tmp_path)
    now = repo.snapshot(repo.commit("Version 2")).record_files
    assert len(before) > 2
    assert set(before) == set(now)
    assert {cell: without_logs(before[cell]) for cell in before} == dict(now)
    assert [len(file.cells) for file in before.files(before.places) if file] == [
        len(file.cells) for file in now.files(before.places) if file
    ]
    assert all(before.is_settled(cell, now[cell].keys.score) for cell in now)


def vars_of(part: Struct) -> dict[str, object]:
    return {name: getattr(part, name) for name in part.__struct_fields__}
