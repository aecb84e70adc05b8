"""Entries that the job *score* gets: results, of which the data are encrypted in the bundle."""

import json
from pathlib import Path

import pytest

from evaluator.ci.ledger.queues import SCORE, job_outputs
from evaluator.ci.steps.reports import StepResult
from evaluator.core.formats.settings import Settings
from evaluator.core.planning.cells import cells
from evaluator.core.scores.uploads import digest_of, output_of
from evaluator.importing.private_parts import make_keys
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge, entry, make_forge
from tests.records import record_of
from tests.repository import Repository
from tests.steps import approve, finish, proposed, receive

CELL = "echo/carol/one/main/echo"
PROGRAM = "adding/carol/one/main/one"


@pytest.fixture
def closed(tmp_path: Path, small: Repository) -> Forge:
    """Both benchmarks of the bundle have encrypted data."""
    for name in ("echo", "adding"):
        bundle = f"benchmarks/{name}/competition.yaml"
        small.write(f"benchmarks/{name}/truth.age", b"age-encryption.org/v1")
        pin = f"{{task: 0, file: reference_data, encrypted: truth.age, sha256: {'a' * 64}}}"
        before = (small.path / bundle).read_text()
        small.write(bundle, f"{before}  private: [{pin}]\n")
    return make_forge(tmp_path, small)


def echo() -> Files:
    folder = "submissions/echo/carol/one"
    return {
        f"{folder}/submission.yaml": "kind: results\n",
        f"{folder}/predictions.csv": "id,value\n1,1\n2,2\n",
    }


def test_results_go_to_the_job_with_the_key_and_programs_do_not(closed: Forge) -> None:
    source = closed.open(1, {**echo(), **entry("carol")})
    receive(closed.ours.path, source, "carol", NOON)
    step = approve(closed.ours.path, source, "carol", ORGANISER, NOON)
    assert step.ok, step.report
    outputs = job_outputs(step.planned, Settings())
    assert outputs[SCORE] == CELL
    assert outputs["count"] == 2
    assert CELL not in json.dumps(outputs["matrix"])
    # Machines of one's own may have the key: there all cells stay in the matrix.
    labels = {"default": ["self-hosted", "lab"]}
    ours = job_outputs(step.planned, Settings(queues=labels, seal="age1"))
    assert (ours[SCORE], ours["predicted"], ours["count"]) == ("", "", 3)
    # With a public key, programs run without the secret one, and are scored with it.
    outputs = job_outputs(step.planned, Settings(seal="age1"))
    assert outputs[SCORE] == f"{PROGRAM} {CELL}"
    assert outputs["predicted"] == {"default-1": PROGRAM}
    assert outputs["count"] == 2


def test_what_the_job_hands_in_counts_by_its_own_digest_alone(
    closed: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = closed.open(1, echo())
    receive(closed.ours.path, source, "carol", NOON)
    assert approve(closed.ours.path, source, "carol", ORGANISER, NOON).ok
    taken = proposed(closed.ours.path, source, NOON)
    (cell,) = (one for one in cells(taken, NOON) if str(one.id) == CELL)
    closed.hand_in(record_of(cell), SCORE)
    folder = closed.folder / f"records-{SCORE}"
    others: list[dict[str, str]] = [{"dscore": "0" * 64}, {}, {"d1": digest_of(folder)}]
    for other in others:
        monkeypatch.setenv("PULLBENCH_DIGESTS", json.dumps([other, {}]))
        done = finish(closed.ours.path, source, closed.folder, NOON)
        assert not done.ok
        assert done.report.state != "scored"
    monkeypatch.setenv("PULLBENCH_DIGESTS", json.dumps([{}, {"dscore": digest_of(folder)}]))
    done = finish(closed.ours.path, source, closed.folder, NOON)
    assert (done.ok, done.report.state) == (True, "scored")


def test_a_changed_scoring_program_sees_no_data_before_its_merge(closed: Forge) -> None:
    program = "benchmarks/echo/scoring_program/scoring.py"
    text = (closed.ours.path / program).read_text()
    source = closed.open(1, {**echo(), program: f"{text}\n# prints the labels\n"})
    receive(closed.ours.path, source, ORGANISER, NOON)
    step = approve(closed.ours.path, source, ORGANISER, ORGANISER, NOON)
    assert not step.ok
    (problem,) = step.report.problems
    assert problem.file == "benchmarks/echo"
    assert "would see encrypted data" in problem.message
    assert "publish" in problem.hint
    assert not closed.ledger.entries.below("approved")


def test_the_scores_of_both_kinds_of_jobs_are_read(
    closed: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = closed.open(1, {**echo(), **entry("carol")})
    receive(closed.ours.path, source, "carol", NOON)
    assert approve(closed.ours.path, source, "carol", ORGANISER, NOON).ok
    for cell in cells(proposed(closed.ours.path, source, NOON), NOON):
        if "/carol/" in str(cell.id):
            closed.hand_in(record_of(cell), SCORE if str(cell.id) == CELL else "default-1")
    both = [
        {"d1": digest_of(closed.folder / "records-default-1")},
        {"dscore": digest_of(closed.folder / f"records-{SCORE}")},
    ]
    monkeypatch.setenv("PULLBENCH_DIGESTS", json.dumps(both))
    done = finish(closed.ours.path, source, closed.folder, NOON)
    assert done.report.state == "scored", done.report


def test_a_job_that_runs_a_program_has_no_scores_of_it(
    closed: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says why a program failed, or hands over predictions that another job scores."""
    settings = (closed.ours.path / "pyproject.toml").read_text()
    public, _ = make_keys()
    closed.ours.write(
        "pyproject.toml", settings.replace("organisers", f"seal = '{public}'\norganisers")
    )
    closed.ours.commit("A public key")
    closed.ours.git("push", "-q", "origin", "HEAD:main")
    source = closed.open(1, entry("carol"))
    receive(closed.ours.path, source, "carol", NOON)
    assert approve(closed.ours.path, source, "carol", ORGANISER, NOON).ok
    taken = proposed(closed.ours.path, source, NOON)
    planned = {str(one.id): one for one in cells(taken, NOON) if "/carol/" in str(one.id)}
    for cell in planned.values():
        closed.hand_in(record_of(cell), "default-1")

    def finished(*jobs: str) -> StepResult:
        said = {output_of(job): digest_of(closed.folder / f"records-{job}") for job in jobs}
        monkeypatch.setenv("PULLBENCH_DIGESTS", json.dumps([said]))
        return finish(closed.ours.path, source, closed.folder, NOON)

    done = finished("default-1")
    assert done.report.state != "scored"
    reason = f"{PROGRAM}: the job 'default-1' runs its program, and has no scores"
    assert reason in [problem.message for problem in done.report.problems]
    closed.hand_in(record_of(planned[PROGRAM], scores={"right": 0.0, "distance": 3.0}), SCORE)
    done = finished("default-1", SCORE)
    assert done.report.state == "scored"
    assert "'Distance': '3.00'" in repr(done.report.cells)
