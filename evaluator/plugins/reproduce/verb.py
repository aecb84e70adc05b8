"""``pullbench reproduce``."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from evaluator.core.cli import shown
from evaluator.core.cli.evaluation import runnable_here
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import engine_option, executor_option, jobs_option, json_option
from evaluator.core.clock import utc_now
from evaluator.core.log import emit_json, say

if TYPE_CHECKING:
    from evaluator.plugins.reproduce.comparing import Comparison


@cli.command()
@click.argument("cells", nargs=-1)
@engine_option
@executor_option
@jobs_option
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N",
    help="Only N cells, of those that are soon evaluated.",
)  # fmt: skip
@click.option("--random", "at_random", is_flag=True,
              help="Draw the sample, so that nobody knows what is checked.")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False),
              help="Write what --json prints to this file, too.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit with 1 where any result differs.")
@json_option
@click.pass_obj
def reproduce(
    start: Path,
    cells: tuple[str, ...],
    engine: str,
    executor: str,
    jobs: int,
    sample: int | None,
    at_random: bool,
    output: Path | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Evaluate all cells, or CELLS, afresh and compare with their records, which stay.

    Times never repeat: where cells run alone, columns that are times are not compared.
    """
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.core.planning.typed_names import cell_name
    from evaluator.core.scores.running import run
    from evaluator.core.scores.selection import choose
    from evaluator.plugins.reproduce import comparing

    snapshot = load_snapshot(start)
    shown.problems(snapshot)
    cells = tuple(cell_name(name, start, snapshot.tree) for name in cells)
    chosen = choose(snapshot, utc_now(), cells, fresh=True)
    if executor == "local":
        chosen = runnable_here(snapshot, chosen, engine)
    if sample is not None:
        committed = comparing.committed(snapshot)
        draw = SystemRandom() if at_random else None
        chosen = comparing.sample(snapshot, chosen, committed, sample, draw)
    compared: list[Comparison] = []
    if chosen:
        summary = run(
            snapshot, chosen, engine=engine, executor=executor, lanes=jobs,
            output=snapshot.tree.root / comparing.REPRODUCED, fresh=True, only_compared=True,
            show=shown.once(shown.record),
        )  # fmt: skip
        before = comparing.committed(snapshot)
        compared += comparing.compare(before, summary.records, snapshot.benchmarks)
        shown.summary(summary)
        _comparisons(compared)
    else:
        say("nothing can be evaluated here")
    text = json.dumps([{**asdict(item), "cell": str(item.cell)} for item in compared], indent=2)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    if as_json and chosen:
        emit_json(text)
    if strict and any(item.verdict == "differs" for item in compared):
        raise click.exceptions.Exit(1)


def _comparisons(compared: Sequence["Comparison"]) -> None:
    """Print the cells with another result, and count."""
    for item in compared:
        if item.verdict in ("differs", "new", "close", "tolerated"):
            say(f"{item.cell}: {item.verdict}: {item.detail}")
    counts = Counter(item.verdict for item in compared)
    text = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    say(f"compared with the committed records: {text or 'nothing'}")
