"""Computes and writes the parts of a site, in as many processes as there are cores for them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from evaluator.core.processes import Tasks
from evaluator.site.build.output import Changes, Output

CHUNK = 50
"""Pages that a process renders at a time."""
WORTH_A_PROCESS = 200
"""Pages; fewer are rendered sooner than a process begins."""


class Scheduler:
    """Lets one other process work on one batch: each copies what it looks at."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._batch: Tasks[tuple[Any, Changes]] | None = None

    def start(self, functions: Iterable[Callable[[], Any]], *, processes: int = 1) -> None:
        """Begin a batch of functions, each of which may write files; after the batch before."""
        self.finish()
        self._batch = Tasks(
            [partial(self._output.record, function) for function in functions], processes=processes
        )

    def finish(self) -> list[Any]:
        """Help with the batch, and return what its functions returned. Raises what one raised."""
        batch, self._batch = self._batch, None
        results = batch.results() if batch is not None else []
        for _, changes in results:
            self._output.add(changes)
        return [value for value, _ in results]

    def write_pages(self, jobs: Sequence[Callable[[], None]]) -> None:
        """Call what writes a page each: here, or where they are many in all processes."""
        if len(jobs) < WORTH_A_PROCESS:
            _call(jobs)
            return
        parts = [jobs[start : start + CHUNK] for start in range(0, len(jobs), CHUNK)]
        self.finish()
        self.start([partial(_call, part) for part in parts], processes=len(jobs) // WORTH_A_PROCESS)
        self.finish()


def _call(jobs: Iterable[Callable[[], None]]) -> None:
    for job in jobs:
        job()
