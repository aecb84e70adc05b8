"""Plans of a clone know what the ledger says, as far as the clone has it."""

import datetime as dt

from evaluator.pipeline import evaluation, pulls
from tests.pull_requests.conftest import LEDGER, NOON, TODAY, Forge, entry
from tests.repository import Repository

END = NOON + dt.timedelta(hours=1)
MERGED = NOON + dt.timedelta(days=1)


def test_17_3_7_what_came_in_time_and_was_merged_late_is_not_refused(forge: Forge) -> None:
    forge.ours.replace(
        "benchmarks/adding/competition.yaml",
        "execution_time_limit: 3}", f"execution_time_limit: 3, end: {END:%Y-%m-%dT%H:%M:%S}}}",
    )  # fmt: skip
    forge.ours.commit("An end")
    forge.ours.git("push", "--quiet", "origin", "main")
    source = forge.open(1, entry("carol"))
    assert pulls.receive(forge.ours.path, source, "carol", NOON).ok
    forge.merge(source, MERGED)
    clone = forge.folder.with_name("clone")
    forge.ours.git("clone", "--quiet", str(forge.origin), str(clone))
    repo = Repository(clone)
    assert repo.git("rev-parse", f"origin/{LEDGER}")
    planned = evaluation.plan(repo.snapshot(), TODAY)
    assert "adding/carol/one" not in [item.submission.id for item in planned.refused]
    assert {item.cell.submission.id for item in planned.missing} >= {"adding/carol/one"}
    # Where it is not there, git's times are all that is known.
    repo.git("update-ref", "-d", f"refs/remotes/origin/{LEDGER}")
    planned = evaluation.plan(repo.snapshot(), TODAY)
    assert "adding/carol/one" in [item.submission.id for item in planned.refused]
