"""Details of Codabench's worker protocol that bundles rely on, and the page of detailed results."""

import hashlib
from pathlib import Path

import pytest

from evaluator.core.compute.mounts import program_root
from evaluator.core.compute.scoring import TOO_LARGE
from evaluator.core.formats.record import Attachment, Record
from tests.repository import Repository

CELL = "protocol/alice/{}/main/task"


@pytest.fixture
def protocol(repo: Repository, environments: Path) -> Repository:
    return repo.with_bundle("protocol").share_environments(environments)


def run(repo: Repository, name: str) -> Record:
    cell = CELL.format(name)
    return repo.run(cell, engine="subprocess", fresh=True)[cell]


def page(repo: Repository, record: Record) -> bytes | None:
    file = repo.path / record.cell.attachment_path("html")
    return file.read_bytes() if file.exists() else None


def test_code_is_run_by_the_ingestion_program(protocol: Repository) -> None:
    """Its metadata need no command, and the program stands in the one folder of its folder."""
    record = run(protocol, "code")
    assert record.scores == {"value": 3}
    ingestion = record.step("ingestion")
    assert ingestion is not None
    assert record.extra == {
        "words": 2,
        "exitCode": 0,
        "ingestionExitCode": 0,
        "elapsedTime": ingestion.wall_seconds,
        "ingestionElapsedTime": ingestion.wall_seconds,
    }


def test_results_for_a_task_with_an_ingestion_program(protocol: Repository) -> None:
    record = run(protocol, "results")
    assert record.scores == {"value": 4}
    assert record.extra == {"words": 2}  # nested keys, text and NaN are nobody's scores
    assert [step.step for step in record.steps] == ["scoring"]


@pytest.mark.parametrize("places", [["a"], ["a", "b"], ["", "a"], ["a/b"], []])
def test_the_folder_of_a_program(tmp_path: Path, places: list[str]) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "readme.txt").touch()
    for place in places:
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "metadata").touch()
    assert program_root(tmp_path) == (tmp_path / "a" if places == ["a"] else tmp_path)


def test_detailed_results_stand_beside_the_record(protocol: Repository) -> None:
    record = run(protocol, "results")
    content = page(protocol, record)
    assert content == b"<script>alert(4)</script>"
    digest = hashlib.sha256(content).hexdigest()
    assert record.attachments == {"html": Attachment(sha256=digest, bytes=len(content))}
    assert [path for path in protocol.record_paths() if not path.endswith(".logs.json")] == [
        record.cell.scores_path, record.cell.attachment_path("html"),
    ]  # fmt: skip
    assert protocol.problems() == []
    done = protocol.pullbench("commit", "--allow-unisolated")
    assert done.returncode == 0, done.stderr
    assert protocol.status == ""
    assert protocol.problems() == []
    assert CELL.format("results") not in protocol.reasons()


def test_a_page_goes_with_what_it_was_about(protocol: Repository) -> None:
    run(protocol, "results")
    competition = "benchmarks/protocol/competition.yaml"
    protocol.replace(competition, "enable_detailed_results: true", "enable_detailed_results: false")
    record = run(protocol, "results")
    assert record.attachments == {}
    assert page(protocol, record) is None


@pytest.mark.parametrize("switch", ["hide_output", "hide_score_output"])
def test_a_phase_that_hides_its_output_hides_the_page(protocol: Repository, switch: str) -> None:
    competition = "benchmarks/protocol/competition.yaml"
    protocol.replace(competition, "    name: Main\n", f"    name: Main\n    {switch}: true\n")
    record = run(protocol, "results")
    assert record.status == "finished"
    record = protocol.record(record.cell)
    assert (record.attachments, page(protocol, record)) == ({}, None)
    assert not (protocol.path / "build/predictions/pages").exists()


def test_a_page_that_is_too_large_says_so(protocol: Repository) -> None:
    assert page(protocol, run(protocol, "large-page")) == TOO_LARGE


def test_a_page_that_is_a_link_is_none(protocol: Repository) -> None:
    assert page(protocol, run(protocol, "linked-page")) is None


def test_a_page_without_a_record_is_reported(protocol: Repository) -> None:
    record = run(protocol, "results")
    protocol.take_off(record.cell)
    (problem,) = protocol.problems()
    assert problem.file == record.cell.attachment_path("html")
    assert problem.message == "is no place for scores"


def test_a_page_that_was_changed_is_not_committed(protocol: Repository) -> None:
    record = run(protocol, "results")
    protocol.write(record.cell.attachment_path("html"), "forged")
    done = protocol.pullbench("commit", "--allow-unisolated")
    assert "is not what the record of" in done.stdout + done.stderr
    assert record.cell.attachment_path("html") not in protocol.git("ls-files")


@pytest.mark.docker
def test_an_image_is_mapped_and_the_record_keeps_both(small: Repository) -> None:
    competition = "benchmarks/echo/competition.yaml"
    small.replace(competition, "docker_image: python:3.11-slim", "docker_image: gone/for-ever:py37")
    small.write(
        "pyproject.toml",
        '[tool.pullbench.images]\n"gone/for-ever:py37" = "python:3.11-slim"\n',
    )
    record = next(iter(small.run("echo").values()))
    assert record.status == "finished", record.error
    provenance = record.provenance
    assert (provenance.image, provenance.image_used) == ("gone/for-ever:py37", "python:3.11-slim")
