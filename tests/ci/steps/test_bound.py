"""A record is bound to the job that its cell was handed out to, and to what was planned then."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.ci.ledger.assignments import COLLECT, read_assignment
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.hand_in import hand_in_folder
from evaluator.core.errors import UsageError
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.uploads import digest_of, output_of
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.records import cells_of, record_of
from tests.repository import BRANCH, put_record
from tests.steps import approve, finish, proposed

GOOD, BAD = {"right": 0.25, "distance": 0.25}, {"right": 1.0, "distance": 0.0}


def entered(forge: Forge, *participants: str) -> dict[str, str]:
    """Merge submissions and hand out their cells; returns the job of each cell."""
    for number, name in enumerate(participants):
        for path, content in entry(name, content=f"print({number})\n").items():
            assert content is not None
            forge.ours.write(path, content)
    forge.ours.commit("Enter")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    given = read_assignment(forge.ledger, COLLECT, done.assignment)
    assert given is not None
    return {cell: job for job, cells in given.jobs.items() for cell in cells}


def on_branch(forge: Forge, cell: Cell) -> Record | None:
    forge.ours.git("fetch", "--quiet", "origin", BRANCH)
    return forge.ours.snapshot("FETCH_HEAD").record_files.get(cell.id)


def name(participant: str, task: str = "one") -> str:
    return f"adding/{participant}/one/main/{task}"


def test_one_artifact_cannot_hold_everybodys_cells(forge: Forge) -> None:
    jobs = entered(forge, "mallory", "erin", "frank")
    for each in cells_of(forge.ours).values():
        forge.hand_in(record_of(each, scores=BAD), jobs[name("mallory")])
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert {path.split("/")[2] for path in done.committed.paths} == {"mallory"}
    assert any("no such cell was handed out" in line for line in done.left_out)
    assert {item.cell.id.participant for item in done.missing} >= {"erin", "frank"}


def test_a_second_version_of_a_record_does_not_refuse_the_honest_one(forge: Forge) -> None:
    jobs = entered(forge, "mallory", "erin")
    cell = cells_of(forge.ours)[name("erin")]
    forge.hand_in(record_of(cell, scores=GOOD), jobs[name("erin")])
    forge.hand_in(record_of(cell, scores=BAD), jobs[name("mallory")])
    forge.hand_in(record_of(cell, scores=BAD), "nobody")
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    record = on_branch(forge, cell)
    assert record is not None
    assert record.scores == GOOD
    assert not done.malformed
    assert any("'records-nobody': no cells were handed out" in line for line in done.left_out)


def test_a_pull_requests_jobs_are_bound_to_its_approval(forge: Forge) -> None:
    """To the cells that it planned, and of them to those that were handed out."""
    first = forge.open(1, entry("carol"))
    approve(forge.ours.path, first, "carol", ORGANISER, NOON)
    finish(forge.ours.path, first, forge.evaluate(first, scores=GOOD), NOON)

    source = forge.open(2, {**entry("mallory"), **entry("mallory", "two", "print(2)\n")})
    step = approve(forge.ours.path, source, "mallory", ORGANISER, NOON)
    names = {str(item.cell.id) for item in step.planned}
    # What carol's record answers for is not handed out, since it is the same content.
    assert names == {f"adding/mallory/two/main/{task}" for task in ("one", "two")}
    for each in pipeline_cells(forge, source):
        if each.id.participant == "mallory":
            forge.hand_in(record_of(each, scores=BAD), "default-1")
    done = finish(forge.ours.path, source, forge.folder, NOON)
    said = {str(line.cell): line.scores for line in done.report.cells}
    assert said["adding/mallory/two/main/one"] == {"Right": "1.00", "Distance": "0.00"}
    assert said["adding/mallory/one/main/one"] == {"Right": "0.25", "Distance": "0.25"}


@pytest.fixture
def say(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let jobs say what they have handed over until now, as their outputs do."""

    def say() -> None:
        places = forge.folder.glob("records-*")
        outputs = {output_of(place.name): digest_of(place) for place in places}
        monkeypatch.setenv("PULLBENCH_DIGESTS", json.dumps([outputs]))

    return say


def test_an_artifact_that_another_job_replaced_counts_for_nothing(
    forge: Forge, say: Callable[[], None]
) -> None:
    """A forge does not say which job of a run made an artifact; a job's output is its own."""
    jobs = entered(forge, "mallory", "erin", "frank")
    by_name = cells_of(forge.ours)
    for who in ("mallory", "erin", "frank"):
        forge.hand_in(record_of(by_name[name(who)], scores=BAD), jobs[name(who)])
    say()
    forge.hand_in(record_of(by_name[name("erin")], scores=GOOD), jobs[name("erin")])
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert {path.split("/")[2] for path in done.committed.paths} == {"mallory", "frank"}
    assert done.malformed == (
        f"records-{jobs[name('erin')]}: is not what its job handed over: its cells are evaluated "
        "again",
    )
    assert {str(item.cell.id) for item in done.missing} >= {name("erin")}
    say()
    collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    record = on_branch(forge, by_name[name("erin")])
    assert record is not None
    assert record.scores == GOOD


