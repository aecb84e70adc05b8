"""Verbs for participants: check a submission, and submit it."""

import datetime as dt
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli import actions
from evaluator.core.cli.group import NEEDS_CI, cli
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
from evaluator.core.plugins import Service

if TYPE_CHECKING:
    from evaluator.core.planning.snapshot import Snapshot

    Said = tuple[Sequence[Problem], str]
    """Problems, and what was judged, in words."""
    Judge = Callable[[Path, str, str, str | None, int | None, str, dt.datetime], tuple[*Said, str]]
    Validate = Callable[[Snapshot, Sequence[str], str | None, dt.datetime], Said]

JUDGE: "Service[Judge]" = Service("pull_requests.judge", *NEEDS_CI)
"""From root, base, head, remote, number, login and time of a pull request to problems, the verdict
as Markdown, and what is changed, in words."""
VALIDATE_HERE: "Service[Validate]" = Service("pull_requests.validate_here")
"""From a snapshot, places, login and time to problems, and what they were judged against."""


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
    start: Path, path: str, at: str | None, base: str | None, head: str | None, actor: str | None,
    remote: str | None, pull_request: int | None, as_json: bool,
) -> None:  # fmt: skip
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
        problems, text, changed = JUDGE.need()(
            start, base, head, remote, pull_request, actor, utc_now()
        )
        actions.show(problems)
        actions.summarise(text)
    else:
        from evaluator.core.planning.rules import validate
        from evaluator.core.planning.snapshot import load_snapshot
        from evaluator.core.planning.typed_names import is_within, resolve_paths

        snapshot = load_snapshot(start, at)
        places = resolve_paths(path, start, snapshot)
        if validate_here := VALIDATE_HERE.load():
            problems, against = validate_here(snapshot, places, actor, utc_now())
        else:
            problems, against = validate(snapshot, places), ""
        actions.show(problems)
        benchmarks, submissions = (
            sum(
                not places or any(is_within(path, one) or is_within(one, path) for one in places)
                for path in paths
            )
            for paths in (
                [item.path for item in snapshot.benchmarks.values()],
                [item.path for item in snapshot.submissions],
            )
        )
        where = f"{', '.join(places)}: " if places else ""
        compared = f", against {against}" if against else ""
        changed = (
            f"{where}{counted(benchmarks, 'benchmarks')}, {counted(submissions, 'submissions')}"
            f"{compared}"
        )
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
