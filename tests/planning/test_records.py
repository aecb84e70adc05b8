"""Records of a tree: read in bulk, or one by one, and the same either way."""

import pytest

from evaluator.clock import utc_now
from evaluator.errors import Actor, PlatformError
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json, to_json
from evaluator.leaderboard.builder import survey
from evaluator.planning.plan import cells
from evaluator.planning.records import RecordFiles
from evaluator.planning.snapshot import Snapshot
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository


def every_record(files: RecordFiles) -> dict[CellId, Record]:
    names = dict.fromkeys(cell.benchmark for cell in files)
    return {cell: record for name in names for cell, record in files.records(name).items()}


def test_bulk_and_single_reading_agree(small: Repository) -> None:
    paths = write_records(small)
    small.commit()
    small.write(paths[0], "{}")  # the working tree's content is what counts
    files = small.snapshot().record_files
    expected = {path: (small.path / path).read_bytes() for path in paths}
    assert {cell.record_path: content for cell, content in files.stream(files)} == expected
    again = small.snapshot().record_files
    assert {cell.record_path: again[cell] for cell in reversed(list(again))} == expected
    again.load(again)
    assert {cell.record_path: content for cell, content in again.stream(again)} == expected


def test_what_is_no_record_is_left_out_and_links_are_empty(small: Repository) -> None:
    bad, linked, *good = write_records(small)
    small.write(bad, (small.path / bad).read_bytes().replace(b'"finished"', b'"fine"'))
    (small.path / linked).unlink()
    (small.path / linked).symlink_to("/etc/passwd")
    small.commit()
    files = small.snapshot().record_files
    by_path = {cell.record_path: cell for cell in files}
    found = every_record(files)
    assert {cell.record_path for cell in found} == set(good)
    assert files[by_path[linked]] == b""
    assert survey(small.snapshot(), utc_now()).stale == {by_path[linked]}


def test_looks_and_glances_settle_the_same(small: Repository) -> None:
    first, second, *_ = cells_of(small).values()
    write_records(small)
    small.write(first.id.record_path, to_json(failed(record_of(first), Actor.PLATFORM)))
    content = to_json(record_of(second)).replace(second.keys.score.encode(), b"0" * 64)
    small.write(second.id.record_path, content)
    small.commit()

    def settled(taken: Snapshot) -> dict[str, bool]:
        return {
            str(cell.id): taken.record_files.is_settled(cell.id, cell.keys.score)
            for cell in cells(taken, utc_now())
        }

    glanced, looked_at = small.snapshot(), small.snapshot()
    looked_at.record_files.look(looked_at.record_files)
    assert settled(glanced) == settled(looked_at)
    assert not settled(looked_at)[str(first.id)]


def test_a_reader_reads_what_bulk_reading_does(small: Repository) -> None:
    bad, linked, edited, *rest = write_records(small)
    small.write(bad, "{}")
    (small.path / linked).unlink()
    (small.path / linked).symlink_to(rest[0].rpartition("/")[2])
    small.commit()
    changed = (small.path / edited).read_bytes().replace(b"0.5", b"0.25")
    small.write(edited, changed)  # the working tree's content is what counts
    new = next(cell for cell in small.snapshot().record_files if cell.record_path == rest[0])
    files = small.snapshot().record_files.with_contents({new: changed})
    read = files.reader()
    assert {cell: read(cell) for cell in files if read(cell)} == every_record(files)
    assert read(new) == from_json(changed)
    assert sum(read(cell) is None for cell in files) == 2
    small.write(edited, "{}")
    with pytest.raises(PlatformError, match="changed while it was read"):
        read(next(cell for cell in files if cell.record_path == edited))


def test_new_records_replace_old_ones(small: Repository) -> None:
    write_records(small)
    small.commit()
    taken = small.snapshot()
    cell, other, *_ = cells_of(small).values()
    name = cell.benchmark.name
    before = taken.records(name)
    new = record_of(cell).model_copy(update={"scores": {"score": 0.75}})
    later = taken.with_records({cell.id: to_json(new)})
    assert later.records(name)[cell.id] == new
    assert later.records(name)[other.id] == before[other.id]
    assert taken.records(name)[cell.id] == before[cell.id]
    assert later.record_files.is_settled(cell.id, cell.keys.score)
