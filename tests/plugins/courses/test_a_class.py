"""A class enters by pull requests: what CI noted is what the gradebook says, and nobody else."""

import csv
import datetime as dt
import io
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.cells import cells
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry, make_forge
from tests.records import record_of
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, proposed, receive

BUNDLE = "benchmarks/adding/competition.yaml"
RECIPIENT, IDENTITY = make_keys()
SALT = "autumn-26"
HOUR = dt.timedelta(hours=1)
END = NOON + 24 * HOUR
STUDENTS = {"ada": 0.8125, "ben": 0.4375, "cid": 0.6875}
"""Login -> score of the entry."""


@pytest.fixture
def forge(tmp_path: Path, small: Repository, monkeypatch: pytest.MonkeyPatch) -> Forge:
    digests = ", ".join(sha256(f"{SALT}{who}".encode()).hexdigest() for who in STUDENTS)
    more = sha256(f"{SALT}cid".encode()).hexdigest()
    small.git("rm", "-rq", "submissions/adding")
    small.replace(BUNDLE, "start: 2020-01-01,", f"start: 2020-01-01, end: {END.isoformat()},")
    small.replace(
        BUNDLE, "\npullbench:\n",
        f"\npullbench:\n  participants: {{salt: {SALT}, digests: [{digests}]}}\n"
        "  phases: {0: {shows: status, late: {days: 2, minus: 0.1}, "
        f"until: {{{more}: {(END + 24 * HOUR).isoformat()}}}}}}}\n",
    )  # fmt: skip
    made = make_forge(tmp_path, small)
    made.ours.write(
        "pyproject.toml",
        SETTINGS.replace("[tool.pullbench]\n", f'[tool.pullbench]\nseal = "{RECIPIENT}"\n'),
    )
    made.ours.commit("A course")
    made.ours.git("push", "--quiet", "origin", BRANCH)
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    return made


def take(forge: Forge, number: int, who: str, at: dt.datetime) -> str:
    """Take a student's pull request all the way to the branch; returns what refused it."""
    source = forge.open(number, entry(who, content=f"print({who!r})\n"))
    came = receive(forge.ours.path, source, who, at)
    approved = approve(forge.ours.path, source, who, ORGANISER, at) if came.ok else came
    if not approved.ok:
        return str(approved.report.problems)
    for cell in cells(proposed(forge.ours.path, source, at), at):
        if cell.id.participant == who:
            whole = record_of(cell, scores={"right": STUDENTS[who], "distance": 0.0})
            forge.hand_in(withheld(encrypt_hidden(whole, cell.benchmark, RECIPIENT)))
    assert finish(forge.ours.path, source, forge.folder, at + HOUR).ok
    forge.merge(source, at + 2 * HOUR)
    collect(forge.ours.path, at + 3 * HOUR, branch=BRANCH, remote="origin")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    return ""


def test_a_class_enters_by_pull_requests(forge: Forge, tmp_path: Path) -> None:
    came = {"ada": END - 5 * HOUR, "ben": END + 30 * HOUR, "cid": END + 30 * HOUR}
    assert [take(forge, number, who, at) for number, (who, at) in enumerate(came.items(), 1)] == [
        "", "", ""
    ]  # fmt: skip
    assert "not among the participants" in take(forge, 7, "mallory", END - HOUR)
    forge.ours.git("fetch", "--quiet", "origin")
    roster = tmp_path / "roster.csv"
    roster.write_text("number,login\n1,ada\n2,ben\n3,cid\n4,mallory\n")
    done = forge.ours.pullbench("grades", "adding", "--roster", str(roster))
    assert done.returncode == 0, done.stderr
    rows = {row["login"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    wanted = {
        # Ben is 30 hours late, which is two days begun; Cid has a day more, and is six hours late.
        "ada": (0.8125, 0.8125, 0.0), "ben": (0.4375, 0.2375, 30.0), "cid": (0.6875, 0.5875, 6.0),
    }  # fmt: skip
    for who, numbers in wanted.items():
        found = tuple(float(rows[who][name]) for name in ("score", "grade", "late_hours"))
        assert found == pytest.approx(numbers), rows[who]
        assert dt.datetime.fromisoformat(rows[who]["last"]) == came[who]
        assert rows[who]["attempts"] == "1"
    assert rows["mallory"]["reason"] == "no entry"
    # Nobody without the key reads a score: in no object of any branch.
    every = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=forge.origin, check=True,
        capture_output=True,
    ).stdout.decode("utf-8", "replace")  # fmt: skip
    assert "adding/ada/one" in every
    assert not [score for score in STUDENTS.values() if str(score) in every]


def test_who_comes_after_the_late_days_is_told_when_they_ended(forge: Forge) -> None:
    source = forge.open(1, entry("ben"))
    came = receive(forge.ours.path, source, "ben", END + 49 * HOUR)
    assert not came.ok
    assert "had ended on 2026-03-13 12:00 UTC" in str(came.report.problems)
