"""What was judged and what git's merge, squash and rebase do, on random graphs of commits."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from pygit2.enums import ObjectType

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.judge import judge_files
from evaluator.core.errors import RefusedError
from evaluator.core.git.tree import open_repository
from tests.ci.steps.conftest import NOON
from tests.hostile.commits import write_tree
from tests.repository import BUNDLES, Repository

MINE = "submissions/adding/mallory/one/"
OWN = [f"{MINE}main.py", f"{MINE}data.txt", "submissions/adding/mallory/two/main.py"]
OTHERS = ["submissions/adding/eve/one/main.py", "benchmarks/adding/rules.md", "pyproject.toml"]
SETTINGS = '[tool.pullbench]\norganisers = ["olga"]\n'
STEPS = ["organiser", "side", "own", "foreign", "merge", "crosswise", "crosswise", "catch up"]
Files = dict[str, str]
BUNDLE: Files = {
    file.relative_to(BUNDLES / "small").as_posix(): file.read_text()
    for file in (BUNDLES / "small" / "benchmarks").rglob("*")
    if file.is_file()
}


class Graph:
    """Commits whose trees are chosen at will, as an attacker with git's plumbing does."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository(folder)
        self.objects = pygit2.Repository(str(folder))
        self.files: dict[str, Files] = {}
        self.clock = 1_700_000_000

    def commit(self, files: Files, *parents: str) -> str:
        self.clock += 60
        who = pygit2.Signature("Tester", "tester@localhost", self.clock)
        tree = write_tree(self.objects, [
            ("100644", path, str(self.objects.write(ObjectType.BLOB, text.encode())))
            for path, text in files.items()
        ])  # fmt: skip
        made = str(self.objects.create_commit(None, who, who, "A change", tree, list(parents)))
        self.files[made] = files
        return made

    def git(self, *arguments: str) -> str | None:
        """What git says; None where it refuses."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.repository.path, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        return done.stdout.strip() if done.returncode == 0 else None

    def landed(self, base: str, *arguments: str) -> Mapping[str, str | None] | None:
        """Changed paths of the base after a command of git's on it; None for a conflict."""
        self.repository.git("reset", "--quiet", "--hard")
        self.repository.git("clean", "-qfd")
        self.repository.git("checkout", "--quiet", "--force", "--detach", base)
        if self.git(*arguments) is None:
            for verb in ("merge", "rebase"):
                self.git(verb, "--abort")
            return None
        self.repository.git("add", "--all")
        tree = self.repository.git("write-tree")
        lines = self.repository.git("diff-tree", "-r", "--no-renames", base, tree).splitlines()
        return {path: new for line in lines for _, path, new in [(0, *facts(line))]}


def facts(line: str) -> tuple[str, str | None]:
    """Path and new blob of a line of diff-tree."""
    modes, _, path = line.partition("\t")
    blob = modes.split()[3]
    return path, None if set(blob) == {"0"} else blob


def judged(graph: Graph, base: str, head: str) -> PullRequest | None:
    """Mallory's proposal; None where it is refused."""
    try:
        proposal = open_pull_request(
            open_repository(graph.repository.path), PullRequestRef(base=base, head=head), NOON
        )
    except RefusedError:
        return None
    problems = judge_files(proposal, "mallory")
    return None if any(problem.severity == "error" for problem in problems) else proposal


def changed(proposal: PullRequest) -> dict[str, str | None]:
    return {path: new.blob if new else None for path, _, new in proposal.changes}


