"""A pull request on its way, against a real bare repository; records are made by hand."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.errors import Actor
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.snapshot import Snapshot
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.records import cells_of, failed, record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, proposed, receive

HOUR = dt.timedelta(hours=1)


def test_the_whole_way(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    came = receive(forge.ours.path, source, "carol", NOON)
    assert (came.ok, came.report.state) == (True, "received")
    assert came.report.tree == forge.theirs.git("rev-parse", f"{source.head}^{{tree}}")

    approved = approve(forge.ours.path, source, "carol", ORGANISER, NOON + HOUR)
    assert approved.report.state == "queued"
    assert [str(item.cell.id) for item in approved.planned] == [
        "adding/carol/one/main/one", "adding/carol/one/main/two",
    ]  # fmt: skip

    folder = forge.evaluate(source)
    done = finish(forge.ours.path, source, folder, NOON + 2 * HOUR)
    assert (done.ok, done.report.state) == (True, "scored")
    assert "carol" in to_markdown(done.report)
    # heads, approved and spent, each twice, received as a work and as a whole, that it waits for an
    # organiser, attempt, handed out, finished, records
    assert len(forge.ledger.entries.below("")) == 2 + 2 + 2 + 2 + 1 + 1 + 1 + 1 + 2

    forge.merge(source, NOON + 3 * HOUR)
    collected = collect(forge.ours.path, NOON + 4 * HOUR, branch=BRANCH, remote="origin")
    paths = [path for path in collected.committed.paths if "/carol/" in path]
    assert paths == ["submissions/adding/carol/one/scores/main.json"]
    assert all("/carol/" not in str(item.cell.id) for item in collected.missing)
    board = leaderboard_at(forge.ours.path, "adding", phase=None, task=None, at=collected.tip)
    row = next(row for row in board.rows if row.submission.participant == "carol")
    # The time of the submission is when CI first saw it, not when somebody merged it.
    assert row.submitted == NOON.isoformat()


def test_a_head_that_moves_voids_the_approval(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    folder = forge.evaluate(source)
    moved = forge.open(1, entry("carol", content="import os\n"), base=source.head)

    stale = finish(forge.ours.path, source, folder, NOON)
    assert (stale.ok, stale.report.state) == (False, "void")
    assert not forge.ledger.entries.below("evaluated")

    again = receive(forge.ours.path, moved, "carol", NOON + HOUR)
    assert again.report.state == "void"
    assert "moved after its approval" in again.report.reason
    unapproved = finish(forge.ours.path, moved, folder, NOON + HOUR)
    assert "was not approved" in unapproved.report.problems[0].message


def test_a_label_by_somebody_else(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    step = approve(forge.ours.path, source, "carol", "carol", NOON)
    assert not step.ok
    assert "'carol' is not among the organisers" in step.report.problems[0].message
    assert not forge.ledger.approvals()


def test_an_organiser_of_the_head_is_none(forge: Forge) -> None:
    files = entry("carol") | {"pyproject.toml": '[tool.pullbench]\norganisers = ["carol"]\n'}
    source = forge.open(1, files)
    step = approve(forge.ours.path, source, "carol", "carol", NOON)
    assert not step.ok
    assert not forge.ledger.approvals()


def test_the_same_content_is_never_evaluated_twice(forge: Forge) -> None:
    first = forge.open(1, entry("carol"))
    approve(forge.ours.path, first, "carol", ORGANISER, NOON)
    folder = forge.evaluate(first)
    finish(forge.ours.path, first, folder, NOON)
    second = forge.open(2, entry("dave"))
    approved = approve(forge.ours.path, second, "dave", ORGANISER, NOON)
    assert (approved.ok, approved.planned) == (True, ())
    done = finish(forge.ours.path, second, None, NOON)
    assert done.report.state == "scored"
    assert "dave" in to_markdown(done.report)


def test_forged_records(forge: Forge) -> None:
    """Whatever a job hands in counts only for the cells, keys and columns that were asked for."""
    source = forge.open(1, entry("mallory"))
    approve(forge.ours.path, source, "mallory", ORGANISER, NOON)
    taken = proposed(forge.ours.path, source, NOON)
    by_id = {str(cell.id): cell for cell in pipeline_cells(taken)}
    one, two = (by_id[f"adding/mallory/one/main/{task}"] for task in ("one", "two"))
    theirs = cells_of(forge.ours)["adding/alice/right/main/one"]
    forge.hand_in(record_of(theirs, scores={"error": 99.0}))
    forge.hand_in(record_of(one, scores={**record_of(one).scores, "bonus": 1.0}))
    forge.hand_in(record_of(two, scores={}))
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert not done.ok
    texts = " ".join(problem.message for problem in done.report.problems)
    assert "has the columns" in texts
    assert "adding/alice/right/main/one: the branch has no such cell" in texts
    assert not forge.ledger.entries.below("evaluated")


def test_an_optional_column_may_be_left_out(forge: Forge) -> None:
    forge.ours.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n",
        "\npullbench:\n  columns: {distance: {optional: true}}\n",
    )  # fmt: skip
    forge.ours.commit("Optional")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    folder = forge.evaluate(source, scores={"right": 0.5})
    assert finish(forge.ours.path, source, folder, NOON).report.state == "scored"


def pipeline_cells(taken: Snapshot) -> Iterator[Cell]:
    return cells(taken, NOON)


def test_a_job_that_died_is_nobodys_attempt(forge: Forge) -> None:
    limit(forge, 1)
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    dead = finish(forge.ours.path, source, None, NOON)
    assert (dead.ok, dead.report.state) == (False, "failed")
    assert "2 cells came without a record" in dead.report.reason
    again = approve(forge.ours.path, source, "carol", ORGANISER, NOON + HOUR)
    assert again.ok
    done = finish(forge.ours.path, source, forge.evaluate(source), NOON + HOUR)
    assert done.ok
    other = forge.open(2, entry("carol", "two", "print(2)\n"))
    refused = approve(forge.ours.path, other, "carol", ORGANISER, NOON + 2 * HOUR)
    assert "the limit is 1" in refused.report.problems[0].message


def limit(forge: Forge, number: int) -> None:
    """Let a participant submit so often to the benchmark ``adding``."""
    forge.ours.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3}",
        f"execution_time_limit: 3, max_submissions: {number}}}",
    )  # fmt: skip
    forge.ours.commit("A limit")
    forge.ours.git("push", "--quiet", "origin", BRANCH)


def test_two_pull_requests_in_the_same_second(forge: Forge) -> None:
    """Approvals are judged one after the other, whatever their order of arrival."""
    limit(forge, 1)
    sources = [
        forge.open(number, entry("carol", f"try-{number}", f"print({number})\n"))
        for number in (1, 2)
    ]
    for source in sources:
        assert receive(forge.ours.path, source, "carol", NOON).ok
    # The later one is approved first.
    assert approve(forge.ours.path, sources[1], "carol", ORGANISER, NOON).ok
    second = approve(forge.ours.path, sources[0], "carol", ORGANISER, NOON)
    assert "is number 2 of carol" in second.report.problems[0].message
    assert len(forge.ledger.approvals()) == 1


@pytest.mark.slow
def test_a_deadline_is_that_of_the_arrival(forge: Forge) -> None:
    """An organiser who looks at it a day later takes nothing from the participant."""
    forge.ours.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3}",
        f'execution_time_limit: 3, end: "{(NOON + HOUR).isoformat()}"}}',
    )  # fmt: skip
    forge.ours.commit("A deadline")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    source = forge.open(1, entry("carol"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    late = forge.open(2, entry("dave", content="print(2)\n"))
    refused = receive(forge.ours.path, late, "dave", NOON + 2 * HOUR)
    assert "after phase" in refused.report.problems[0].message
    approved = approve(forge.ours.path, source, "carol", ORGANISER, NOON + 24 * HOUR)
    assert approved.ok
    finish(forge.ours.path, source, forge.evaluate(source), NOON + 24 * HOUR)
    forge.merge(source, NOON + 25 * HOUR)
    collected = collect(forge.ours.path, NOON + 25 * HOUR, branch=BRANCH, remote="origin")
    assert any("/carol/" in path for path in collected.committed.paths)


@pytest.mark.parametrize(
    ("actor", "advice", "planned"),
    [
        (Actor.PLATFORM, "CI then evaluates what is missing, as the same attempt", 2),
        (Actor.ORGANISER, "CI then evaluates the same files again, as the same attempt", 2),
        (Actor.PARTICIPANT, "The participant corrects it and pushes again", 0),
    ],
)
def test_only_finished_records_and_participants_faults_are_adopted(
    forge: Forge, actor: Actor, advice: str, planned: int
) -> None:
    """So that what a comment advises leads somewhere: to set the label again plans them again."""
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    taken = proposed(forge.ours.path, source, NOON)
    for cell in pipeline_cells(taken):
        if cell.id.participant == "carol":
            forge.hand_in(failed(record_of(cell), actor))
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert done.report.state == "failed"
    assert advice in done.report.next_step
    again = approve(forge.ours.path, source, "carol", ORGANISER, NOON + HOUR)
    assert len(again.planned) == planned


def test_a_changed_scorer_shows_who_moves(forge: Forge) -> None:
    """Organisers change benchmarks by pull request too; every stale cell is in its plan."""
    for cell in pipeline_cells(forge.ours.snapshot()):
        keys = cell.benchmark.leaderboard.score_keys
        forge.ours.put(record_of(cell, scores=dict.fromkeys(keys, 0.5)))
    forge.ours.commit("Records")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    scorer = "benchmarks/adding/scoring_program/scoring.py"
    text = (forge.ours.path / scorer).read_text()
    source = forge.open(7, {scorer: text + "\n# mended\n"})
    approved = approve(forge.ours.path, source, ORGANISER, ORGANISER, NOON)
    assert {item.reason.partition(" in ")[0] for item in approved.planned} == {
        "scoring program changed"
    }
    assert len(approved.planned) == 4
    taken = proposed(forge.ours.path, source, NOON)
    for cell in pipeline_cells(taken):
        if cell.id.benchmark == "adding":
            value = 0.9 if cell.id.participant == "bob" else 0.1
            forge.hand_in(
                record_of(cell, scores=dict.fromkeys(cell.benchmark.leaderboard.score_keys, value))
            )
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert done.report.state == "scored"
    [change] = done.report.boards
    assert {row.row.submission.participant for row in change.rows if row.changes} == {
        "alice",
        "bob",
    }
    forge.merge(source)
    collected = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    assert not collected.missing
    record = next(
        record
        for cell, record in forge.ours.snapshot(collected.tip)
        .record_files.records("adding")
        .items()
        if cell.participant == "bob"
    )
    assert [set(one.scores.values()) for one in record.earlier] == [{0.5}]


@pytest.mark.slow
def test_a_rerun_replaces(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    finish(forge.ours.path, source, forge.evaluate(source), NOON)
    forge.merge(source)
    collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    asked = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", rerun=["adding/carol"])
    assert {item.cell.id.participant for item in asked.missing} == {"carol"}
    none = collect(
        forge.ours.path, NOON, branch=BRANCH, remote="origin", rerun=["adding/carol"],
        failed_only=True,
    )  # fmt: skip
    assert none.missing == ()
    for item in asked.missing:
        keys = item.cell.benchmark.leaderboard.score_keys
        forge.hand_in(record_of(item.cell, scores=dict.fromkeys(keys, 0.75)))
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=forge.folder)
    assert done.committed.cells == 2
    records = forge.ours.snapshot(done.tip).record_files.records("adding").values()
    carols = [record for record in records if record.cell.participant == "carol"]
    assert {value for record in carols for value in record.scores.values()} == {0.75}
    assert all(record.earlier == [] for record in carols)


def test_another_clone_without_a_forge(forge: Forge) -> None:
    """The same steps on branches of a bare repository, without numbers of pull requests."""
    source = forge.open(1, entry("carol"))
    forge.theirs.git("push", "--quiet", "origin", f"{source.head}:refs/heads/entry")
    plain = replace(source, head="entry", number=None)
    assert receive(forge.ours.path, plain, "carol", NOON).ok
    assert approve(forge.ours.path, plain, "carol", ORGANISER, NOON).ok
    done = finish(forge.ours.path, plain, forge.evaluate(plain), NOON)
    assert done.report.state == "scored"
