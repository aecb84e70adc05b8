"""Verbs for programs: submitting and reading results without a browser."""

import json
from pathlib import Path

import click

from evaluator import pipeline
from evaluator.api import results as read_results
from evaluator.cli.group import cli
from evaluator.cli.main import at_option
from evaluator.exports.tables import to_text
from evaluator.log import complain, emit, emit_json, say
from evaluator.pipeline import leaderboard_at
from evaluator.pull_requests.submit import submit as submit_folder


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--benchmark", required=True, help="Benchmark to enter.")
@click.option("--participant", help="Your login or team; git's user.name by default.")
@click.option("--name", help="Name of the submission; the folder's by default.")
@click.option("--remote", default="origin", show_default=True, help="Remote to push to.")
@click.option("--base", default="main", show_default=True, help="Branch to enter.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.pass_obj
def submit(
    start: Path,
    folder: Path,
    benchmark: str,
    participant: str | None,
    name: str | None,
    remote: str,
    base: str,
    as_json: bool,
) -> None:
    """Push FOLDER as a submission on a branch of its own and open the pull request.

    The forge's token is read from PULLBENCH_TOKEN, GITHUB_TOKEN or GH_TOKEN; without one the
    address to open is printed. Your working tree is not touched.
    """
    done = submit_folder(
        start, folder, benchmark=benchmark, participant=participant, name=name, remote=remote,
        base=base,
    )  # fmt: skip
    if as_json:
        data = {"branch": done.branch, "commit": done.commit, "opened": done.opened,
                "address": done.address}  # fmt: skip
        emit_json(json.dumps(data, indent=2))
        return
    say(f"pushed {done.commit[:12]} to {done.branch} at {remote}")
    if done.opened:
        say(f"opened {done.address}")
    elif done.address:
        say(f"open the pull request at {done.address}")
    else:
        say("open the pull request on your forge")


@cli.command()
@click.argument("benchmark")
@click.option("--json", "as_json", is_flag=True, help="Print everything, as JSON.")
@click.option("--phase", help="Phase by name, slug or index; the last one begun by default.")
@click.option("--task", help="Rank one task alone.")
@click.option(
    "--format", "form", type=click.Choice(["table", "amlb"]), default="table",
    help="amlb: results.csv of the AutoML Benchmark, a row for each fold.",
)  # fmt: skip
@click.option(
    "--predictions", "folder", type=click.Path(path_type=Path, file_okay=False),
    help="With --format amlb: write the predictions that this machine has stored there, too.",
)  # fmt: skip
@at_option
@click.pass_obj
def results(
    start: Path,
    benchmark: str,
    as_json: bool,
    phase: str | None,
    task: str | None,
    form: str,
    folder: Path | None,
    at: str | None,
) -> None:
    """Print the results of BENCHMARK, as the site serves them below api/."""
    if form == "amlb":
        emit(pipeline.amlb_table(start, benchmark, phase=phase, at=at))
        if folder is not None:
            found = pipeline.stored_predictions(start, benchmark, phase=phase, at=at)
            files = dict(found)
            for name, content in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
            complain(f"{folder}: {len(files)} files of predictions")
        return
    if as_json:
        data = read_results(start, benchmark, phase=phase, task=task, at=at)
        emit_json(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
        return
    board = leaderboard_at(start, benchmark, phase=phase, task=task, at=at)
    emit(to_text(board))
