"""``pullbench controls``."""

from functools import partial
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import (
    engine_option,
    head_option,
    jobs_option,
    pull_request_option,
    remote_option,
)
from evaluator.core.clock import utc_now
from evaluator.core.log import say


@cli.command()
@click.argument("benchmarks", nargs=-1)
@click.option("--base", envvar="PULLBENCH_BASE", help="Judge a pull request to this branch.")
@head_option
@remote_option
@pull_request_option
@click.option("--mutate", is_flag=True, help="Weaken the scoring programs; list what none notices.")
@engine_option
@jobs_option
@click.pass_obj
def controls(
    start: Path,
    benchmarks: tuple[str, ...],
    base: str | None,
    head: str | None,
    remote: str | None,
    pull_request: int | None,
    mutate: bool,
    engine: str,
    jobs: int,
) -> None:
    """Run the controls of BENCHMARKS, or of all; exit with 1 unless each is as expected.

    What became of each goes to `controls/outcomes.json` of its bundle. With --base and --head, the
    controls of a pull request are run if it changes what decides them.
    """
    from evaluator.ci.opened.heads import PullRequestRef
    from evaluator.core.errors import InvalidInputError
    from evaluator.core.git.tree import open_repository, read_tree
    from evaluator.core.planning.snapshot import read_snapshot
    from evaluator.core.scores.runnable import needs_key
    from evaluator.plugins.controls.evaluation import changed_controls, evaluate
    from evaluator.plugins.controls.keys import control_problems, controls_of, outcome_problems
    from evaluator.plugins.controls.mutants import survivors
    from evaluator.plugins.controls.outcomes import OUTCOMES, became, encode_outcomes, fault_of

    repo, revision = open_repository(start), None
    if base and head:
        ref = PullRequestRef(base=base, head=head, remote=remote, number=pull_request)
        revision, benchmarks = changed_controls(repo, ref, utc_now())
    snapshot = read_snapshot(read_tree(repo, revision), participants=())
    failed, ran = False, revision is not None  # a pull request may change none
    for name in benchmarks if revision or benchmarks else sorted(snapshot.benchmarks):
        benchmark = snapshot.benchmark(name)
        every = controls_of(benchmark)
        if not every:
            say(f"{name} has no controls")
            continue
        faults = [*control_problems(snapshot, benchmark)]
        # Jobs that judge a pull request have no key: its organiser runs the controls, and commits.
        is_closed = revision and needs_key(benchmark.tasks)
        if faults := faults or [*(outcome_problems(snapshot, benchmark) if is_closed else ())]:
            raise InvalidInputError(faults)
        if is_closed:
            say(f"{name}: {OUTCOMES} is as expected; without the key no control runs here")
            continue
        run = partial(evaluate, name=name, engine=engine, lanes=jobs)
        outcomes = run(read_tree(repo, revision))
        if outcomes is None:
            continue
        ran = True
        for one, outcome in outcomes.items():
            fault = fault_of(benchmark, every, one, outcomes)
            failed = failed or bool(fault)
            say(f"{name} {one}: {became(outcome, benchmark)}")
            if fault:
                say(f"{name}: the control '{one}' {fault}", style="red")
        for outcome in outcomes.values():
            visible = outcome.visible_keys(benchmark)
            for scores in outcome.scores.values():
                for key in scores.keys() - visible:
                    del scores[key]
        if revision is None:
            file = Path(snapshot.tree.root, benchmark.path, OUTCOMES)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(encode_outcomes(outcomes))
        for line in survivors(repo, revision, name, run) if mutate else ():
            say(line)
    if not ran:
        say("no control ran")
    if failed or not ran:
        raise click.exceptions.Exit(1)
