"""A plugin as a stranger writes it: one file, and one entry point."""

import click
import numpy as np

from evaluator.core.cli.group import cli
from evaluator.core.compute.executors import LocalExecutor, RunRequest
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.log import emit
from evaluator.core.plugins import Plugin
from evaluator.core.ranking.ranks import Floats
from evaluator.core.ranking.rule import ComparedRows, RankingRule, RuleColumn
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.plugins.insight.plots.entries import BoardEntries


@cli.command()
@click.argument("name")
def greet(name: str) -> None:
    """Greet NAME."""
    emit(f"hello {name}")


def read(folder: SourceFolder, _: ImportRequest, *, text: str) -> ReadBundle | None:
    """Bring in a TEXT, which is refused."""
    folder.notes.refuse(text, "is nothing that a stranger reads", "Try another.")
    return None


IMPORTER = Importer(options=(click.argument("text"),), read=read)


def names(board: PublicBoard) -> str:
    """Return the names of a board's submissions, the best first."""
    return " > ".join(row.submission.name for row in board.rows)


def empty_figure(_: BoardEntries) -> str:
    """Say why nothing is drawn."""
    return "a stranger draws nothing"


class Wins(RankingRule):
    """By the share of the tasks on which nobody is better."""

    name = "wins"
    columns = (RuleColumn(key="wins", title="Wins", sorting="desc", precision=2),)

    def parts(self, values: Floats, compared: ComparedRows) -> Floats:
        """Return 1 where a row has the best value of a task, else 0."""
        best = (np.nanmin if compared.ascending else np.nanmax)(values, axis=-1, keepdims=True)
        return np.where(np.isnan(values), np.nan, values == best)


class Loud(LocalExecutor):
    """Cells on this machine, under another name."""

    def __init__(self, order: RunRequest) -> None:
        super().__init__(order)
        emit("a stranger runs this")


WINS = Wins()
PLUGIN = Plugin(
    offers={
        "verbs.greet": "pullbench_stranger:greet",
        "importers.nothing": "pullbench_stranger:IMPORTER",
        "exporters.names": "pullbench_stranger:names",
        "figures.Nothing": "pullbench_stranger:empty_figure",
        "ranking_rules.wins": "pullbench_stranger:WINS",
        "executors.loud": "pullbench_stranger:Loud",
    },
)
