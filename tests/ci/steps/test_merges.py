"""What a pull request shows is what its merge does, or it is refused: against real merges."""

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import markdown
import pytest

from evaluator.ci.git.merge_changes import MAX_COMMITS
from evaluator.ci.ledger.unreviewed import find_unreviewed, recent_unreviewed
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.overdue import find_overdue, overdue_markdown
from evaluator.ci.steps.reports import StepResult
from evaluator.core.clock import utc_now
from evaluator.core.errors import RefusedError
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.site.content.content import Deployment
from evaluator.site.pages.benchmark_pages import status_page
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Files, Forge, entry
from tests.repository import BRANCH, command
from tests.steps import approve, finish, judge, receive

EVES = entry("eve")
RULE = "benchmarks/adding/overview.md"


@dataclass(frozen=True)
class Crossed:
    """A base branch whose tip has two parents, so that a head can stand on each of them."""

    rule: str
    """Commit of an organiser's change, without eve's submission."""
    entered: str
    """Commit of eve's submission, without the organiser's change."""


@pytest.fixture
def crossed(forge: Forge) -> Crossed:
    source = forge.open(1, EVES)
    forge.ours.write(RULE, "An organiser's change.\n")
    rule = forge.ours.commit("Change a rule")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    forge.merge(source)
    return Crossed(rule=rule, entered=source.head)


def crosswise(forge: Forge, parents: list[str], shown: str, files: Files) -> PullRequestRef:
    """Push a head on several ancestors of the base branch, with the tree of one and files."""
    forge.theirs.git("checkout", "--quiet", "--force", "--detach", shown)
    for path, content in files.items():
        assert content is not None
        forge.theirs.write(path, content)
    forge.theirs.git("add", "--all")
    tree = forge.theirs.git("write-tree")
    chosen = [word for parent in parents for word in ("-p", parent)]
    head = forge.theirs.git("commit-tree", tree, *chosen, "-m", "Two of my own files")
    return forge.push(2, head)


def merged(forge: Forge, source: PullRequestRef) -> set[str]:
    """Paths that git's own merge changes on the base branch."""
    forge.theirs.git("fetch", "--quiet", "origin")
    forge.theirs.git("checkout", "--quiet", "--force", "--detach", f"origin/{BRANCH}")
    forge.theirs.git("merge", "--quiet", "--no-ff", "-m", "Merge", source.head)
    names = forge.theirs.git("diff", "--name-only", "--no-renames", f"origin/{BRANCH}", "HEAD")
    return set(names.splitlines())


STEPS: dict[str, Callable[[Forge, PullRequestRef], StepResult]] = {
    "receive": lambda forge, source: receive(forge.ours.path, source, "mallory", NOON),
    "approve": lambda forge, source: approve(forge.ours.path, source, "mallory", ORGANISER, NOON),
    "finish": lambda forge, source: finish(forge.ours.path, source, None, NOON),
}


@pytest.mark.parametrize("step", [*STEPS, "validate"])
@pytest.mark.parametrize("shown", ["rule", "entered"])
def test_a_head_on_two_ancestors_hides_nothing(
    forge: Forge, crossed: Crossed, shown: str, step: str
) -> None:
    """A stranger's two own files would delete eve's submission, or undo an organiser's change."""
    parents = [crossed.rule, crossed.entered]
    source = crosswise(forge, parents, getattr(crossed, shown), entry("mallory"))
    victims = {RULE} if shown == "entered" else set(EVES)
    assert victims <= merged(forge, source) - set(entry("mallory"))
    reason = "it has 2 merge bases with the base branch"
    if step == "validate":
        with pytest.raises(RefusedError, match=reason) as refused:
            judge(forge.ours.path, source, "mallory", NOON)
        assert "git rebase" in refused.value.hint
        return
    done = STEPS[step](forge, source)
    assert (done.ok, done.report.state) == (False, "refused")
    assert reason in done.report.reason
    assert "git rebase" in done.report.next_step
    assert not forge.ledger.entries.below("")


def test_the_way_out_is_to_rebase(forge: Forge, crossed: Crossed) -> None:
    parents = [crossed.rule, crossed.entered]
    source = crosswise(forge, parents, f"origin/{BRANCH}", entry("mallory"))
    assert not receive(forge.ours.path, source, "mallory", NOON).ok
    rebased = forge.open(2, entry("mallory"))
    assert receive(forge.ours.path, rebased, "mallory", NOON).ok


