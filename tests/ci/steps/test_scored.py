"""Entries that the job *score* gets: results, of which the data are encrypted in the bundle."""

import json
from pathlib import Path

import pytest

from evaluator.ci.ledger.queues import SCORE, job_outputs
from evaluator.core.planning.cells import cells
from evaluator.core.scores.uploads import digest_of
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge, entry, make_forge
from tests.records import record_of
from tests.repository import Repository
from tests.steps import approve, finish, proposed, receive

CELL = "echo/carol/one/main/echo"


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
    outputs = job_outputs(step.planned, {"default": ["ubuntu-latest"]})
    assert outputs[SCORE] == CELL
    assert outputs["count"] == 2
    assert CELL not in json.dumps(outputs["matrix"])
    # Machines of one's own may have the key: there all cells stay in the matrix.
    ours = job_outputs(step.planned, {"default": ["self-hosted", "lab"]})
    assert (ours[SCORE], ours["count"]) == ("", 3)


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
