"""Plans of a clone know what the ledger says, as far as the clone has it."""

import datetime as dt

import pytest

from evaluator.core.planning.plan import make_local_plan
from tests.ci.steps.conftest import LEDGER, NOON, TODAY, Forge, entry
from tests.hostile import contest
from tests.repository import Repository
from tests.steps import receive

END = NOON + dt.timedelta(hours=1)
MERGED = NOON + dt.timedelta(days=1)


def test_what_came_in_time_and_was_merged_late_is_not_refused(forge: Forge) -> None:
    forge.ours.replace(
        "benchmarks/adding/competition.yaml",
        "execution_time_limit: 3}", f"execution_time_limit: 3, end: {END:%Y-%m-%dT%H:%M:%S}}}",
    )  # fmt: skip
    forge.ours.commit("An end")
    forge.ours.git("push", "--quiet", "origin", "main")
    source = forge.open(1, entry("carol"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    forge.merge(source, MERGED)
    clone = forge.folder.with_name("clone")
    forge.ours.git("clone", "--quiet", str(forge.origin), str(clone))
    repo = Repository(clone)
    assert repo.git("rev-parse", f"origin/{LEDGER}")
    planned = make_local_plan(repo.snapshot(), TODAY)
    assert "adding/carol/one" not in [item.submission.id for item in planned.refused]
    assert {item.cell.submission.id for item in planned.missing} >= {"adding/carol/one"}
    # Where it is not there, git's times are all that is known.
    repo.git("update-ref", "-d", f"refs/remotes/origin/{LEDGER}")
    planned = make_local_plan(repo.snapshot(), TODAY)
    assert "adding/carol/one" in [item.submission.id for item in planned.refused]


@pytest.mark.slow
def test_the_last_of_all_names_counts_after_the_end(forge: Forge) -> None:
    """Of three that wait, the last; what was withdrawn in time does not wait."""
    contest.begin(forge)
    end, hour = contest.END, contest.HOUR
    for number, name in enumerate(("a", "b", "c"), start=1):
        contest.push(forge, contest.work(name, name=name), number, at=end - (9 - number) * hour)
    gone = contest.work("c", name="c", more="cancelled: true\n")
    contest.push(forge, gone, 3, at=end - hour)
    late = contest.push(forge, contest.work("d", name="d"), 4, at=end + hour)[1]
    assert "after phase 'Final' had ended" in late.report.problems[0].message
    first = contest.enter(forge, contest.work("a", name="a"), 1, at=end + hour)
    (problem,) = first.report.problems
    assert "is number 2 of mallory in phase 'Final'" in problem.message
    assert problem.hint == "If several wait for a decision when a phase ends, the last counts."
    assert contest.enter(forge, contest.work("b", name="b"), 2, at=end + 2 * hour).ok


@pytest.mark.slow
def test_one_pull_request_of_several_names_chooses_nothing(forge: Forge) -> None:
    contest.begin(forge)
    ours = {name: contest.work(name, name=name) for name in ("a", "b", "c")}
    for number, files in enumerate(ours.values(), start=1):
        at = contest.END - (9 - number) * contest.HOUR
        contest.push(forge, files, number, at=at)
    step = contest.enter(forge, ours["a"] | ours["c"], 4, at=contest.END + contest.HOUR)
    assert {problem.file.rpartition("/")[2] for problem in step.report.problems} == {"a", "c"}


@pytest.mark.slow
def test_what_an_organiser_merged_counts_in_its_order(forge: Forge) -> None:
    """Else what is merged and what waits would keep each other out."""
    contest.begin(forge)
    end, hour = contest.END, contest.HOUR
    merged, _ = contest.push(forge, contest.work("a", name="a"), 1, at=end - 3 * hour)
    forge.merge(merged, end - 2 * hour)
    contest.push(forge, contest.work("b", name="b"), 2, at=end - hour)
    contest.collect(forge, end + hour)
    assert [path.split("/")[2] for path in forge.ledger.entries.below("attempts")] == ["mallory"]
    assert not contest.enter(forge, contest.work("b", name="b"), 2, at=end + hour).ok
