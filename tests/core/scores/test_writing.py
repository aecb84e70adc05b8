"""Scores that several runs write into one file: no line is lost, whoever is killed, and when."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pyrage
import pytest
from msgspec import structs

from evaluator.ci.scores.encryption import open_with
from evaluator.core.errors import UsageError
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import from_json
from evaluator.core.formats.scores_file import decode, encode
from evaluator.core.scores.uploads import records_in
from evaluator.core.scores.writing import Writer
from evaluator.importing.private_parts import make_keys
from tests.records import NAME, make_record

PATH = NAME.scores_path


def writer(folder: Path, name: str = "one") -> Writer:
    scratch = folder / "scratch" / name
    scratch.mkdir(parents=True, exist_ok=True)
    return Writer(folder=folder, lock=folder / "scratch/lock", scratch=scratch)


def record(number: int, text: str = "") -> Record:
    made = make_record(structs.replace(NAME, task=f"task-{number:03}"))
    steps = [step.replace(log=text) for step in made.steps]
    return made.replace(steps=steps)


def write_some(folder: Path, numbers: range) -> None:
    place = writer(folder, f"from-{numbers.start}")
    for number in numbers:
        place.put(record(number, f"log {number}\n"), {})


def test_runs_at_once_lose_no_line(tmp_path: Path) -> None:
    parts = [range(start, 60, 3) for start in range(3)]
    runs = [multiprocessing.Process(target=write_some, args=(tmp_path, one)) for one in parts]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    file = decode((tmp_path / PATH).read_bytes())
    assert [line.task for line in file.cells] == [f"task-{number:03}" for number in range(60)]
    assert encode(file) == (tmp_path / PATH).read_bytes()
    assert len(file.runs) == 1
    whole = records_in(tmp_path).values()
    assert [one.steps[0].log for one in whole] == [f"log {number}\n" for number in range(60)]


def test_whoever_is_killed_loses_no_line(tmp_path: Path) -> None:
    process = multiprocessing.Process(target=write_some, args=(tmp_path, range(10_000)))
    process.start()
    while not (tmp_path / PATH).exists() or len(decode((tmp_path / PATH).read_bytes()).cells) < 20:
        time.sleep(0.01)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    there = len(decode((tmp_path / PATH).read_bytes()).cells)
    writer(tmp_path, "two").put(record(20_000), {})
    lines = decode((tmp_path / PATH).read_bytes()).cells
    assert [line.task for line in lines] == [
        *(f"task-{number:03}" for number in range(there)), "task-20000",
    ]  # fmt: skip


def test_a_record_comes_in_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    place = writer(tmp_path)
    place.put(record(1, "before\n"), {})
    place.put(record(2, "other\n"), {})
    newer = record(1).replace(scores={"score": 0.75})
    place.put(newer, {})
    found = {cell.task: one for cell, one in records_in(tmp_path).items()}
    assert found["task-001"] == newer
    assert found["task-002"].steps[0].log == "other\n"
    assert "before" not in (tmp_path / NAME.logs_path).read_text()


@pytest.mark.parametrize("path", [PATH, NAME.logs_path])
def test_nothing_is_added_to_a_file_that_cannot_be_read(tmp_path: Path, path: str) -> None:
    place = writer(tmp_path)
    place.put(record(1, "log\n"), {})
    (tmp_path / path).write_text("<<<<<<< HEAD\n")
    with pytest.raises(UsageError, match="is not valid JSON") as refused:
        place.check(NAME.place)
    assert refused.value.message.startswith(path)
    assert f"git checkout -- {path}" in refused.value.hint


def test_what_is_closed_travels_cell_by_cell(tmp_path: Path) -> None:
    recipient, secret = make_keys()
    place = writer(tmp_path)
    for number in (1, 2):
        place.put(record(number, "log\n"), {})
    hidden = record(1, "hidden\n").replace(scores={"score": 0.8125})
    place.put_closed(hidden, {}, recipient)
    # What an earlier run wrote of the cell in the clear is gone, and nothing else.
    assert [line.task for line in decode((tmp_path / PATH).read_bytes()).cells] == ["task-002"]
    (closed,) = tmp_path.rglob("*.age")
    content = closed.read_bytes()
    assert closed.relative_to(tmp_path).as_posix() == f"{hidden.cell.part_path}.age"
    assert from_json(open_with(pyrage.x25519.Identity.from_str(secret), content)) == hidden
    # And the other way round.
    place.put(record(1), {})
    assert not closed.exists()
    assert len(records_in(tmp_path)) == 2
