"""Who must act where an organiser's program fails on a participant's files."""

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason, Record
from tests.repository import Repository

pytestmark = pytest.mark.docker
SCORER = "scorer/alice/{}/main/score"
FAKED = """import sys
print('Traceback (most recent call last):')
print('  File "/app/program/ingestion.py", line 1, in <module>')
print("ModuleNotFoundError: No module named 'numpy'")
sys.stdout.flush()
__import__('os')._exit(1)
"""


def scored(repo: Repository, *names: str) -> list[Record]:
    found = repo.run(*(SCORER.format(name) for name in names), fresh=True)
    return [found[SCORER.format(name)] for name in names]


def actor(record: Record) -> Actor | None:
    return record.error.actor if record.error else None


@pytest.mark.slow
def test_a_crash_is_the_participants_where_the_scorer_ended_well_on_others(
    repo: Repository,
) -> None:
    repo.with_bundle("faulty-scorer")
    names = "crash", "nothing", "nan", "missing-column"
    for record in scored(repo, *names):
        assert actor(record) == Actor.ORGANISER
        assert record.error is not None
        assert "is not known" in record.error.hint
    scored(repo, "fine")
    repo.commit("A control")
    records = scored(repo, *names)
    assert {actor(record) for record in records} == {Actor.PARTICIPANT}
    assert records[0].error is not None
    assert "RuntimeError: the scorer is broken" in records[0].error.message
    assert "Organisers: " in records[0].error.hint
    # Another scoring program has no control.
    program = "benchmarks/scorer/scoring_program/scoring.py"
    repo.write(program, (repo.path / program).read_text() + "\n")
    repo.commit("A scorer")
    assert [actor(record) for record in scored(repo, "crash")] == [Actor.ORGANISER]


def test_a_package_that_the_organisers_program_needs_is_theirs_to_add(small: Repository) -> None:
    """No frame of the submission is in the traceback."""
    cell = "adding/alice/right/main/one"
    for program in ("scoring", "ingestion"):
        small.write(f"benchmarks/adding/{program}_program/{program}.py", "import no_such_package\n")
        error = small.run(cell, fresh=True)[cell].error
        assert error is not None
        assert (error.actor, error.step) == (Actor.ORGANISER, program)
        package = (
            "The image python:3.11-slim has no package 'no_such_package'. Add it to the image."
        )
        assert package in error.hint
        assert "rejected.txt" not in error.hint
        # A participant's code can write to the log of the ingestion, and not to that of the scorer.
        assert ("is not known" in error.hint) is (program == "ingestion")


def test_the_baseline_decides_alone(repo: Repository) -> None:
    repo.with_bundle("faulty-scorer")
    bundle = repo.path / "benchmarks/scorer/competition.yaml"
    text = bundle.read_text()
    assert "pullbench:\n" in text
    repo.write(
        "benchmarks/scorer/competition.yaml",
        text.replace("pullbench:\n", "pullbench:\n  baseline: alice/crash\n"),
    )
    repo.commit("A baseline")
    scored(repo, "crash", "fine")
    repo.commit("Scores")
    (record,) = scored(repo, "nothing")
    assert actor(record) == Actor.ORGANISER


@pytest.mark.slow
def test_an_ingestion_that_fails_by_itself_is_not_the_participants_fault(
    repo: Repository,
) -> None:
    repo.with_bundle("vault")
    cell = "vault/alice/honest/main/open"
    fake = "vault/mallory/fake/main/open"
    repo.write("submissions/vault/mallory/fake/main.py", FAKED)
    card = (repo.path / "submissions/vault/alice/honest/submission.yaml").read_bytes()
    repo.write("submissions/vault/mallory/fake/submission.yaml", card)
    program = "benchmarks/vault/ingestion_program/ingestion.py"
    works = (repo.path / program).read_text()
    repo.write(program, "import not_in_the_image\n" + works)
    repo.commit("A module that the image lacks")
    record = repo.run(cell)[cell]
    assert record.error is not None
    assert (record.error.reason, record.error.actor) == (Reason.EXITED, Actor.ORGANISER)
    assert "is not known" in record.error.hint
    # Without a control a log decides nothing but whom to ask.
    repo.write(program, works)
    repo.commit("Mended")
    unknown = repo.run(fake)[fake]
    assert actor(unknown) == Actor.ORGANISER
    assert unknown.error is not None
    assert "is not known" in unknown.error.hint
    repo.run(cell)
    repo.commit("A control")
    assert actor(repo.run(fake, fresh=True)[fake]) == Actor.PARTICIPANT


@pytest.mark.slow  # pip tries for a quarter of a minute
def test_a_package_that_cannot_be_installed_without_network(repo: Repository) -> None:
    repo.with_bundle("vault")
    cell = "vault/alice/honest/main/open"
    repo.replace("benchmarks/vault/competition.yaml", "time_limit: 4", "time_limit: 120")
    program = "benchmarks/vault/ingestion_program/ingestion.py"
    install = "import os, sys\nos.system(sys.executable + ' -m pip install numpy')\nimport numpy\n"
    repo.write(program, install + (repo.path / program).read_text())
    repo.commit("It installs what it needs")
    record = repo.run(cell)[cell]
    assert record.error is not None
    assert (record.error.reason, record.error.actor) == (Reason.EXITED, Actor.ORGANISER)


@pytest.mark.slow
def test_damaged_predictions_are_said(repo: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repo.with_bundle("vault")
    cell = "vault/alice/honest/main/open"
    repo.run(cell)
    (answer,) = (repo.path / "build/predictions").glob("*/*/*/files/answer.txt")
    answer.write_text("other")
    scorer = next(repo.path.glob("benchmarks/vault/scoring_program/*.py"))
    scorer.write_text(scorer.read_text() + "\n")
    repo.commit("Another scorer")
    capsys.readouterr()
    assert repo.run(cell)[cell].status == "finished"
    said = capsys.readouterr().err
    assert "is not what was stored there; it is computed anew" in " ".join(said.split())
    repo.run(cell)
    assert "is not what was stored there" not in capsys.readouterr().err
