"""Verbs about the scores of a branch: bring them to it, ask for new ones, withdraw them."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from evaluator.ci.forge.inert_markdown import prose
from evaluator.core.cli import actions
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import json_option, remote_option
from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError, counted
from evaluator.core.log import complain, emit_json, say

records_option = click.option(
    "--from", "source", type=click.Path(path_type=Path, file_okay=False),
    envvar="PULLBENCH_FROM",
    help="Folder with records, as `run --output` writes, or with one such folder per job.",
)  # fmt: skip


def base_branch(start: Path) -> str:
    """The branch that submissions go to, by the settings of this checkout."""
    from evaluator.core.formats.settings import parse_settings
    from evaluator.core.git.tree import open_repository

    file = Path(open_repository(start).working_tree_dir or start, "pyproject.toml")
    return parse_settings(file.read_bytes() if file.is_file() else None).branch


@cli.command()
@click.option("--remote", help="Remote to push to; without it the local branch moves.")
@records_option
@click.option("--allow-unisolated", is_flag=True, help="Take records of the subprocess engine.")
@click.pass_obj
def commit(start: Path, remote: str | None, source: Path | None, allow_unisolated: bool) -> None:
    """Commit records that fit the plan of the current branch, in one commit, however it moves."""
    from evaluator.ci.scores.commit import commit

    done = commit(start, utc_now(), remote=remote, source=source, unisolated=allow_unisolated)
    if done.commit is None:
        say("no new records to commit")
        return
    say(_committed(done.cells, done.commit, done.retries))


def _committed(cells: int, commit: str, retries: int) -> str:
    return f"{counted(cells, 'records')} in {commit[:12]}, retries: {retries}"


@cli.command()
@remote_option
@records_option
@click.option("--inbox", is_flag=True, help="Take what `hand-in` pushed, too.")
@click.option("--rerun", envvar="PULLBENCH_RERUN", default="",
              help="Plan these cells as if they were missing.")  # fmt: skip
@click.option("--failed", is_flag=True, envvar="PULLBENCH_FAILED",
              help="Of them, those alone whose record is a failure.")  # fmt: skip
@click.option("--handed-out", envvar="PULLBENCH_HANDED_OUT", default="",
              help="Which jobs --from is of: the output `handed_out` of the `collect` that planned "
              "them; the last one by default.")  # fmt: skip
@click.option("--accept-ledger", is_flag=True,
              help="Take a ledger that has lost what it held as it is now.")  # fmt: skip
@click.pass_obj
def collect(
    start: Path, remote: str | None, source: Path | None, inbox: bool, rerun: str, failed: bool,
    handed_out: str, accept_ledger: bool,
) -> None:  # fmt: skip
    """Bring the records of the base branch up to date, and list the cells that are still missing.

    Records handed in are kept in the ledger and committed where they fit the branch's plan; kept
    ones are committed for the cells that miss one. In a workflow the outputs `matrix`, `count`,
    `score`, `predicted` and `commit` say what is left, `due` which sealed entries are to be opened,
    and `handed_out` which job was given what: of a folder `records-<job>` below --from the cells of
    that job count, and no others.

    What cannot be read is put aside with the reason, and the rest is committed; then the exit code
    is 1. A reference that held it is kept below refs/pullbench/quarantine/.

    Records that were withdrawn, or that somebody took off the branch, come off and stay off. A
    ledger that has lost what it held stops the command.
    """
    from evaluator.ci.ledger.queues import job_outputs
    from evaluator.ci.scores.collecting import collect

    done = collect(
        start, utc_now(), branch=base_branch(start), remote=remote,
        source=source if source and source.is_dir() else None, inbox=inbox, rerun=rerun.split(),
        failed_only=failed, accept_ledger=accept_ledger, assignment=handed_out,
    )  # fmt: skip
    for reason in done.left_out:
        say(f"left out: {reason}")
    for reason in done.malformed:
        complain(f"refused: {reason}")
        actions.summarise(f"Put aside: {prose(reason)}")
    written = done.committed
    if written.commit:
        say(_committed(written.cells, written.commit, written.retries))
    else:
        say("no new records")
    for landing in done.unreviewed:
        text = f"{landing.name}, commit {landing.commit[:12]}: {landing.fault}"
        complain(f"landed otherwise than shown or approved: {text}")
        actions.summarise(f"Landed otherwise than shown or approved: {prose(text)}")
    say(f"to be evaluated: {counted(len(done.missing), 'cells')}")
    actions.set_outputs(
        {
            **job_outputs(done.missing, done.settings),
            "commit": done.tip,
            "handed_out": done.assignment,
            "due": " ".join(done.due),
        }
    )
    if done.fault:
        raise done.fault
    if done.malformed:
        raise click.exceptions.Exit(1)


@cli.command("hand-in")
@click.option(
    "--from", "source", required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with records, as `run --output` writes.",
)  # fmt: skip
@click.option("--remote", default="origin", show_default=True, help="Remote to push to.")
@click.pass_obj
def hand_in(start: Path, source: Path, remote: str) -> None:
    """Push records under a reference of their own, for `collect --inbox` to take.

    For runners that share a repository but no store of artifacts; they never wait for another.
    """
    from evaluator.ci.scores.hand_in import hand_in_folder

    name, count = hand_in_folder(start, source, remote)
    say(f"{counted(count, 'records')} handed in as {name}")


@cli.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--failed", is_flag=True, help="Those alone whose record is a failure.")
@click.pass_obj
def rerun(start: Path, names: tuple[str, ...], failed: bool) -> None:
    """Ask the forge to evaluate NAMES afresh: a benchmark, a submission, or single cells.

    Starts the workflow publish.yml; it needs an organiser's token. `pullbench run --fresh` is the
    same on this machine.
    """
    from evaluator.ci.forge.repository import find_forge
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.core.scores.selection import choose

    snapshot = load_snapshot(start)
    cells = choose(snapshot, utc_now(), names, fresh=True, failed_only=failed)
    forge = find_forge(snapshot.settings.forge)
    if forge is None:
        raise UsageError(
            "there is no forge to ask: no token, or no address in [tool.pullbench] forge",
            hint=f"Here: `pullbench run --fresh {'--failed ' if failed else ''}{' '.join(names)}`.",
        )
    inputs = {"rerun": " ".join(names), "failed": "true" if failed else "false"}
    forge.dispatch("publish.yml", snapshot.settings.branch, inputs)
    say(f"asked for {counted(len(cells), 'cells')}")


@cli.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--reason", required=True, help="Why, in one sentence that everybody can read.")
@click.option("--by", envvar="PULLBENCH_ACTOR", help="Who withdraws them; your name in git.")
@remote_option
@click.pass_obj
def withdraw(
    start: Path, names: tuple[str, ...], reason: str, by: str | None, remote: str | None
) -> None:
    """Withdraw the records of NAMES: a benchmark, a submission, or single cells.

    Every record made until now of the same content counts no longer, under whatever name it
    stands. The next `collect` takes them off the branch and plans their cells again; the site's
    status page shows the reason. Needs the right to push to the ledger.
    """
    from evaluator.ci.scores.revocation import author_name, withdraw
    from evaluator.core.git.tree import open_repository

    who = by or author_name(open_repository(start))
    if not who:
        raise UsageError("nobody is named who withdraws them", hint="Name yourself with --by.")
    done = withdraw(start, names, reason, who, utc_now(), branch=base_branch(start), remote=remote)
    for note in done:
        say(f"withdrawn: {note.cell}, {note.record[:12]}")
    say(
        f"{counted(len(done), 'records')}; the next `pullbench collect` takes off what the branch "
        "has of them"
    )


@cli.command()
@click.argument("name", metavar="BENCHMARK/PARTICIPANT/SUBMISSION")
@click.option("--reason", required=True, help="Why, in one sentence that everybody can read.")
@click.pass_obj
def disqualify(start: Path, name: str, reason: str) -> None:
    """Take a submission off the ranks: its row stays, below, with the reason.

    Writes the decision into approvals.yaml of the benchmark; commit it. What it scored stays as it
    is, and nothing is evaluated again. A later decision `approved` there takes it back.
    """
    from evaluator.ci.scores.disqualify import disqualify

    path = disqualify(start, name, reason, utc_now())
    say(f"disqualified: {name}, in {path}")
    say(f'Next: git add {path} && git commit -m "Disqualify {name}"')


@cli.command()
@remote_option
@json_option
@click.pass_obj
def overdue(start: Path, remote: str | None, as_json: bool) -> None:
    """List what has made no progress for longer than `progress_hours`, and who must act.

    With a token, one issue at the forge says the same; it is closed when nothing is left.
    """
    from evaluator.ci.steps.overdue import find_overdue, overdue_markdown

    waiting, forge = find_overdue(start, utc_now(), branch=base_branch(start), remote=remote)
    for item in waiting:
        say(f"{item.subject}: {item.reason}. {item.hint} [{item.actor} must act]")
    say(f"longer than they should wait: {counted(len(waiting), 'submissions')}")
    if as_json:
        emit_json(json.dumps([asdict(item) for item in waiting], indent=2, default=str))
    body = overdue_markdown(waiting, utc_now())
    actions.summarise(body or "Nothing waits for longer than it should.")
    if forge is not None:
        forge.sticky_issue("Submissions without progress", body)
