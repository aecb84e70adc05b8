"""Environments: images of a benchmark, beside its own, in which submitted code may run."""

import pytest

from tests.core.planning.test_plan import ADDING, ECHO
from tests.records import write_records
from tests.repository import Repository

ALICE = {f"adding/alice/right/main/{task}" for task in ("one", "two")}
ENTRY = "submissions/adding/alice/right/submission.yaml"
DOCKERFILE = "benchmarks/adding/environments/other/Dockerfile"


@pytest.fixture
def done(small: Repository) -> Repository:
    write_records(small)
    small.commit()
    return small


def test_an_environment_is_part_of_the_keys_of_those_who_name_it(done: Repository) -> None:
    done.write(DOCKERFILE, "FROM python:3.11-slim\n")
    assert done.reasons() == {}, "nobody names it yet"
    done.write(ENTRY, "kind: code\nenvironment: other\n")
    reasons = done.reasons()
    assert set(reasons) == ALICE
    assert all("image changed" in reason for reason in reasons.values())
    write_records(done)
    done.commit()
    assert done.reasons() == {}
    done.write("benchmarks/adding/environments/other/requirements.txt", "x\n")
    assert done.reasons() == dict.fromkeys(ALICE, "image changed, not committed")
    done.replace("benchmarks/adding/competition.yaml", "python:3.11-slim", "python:3.12-slim")
    assert set(done.reasons()) == ADDING, "scores are made in the image of the benchmark"


def test_a_file_elsewhere_in_the_folder_changes_no_image(done: Repository) -> None:
    done.write(DOCKERFILE, "FROM python:3.11-slim\n")
    done.write(ENTRY, "kind: code\nenvironment: other\n")
    write_records(done)
    done.commit()
    done.write("benchmarks/adding/environments/other/README.md", "x\n")
    done.write("benchmarks/adding/environments/readme/notes.md", "x\n")
    assert done.reasons() == {}
    done.write("benchmarks/adding/environments/other/docker/x.sh", "x\n")
    assert set(done.reasons()) == ALICE


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("kind: code\nenvironment: gone\n", "'gone' is not there. Name one of 'other', 'third'"),
        ("kind: code\nenvironment: ../other\n", "'../other' is not there"),
        ("kind: results\nenvironment: other\n", "is for code, and this is 'results'"),
    ],
)
def test_an_environment_that_cannot_be_had(small: Repository, entry: str, message: str) -> None:
    for name in ("other", "third"):
        small.write(f"benchmarks/adding/environments/{name}/Dockerfile", "FROM x\n")
    small.write(ENTRY, entry)
    said = [str(problem) for problem in small.problems()]
    assert any(message in text and "participant must act" in text for text in said), said


def test_a_name_that_no_image_can_have_is_told(small: Repository) -> None:
    small.write("benchmarks/echo/environments/no name/Dockerfile", "FROM x\n")
    said = [str(problem) for problem in small.problems()]
    assert any("the environment 'no name'" in text and "organiser" in text for text in said), said
    assert set(small.reasons()) >= ECHO
