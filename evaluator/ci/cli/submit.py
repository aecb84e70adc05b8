"""The verb that opens a pull request."""

import json
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import json_option
from evaluator.core.log import emit_json, say


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--benchmark", required=True, help="Benchmark to enter.")
@click.option("--participant", help="Your login or team; git's user.name by default.")
@click.option("--name", help="Name of the submission; the folder's by default.")
@click.option("--remote", default="origin", show_default=True, help="Remote to push to.")
@click.option("--base", default="main", show_default=True, help="Branch to enter.")
@json_option
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
    from evaluator.ci.pull_requests.submit import submit

    done = submit(
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