def build(graph: Graph, data: st.DataObject) -> tuple[str, list[str]]:
    """Grow the base branch and mallory's commits beside it; returns its tip and hers."""
    text = st.sampled_from(["one\n", "two\n", "three\n", "four\nlines\nof\ntext\n"])
    draw: Callable[..., str] = data.draw
    start = BUNDLE | dict.fromkeys(OTHERS, "one\n") | {"pyproject.toml": SETTINGS}
    tip = graph.commit(start)
    base, hers = [tip], [tip]
    beginning = ["side", "organiser"]  # so that the tip has two ancestors to stand on
    for _ in range(data.draw(st.integers(4, 8))):
        step = beginning.pop() if beginning else draw(st.sampled_from(STEPS))
        among = base if step == "crosswise" else hers
        parent = draw(st.sampled_from(among))
        if step == "organiser":
            path = draw(st.sampled_from(OTHERS[:2]))
            tip = graph.commit({**graph.files[tip], path: f"{len(graph.files)}\n"}, tip)
        elif step == "side":  # a pull request of somebody else's, merged
            fork = draw(st.sampled_from(base[:-1] or base))
            path = draw(st.sampled_from(OTHERS[:2]))
            side = graph.commit({**graph.files[fork], path: f"{len(graph.files)}\n"}, fork)
            base.append(side)
            hers.append(side)
            both = {**graph.files[tip], path: graph.files[side][path]}
            tip = graph.commit(both, tip, side)
        elif step == "own":
            hers.append(graph.commit({**graph.files[parent], **own(data, text)}, parent))
        elif step == "foreign":
            files = {**graph.files[parent]}
            path = draw(st.sampled_from(OTHERS))
            if data.draw(st.booleans()):
                files.pop(path, None)
            else:
                seen = [graph.files[one].get(path, "") for one in hers]
                files[path] = draw(st.sampled_from(seen))
            hers.append(graph.commit(files, parent))
        elif step == "catch up":
            mine = {p: t for p, t in graph.files[parent].items() if "/mallory/" in p}
            hers.append(graph.commit({**graph.files[tip], **mine}, parent, tip))
        else:  # a merge whose tree is any that she likes
            other = draw(st.sampled_from([one for one in among if one != parent] or among))
            files = {**graph.files[draw(st.sampled_from([parent, other]))], **own(data, text)}
            if other != parent:
                hers.append(graph.commit(files, parent, other))
        for commits in (base, hers):
            if tip not in commits:
                commits.append(tip)
        if len(base) == 4 and not beginning:  # she stands on both of them
            shown = {**graph.files[draw(st.sampled_from(base[1:3]))], **own(data, text)}
            hers.append(graph.commit(shown, *base[1:3]))
    return tip, [one for one in dict.fromkeys(hers) if one not in base]


def own(data: st.DataObject, text: st.SearchStrategy[str]) -> Files:
    paths = data.draw(st.lists(st.sampled_from(OWN), min_size=1, max_size=2))
    folders = {path.rpartition("/")[0] for path in paths}
    whole = {f"{folder}/submission.yaml": "kind: code\n" for folder in folders}
    whole |= {f"{folder}/main.py": "one\n" for folder in folders}
    return whole | {path: data.draw(text) for path in paths}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graphs")


count = iter(range(10**6))


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_what_was_judged_is_what_git_does(folder: Path, data: st.DataObject) -> None:
    """Crosswise merges, evil merges and commits that were taken back among them."""
    graph = Graph(folder / str(next(count)))
    tip, heads = build(graph, data)
    accepted = [(head, proposal) for head in heads if (proposal := judged(graph, tip, head))]
    event(f"{len(accepted)} of {len(heads)} accepted")
    for head, proposal in accepted[-2:]:
        assert all(path.startswith("submissions/adding/mallory/") for path in changed(proposal))
        assert graph.landed(tip, "merge", "--no-ff", "-m", "M", head) == changed(proposal)
        assert graph.landed(tip, "merge", "--squash", head) == changed(proposal)
        rebased = graph.landed(tip, "checkout", "--quiet", "--detach", head)
        assert rebased is not None
        onto = graph.git("rebase", "--quiet", tip)
        if onto is None:
            graph.git("rebase", "--abort")
        else:
            only_mine(graph, tip, "HEAD")
    if len(accepted) < 2:
        return
    # Both were judged before either is merged, and an organiser may act in between.
    (one, _), (other, _) = data.draw(st.permutations(accepted))[:2]
    if graph.landed(tip, "merge", "--no-ff", "-m", "M", one) is None:
        return
    path = data.draw(st.sampled_from(OTHERS[:2]))
    before = [files[path] for files in graph.files.values() if path in files]
    graph.repository.write(path, data.draw(st.sampled_from(before)))
    graph.repository.git("add", "--all")
    graph.repository.git("commit", "--quiet", "--allow-empty", "-m", "An organiser")
    now = graph.repository.git("rev-parse", "HEAD")
    if graph.landed(now, "merge", "--no-ff", "-m", "M", other) is not None:
        only_mine(graph, now, "HEAD")


def only_mine(graph: Graph, base: str, commit: str) -> None:
    names = graph.repository.git("diff-tree", "-r", "--no-renames", "--name-only", base, commit)
    assert [name for name in names.splitlines() if "/mallory/" not in name] == []
