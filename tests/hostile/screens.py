"""Entries to the bundle ``screened``, whose screen runs in a container, as CI's steps do it."""

import shutil
from pathlib import Path

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import open_pull_request
from evaluator.ci.steps.reports import StepResult
from evaluator.core.git.tree import open_repository
from evaluator.plugins.screening.screening import screen
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge
from tests.repository import BRANCH, BUNDLES
from tests.steps import approve, receive

__all__ = ["StepResult", "approved", "enter", "ran", "screened"]


def enter(forge: Forge, files: Files) -> PullRequestRef:
    """Push an entry of mallory's, and let CI receive it."""
    ours, folder = forge.ours, "submissions/screened/mallory/one"
    if not (ours.path / "benchmarks/screened").exists():
        shutil.copytree(BUNDLES / "screened", ours.path, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("expected.json"))  # fmt: skip
        ours.commit("A screen")
        ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    files = {f"{folder}/{path}": content for path, content in files.items()}
    source = forge.open(1, {f"{folder}/submission.yaml": "kind: code\n", **files})
    assert receive(ours.path, source, "mallory", NOON).next == "screen"
    return source


def ran(forge: Forge, source: PullRequestRef) -> Path:
    """Run the screen; return the folder that the job hands over."""
    screen(open_pull_request(open_repository(forge.ours.path), source, NOON), forge.folder)
    return forge.folder


def approved(forge: Forge, source: PullRequestRef, folder: Path, by: str = ORGANISER) -> StepResult:
    """Let an organiser approve it, or by nobody the policy."""
    return approve(forge.ours.path, source, "mallory", by or None, NOON, verdicts=folder)


def screened(forge: Forge, files: Files) -> StepResult:
    source = enter(forge, files)
    return approved(forge, source, ran(forge, source))
