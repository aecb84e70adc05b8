"""Private inputs that a program puts into the text of an error, where its log is not shown."""

from pathlib import Path

import pytest

from tests.hostile.test_containers import CANARIES, spellings
from tests.repository import Repository

pytestmark = pytest.mark.docker

COMPETITION = "benchmarks/vault/competition.yaml"
NAMED = """
import os, sys
from pathlib import Path

secret = next(Path(sys.argv[1]).iterdir()).read_text().split()[1]
for name in (secret, secret.encode().hex()):
    os.mkdir(Path(sys.argv[2], name), 0)
    os.mkdir(Path(sys.argv[2], f"{name}\\x1b"), 0)
"""
"""Leaves what cannot be collected, so that whoever tries has an error with the name in it."""
LIMITS = "log_size: 64 KiB}\n"
LAST = "max_submissions_per_day: 0}"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({LIMITS: f"{LIMITS}  phases: {{0: {{shows: status}}}}\n"}, id="status"),
        pytest.param({LAST: "hide_output: true}"}, id="hide-output"),
        pytest.param(
            {"key: results\n": "key: results\n    hidden: true\n",
             LAST: "hide_prediction_output: true}"},
            id="hidden-board",
        ),
    ],
)  # fmt: skip
def test_private_inputs_leave_through_no_text_of_an_error(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    repo = Repository(tmp_path / "repo")
    repo.copy_bundle("vault")
    for old, new in changes.items():
        repo.replace(COMPETITION, old, new)
    repo.write("submissions/vault/mallory/one/submission.yaml", "kind: code\n")
    repo.write("submissions/vault/mallory/one/main.py", NAMED)
    repo.commit()
    assert [problem for problem in repo.problems() if problem.severity == "error"] == []
    cell = "vault/mallory/one/main/open"
    done = repo.pullbench("run", cell, environment={"CI": "true"})
    assert "participant must act" in done.stdout
    assert cell not in repo.reasons(), "the next plan tries it again"
    public = done.stdout + done.stderr
    (path,) = repo.record_paths()
    public += (repo.path / path).read_text()
    assert [word for word in CANARIES if any(way in public for way in spellings(word))] == []