def test_a_head_that_is_behind_or_has_merged_the_base(forge: Forge, crossed: Crossed) -> None:
    """Neither the base's later changes nor those that it took over are the head's."""
    behind = forge.open(2, entry("mallory"), base=crossed.entered)
    judged = judge(forge.ours.path, behind, "mallory", NOON)
    assert not judged.errors
    assert {change.path for change in judged.pull.changes} == set(entry("mallory"))
    forge.theirs.git("merge", "--quiet", "--no-ff", "-m", "Catch up", f"origin/{BRANCH}")
    caught_up = forge.push(2, forge.theirs.git("rev-parse", "HEAD"))
    judged = judge(forge.ours.path, caught_up, "mallory", NOON)
    assert not judged.errors
    assert {change.path for change in judged.pull.changes} == merged(forge, caught_up)


def test_what_the_base_has_already_is_no_difference(forge: Forge, crossed: Crossed) -> None:
    again = forge.open(2, entry("mallory") | EVES, base=crossed.rule)
    judged = judge(forge.ours.path, again, "mallory", NOON)
    assert not judged.errors
    assert {change.path for change in judged.pull.changes} == set(entry("mallory"))


def test_no_common_history(forge: Forge) -> None:
    forge.open(2, entry("mallory"))
    tree = forge.theirs.git("write-tree")
    source = forge.push(2, forge.theirs.git("commit-tree", tree, "-m", "From nothing"))
    step = receive(forge.ours.path, source, "mallory", NOON)
    assert not step.ok
    assert "no common history" in step.report.reason


def test_approval_binds_one_tree_and_one_set_of_changed_paths(forge: Forge) -> None:
    """The base moves so that merging the approved tree has another result than was approved."""
    path = "submissions/adding/carol/one/main.py"
    lines = [f"print({number})\n" for number in range(20)]
    forge.merge(forge.open(1, entry("carol", content="".join(lines))))
    lines[0] = "print('mine')\n"
    source = forge.open(2, {path: "".join(lines)})
    step = approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    assert step.ok
    assert step.pull is not None
    assert [one.changed for one in forge.ledger.approvals()] == [step.pull.changed]
    folder = forge.evaluate(source)
    lines[0], lines[-1] = "print(0)\n", "print('an organiser')\n"
    forge.ours.write(path, "".join(lines))
    forge.ours.commit("Meanwhile")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    done = finish(forge.ours.path, source, folder, NOON)
    assert not done.ok
    assert done.report.state == "void"
    assert "has changed what its merge makes of the entry" in done.report.reason
    shown, again = (
        approve(forge.ours.path, source, "carol", ORGANISER, NOON + dt.timedelta(hours=hours))
        for hours in (1, 2)
    )
    assert (shown.ok, shown.report.state) == (False, "received"), "what nobody has read yet"
    assert again.ok
    assert len({one.changed for one in forge.ledger.approvals()}) == 2


def test_a_base_that_moves_elsewhere_voids_nothing(forge: Forge) -> None:
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    folder = forge.evaluate(source)
    forge.merge(forge.open(2, entry("dave")))
    assert finish(forge.ours.path, source, folder, NOON).ok


def bomb(forge: Forge, levels: int) -> PullRequestRef:
    """Push a few trees of ten entries each that stand for ten to the power of levels files."""
    source = forge.open(1, entry("mallory"))
    blob = forge.theirs.git("rev-parse", f"{source.head}:submissions/adding/mallory/one/main.py")
    tree, kind = blob, "100644 blob"
    for _ in range(levels):
        tree = made_tree(forge, "".join(f"{kind} {tree}\t{number}\n" for number in range(10)))
        kind = "040000 tree"
    for name in ("bomb", "mallory", "adding", "submissions"):
        tree = made_tree(forge, f"040000 tree {tree}\t{name}\n")
    return forge.push(1, forge.theirs.git("commit-tree", tree, "-p", source.head, "-m", "Small"))


