"""Records of a tree: read in bulk, or one by one, and the same either way."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from evaluator.clock import utc_now
from evaluator.errors import Actor, PlatformError
from evaluator.formats.cell import CellId
from evaluator.formats.outline import Outline, outline
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json, to_json
from evaluator.planning import outlines
from evaluator.planning.plan import cells
from evaluator.planning.records import RecordFiles
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.planning.tree import open_repository, read_tree
from evaluator.ranking import stale_cells
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
    assert stale_cells(small.snapshot(), utc_now()) == {by_path[linked]}


def test_records_that_were_read_and_glances_settle_the_same(small: Repository) -> None:
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

    glanced, read = small.snapshot(), small.snapshot()
    read.record_files.read(read.benchmarks)
    assert settled(glanced) == settled(read)
    assert not settled(read)[str(first.id)]
    assert stale_cells(glanced, utc_now()) == stale_cells(read, utc_now()) == {second.id}


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


def test_records_that_are_in_no_tree_yet_are_outlined(small: Repository) -> None:
    cell, *_ = cells_of(small).values()
    new = record_of(cell)
    later = small.snapshot().with_records({cell.id: to_json(new)})
    assert later.outlines(cell.benchmark.name) == {cell.id: outline(new)}
    assert later.record_files.record(cell.id) == new


def test_outlines_say_what_whole_records_say(small: Repository) -> None:
    paths = write_records(small)
    small.write(paths[0], b"{}")
    small.commit()
    files = small.snapshot().record_files
    names = sorted({cell.benchmark for cell in files})
    found = {cell: one for name in names for cell, one in files.outlines(name).items()}
    assert found == {cell: outline(record) for cell, record in every_record(files).items()}
    assert len(found) == len(paths) - 1
    assert all(one.cell is cell for cell, one in found.items())
    assert [one.steps[0].log for one in found.values()] == [""] * len(found)


def test_many_records_are_read_by_several_processes_alike(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_records(small)
    small.commit()
    alone, together = small.snapshot(), small.snapshot()
    alone.record_files.read(alone.benchmarks)
    monkeypatch.setattr(outlines, "FEW", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    together.record_files.read(together.benchmarks)
    for name in alone.benchmarks:
        assert together.outlines(name) == alone.outlines(name)
    assert sum(len(alone.outlines(name)) for name in alone.benchmarks) > 2


def test_kept_outlines_are_taken_while_they_are_of_the_same_records(
    small: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_records(small)
    small.commit()
    monkeypatch.setattr("evaluator.planning.kept.PART", 1)
    kept = tmp_path / "kept"

    def read() -> tuple[dict[CellId, Outline], list[CellId]]:
        asked: list[CellId] = []

        def stream(cells: Iterable[CellId]) -> Iterator[tuple[CellId, bytes]]:
            asked.extend(cells := list(cells))
            return RecordFiles.stream(files, cells)

        taken = take_snapshot(read_tree(open_repository(small.path)), kept=kept)
        files = taken.record_files
        monkeypatch.setattr(files, "stream", stream)
        files.read(taken.benchmarks)
        return {c: o for name in taken.benchmarks for c, o in taken.outlines(name).items()}, asked

    first, asked = read()
    assert sorted(asked) == sorted(first)
    again, asked = read()
    assert again == first
    assert asked == []
    record = from_json((small.path / paths[0]).read_bytes())
    small.write(paths[0], to_json(record.model_copy(update={"scores": {"score": 0.125}})))
    for file in (kept / "outlines").iterdir():
        last = file  # a file that was cut off is made again
    last.write_bytes(last.read_bytes()[:10])
    third, asked = read()
    assert paths[0] in {cell.record_path for cell in asked}
    assert len(asked) < len(first)
    assert {cell for cell in first if third[cell] != first[cell]} == {
        cell for cell in first if cell.record_path == paths[0]
    }
    assert not list(kept.rglob("*.new"))
