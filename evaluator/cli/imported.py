"""What an import says at its end."""

from pathlib import Path

import click

from evaluator import pipeline
from evaluator.errors import Problem
from evaluator.importers.importer import Imported
from evaluator.log import say


def show_import(start: Path, done: Imported) -> None:
    """Say what came of an import; exits with 1 where it was refused."""
    show(done.problems)
    if done.refused:
        say("refused: nothing was written")
        raise click.exceptions.Exit(1)
    say(f"benchmarks/{done.name}: {len(done.files)} files")
    tree = pipeline.snapshot(start).tree
    ignored = sorted(
        path for path in done.files if f"benchmarks/{done.name}/{path}" not in tree.entries
    )
    if ignored:
        names = ", ".join(ignored[:5]) + (", ..." if len(ignored) > 5 else "")
        say(f"warning: git ignores {len(ignored)} of them, so runs will not see them: {names}")


def show(problems: tuple[Problem, ...]) -> None:
    """Print notes, warnings and errors of an import."""
    for problem in problems:
        # Who must act goes without saying here: the organiser is the one who reads it.
        text = str(problem).removesuffix(f" [{problem.actor} must act]")
        say(f"{problem.severity}: {text}")
