"""Verbs of teachers."""

import os
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, phase_option
from evaluator.core.errors import UsageError, counted, some_of
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.log import complain, emit, say

FORMATS = ["csv", "canvas", "moodle"]

roster_option = click.option(
    "--roster", required=True, metavar="CSV",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The class list: columns number and login, and any others.",
)  # fmt: skip


@cli.command()
@click.argument("benchmark")
@roster_option
@at_option
@phase_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv",
              help="What imports it.")  # fmt: skip
@click.pass_obj
def grades(
    start: Path, benchmark: str, roster: Path, at: str | None, phase: str | None, form: str
) -> None:
    """Print the grades of a class list in one phase of BENCHMARK, as CSV.

    It has all scores, also of a phase that hides them: keep it out of the repository. What is
    sealed needs the key PULLBENCH_IDENTITY.
    """
    from evaluator.ci.ledger.ledger import local_ledger
    from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.courses.gradebook import gradebook
    from evaluator.plugins.courses.grades import grade, read_students

    students = read_students(roster)
    snapshot = load_snapshot(start, at, only=benchmark)
    board = leaderboard_at(start, benchmark, phase=phase, task=None, at=at, hidden=True)
    sealed = (one for one in snapshot.record_files.sealed() if one.cell.phase == board.phase.slug)
    if not os.environ.get(SEAL_IDENTITY) and any(sealed):
        raise UsageError(
            f"scores of phase '{board.phase.name}' are sealed",
            hint=f"Give {SEAL_IDENTITY}, the organisers' secret key, in the environment.",
        )
    ledger = local_ledger(snapshot.tree.repository, snapshot.settings.ledger)
    graded, others = grade(snapshot, board, ledger, students)
    text = gradebook(graded, board, form)
    if others:
        complain(
            f"{counted(len(others), 'participants')} with an entry "
            f"{'is' if len(others) == 1 else 'are'} not in {roster}: {some_of(others)}"
        )
    emit(text)


@cli.command()
@click.argument("benchmark")
@roster_option
@click.pass_obj
def participants(start: Path, benchmark: str, roster: Path) -> None:
    """Let those of a class list enter BENCHMARK, and nobody else.

    Its bundle gets digests of the logins, with a salt: the list itself stays with you. Who is not
    on it learns that in the first comment of CI. Run it again when the list has changed.

    A column `until PHASE` of the list has the dates of those who have more time, and is empty for
    the others; reasons may be in columns of their own.
    """
    from evaluator.plugins.courses.participants import list_participants

    done = list_participants(start, benchmark, roster)
    say(f"{done.path}: {counted(done.listed, 'participants')}, {done.added} added, "
        f"{done.removed} removed")  # fmt: skip
    for student in done.without_login:
        complain(f"{student} has no login in {roster}, and cannot enter")