def test_an_artifact_of_a_job_that_said_nothing_counts_for_nothing(
    forge: Forge, say: Callable[[], None]
) -> None:
    jobs = entered(forge, "erin")
    say()
    cell = cells_of(forge.ours)[name("erin")]
    forge.hand_in(record_of(cell, scores=GOOD), jobs[name("erin")])
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert done.committed.commit is None
    assert len(done.malformed) == 1


def test_an_artifact_unpacked_without_its_name_counts_for_nothing(
    forge: Forge, say: Callable[[], None]
) -> None:
    """A job may delete those that lie beside it, so that it lies in the folder itself."""
    jobs = entered(forge, "erin")
    cell = cells_of(forge.ours)[name("erin")]
    forge.hand_in(record_of(cell, scores=BAD), jobs[name("erin")])
    say()
    forge.hand_in(record_of(cell, scores=GOOD))
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    record = on_branch(forge, cell)
    assert record is not None
    assert record.scores == BAD
    assert "'submissions': no cells were handed out to it" in done.left_out


def test_digests_that_cannot_be_read_end_the_step_and_nothing_counts(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = entered(forge, "erin")
    cell = cells_of(forge.ours)[name("erin")]
    forge.hand_in(record_of(cell, scores=GOOD), jobs[name("erin")])
    forge.hand_in(record_of(cell, scores=GOOD))
    for said in ("", " ", "null", "{}", "{", '{"d1": 3}', '{"a":' * 5000):
        monkeypatch.setenv("PULLBENCH_DIGESTS", said)
        with pytest.raises(UsageError, match=r"PULLBENCH_DIGESTS .*") as raised:
            collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
        assert "toJSON(needs.JOB.outputs)" in raised.value.hint
    assert on_branch(forge, cell) is None


def test_a_pull_requests_jobs_say_what_they_handed_over(
    forge: Forge, say: Callable[[], None]
) -> None:
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    honest, forged = (
        [record_of(cell, scores=scores) for cell in pipeline_cells(forge, source)
         if cell.id.participant == "carol"]
        for scores in (BAD, GOOD)
    )  # fmt: skip
    for record in honest:
        forge.hand_in(record, "default-1")
    say()
    for record in forged:
        forge.hand_in(record, "default-1")
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert not done.ok
    (problem,) = done.report.problems
    assert problem.actor == "platform"
    assert "records-default-1: is not what its job handed over" in problem.message
    assert "`/retry`" in done.report.next_step
    for record in honest:
        forge.hand_in(record, "default-1")
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert done.ok
    assert [line.scores for line in done.report.cells] == [
        {"Right": "1.00", "Distance": "0.00"}
    ] * 2


def pipeline_cells(forge: Forge, source: PullRequestRef) -> list[Cell]:
    return list(cells(proposed(forge.ours.path, source, NOON), NOON))


def test_what_was_planned_then_is_what_counts(forge: Forge) -> None:
    """A record of what the branch holds now is no record of what the job was given."""
    jobs = entered(forge, "mallory")
    forge.ours.write("benchmarks/adding/scoring_program/note.txt", "changed\n")
    forge.ours.commit("Change the scorer")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    cell = cells_of(forge.ours)[name("mallory")]
    forge.hand_in(record_of(cell, scores=BAD), jobs[name("mallory")])
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert done.committed.commit is None
    assert any("no such cell was handed out" in line for line in done.left_out)


@pytest.mark.parametrize("claimed", ["1999-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00"])
def test_when_a_submission_came_is_not_its_jobs_to_say(forge: Forge, claimed: str) -> None:
    """The first of equals stands above, and the last submission is the one that counts."""
    jobs = entered(forge, "mallory")
    cell = cells_of(forge.ours)[name("mallory")]
    record = record_of(cell, scores=BAD)
    provenance = record.provenance.replace(submitted=claimed)
    forge.hand_in(record.replace(provenance=provenance), jobs[name("mallory")])
    collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    accepted = on_branch(forge, cell)
    assert accepted is not None
    added = load_snapshot(forge.ours.path).tree.added(f"{cell.submission.path}/submission.yaml")
    assert accepted.provenance.submitted == added


def test_a_run_of_ones_own_needs_no_job(forge: Forge) -> None:
    entered(forge, "erin")
    cell = cells_of(forge.ours)[name("erin")]
    forge.hand_in(record_of(cell, scores=GOOD))
    collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert on_branch(forge, cell) is not None


def test_of_two_versions_in_the_inbox_the_first_stays_and_the_other_is_named(
    forge: Forge, tmp_path: Path
) -> None:
    entered(forge, "erin")
    cell = cells_of(forge.ours)[name("erin")]
    references: dict[str, dict[str, float]] = {}
    for number, scores in enumerate((GOOD, BAD)):
        folder = tmp_path / str(number)
        put_record(folder, record_of(cell, scores=scores))
        reference, _ = hand_in_folder(forge.ours.path, folder, "origin")
        references[reference] = scores
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    record = on_branch(forge, cell)
    assert record is not None
    assert record.scores == references[min(references)]
    assert f"{cell.id}: another version of its record came first" in done.left_out
    assert not done.malformed
