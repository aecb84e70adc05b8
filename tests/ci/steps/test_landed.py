"""What landed is compared down to what was compared last, whatever dates and messages say."""

import datetime as dt
from pathlib import Path

import pytest

from evaluator.ci.git.raw_trees import Change, changes
from evaluator.ci.ledger import unreviewed
from evaluator.ci.ledger.ledger_notes import COMPARED
from evaluator.ci.ledger.unreviewed import find_unreviewed, recent_unreviewed
from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.overdue import find_overdue
from evaluator.core.formats.cache import Cache
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import open_repository, read_tree
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge, entry
from tests.repository import BRANCH, Repository
from tests.steps import approve, receive

DAY = dt.timedelta(days=1)
EPOCH, FAR = "1970-01-02T00:00:00+00:00", "2037-01-01T00:00:00+00:00"
RULE = "benchmarks/adding/overview.md"


@pytest.fixture(autouse=True)
def usual_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no test dates is made at noon."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", NOON.isoformat())


def land(forge: Forge, files: Files, message: str = "Honest", date: str = "") -> str:
    """Push a commit to the base branch; returns its id."""
    for path, content in files.items():
        assert content is not None
        forge.ours.write(path, content)
    with pytest.MonkeyPatch.context() as patch:
        if date:
            patch.setenv("GIT_COMMITTER_DATE", date)
        commit = forge.ours.commit(message)
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    return commit


