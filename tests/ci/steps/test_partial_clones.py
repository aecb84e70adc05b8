"""Jobs work in clones of one commit without files, and say what they say in whole ones."""

import datetime as dt
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.ci.git.partial_clone import missing
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.errors import RefusedError
from evaluator.core.git.tree import open_repository
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry
from tests.git_server import GitServer, serve
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, judge, receive


@pytest.fixture
def server(forge: Forge) -> Iterator[GitServer]:
    for number in range(3):  # history
        forge.merge(forge.open(90 + number, entry("dave", f"old{number}", f"# {number}\n")))
    with serve(forge.origin) as served:
        yield served


def lean(server: GitServer, folder: Path) -> Path:
    """A clone as jobs get it: one commit, and of its files none that nobody asks for."""
    if folder.exists():
        shutil.rmtree(folder)
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", "--filter=blob:none", "--sparse", "-b", BRANCH,
         server.url, str(folder)], check=True,
    )  # fmt: skip
    return folder


@pytest.mark.slow
def test_each_job_fetches_what_it_needs(forge: Forge, server: GitServer, tmp_path: Path) -> None:
    source = forge.open(1, entry("carol"))
    judged = judge(lean(server, tmp_path / "job"), source, "carol", NOON)
    assert judged.problems == judge(forge.ours.path, source, "carol", NOON).problems
    assert receive(lean(server, tmp_path / "job"), source, "carol", NOON).ok
    approved = approve(lean(server, tmp_path / "job"), source, "carol", ORGANISER, NOON)
    assert [str(item.cell.id) for item in approved.planned] == [
        "adding/carol/one/main/one", "adding/carol/one/main/two",
    ]  # fmt: skip
    folder = forge.evaluate(source)
    clone = lean(server, tmp_path / "job")
    done = finish(clone, source, folder, NOON)
    assert done.report.state == "scored"
    assert len(forge.ledger.entries.below("evaluated")) == 2
    # What is nobody's business here did not come.
    heads = [f"origin/{BRANCH}:submissions/adding/dave/old{n}/main.py" for n in range(3)]
    bystanders = forge.theirs.git("rev-parse", *heads).split()
    assert missing(open_repository(clone), bystanders) == list(dict.fromkeys(bystanders))

    forge.merge(source)
    collected = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    assert "submissions/adding/carol/one/scores/main.json" in collected.committed.paths


def test_quotas_know_all_of_the_history(forge: Forge, server: GitServer, tmp_path: Path) -> None:
    """Three are on the branch, of whom the ledger knows nothing."""
    for number in range(3):
        forge.merge(forge.open(80 + number, entry("dora", f"early{number}", content=f"{number}")))
    bundle = "benchmarks/adding/competition.yaml"
    forge.ours.replace(bundle, "time_limit: 3}", "time_limit: 3, max_submissions: 3}")
    forge.ours.commit("Three at most")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    source = forge.open(1, entry("dora", "new"))
    whole = judge(forge.ours.path, source, "dora", NOON + dt.timedelta(hours=1))
    part = judge(lean(server, tmp_path / "job"), source, "dora", NOON + dt.timedelta(hours=1))
    assert part.problems == whole.problems
    assert "number 4" in part.problems[0].message


def test_a_second_merge_base_behind_a_shallow_edge_is_seen(
    forge: Forge, server: GitServer, tmp_path: Path
) -> None:
    """The head merges the beginning of a long branch, whose end the base branch merged."""
    theirs = forge.theirs
    theirs.git("fetch", "--quiet", "origin")
    theirs.git("checkout", "--quiet", "--force", "--detach", f"origin/{BRANCH}")
    fork = theirs.git("rev-parse", "HEAD")
    commits = _commits(theirs, 60)
    theirs.git("checkout", "--quiet", "--detach", fork)
    theirs.git("merge", "--quiet", "--no-ff", "-m", "Merge", commits[-1])
    theirs.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    theirs.git("checkout", "--quiet", "--detach", fork)
    for path, content in entry("carol").items():
        theirs.write(path, str(content))
    theirs.commit("Enter")
    theirs.git("merge", "--quiet", "--no-ff", "-m", "Both", commits[0])
    source = forge.push(1, theirs.git("rev-parse", "HEAD"))
    said: list[object] = []
    for clone in (forge.ours.path, lean(server, tmp_path / "job")):
        try:
            said.append(open_pull_request(open_repository(clone), source, NOON).changed_paths)
        except RefusedError as error:
            said.append(error.message)
    assert said[0] == said[1]


