"""Cells side by side: as many at once as there are lanes, and as many more ready."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.compute.evaluation import CellState
from evaluator.core.compute.pool import evaluate_all
from evaluator.core.compute.steps import Lane
from evaluator.core.errors import StoppedError


class Watched:
    """Stands for the worker: counts who gets ready and who runs, and takes its time."""

    def __init__(self, *, ready: float = 0.0, runs: float = 0.02) -> None:
        self.ready = ready
        self.runs = runs
        self.lock = threading.Lock()
        self.counts = {"ready": 0, "running": 0, "scoring": 0}
        self.most = dict.fromkeys(self.counts, 0)
        self.order: list[int] = []
        self.fails_at: int | None = None
        self.begun = 0
        self.again: set[int] = set()
        self.engine: Any = None

    @contextmanager
    def counted(self, what: str) -> Iterator[None]:
        with self.lock:
            self.counts[what] += 1
            self.most[what] = max(self.most[what], self.counts[what])
        try:
            yield
        finally:
            with self.lock:
                self.counts[what] -= 1

    def begin(self, job: Any, *, fresh: bool, lane: Lane) -> Any:
        self.begun += 1
        with self.counted("ready"):
            # Later ones are ready sooner.
            time.sleep(self.ready / (job.number + 1))
            for _ in range(2 if job.number in self.again else 1):
                with lane, self.counted("running"):
                    self.order.append(job.number)
                    time.sleep(self.runs)
                    if job.number == self.fails_at:
                        raise StoppedError
        return CellState(job=job, started=utc_now(), fresh=fresh)

    def finish(self, cell: CellState, *, lane: Lane) -> str:
        with lane, self.counted("scoring"):
            time.sleep(self.runs / 2)
        return "record"


def evaluate(
    worker: Watched, count: int, lanes: int, turns: Sequence[Any] = (), *, shares: bool = False
) -> list[int]:
    jobs = [
        SimpleNamespace(
            number=number, cell=number, exclusive=False, fold_turn=turns[number] if turns else None
        )
        for number in range(count)
    ]
    done: list[int] = []
    worker.engine = SimpleNamespace(stop=lambda: None, shares_files=shares)
    evaluate_all(
        cast(Any, jobs), cast(Any, worker), lanes=lanes, fresh=False,
        claim=lambda _: True, done=lambda job, _: done.append(cast(Any, job).number),
    )  # fmt: skip
    return done


def test_no_more_run_than_there_are_lanes() -> None:
    worker = Watched()
    assert sorted(evaluate(worker, 12, lanes=3)) == list(range(12))
    assert worker.most["running"] == 3
    assert worker.most["scoring"] <= 3


def test_as_many_more_are_ready_as_there_are_lanes() -> None:
    worker = Watched()
    evaluate(worker, 12, lanes=2)
    assert worker.most["ready"] == 4


def test_none_overtakes_another_in_one_lane() -> None:
    worker = Watched(ready=0.1)
    evaluate(worker, 6, lanes=1)
    assert worker.order == list(range(6))
    assert worker.most["running"] == 1


def test_what_is_tried_again_takes_a_lane_again() -> None:
    worker = Watched()
    worker.again = {1, 3}
    assert sorted(evaluate(worker, 6, lanes=2)) == list(range(6))
    assert sorted(worker.order) == [0, 1, 1, 2, 3, 3, 4, 5]
    assert worker.most["running"] == 2


def test_where_containers_share_files_one_runs_and_the_next_gets_ready() -> None:
    worker = Watched()
    evaluate(worker, 6, lanes=3, shares=True)
    assert (worker.most["running"], worker.most["scoring"]) == (1, 1)


def test_while_a_task_waits_for_its_turn_the_lanes_serve_others() -> None:
    """Four folds of each of three tasks, on three lanes: a fold of each runs at once."""
    worker = Watched()
    turns = [("benchmark", number // 4, number % 4) for number in range(12)]
    assert sorted(evaluate(worker, 12, lanes=3, turns=turns)) == list(range(12))
    assert worker.most["running"] == 3


def test_all_entries_of_one_fold_run_before_the_next_fold() -> None:
    worker = Watched()
    turns = [("benchmark", 0, number % 2) for number in range(8)]
    evaluate(worker, 8, lanes=2, turns=turns)
    assert [number % 2 for number in worker.order] == [0] * 4 + [1] * 4


@pytest.mark.parametrize("lanes", [1, 3])
def test_a_stop_reaches_those_that_wait(lanes: int) -> None:
    worker = Watched(runs=0.2)  # longer than a busy machine keeps a lane from running
    worker.fails_at = 2
    with pytest.raises(StoppedError):
        evaluate(worker, 50, lanes=lanes)
    assert worker.begun < 25  # of 50
    assert set(worker.counts.values()) == {0}
