"""Records of the ledger: in its own order, revocable for everybody, and never fewer."""

import json
import shutil

import pytest

from evaluator.ci.ledger.ledger_notes import record_files
from evaluator.ci.ledger.ledger_state import STATE_FILE
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.scores import collecting
from evaluator.ci.scores.collecting import Collected
from evaluator.ci.scores.hand_in import hand_in_folder
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.scores.revocation import withdraw
from evaluator.core.clock import utc_now
from evaluator.core.errors import PlatformError
from evaluator.core.formats.record import Record
from evaluator.core.git.tree import open_repository
from evaluator.site.pages.benchmark_pages import status_page
from tests.ci.steps.conftest import LEDGER, NOON, ORGANISER, Forge, entry
from tests.records import cells_of, record_of
from tests.repository import BRANCH
from tests.site.conftest import site_of
from tests.steps import approve, finish, judge, receive

CELL = "adding/carol/one/main/one"
DAVES = CELL.replace("carol", "dave")


def collect(forge: Forge, **options: object) -> Collected:
    done = collecting.collect(
        forge.ours.path, NOON, branch=BRANCH, remote="origin", **options  # type: ignore[arg-type]
    )  # fmt: skip
    forge.ours.git("fetch", "--quiet", "origin", BRANCH)
    forge.ours.git("reset", "--quiet", "--hard", f"origin/{BRANCH}")
    return done


def enter(forge: Forge, participant: str, number: int = 1, value: float = 0.5) -> PullRequestRef:
    """Bring a pull request from its opening to its merge, scored."""
    source = forge.open(number, entry(participant))
    receive(forge.ours.path, source, participant, NOON)
    approve(forge.ours.path, source, participant, ORGANISER, NOON)
    folder = forge.evaluate(source, scores={"right": value, "distance": value})
    assert finish(forge.ours.path, source, folder, NOON).ok
    forge.merge(source)
    return source


def keep(forge: Forge, *records: Record) -> None:
    """Put records into the ledger, one commit each, whatever they say."""
    for record in records:
        add_to_ledger(
            open_repository(forge.ours.path), record_files(record, {}, utc_now()), "Keep {}\n",
            branch=LEDGER, remote="origin",
        )  # fmt: skip


def on_branch(forge: Forge, cell: str = CELL) -> Record | None:
    return forge.ours.records().get(cell)


def score(forge: Forge, cell: str = CELL) -> float:
    record = on_branch(forge, cell)
    assert record is not None
    return record.scores["right"]


def push(forge: Forge, message: str) -> None:
    forge.ours.commit(message)
    forge.ours.git("push", "--quiet", "origin", BRANCH)


@pytest.mark.slow
def test_a_removed_record_does_not_come_back_from_the_ledger(forge: Forge) -> None:
    enter(forge, "carol", value=1.0)
    collect(forge)
    assert score(forge) == 1.0
    forge.ours.take_off(cells_of(forge.ours)[CELL].id)
    push(forge, "This score is forged")

    done = collect(forge)
    assert on_branch(forge) is None
    assert [str(item.cell.id) for item in done.missing if "carol" in str(item.cell.id)] == [CELL]
    again = collect(forge)
    assert again.committed.commit is None, "and at the next time neither"
    # Nor does it come to whoever copies the content.
    enter(forge, "dave", 2)
    collect(forge)
    assert score(forge, DAVES) == 0.5
    assert on_branch(forge, DAVES.replace("main/one", "main/two"))


def test_a_removed_submission_that_is_entered_again_keeps_its_scores(forge: Forge) -> None:
    """Who takes back a submission says nothing of its scores."""
    enter(forge, "carol", value=1.0)
    collect(forge)
    forge.ours.git("rm", "-rq", "submissions/adding/carol")
    push(forge, "Take it back")
    collect(forge)
    for path, content in entry("carol").items():
        assert content is not None
        forge.ours.write(path, content)
    push(forge, "Enter it again")
    done = collect(forge)
    assert score(forge) == 1.0
    assert not [item for item in done.missing if "carol" in str(item.cell.id)]


def test_of_several_records_the_last_added_counts_whatever_its_times(forge: Forge) -> None:
    for path, content in entry("carol").items():
        assert content is not None
        forge.ours.write(path, content)
    push(forge, "Enter")
    cell = cells_of(forge.ours)[CELL]

    def made(value: float, finished: str) -> Record:
        record = record_of(cell, scores={"right": value, "distance": value})
        times = {"finished": finished}
        return record.replace(provenance=record.provenance.replace(**times))

    keep(
        forge,
        made(0.1, "2026-03-09T00:00:00+00:00"),
        made(0.2, "2026-03-01T00:00:00+00:00"),
        # From before records were checked for it.
        made(0.3, "2050-12-31T00:00:00+00:00"),
    )
    collect(forge)
    assert score(forge) == 0.2


