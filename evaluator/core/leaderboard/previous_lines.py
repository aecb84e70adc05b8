"""Lines of a phase's table as an earlier build read them, by the digest of each submission."""

from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache, cache_key, digest_of_programs
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import CellError, Earlier
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.table import Facts, Lines
from evaluator.core.planning.snapshot import Snapshot

KINDS: dict[str, type[np.generic]] = {
    **dict.fromkeys(("submission", "task", "repeat"), np.intp),
    **dict.fromkeys(("finished", "failed", "stale", "has_earlier"), np.bool_),
    **dict.fromkeys(("reason", "queue", "started"), np.object_),
}
"""Types of the lines' columns that hold no floats."""

Compared = tuple[list[tuple[str, int | None]], bool]
"""Tasks and repeats whose score is of other content, and whether all cells are settled."""


class PreviousLines(msgspec.Struct, kw_only=True, dict=True):
    """What ``TableBuilder`` made of the scores files of submissions, by their places."""

    digests: list[str] = []
    """Of all files of each submission; empty where its scores file could not be read."""
    compared: list[Compared] = []
    columns: dict[str, bytes | list[Any]] = {}
    facts: list[Facts] = []
    errors: list[tuple[int, int, CellError]] = []
    """Task and submission, and what is there; so are those that follow."""
    less: list[tuple[int, int, list[str]]] = []
    earlier: list[tuple[int, int, list[tuple[int | None, Earlier]]]] = []

    @cached_property
    def places(self) -> dict[str, int]:
        return {digest: place for place, digest in enumerate(self.digests) if digest}

    def lines(self) -> Lines:
        return {
            name: np.array(column, np.object_)
            if isinstance(column, list)
            else np.frombuffer(column, KINDS.get(name, np.float64))
            for name, column in self.columns.items()
        }


def columns_of(lines: Lines) -> dict[str, bytes | list[Any]]:
    return {
        name: column.tolist() if column.dtype == np.object_ else column.tobytes()
        for name, column in lines.items()
    }


_decode = msgspec.msgpack.Decoder(PreviousLines).decode
_encode = msgspec.msgpack.Encoder().encode


class LinesOfPhase:
    """Where the lines of one phase are between two builds."""

    def __init__(
        self, cache: Cache | None, snapshot: Snapshot, benchmark: Benchmark, phase: Phase
    ) -> None:
        # With data sets or stages lines depend on other submissions, too.
        alone = benchmark.datasets is None and not benchmark.stages
        self._cache = cache if alone else None
        self._digests = snapshot.sources[benchmark.name]
        tree = snapshot.tree
        self._key = "" if self._cache is None else cache_key(
            "lines", digest_of_programs(), phase.slug, tree.digest("pyproject.toml"),
            benchmark.path, tree.digest(benchmark.path),
        )  # fmt: skip

    def read(self) -> PreviousLines:
        content = self._cache.get(self._key) if self._cache else None
        return PreviousLines() if content is None else _decode(content)

    def digest(self, submission: Submission) -> str:
        return self._digests.get(submission.id, "") if self._cache else ""

    def write(self, lines: PreviousLines) -> None:
        if self._cache:
            self._cache.put(self._key, _encode(lines))
