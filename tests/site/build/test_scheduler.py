"""What several processes write into one site."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from evaluator.site.build import scheduler
from evaluator.site.build.output import Output
from evaluator.site.build.scheduler import Scheduler
from tests.core.test_processes import appears

COUNT = 45


@pytest.fixture
def output(tmp_path: Path) -> Output:
    return Output(tmp_path / "site")


def putting(output: Output, name: str) -> Callable[[], str]:
    def put() -> str:
        output.put(name, f"{name} by {os.getpid()}".encode())
        return name

    return put


def writers(output: Output) -> set[int]:
    return {int(path.read_text().rpartition(" ")[2]) for path in output.folder.iterdir()}


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_everything_is_written_once(
    output: Output, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    batch = Scheduler(output)
    names = [*map(str, range(COUNT))]
    batch.start([putting(output, name) for name in names], processes=processes)
    output.put("meanwhile", str(os.getpid()).encode())
    assert batch.finish() == names
    assert batch.finish() == []
    assert {*output.entries} == {*names, "meanwhile"}
    assert output.written == COUNT + 1
    assert len(writers(output)) <= processes + 1
    assert len(list(output.folder.iterdir())) == COUNT + 1


def test_a_batch_begins_after_the_one_before(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    batch = Scheduler(output)
    batch.start([putting(output, "one")])
    appears(output.folder / "one")  # this process has not begun to help
    batch.start([putting(output, "two")])
    assert {*output.entries} == {"one"}
    batch.finish()
    assert {*output.entries} == {"one", "two"}
    assert os.getpid() not in {int((output.folder / "one").read_text().rpartition(" ")[2])}


@pytest.mark.parametrize("few", [10**6, 10])
def test_pages_are_the_same_however_many_render_them(
    output: Output, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(scheduler, "WORTH_A_PROCESS", few)
    monkeypatch.setattr(scheduler, "CHUNK", 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    pages = [(f"{n}/index.html", str(n).encode(), f"of {n}") for n in range(COUNT)]
    Scheduler(output).write_pages([partial(output.put, *page) for page in pages])
    assert {path: entry.inputs for path, entry in output.entries.items()} == {
        path: inputs for path, _, inputs in pages
    }
    assert all((output.folder / path).read_bytes() == content for path, content, _ in pages)
