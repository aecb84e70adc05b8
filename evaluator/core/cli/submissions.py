"""Verbs for participants: check a submission, and submit it."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from evaluator.core.cli import actions
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import (
    actor_option,
    at_option,
    head_option,
    json_option,
    pull_request_option,
    remote_option,
)
from evaluator.core.clock import utc_now
from evaluator.core.errors import Problem, counted
from evaluator.core.log import emit_json, say


@cli.command()
@click.argument("path", default="")
@at_option
@click.option("--base", envvar="PULLBENCH_BASE", help="Judge a pull request to this branch.")
@head_option
@actor_option
@remote_option
@pull_request_option
@json_option
@click.pass_obj
def validate(
    start: Path,
    path: str,
    at: str | None,
    base: str | None,
    head: str | None,
    actor: str | None,
    remote: str,
    pull_request: int | None,
    as_json: bool,
) -> None:
    """Check bundles and submissions, all or those at PATH; report every problem at once.

    PATH is a file or folder, or the name of a benchmark or a submission, such as iris/alice. What
    this clone would propose is judged by the rules of pull requests, too: sizes, names, and whose
    paths it may change, against upstream/main or origin/main, where there is one. Its author is
    --actor, or else the participant at PATH.

    With --base, --head and --actor, check a pull request instead, by the rules of its base:
    whose paths it may change, quotas, windows, sizes, names, and all that it adds.
    """
    if base is not None:
        if not head or not actor:
            raise click.UsageError("--base needs --head and --actor, the author's login")
        from evaluator.ci.pull_requests import judge, verdict
        from evaluator.ci.pull_requests.comment import to_markdown
        from evaluator.ci.pull_requests.heads import Source

        source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
        judged = judge(start, source, actor, utc_now())
        actions.show(judged.problems)
        actions.summarise(to_markdown(verdict(judged)))
        changed = f"{counted(len(judged.proposal.changes), 'paths')} changed"
        problems: Sequence[Problem] = judged.problems
    else:
        from evaluator.core.planning.places import count, places_of
        from evaluator.core.planning.snapshot import load_snapshot
        from evaluator.ci.pull_requests.unopened import validate_here

        snapshot = load_snapshot(start, at)
        places = places_of(path, start, snapshot)
        problems, against = validate_here(snapshot, places, actor, utc_now())
        actions.show(problems)
        benchmark_count, submission_count = count(snapshot, places)
        where = f"{', '.join(places)}: " if places else ""
        compared = f", against {against}" if against else ""
        looked_at = (
            f"{counted(benchmark_count, 'benchmarks')}, {counted(submission_count, 'submissions')}"
        )
        changed = f"{where}{looked_at}{compared}"
    counts = Counter(problem.severity for problem in problems)
    severities = [
        counted(counts[severity], f"{severity}s")
        for severity in ("error", "warning", "note")
        if counts[severity] or severity != "note"
    ]
    say(f"{changed}: {', '.join(severities)}")
    if as_json:
        emit_json(json.dumps([asdict(problem) for problem in problems], indent=2))
    if counts["error"]:
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("benchmark")
@click.option("--as", "who", metavar="LOGIN/NAME", default="",
              help="Your login, and a name for the submission; git's user.name and `first` by "
              "default.")  # fmt: skip
@click.option("--kit", default="", help="Which sample of the starting kit, where it has several.")
@click.pass_obj
def enter(start: Path, benchmark: str, who: str, kit: str) -> None:
    """Begin a submission to BENCHMARK: copy its starting kit, and say what to do next.

    Where it has none, submission.yaml is written, with the organiser's questions.
    """
    from evaluator.core.scaffold.entering import enter as enter_benchmark

    login, _, name = who.partition("/")
    done = enter_benchmark(start, benchmark, login, name, kit, utc_now())
    participant = done.path.rpartition("/")[0]
    say(f"{done.path}: " + (f"a copy of {done.source}" if done.source else "submission.yaml"))
    for other in done.others:
        say(f"  there is also --kit {other}")
    if not done.is_open:
        say(f"no phase of {benchmark} is open: it can be tried here, and not be entered",
            style="yellow")  # fmt: skip
    beside = f", add {'; '.join(done.missing)}" if done.missing else ", put your work in its place"
    say(f"Next: answer what {done.path}/submission.yaml asks{beside}, and then")
    say(f"  pullbench validate {participant}")
    say(f"  pullbench run {participant.removeprefix('submissions/')} --output build/try")
    say(f'  git switch -c enter && git add {participant} && git commit -m "Enter {benchmark}"')
    say("  git push --set-upstream origin enter    and open a pull request")


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
