"""One bad note in the ledger is named and passed over, and publishing goes on."""

import pytest

from tests.ci.steps.conftest import LEDGER, NOON, ORGANISER, Forge, entry
from tests.repository import BRANCH
from tests.steps import approve, finish, receive


@pytest.mark.parametrize("folder", ["approved", "attempts", "received", "finished", "handed-out"])
def test_one_bad_note_is_named_and_publishing_goes_on(forge: Forge, folder: str) -> None:
    source = forge.open(1, entry("carol"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    finish(forge.ours.path, source, forge.evaluate(source), NOON)
    forge.merge(source)
    forge.theirs.git("fetch", "--quiet", "origin", LEDGER)
    forge.theirs.git("checkout", "--quiet", "--force", "-B", LEDGER, "FETCH_HEAD")
    path = forge.ledger.entries.below(folder)[0]
    path = path.removesuffix(".json") + "0.json"  # a new one: what is there may not change
    if folder == "received":
        path = f"{path.rpartition('/')[0]}/{'0' * 40}.json"
    forge.theirs.write(path, '{"torn')
    forge.theirs.commit("A note that nobody can read")
    forge.theirs.git("push", "--quiet", "origin", LEDGER)

    done = forge.ours.pullbench("collect")
    assert done.returncode == 0, done.stderr
    forge.ours.git("fetch", "--quiet", "origin")
    landed = forge.ours.git("ls-tree", "-r", "--name-only", f"origin/{BRANCH}")
    assert "submissions/adding/carol/one/scores/main.json" in landed
    status = forge.ours.pullbench("overdue")
    assert "defect" not in status.stderr
    if folder != "handed-out":  # of those the last one alone is read, and collect made a new one
        assert f"{path} of the ledger cannot be read" in done.stderr + status.stderr
