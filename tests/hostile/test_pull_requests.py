"""Hostile pull requests to a real bare repository, each with what must become of it."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Problem, PullbenchError
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.hostile.cases import Case, Commit, PullRequestAttack, cases, name_of
from tests.hostile.commits import write_commits
from tests.sharing import one_in
from tests.steps import approve, judge, receive

LONG = "attempt-chosen-after-the-end-from-thirty"
"""Others choose among fewer."""
Refusals = list[tuple[str, str]]
"""File and message."""


def prepare(forge: Forge, attack: PullRequestAttack) -> None:
    """Bring the base branch to what the attack finds."""
    if attack.settings:
        forge.ours.replace(
            "pyproject.toml", "[tool.pullbench]\n", f"[tool.pullbench]\n{attack.settings}\n"
        )
    for path, content in attack.base.items():
        forge.ours.write(path, content)
    if attack.settings or attack.base:
        forge.ours.commit("Before")
        forge.ours.git("push", "--quiet", "origin", "main")


def proposed(forge: Forge, attack: PullRequestAttack) -> PullRequestRef:
    forge.theirs.git("fetch", "--quiet", "origin")
    honest = entry(attack.entry) if attack.entry else {}
    first = Commit(files={path: str(content) for path, content in honest.items()}, name="entry")
    start = forge.theirs.git("rev-parse", "origin/main")
    commits = [first, *attack.commits] if honest else attack.commits
    return forge.push(1, write_commits(forge.theirs, commits, start))


def listed(problems: Sequence[Problem]) -> Refusals:
    return [(item.file, item.message) for item in problems if item.severity == "error"]


def told(step: StepResult) -> Refusals:
    if step.ok:
        return []
    reason = [("", step.report.reason)] if step.report.reason else []
    return listed(step.report.problems) + reason


def judgements(forge: Forge, source: PullRequestRef, by: str) -> dict[str, Callable[[], Refusals]]:
    place = forge.ours.path
    return {
        "validate": lambda: listed(judge(place, source, by, NOON).problems),
        "receive": lambda: told(receive(place, source, by, NOON)),
        "approve": lambda: told(approve(place, source, by, ORGANISER, NOON)),
    }


def check(refusals: Refusals, attack: PullRequestAttack) -> Iterator[str]:
    """Yield what is not as it should be."""
    expected = [(item.file, item.says) for item in attack.refused]

    def fits(one: tuple[str, str], other: tuple[str | None, str]) -> bool:
        return other[0] in (None, one[0]) and other[1] in one[1]

    for item in expected:
        if not any(fits(one, item) for one in refusals):
            yield f"is not refused for {item}"
    for one in refusals:
        if not any(fits(one, item) for item in expected):
            yield f"is refused for {one}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.slow)
        if case.name == LONG
        else pytest.param(case, marks=[*param.marks, pytest.mark.docker])
        if case.name.startswith("screen-")
        else param
        for param in one_in(2, cases(PullRequestAttack))
        for case in param.values
    ],
    ids=name_of,
)
def test_pull_request(case: Case[PullRequestAttack], forge: Forge) -> None:
    attack = case.attack
    assert (attack.outcome == "harmless") != bool(attack.refused)
    prepare(forge, attack)
    found = case.program(forge) if case.program else proposed(forge, attack)
    if found is None:
        return
    if isinstance(found, StepResult):
        assert list(check(told(found), attack)) == []
        return
    for verb, judgement in judgements(forge, found, attack.by).items():
        if verb not in attack.judged_by:
            continue
        try:
            refusals = judgement()
        except PullbenchError as error:
            refusals = [("", str(error))]
        assert list(check(refusals, attack)) == [], (verb, refusals)
    if attack.outcome == "harmless":
        before = forge.ours.git("rev-parse", "main")
        forge.merge(found)
        assert forge.ours.git("diff", "--name-only", before, "main", "--", *attack.unchanged) == ""
