"""The interface of importers of results: rows, one for each task and fold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.importers.exchange.amlb_table import AmlbRow
from evaluator.importers.importer import Option


@dataclass(frozen=True, kw_only=True)
class ReadResults:
    """What an importer has read."""

    rows: Sequence[AmlbRow]
    source: str
    """Where they are stated, in words."""
    file: str
    """For messages."""
    url: str = ""
    """Address of the source, where nobody gives another one."""
    constraint: str | None = None
    """Only the rows of this constraint are wanted."""


@dataclass(frozen=True, kw_only=True)
class ResultsImporter:
    """Reads one format; each framework in it becomes a submission of kind ``reported``."""

    participant: str
    """Whose the submissions are by default."""
    options: Sequence[Option]
    """Of the command, beside those of all; their values are arguments of ``read``."""
    read: Callable[..., ReadResults]
    """``read(**options)``; its docstring is the command's help."""