def made_tree(forge: Forge, lines: str) -> str:
    return subprocess.run(
        ["git", "mktree"], cwd=forge.theirs.path, input=lines, capture_output=True, text=True,
        check=True,
    ).stdout.strip()  # fmt: skip


def test_a_tree_is_judged_within_bounded_time_and_memory(forge: Forge) -> None:
    """A thousand million files in nine small trees; a million took a minute and a gigabyte."""
    source = bomb(forge, 9)
    done = subprocess.run(
        # A process of its own in between: what a child used counts what its parent had.
        [sys.executable, "-c", MEASURED,
         *command(forge.ours.path, "validate", "--base", BRANCH, "--head", source.head,
                  "--actor", "mallory", "--pull-request", "1")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, memory, seconds = done.stdout.splitlines()[-1].split()
    assert int(code) == 1
    assert "it changes more than 50,000 files and folders" in done.stderr
    assert int(memory) < 400 * 1024
    assert float(seconds) < 20


def test_a_benchmark_may_have_a_hundred_thousand_participants(forge: Forge) -> None:
    """What the repository is counts for nothing among the bounds on what one change brings."""

    def git(*arguments: str, lines: str = "") -> str:
        return subprocess.run(["git", "-C", str(forge.origin), *arguments], input=lines, text=True,
                              check=True, capture_output=True).stdout.strip()  # fmt: skip

    def commit(parent: str, people: str) -> str:
        tree = git("mktree", lines=people)
        tree = git("mktree", lines=f"040000 tree {tree}\tadding\n")
        rest = [line for line in git("ls-tree", parent).splitlines() if "\tsubmissions" not in line]
        tree = git("mktree", lines="\n".join([*rest, f"040000 tree {tree}\tsubmissions"]))
        return git("-c", "user.name=x", "-c", "user.email=x", "commit-tree", tree, "-p", parent,
                   "-m", "x")  # fmt: skip

    carol = git("rev-parse", f"{forge.open(1, entry('carol')).head}:submissions/adding/carol")
    line = f"040000 tree {carol}\t"
    people = "".join(f"{line}participant-number-{number:06}\n" for number in range(100_000))
    base = commit(git("rev-parse", BRANCH), people)
    git("update-ref", f"refs/heads/{BRANCH}", base)
    head = commit(base, f"{people}{line}carol\n")
    git("update-ref", "refs/pull/2/head", head)
    source = PullRequestRef(base=BRANCH, head=head, remote="origin", number=2)
    assert judge(forge.ours.path, source, "carol", NOON).errors == []


MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def taken_back(
    forge: Forge, number: int, first: str, content: str, name: str, rule: str
) -> PullRequestRef:
    """Push a head that changes a rule and takes that back, beside an entry of its own."""
    forge.open(number, {rule: content, **entry("mallory", name)}, base=first)
    forge.theirs.git("checkout", "--quiet", first, "--", rule)
    return forge.push(number, forge.theirs.commit("Take it back"))


@pytest.mark.parametrize(
    "rule",
    [RULE, "pyproject.toml", "benchmarks/adding/scoring_program/scoring.py",
     ".github/workflows/evaluate.yml"],
)  # fmt: skip
def test_two_pull_requests_that_are_judged_before_either_is_merged(forge: Forge, rule: str) -> None:
    """Neither shows the rule; both hold a commit of it, which is the merge base of the second.

    A settings file with another organiser, a scorer with a back door, a workflow.
    """
    there = forge.ours.path / rule
    before = there.read_text() if there.exists() else ""
    forge.ours.write(rule, f"{before}# As it was.\n")
    old = forge.ours.commit("A rule")
    forge.ours.write(rule, f"{before}# As it should be.\n")
    forge.ours.commit("A better rule")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    one = taken_back(forge, 1, old, f"{before}# As it should be.\n", "one", rule)
    forge.theirs.git("checkout", "--quiet", "--force", f"{one.head}~1")
    forge.theirs.write(rule, f"{before}# As it was.\n")
    forge.theirs.write("submissions/adding/mallory/one/more.txt", "More\n")
    other = forge.push(2, forge.theirs.commit("Take it back, too"))
    for source in (one, other):
        judged = judge(forge.ours.path, source, "mallory", NOON)
        assert rule not in {change.path for change in judged.pull.changes}
        (problem,) = judged.errors
        assert problem.message == f"changes {rule}, which no merge of it may change"
    # What it would have been good for.
    forge.merge(one)
    assert rule in merged(forge, other)


def test_what_a_rebase_would_bring_alone(forge: Forge, crossed: Crossed) -> None:
    """A rebase drops merges, and with them what they take back: eve's submission would be gone."""
    forge.open(2, {"submissions/adding/eve": None, **entry("mallory")}, base=crossed.entered)
    forge.theirs.git("merge", "--quiet", "--no-ff", "--no-commit", f"origin/{BRANCH}")
    forge.theirs.git("checkout", "--quiet", crossed.entered, "--", "submissions/adding/eve")
    source = forge.push(2, forge.theirs.commit("Catch up"))
    step = receive(forge.ours.path, source, "mallory", NOON)
    assert step.pull is not None
    assert {change.path for change in step.pull.changes} == set(entry("mallory"))
    assert not step.ok
    assert "submissions/adding/eve/one/main.py, which no merge" in step.report.problems[0].message


def test_more_commits_than_anybody_looks_at(forge: Forge) -> None:
    source = forge.open(1, entry("mallory"))
    head = source.head
    for _ in range(MAX_COMMITS):
        head = forge.theirs.git("commit-tree", f"{head}^{{tree}}", "-p", head, "-m", "Again")
    judged = judge(forge.ours.path, forge.push(1, head), "mallory", NOON)
    assert [problem.message for problem in judged.errors] == ["it has more than 250 commits"]


def test_the_comment_says_how_many_paths_the_merge_changes_and_which(forge: Forge) -> None:
    path = "submissions/adding/carol/one/<img src=x onerror=1>`@everyone`.txt"
    source = forge.open(1, {**entry("carol"), path: "x"})
    text = to_markdown(receive(forge.ours.path, source, "carol", NOON).report)
    assert "<summary>The merge changes 3 paths</summary>" in text
    assert "`submissions/adding/carol/one/main.py` is added" in text.replace("``", "`")
    html = markdown.markdown(text)
    assert "<img" not in html
    many = {f"submissions/adding/carol/one/{number}.txt": "x" for number in range(300)}
    source = forge.open(2, {**entry("carol"), **many})
    text = to_markdown(receive(forge.ours.path, source, "carol", NOON).report)
    assert "The merge changes 302 paths" in text
    assert "202 more paths, left out here" in text


def test_what_lands_is_compared_again_after_the_merge(forge: Forge, crossed: Crossed) -> None:
    """Somebody merges all the same; it is named by collect, in the issue and on the status page."""
    assert recent_unreviewed(load_snapshot(forge.ours.path, "HEAD").tree) == []
    source = crosswise(
        forge, [crossed.rule, crossed.entered], crossed.rule, entry("mallory")
    )  # fmt: skip
    forge.merge(source, utc_now())
    path = "submissions/adding/eve/one/main.py"
    done = forge.ours.pullbench("collect")
    assert "landed otherwise than shown or approved" in done.stderr
    assert path in done.stderr
    found, _ = find_overdue(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    text = overdue_markdown(found, NOON)
    assert text is not None
    assert path in text
    (landing,) = recent_unreviewed(load_snapshot(forge.ours.path, BRANCH).tree)
    site = Deployment(forge="", commit=landing.commit, modified=False, now=NOON,
                      unreviewed=[landing])  # fmt: skip
    assert path in status_page(site).html


def test_a_squash_is_compared_with_what_was_approved(forge: Forge) -> None:
    source = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, source, "carol", ORGANISER, NOON).ok
    for more, expected in ({}, []), ({"pyproject.toml": SETTINGS + "\n"}, ["#7"]):
        tip = forge.ours.git("rev-parse", BRANCH)
        for path, content in {**entry("carol"), **more}.items():
            assert content is not None
            forge.ours.write(path, content)
        forge.ours.commit("Carol's entry (#7)")
        assert [*named_unreviewed(forge)] == expected
        forge.ours.git("reset", "--quiet", "--hard", tip)


def test_a_squash_of_what_was_pushed_after_the_approval_is_named(forge: Forge) -> None:
    """The push voids the approval; what lands then was approved by nobody."""
    approved = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, approved, "carol", ORGANISER, NOON).ok
    source = one_more(forge, 7, entry("carol", content="print('later')\n"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    for path, content in entry("carol", content="print('later')\n").items():
        assert content is not None
        forge.ours.write(path, content)
    forge.ours.commit("Carol's entry (#7)")
    assert set(named_unreviewed(forge)) == {"#7"}


def rebased(forge: Forge, source: PullRequestRef) -> None:
    """Let the forge rebase a pull request: each of its commits anew on the base branch."""
    theirs = forge.theirs
    theirs.git("fetch", "--quiet", "origin")
    theirs.git("checkout", "--quiet", "--force", "--detach", source.head)
    theirs.git("rebase", "--quiet", f"origin/{BRANCH}")
    theirs.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)


def one_more(forge: Forge, number: int, files: Files) -> PullRequestRef:
    """Push a further commit to a pull request that is checked out."""
    for path, content in files.items():
        assert content is not None
        forge.theirs.write(path, content)
    return forge.push(number, forge.theirs.commit("More"))


def named_unreviewed(forge: Forge) -> dict[str, str]:
    tip = forge.ours.git("rev-parse", BRANCH)
    repo = open_repository(forge.ours.path)
    unreviewed, _ = find_unreviewed(repo, tip, forge.ledger, "origin", utc_now())
    return {item.name: item.fault for item in unreviewed}


def test_a_rebase_by_the_forge_is_compared_after_it_landed(forge: Forge) -> None:
    """Three commits that name no pull request, between others: their sum is what was approved."""
    place = forge.ours.path
    forge.open(7, entry("carol"))
    first = one_more(forge, 7, entry("carol", content="print(2)\n"))
    receive(place, first, "carol", NOON)
    source = one_more(forge, 7, {"submissions/adding/carol/one/more.txt": "More\n"})
    assert approve(place, source, "carol", ORGANISER, NOON).ok
    forge.ours.write(RULE, "An organiser's change.\n")
    forge.ours.commit("Change a rule")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    rebased(forge, source)
    forge.ours.replace(
        "submissions/adding/carol/one/submission.yaml", "kind", "description: x\nkind"
    )
    forge.ours.commit("An organiser corrects a description")
    assert forge.ours.git("rev-list", "--count", "--merges", BRANCH) == "0"
    assert named_unreviewed(forge) == {}


def test_a_rebase_of_what_was_pushed_after_the_approval_is_named(forge: Forge) -> None:
    place = forge.ours.path
    approved = forge.open(7, entry("carol"))
    assert approve(place, approved, "carol", ORGANISER, NOON).ok
    source = one_more(forge, 7, entry("carol", content="print('later')\n"))
    assert receive(place, source, "carol", NOON).ok
    rebased(forge, source)
    assert set(named_unreviewed(forge)) == {"#7"}
    done = forge.ours.pullbench("collect")
    assert "landed otherwise than shown or approved" in done.stderr
    assert "#7" in done.stderr


def test_a_rebased_commit_that_names_another_pull_request_is_compared(forge: Forge) -> None:
    """Its message is the participant's: with the number of another it would be passed over."""
    approved = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, approved, "carol", ORGANISER, NOON).ok
    forge.open(7, entry("carol", content="print('later')\n"))
    forge.theirs.git("commit", "--quiet", "--amend", "-m", "Merge pull request #12345 from olga/x")
    source = forge.push(7, forge.theirs.git("rev-parse", "HEAD"))
    assert receive(forge.ours.path, source, "carol", NOON).ok
    rebased(forge, source)
    assert set(named_unreviewed(forge)) == {"#7"}


def test_a_rebase_that_brings_more_than_was_approved_is_named(forge: Forge) -> None:
    """A rule of the organisers' lands between two commits of what was approved."""
    approved = forge.open(7, entry("carol"))
    assert approve(forge.ours.path, approved, "carol", ORGANISER, NOON).ok
    forge.open(7, {"submissions/adding/carol/one/submission.yaml": "kind: code\n"})
    one_more(forge, 7, {"pyproject.toml": SETTINGS + "\n"})
    rebased(forge, one_more(forge, 7, entry("carol")))
    assert set(named_unreviewed(forge)) == {"#7"}
