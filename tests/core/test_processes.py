"""What several processes do together."""

import multiprocessing
import os
import time
from functools import partial
from pathlib import Path

import pytest

from evaluator.core.errors import PlatformError
from evaluator.core.processes import Tasks

COUNT = 45


def appears(file: Path) -> None:
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, f"{file.name} did not appear"
        time.sleep(0.01)


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_back_in_the_order_of_the_functions(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    tasks = Tasks([partial(pow, number, 2) for number in range(COUNT)], processes=2)
    assert tasks.results() == [number**2 for number in range(COUNT)]


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_every_function_is_called_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)

    def call(number: int) -> int:
        (tmp_path / str(number)).open("x").close()
        return os.getpid()

    callers = Tasks([partial(call, n) for n in range(COUNT)], processes=processes).results()
    assert len({*callers}) <= processes + 1
    assert len([*tmp_path.iterdir()]) == COUNT


@pytest.mark.parametrize("cores", [1, 2])
def test_a_function_is_called_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)

    def call() -> int:
        (tmp_path / "began").touch()
        return os.getpid()

    tasks = Tasks([call])
    if cores == 2:
        appears(tmp_path / "began")  # this process has not begun to wait
    assert (tasks.results() == [os.getpid()]) == (cores == 1)


def test_where_there_is_one_core_nothing_is_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    tasks = Tasks([os.getpid], processes=9)
    assert not multiprocessing.active_children()
    assert tasks.results() == [os.getpid()]


def test_a_process_that_was_forked_forks_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)

    def callers() -> set[int]:
        (tmp_path / "began").touch()
        return {os.getpid(), *Tasks([os.getpid] * COUNT, processes=3).results()}

    tasks = Tasks([callers])
    appears(tmp_path / "began")
    assert len(tasks.results()[0]) == 1


def test_a_process_that_nobody_waits_for_ends_silently(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    tasks = Tasks([partial(bytes, 10**7)])  # more than a pipe holds
    (process,) = multiprocessing.active_children()
    time.sleep(0.2)
    del tasks
    process.join(60)
    assert process.exitcode == 0
    assert capfd.readouterr().err == ""


def fail() -> None:
    raise ValueError("this page cannot be written")


@pytest.mark.parametrize("cores", [1, 2])
def test_what_goes_wrong_elsewhere_is_raised_here(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with pytest.raises(ValueError, match="this page cannot be written"):
        Tasks([fail]).results()


def test_a_process_that_is_killed_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    parent = os.getpid()

    def die() -> None:
        if os.getpid() != parent:
            (tmp_path / "began").touch()
            os._exit(1)

    tasks = Tasks([die])
    appears(tmp_path / "began")
    with pytest.raises(PlatformError, match="was memory short"):
        tasks.results()
