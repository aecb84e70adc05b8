"""Phases in which no submission can be ranked, as far as the sources of scoring programs show."""

from collections.abc import Callable, Collection, Iterator, Mapping

from evaluator.core.errors import Actor, Problem, some_of
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.written_keys import SOURCES, written_keys


def never_ranked(
    benchmark: Benchmark,
    files: Collection[str],
    read: Callable[[list[str]], Mapping[str, bytes]],
) -> Iterator[Problem]:
    """Warn of phases whose scoring programs write none of a column without which a cell fails.

    ``files`` are the bundle's, from the repository's root; ``read`` returns contents by path.
    """
    keys = benchmark.leaderboard.score_keys
    for number, phase in enumerate(benchmark.phases):
        board = benchmark.boards[phase.slug]
        required = set(board.score_keys) - board.optional_keys
        for program in dict.fromkeys(task.scoring_program for task in phase.tasks):
            paths = [path for path in files if path.startswith(f"{benchmark.path}/{program}/")]
            sources = [path for path in paths if path.lower().endswith(SOURCES)]
            written = written_keys(read(sources).values(), keys).any
            if not written or required <= written:
                continue  # without a trace of any key, keys come from elsewhere
            lacking = some_of([f"'{key}'" for key in keys if key in required - written])
            yield Problem(
                file=f"{benchmark.path}/{FILE_NAME}", key=f"phases[{number}]",
                message="can never produce a ranked row, as far as its source shows: nothing "
                f"in '{program}' writes {lacking}, without which each submission fails",
                hint="Name the columns that the phase has in pullbench: phases: "
                f"{phase.index}: columns, or make those that may be absent optional.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