def _commits(repo: Repository, count: int) -> list[str]:
    made = []
    for number in range(count):
        repo.write("submissions/adding/dave/long/main.py", f"{number}\n")
        made.append(repo.commit(f"{number}"))
    return made


def test_a_board_without_the_new_is_the_board_before(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = forge.open(1, entry("carol"))
    receive(forge.ours.path, source, "carol", NOON)
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    folder = forge.evaluate(source)
    fast = to_markdown(finish(forge.ours.path, source, folder, NOON).report)
    monkeypatch.setattr(PullRequest, "only_adds", False)
    assert fast == to_markdown(finish(forge.ours.path, source, folder, NOON).report)
    assert "carol" in fast


@pytest.mark.slow
def test_the_ledger_is_read_by_path(forge: Forge, server: GitServer, tmp_path: Path) -> None:
    """Of what others left in it no file comes, and none of their folders."""
    for number, name in enumerate(("erin", "frank"), 1):
        source = forge.open(number, entry(name, content=f"print('{name}')\n"))
        receive(forge.ours.path, source, name, NOON)
        approve(forge.ours.path, source, name, ORGANISER, NOON)
        assert finish(forge.ours.path, source, forge.evaluate(source), NOON).ok
    clone = lean(server, tmp_path / "job")
    source = forge.open(3, entry("carol"))
    assert receive(clone, source, "carol", NOON).ok
    ledger = forge.ledger
    others = [
        path for path in ledger.entries.below("")
        if path.startswith(("evaluated/", "pulls/1/", "pulls/2/")) or "/frank/" in path
    ]  # fmt: skip
    ids = {ledger.entries[path].blob for path in others}
    assert len(ids) > 6
    assert set(missing(open_repository(clone), sorted(ids))) == ids


@pytest.mark.slow
def test_a_pull_request_asks_the_forge_eight_times(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_forge.running(fake_forge.FakeForge()) as hosted:
        line = '[tool.pullbench]\nforge = "https://forge.example/org/bench"\n'
        forge.ours.write("pyproject.toml", SETTINGS.replace("[tool.pullbench]\n", line))
        forge.ours.commit("A forge")
        forge.ours.git("push", "--quiet", "origin", BRANCH)
        monkeypatch.setenv("PULLBENCH_FORGE_API", hosted.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "ghs_of-a-workflow")
        hosted.add_pull(1)
        source = forge.open(1, entry("carol"))
        assert _pr(forge, "receive", source) == 0
        hosted.pulls[0]["labels"] = [{"name": "evaluate"}]
        assert _pr(forge, "approve", source) == 0
        assert _pr(forge, "finish", source, "--from", str(forge.evaluate(source))) == 0
        asked = [f"{one.method} {one.path.rpartition('/')[2]}" for one in hosted.asked]
        # Two look whether the label is there: before it counts, and before it is taken off.
        assert len(hosted.asked) <= 8, asked
        assert len(hosted.comments) == 1
        assert "carol" in hosted.comments[0]["body"]
        assert not hosted.pulls[0]["labels"]


def _pr(forge: Forge, verb: str, source: PullRequestRef, *more: str) -> int:
    arguments = [
        "--base", source.base, "--head", source.head, "--remote", "origin", "--pull-request", "1",
        *more,
    ]  # fmt: skip
    arguments += ["--actor", "carol"] if verb != "finish" else []
    arguments += ["--approver", ORGANISER] if verb == "approve" else []
    done = forge.ours.pullbench("pr", verb, *arguments, environment=dict(os.environ))
    return done.returncode
