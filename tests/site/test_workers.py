"""What several processes put into one output."""

import multiprocessing
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from evaluator.site import workers
from evaluator.site.output import Output
from evaluator.site.workers import Aside, Job, begin, run

COUNT = 45


@pytest.fixture
def output(tmp_path: Path) -> Output:
    return Output(tmp_path / "site", tmp_path / "manifest.json")


def putting(output: Output, name: str) -> Callable[[], None]:
    def put() -> None:
        output.put(name, f"{name} by {os.getpid()}".encode())

    return put


def appears(file: Path) -> None:
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, f"{file.name} did not appear"
        time.sleep(0.01)


def makers(output: Output) -> set[int]:
    return {int(path.read_text().rpartition(" ")[2]) for path in output.folder.iterdir()}


@pytest.mark.parametrize("others", [0, 1, 3])
def test_everything_is_put_once(
    output: Output, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    aside = Aside([putting(output, str(n)) for n in range(COUNT)], output, others=others)
    output.put("meanwhile", str(os.getpid()).encode())
    aside.finish()
    assert {*output.made} == {*map(str, range(COUNT)), "meanwhile"}
    assert output.written == COUNT + 1
    assert len(makers(output)) <= others + 1
    output.finish()
    assert len(list(output.folder.iterdir())) == COUNT + 1


@pytest.mark.parametrize("cores", [1, 3])
def test_what_works_return_comes_back_in_their_order(
    output: Output, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    works = [partial(pow, number, 2) for number in range(COUNT)]
    assert Aside(works, output, others=2).finish() == [number**2 for number in range(COUNT)]


@pytest.mark.parametrize("cores", [1, 2])
def test_one_thing_is_made_elsewhere(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert (begin(os.getpid)() == os.getpid()) == (cores == 1)
    with pytest.raises(ValueError, match="cannot be made"):
        begin(fail)()


def test_a_process_that_nobody_waits_for_ends_silently(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    waits = begin(partial(bytes, 10**7))  # more than a pipe holds
    (process,) = multiprocessing.active_children()
    time.sleep(0.2)
    del waits
    process.join(60)
    assert process.exitcode == 0
    assert capfd.readouterr().err == ""


def test_another_process_takes_part(output: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    aside = Aside([putting(output, "one")], output)
    appears(output.folder / "one")  # this process has not begun to help
    aside.finish()
    assert os.getpid() not in makers(output)


def test_where_there_is_one_core_nothing_is_forked(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    aside = Aside([putting(output, "one")], output, others=9)
    assert not output.made
    aside.finish()
    assert makers(output) == {os.getpid()}


def fail() -> None:
    raise ValueError("this page cannot be made")


@pytest.mark.parametrize("cores", [1, 2])
def test_what_goes_wrong_elsewhere_is_told_here(
    output: Output, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with pytest.raises(ValueError, match="this page cannot be made"):
        Aside([fail], output).finish()


def test_a_process_that_is_killed_is_noticed(
    output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    own = os.getpid()
    began = output.folder.parent / "began"

    def die() -> None:
        if os.getpid() != own:
            began.touch()
            os._exit(1)

    aside = Aside([die], output)
    appears(began)
    with pytest.raises(RuntimeError, match="died; was memory short"):
        aside.finish()


@pytest.mark.parametrize("few", [10**6, 10])
def test_pages_are_the_same_however_many_render_them(
    output: Output, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(workers, "FEW", few)
    monkeypatch.setattr(workers, "CHUNK", 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    jobs = [Job(path=f"{n}/index.html", inputs=f"of {n}", render=partial(str.encode, f"{n}"))
            for n in range(COUNT)]  # fmt: skip
    run(jobs, output)
    assert {path: one.inputs for path, one in output.made.items()} == {
        job.path: job.inputs for job in jobs
    }
    assert all((output.folder / job.path).read_bytes() == job.render() for job in jobs)
