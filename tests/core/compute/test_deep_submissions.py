"""Submissions with their own folders nested too deep: only theirs fail, and it is their fault."""

import subprocess

import pytest

from evaluator.ci.scores.record_faults import excess
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason, Record
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import choose
from tests.repository import BRANCH, Repository

pytestmark = pytest.mark.docker

HONEST = {"alice": 0, "bob": 0, "carol": 64}
"""Folders between a submission and its deepest file, by participant."""
TOO_DEEP = {"mallory": 65, "mike": 500, "molly": 6000}


def commit_deep_submissions(repo: Repository) -> None:
    """Commit them as git's own objects can hold them, though no path of a file reaches so deep."""
    honest = repo.path / "submissions" / "vault" / "alice" / "honest"
    lines = [
        f"commit refs/heads/{BRANCH}",
        "committer Tester <tester@localhost> 1700000000 +0000",
        "data 4\nDeep",
        f"from refs/heads/{BRANCH}^0",
    ]
    for participant, depth in (HONEST | TOO_DEEP).items():
        files = {path.name: path.read_text() for path in honest.iterdir()}
        for name, text in {**files, f"{'d/' * depth}note": "Deep\n"}.items():
            lines += [
                f"M 100644 inline submissions/vault/{participant}/deep/{name}",
                f"data {len(text.encode())}\n{text}",
            ]
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=repo.path, input="\n".join([*lines, ""]),
        text=True, check=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """What became of all cells in one run, by participant."""
    repo = Repository(tmp_path_factory.mktemp("deep") / "repo").with_bundle("vault")
    commit_deep_submissions(repo)
    taken = repo.snapshot(BRANCH)
    planned = [
        item
        for item in choose(taken, utc_now(), (), fresh=False)
        if item.cell.id.submission == "deep" and item.cell.id.task == "open"
    ]
    done = run(taken, planned, engine="docker", lanes=2)
    return {record.cell.participant: record for record in done.records.values()}


@pytest.mark.parametrize("participant", HONEST)
def test_the_run_of_the_other_cells_goes_on(participant: str, records: dict[str, Record]) -> None:
    assert records[participant].status == "finished"


@pytest.mark.parametrize("participant", TOO_DEEP)
def test_a_submission_deeper_than_64_is_its_participants_fault(
    participant: str, records: dict[str, Record]
) -> None:
    record = records[participant]
    assert record.error is not None
    assert (record.error.actor, record.error.reason) == (Actor.PARTICIPANT, Reason.BAD_INPUT)
    assert excess(record) is None, "it would be accepted nowhere, and planned for ever"
    assert not record.steps
