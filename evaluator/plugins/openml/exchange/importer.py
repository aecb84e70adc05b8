"""The interface of importers of results: what they read, and what becomes of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.importers.importer import Option
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow
from evaluator.plugins.openml.exchange.reporting import Reports, Stated, phase_for, report


@dataclass(frozen=True, kw_only=True)
class ReadResults:
    """What an importer has read."""

    rows: Sequence[AmlbRow]
    """One for each framework, task and fold."""
    source: str
    """Where they are stated, in words."""
    file: str
    """For messages."""
    url: str = ""
    """Address of the source, where nobody gives another one."""
    constraint: str | None = None
    """Only the rows of this constraint are wanted."""

    def report(self, benchmark: Benchmark, phase: Phase, stated: Stated) -> Reports:
        """Make submissions of what was read. Raises UsageError where there is nothing to take."""
        return report(self.rows, benchmark, phase, stated, self.file)


@dataclass(frozen=True, kw_only=True)
class ResultsImporter:
    """Reads one format; each framework in it becomes a submission of kind ``reported``."""

    participant: str
    """Whose the submissions are by default."""
    options: Sequence[Option]
    """Of the command, beside those of all; their values are arguments of ``read``."""
    read: Callable[..., ReadResults]
    """``read(**options)``; its docstring is the command's help."""

    def report(
        self,
        benchmark: Benchmark,
        phase: str | None,
        participant: str,
        url: str,
        options: Mapping[str, Any],
    ) -> Reports:
        """Read results and make submissions of them. Raises UsageError."""
        results = self.read(**options)
        stated = Stated(
            participant=participant, source=results.source, url=url or results.url,
            constraint=results.constraint,
        )  # fmt: skip
        return results.report(benchmark, phase_for(benchmark, phase), stated)