@pytest.mark.slow
def test_withdraw(forge: Forge) -> None:
    """Through the command: off the branch, for copies too, planned again, and in public."""
    enter(forge, "carol", value=1.0)
    collect(forge)
    enter(forge, "dave", 2)
    collect(forge)
    assert score(forge, DAVES) == 1.0, "the same content, the same record"

    reason = "its job ran on a machine that was broken into"
    done = forge.ours.pullbench(
        "withdraw", "adding/carol", "--reason", reason, "--by", "olga", "--remote", "origin"
    )
    assert done.returncode == 0, done.stderr
    assert "withdrawn: adding/carol/one/main/one" in done.stdout + done.stderr
    off = forge.ours.pullbench("collect")
    assert off.returncode == 0, off.stderr
    assert f"was withdrawn by olga: {reason}" in off.stdout + off.stderr
    forge.ours.git("fetch", "--quiet", "origin", BRANCH)
    forge.ours.git("reset", "--quiet", "--hard", f"origin/{BRANCH}")
    assert on_branch(forge) is None
    assert on_branch(forge, DAVES) is None
    assert {CELL, DAVES} <= set(forge.ours.reasons())
    assert forge.ours.git("log", "-1", "--format=%s") == "Withdraw 4 of adding"

    _, site = site_of(forge.ours.path)
    page = status_page(site).html
    assert "Withdrawn records" in page
    assert page.count(reason) == 2, "once for each content"
    state = json.loads((forge.ours.path / STATE_FILE).read_bytes())
    assert {(item["by"], item["reason"]) for item in state["withdrawn"]} == {("olga", reason)}

    # An evaluation of the same content later on counts.
    shutil.rmtree(forge.folder)
    for name in (CELL, CELL.replace("/one/main/one", "/one/main/two")):
        forge.hand_in(record_of(cells_of(forge.ours)[name], scores={"right": 0.25, "distance": 1}))
    hand_in_folder(forge.ours.path, forge.folder, "origin")
    collect(forge, inbox=True)
    assert score(forge) == 0.25
    assert score(forge, DAVES) == 0.25
    assert not collect(forge).committed.commit

    nobody = forge.ours.pullbench("withdraw", "adding/erin", "--reason", "x")
    assert nobody.returncode == 2
    assert "there is no cell called 'adding/erin'" in nobody.stderr
    for text in ("", "x" * 301):
        refused = forge.ours.pullbench("withdraw", CELL, "--reason", text)
        assert "the reason must have 1 to 300 characters" in refused.stderr


def test_a_withdrawn_record_that_is_handed_in_again(forge: Forge) -> None:
    source = enter(forge, "carol", value=1.0)
    collect(forge)
    withdraw(forge.ours.path, [CELL], "forged", "olga", NOON, branch=BRANCH, remote="origin")
    collect(forge)
    hand_in_folder(forge.ours.path, forge.folder, "origin")
    done = collect(forge, inbox=True)
    assert f"{CELL}: this very record was withdrawn" in done.left_out
    assert on_branch(forge) is None
    assert source.head


def test_the_ledger_only_grows(forge: Forge) -> None:
    """Rolled back to its first commit, it stops whatever reads it, in every clone."""
    enter(forge, "carol")
    collect(forge)
    seen = forge.ours.git("ls-remote", "origin", f"refs/heads/{LEDGER}").split()[0]
    forge.ours.git("fetch", "--quiet", "origin", LEDGER)
    first = forge.ours.git("rev-list", "--max-parents=0", "FETCH_HEAD")
    forge.ours.git("push", "--quiet", "--force", "origin", f"{first}:refs/heads/{LEDGER}")
    source = forge.open(2, entry("dave", content="print(2)\n"))
    place = forge.theirs.path  # which never saw the ledger; the base branch has
    forge.theirs.git("checkout", "--quiet", "--force", "--detach", f"origin/{BRANCH}")

    for step in (
        lambda: receive(place, source, "dave", NOON),
        lambda: approve(place, source, "dave", ORGANISER, NOON),
        lambda: finish(place, source, None, NOON),
        lambda: judge(place, source, "dave", NOON),
        lambda: collecting.collect(place, NOON, branch=BRANCH, remote="origin"),
    ):
        with pytest.raises(PlatformError, match="has lost what it held") as stopped:
            step()
        assert seen[:12] in stopped.value.message or "does not hold all" in stopped.value.message
    now = forge.ours.git("ls-remote", "origin", f"refs/heads/{LEDGER}").split()[0]
    assert now == first, "nobody wrote to it"

    said = forge.ours.pullbench("collect")
    assert said.returncode == 3
    assert "--force" not in said.stderr, "what it lost descends from what it is"
    assert f":refs/heads/{LEDGER}` restores it" in said.stderr
    # Somebody looks at it and takes it as it is.
    assert forge.ours.pullbench("collect", "--accept-ledger").returncode == 0
    forge.ours.git("pull", "--quiet", "origin", BRANCH)
    assert forge.ours.pullbench("collect").returncode == 0
    assert judge(place, source, "dave", NOON).problems == []


@pytest.mark.parametrize("change", ["removed", "changed"])
def test_no_commit_on_top_of_the_ledger_takes_a_note_away(forge: Forge, change: str) -> None:
    """It descends from what was seen, and frees an attempt, or a withdrawn record."""
    enter(forge, "carol")
    collect(forge)
    theirs = forge.theirs
    theirs.git("fetch", "--quiet", "origin", LEDGER)
    theirs.git("checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    (note, *_) = sorted((theirs.path / "attempts").rglob("*.json"))
    if change == "removed":
        note.unlink()
    else:
        note.write_text("{}\n")
    head = theirs.commit("Clean up")
    theirs.git("push", "--quiet", "origin", f"{head}:refs/heads/{LEDGER}")
    with pytest.raises(PlatformError, match="has lost what it held"):
        collecting.collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")


def test_a_clone_remembers_what_the_base_branch_does_not_know_yet(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    forge.ours.git("push", "--quiet", "origin", f":refs/heads/{LEDGER}")
    with pytest.raises(PlatformError, match="has lost what it held"):
        finish(forge.ours.path, source, None, NOON)


def test_the_ledger_is_no_participants(forge: Forge) -> None:
    files = {**entry("mallory"), STATE_FILE: "{}"}
    judged = judge(forge.ours.path, forge.open(1, files), "mallory", NOON)
    assert [problem.file for problem in judged.errors] == [STATE_FILE]
