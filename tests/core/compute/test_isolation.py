"""What a program in a container can see, told by a program in a container.

What it tries to do is in tests/hostile/containers.
"""

import json
import os
from typing import Any, NamedTuple

import pytest

from tests.records import prediction_key
from tests.repository import Repository

pytestmark = pytest.mark.docker

Facts = dict[str, Any]


class Report(NamedTuple):
    ingestion: dict[str, Facts]
    """By participant."""
    scoring: dict[str, Facts]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two cells, one after the other in one lane."""
    repo = Repository(tmp_path_factory.mktemp("isolation") / "repo").with_bundle("isolation")
    records = repo.run(lanes=1)
    assert {record.status for record in records.values()} == {"finished"}
    found = Report({}, {})
    for record in records.values():
        who = record.cell.participant
        (stored,) = repo.path.glob(
            f"build/predictions/*/*/{prediction_key(repo, record)}/files/facts.json"
        )
        assert not (stored.parent / "written").exists(), "the scorer has a copy"
        found.ingestion[who] = json.loads(stored.read_text())
        scoring = record.step("scoring")
        assert scoring is not None
        found.scoring[who] = json.loads(scoring.log)
    return found


@pytest.fixture(params=["alice", "bob"])
def facts(request: pytest.FixtureRequest, report: Report) -> Facts:
    return report.ingestion[request.param]


def test_only_the_folders_of_the_step_are_there(facts: Facts) -> None:
    assert facts["app"] == ["ingested_program", "input_data", "output", "program"]
    assert "main.py" in facts["submission"]
    assert "submission.yaml" not in facts["submission"]
    assert facts["output"] == []


def test_home_is_no_folder_of_the_host(facts: Facts) -> None:
    assert facts["environment"]["HOME"] == "/tmp"


def test_no_rights(facts: Facts) -> None:
    assert facts["uid"] not in (0, os.getuid()), "it is nobody that runs this, nor owns its files"
    assert facts["gid"] not in (0, os.getgid())
    assert 0 not in facts["groups"]
    status = facts["status"]
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"


def test_only_three_places_are_writable(facts: Facts) -> None:
    writable = {folder for folder, outcome in facts["writes"].items() if outcome == "done"}
    assert writable == {"/tmp", "/dev/shm", "/app/output"}


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_the_scorer_sees_no_code_of_the_participant(report: Report, who: str) -> None:
    facts = report.scoring[who]
    assert facts["interfaces"] == ["lo"]
    assert facts["app"] == ["input", "output", "program"]
    assert facts["input"] == ["ref", "res"]
    assert facts["reference"] == ["the-reference.txt"]
    assert facts["predictions"] == ["facts.json", "metadata"]
    assert facts["uid"] != 0
    assert facts["writable"] == ["/app/input/res"]
    assert facts["tmp"] == []


def test_the_scorer_reads_exit_code_and_time_of_the_prediction(report: Report) -> None:
    lines = dict(line.split(": ") for line in report.scoring["alice"]["metadata"].splitlines())
    assert lines["exitCode"] == "0"
    assert 0 < float(lines["elapsedTime"]) < 30
