"""A contest whose final begins at noon, takes one attempt and ends, and steps of its attackers."""

import datetime as dt

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.scores import collecting
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.planning.cells import cells
from tests import steps
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge
from tests.records import failed, record_of
from tests.repository import BRANCH
from tests.steps import approve, proposed, receive

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
END = NOON + 10 * DAY
BUNDLE = "benchmarks/adding/competition.yaml"
_SHEET = """
fact_sheet:
  email: {key: email, type: text, title: E-mail, selection: "", is_required: "true"}
"""


def begin(forge: Forge, limit: str = "max_submissions: 1", address: bool = False) -> None:
    """Let the benchmark ``adding`` have the phases dev and final, and nobody in them."""
    ours = forge.ours
    ours.git("rm", "-rq", "submissions")
    text = (ours.path / BUNDLE).read_text()
    phase = "  - {index: %d, name: %s, start: %s, end: %s, tasks: %s, execution_time_limit: 3%s}\n"
    start, end = (f'"{moment.isoformat()}"' for moment in (NOON, END))
    phases = phase % (0, "Dev", "2020-01-01", start, [0], "")
    phases += phase % (1, "Final", start, end, [0, 1], f", {limit}")
    head, _, rest = text.partition("phases:\n")
    rest = rest.partition("leaderboards:")[2]
    ours.write(BUNDLE, f"{head}phases:\n{phases}\nleaderboards:{rest}")
    if address:
        ours.replace(BUNDLE, "\npullbench:\n", "\npullbench:\n  quota_by: email\n")
        ours.write(BUNDLE, (ours.path / BUNDLE).read_text() + _SHEET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", (NOON - DAY).isoformat())
        ours.commit("A contest")
    ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def work(
    content: str,
    who: str = "mallory",
    name: str = "one",
    phase: str = "final",
    kind: str = "code",
    more: str = "",
) -> Files:
    """Files of a submission to the contest."""
    folder = f"submissions/adding/{who}/{name}"
    return {
        f"{folder}/submission.yaml": f"kind: {kind}\nphase: {phase}\n{more}",
        f"{folder}/main.py": f"# {content}\n",
    }


def push(
    forge: Forge, files: Files, number: int = 1, who: str = "mallory", at: dt.datetime = NOON
) -> tuple[PullRequestRef, StepResult]:
    """Push one commit on top of main as a pull request, and let CI see it."""
    source = forge.open(number, files)
    return source, receive(forge.ours.path, source, who, at)


def label(
    forge: Forge, source: PullRequestRef, who: str = "mallory", at: dt.datetime = NOON
) -> StepResult:
    """Let an organiser approve what a pull request holds."""
    return approve(forge.ours.path, source, who, ORGANISER, at)


def enter(
    forge: Forge, files: Files, number: int = 1, who: str = "mallory", at: dt.datetime = NOON
) -> StepResult:
    """Push a pull request, and let an organiser approve it where nothing is wrong with it."""
    source, step = push(forge, files, number, who, at)
    return label(forge, source, who, at) if step.ok else step


def accepted(step: StepResult) -> PullRequestRef:
    """Return the pull request of a step that must have gone well."""
    assert step.ok, [str(problem) for problem in step.report.problems]
    assert step.pull is not None
    return PullRequestRef(base=BRANCH, head=step.pull.head, remote="origin", number=1)


def finish(forge: Forge, source: PullRequestRef, at: dt.datetime = NOON) -> StepResult:
    """Let runners evaluate it without a fault."""
    return steps.finish(forge.ours.path, source, forge.evaluate(source, at), at)


def finish_failed(forge: Forge, source: PullRequestRef, actor: Actor, reason: Reason) -> StepResult:
    """Let every cell of it end in a failure."""
    for cell in cells(proposed(forge.ours.path, source, NOON), NOON):
        forge.hand_in(failed(record_of(cell), actor, reason), job=cell.id.task)
    return steps.finish(forge.ours.path, source, forge.folder, NOON)


def collect(forge: Forge, at: dt.datetime) -> None:
    """Let CI plan what stands on the base branch."""
    collecting.collect(forge.ours.path, at, branch=BRANCH, remote="origin")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