def octopus(forge: Forge, date: str = "") -> str:
    """Push a merge of three heads, which nobody judged together."""
    ours = forge.ours
    tree, tip = ours.git("rev-parse", f"{BRANCH}^{{tree}}"), ours.git("rev-parse", BRANCH)
    heads = [ours.git("commit-tree", tree, "-p", tip, "-m", f"Head {n}") for n in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        if date:
            patch.setenv("GIT_COMMITTER_DATE", date)
        parents = [word for head in (tip, *heads) for word in ("-p", head)]
        merge = ours.git("commit-tree", tree, *parents, "-m", "Merge three")
    ours.git("reset", "--quiet", "--hard", merge)
    ours.git("push", "--quiet", "origin", BRANCH)
    return merge


def collected(forge: Forge, now: dt.datetime = NOON) -> dict[str, str]:
    """Collect, and return what differs: the fault of each commit."""
    done = collect(forge.ours.path, now, branch=BRANCH, remote="origin")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    return {item.commit: item.fault for item in done.unreviewed}


@pytest.mark.parametrize("date", [EPOCH, FAR])
@pytest.mark.parametrize("known", [True, False])
def test_a_date_hides_no_push(forge: Forge, date: str, known: bool) -> None:
    """Its own, or that of the honest commit on top of it."""
    if known:
        assert collected(forge) == {}
    merge = octopus(forge, date)
    land(forge, {RULE: "One\n"}, date=FAR if date == EPOCH else EPOCH)
    assert "merges several heads" in collected(forge)[merge]
    tree = read_tree(open_repository(forge.ours.path), BRANCH)
    assert merge in {item.commit for item in recent_unreviewed(tree)}


def test_a_site_compares_each_push_once(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    land(forge, {RULE: "One\n"})
    merge = octopus(forge, EPOCH)
    compared: list[str] = []

    def noted(repo: Repo, old: str, new: str) -> list[Change]:
        compared.append(new)
        return changes(repo, old, new)

    monkeypatch.setattr(unreviewed, "changes", noted)
    for again in (False, True):
        tree = read_tree(open_repository(forge.ours.path), BRANCH)
        found = recent_unreviewed(tree, Cache(tmp_path / "cache"))
        assert [item.commit for item in found] == [merge]
        assert bool(compared) is not again
        compared.clear()


def test_honest_commits_hide_no_finding_that_was_shown(forge: Forge) -> None:
    assert collected(forge) == {}
    merge = octopus(forge)
    assert [*collected(forge)] == [merge]
    land(forge, {RULE: "One\n"}, date=FAR)
    tree = forge.ours.git("rev-parse", f"{BRANCH}^{{tree}}")
    tip = forge.ours.git("rev-parse", BRANCH)
    for _ in range(110):
        tip = forge.ours.git("commit-tree", tree, "-p", tip, "-m", "Honest")
    forge.ours.git("reset", "--quiet", "--hard", tip)
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    assert [*collected(forge, NOON + 29 * DAY)] == [merge]
    overdue, _ = find_overdue(forge.ours.path, NOON + 29 * DAY, branch=BRANCH, remote="origin")
    assert merge[:12] in {item.subject for item in overdue}
    assert collected(forge, NOON + 31 * DAY) == {}


def test_more_commits_than_a_page_lie_between_two_comparisons(forge: Forge) -> None:
    assert collected(forge) == {}
    merge = octopus(forge)
    tree, tip = forge.ours.git("rev-parse", f"{BRANCH}^{{tree}}"), merge
    for _ in range(210):
        tip = forge.ours.git("commit-tree", tree, "-p", tip, "-m", "Honest")
    forge.ours.git("reset", "--quiet", "--hard", tip)
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    assert [*collected(forge)] == [merge]


@pytest.mark.parametrize("message", ["Merge pull request #999 from olga/x", "More (#999)", "More"])
def test_a_message_hides_no_pull_request(forge: Forge, message: str) -> None:
    """The push voids the approval; what lands then, squashed or merged, was approved by nobody."""
    collected(forge)
    approved = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, approved, "carol", ORGANISER, NOON).ok
    later = entry("carol", content="print('later')\n")
    source = forge.open(7, later)
    assert receive(forge.ours.path, source, "carol", NOON).ok
    before = forge.ours.git("rev-parse", BRANCH)
    squash = land(forge, later, message)
    assert "something else than was approved" in collected(forge)[squash]
    forge.ours.git("reset", "--quiet", "--hard", before)
    forge.ours.git("push", "--quiet", "--force", "origin", BRANCH)
    forge.ours.git("fetch", "--quiet", "origin", "refs/pull/7/head")
    forge.ours.git("merge", "--quiet", "--no-ff", "-m", message, source.head)
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    assert (
        "something else than was approved" in collected(forge)[forge.ours.git("rev-parse", BRANCH)]
    )


def test_a_merge_of_what_was_approved_differs_in_nothing(forge: Forge) -> None:
    collected(forge)
    source = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    forge.merge(source)
    assert collected(forge) == {}


def test_a_branch_that_was_written_anew_is_named_and_compared(forge: Forge) -> None:
    """A root commit, an octopus on it, and nothing of what was compared before."""
    assert collected(forge) == {}
    tree = forge.ours.git("rev-parse", f"{BRANCH}^{{tree}}")
    forge.ours.git("reset", "--quiet", "--hard", forge.ours.git("commit-tree", tree, "-m", "Root"))
    forge.ours.git("push", "--quiet", "--force", "origin", BRANCH)
    merge = octopus(forge)
    land(forge, {RULE: "One\n"})
    tip = forge.ours.git("rev-parse", BRANCH)
    faults = collected(forge)
    assert faults.keys() == {merge, tip}
    assert "was written anew" in faults[tip]
    assert collected(forge).keys() == {merge, tip}


def test_a_branch_that_is_moved_back_is_compared_from_there(forge: Forge) -> None:
    assert collected(forge) == {}
    before = forge.ours.git("rev-parse", BRANCH)
    land(forge, {RULE: "One\n"})
    assert collected(forge) == {}
    forge.ours.git("reset", "--quiet", "--hard", before)
    forge.ours.git("push", "--quiet", "--force", "origin", BRANCH)
    assert collected(forge) == {}
    assert [*collected(forge)] == []
    merge = octopus(forge)
    assert [*collected(forge)] == [merge]


def test_a_shallow_clone_fetches_what_was_not_compared(forge: Forge) -> None:
    assert collected(forge) == {}
    merge = octopus(forge)
    land(forge, {RULE: "One\n"})
    land(forge, {RULE: "Two\n"})
    clone = Repository(forge.folder.parent / "shallow")
    clone.git("remote", "add", "origin", f"file://{forge.origin}")
    clone.git("fetch", "--quiet", "--depth=1", "origin", BRANCH)
    clone.git("checkout", "--quiet", "--force", "-B", BRANCH, "FETCH_HEAD")
    repo, tip = open_repository(clone.path), clone.git("rev-parse", BRANCH)
    clone.git("fetch", "--quiet", "origin", "pullbench-ledger")
    found, notes = find_unreviewed(repo, tip, forge.ledger, None, NOON)
    assert found == []
    assert not [path for path in notes if path.startswith(COMPARED)]  # it is not known here
    found, notes = find_unreviewed(repo, tip, forge.ledger, "origin", NOON)
    assert [item.commit for item in found] == [merge]
    assert [path for path in notes if path.startswith(COMPARED)]
