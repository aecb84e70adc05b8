"""What is said of an entry is said of what is merged: a base that moves beneath it changes that."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.queue import read_queue
from evaluator.ci.policy.waiting import last_waits
from evaluator.ci.steps.commands import answer_comment
from evaluator.ci.steps.merge import merge
from evaluator.ci.steps.reports import StepResult
from evaluator.core.formats.cell import SCORES
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.plugins.screening.screening import FILE, VerdictNote, screens
from tests import fake_forge
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge, entry, make_forge
from tests.ci.steps.test_commands import event_of
from tests.plugins.screening.test_likeness import MINUTE, WORK
from tests.plugins.screening.test_screening import BUNDLE, PROGRAM, opened, with_program
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, receive

MOST = 10_000
_RULE = f"""
import json, sys
from pathlib import Path
entry, output = map(Path, sys.argv[1:])
size = sum(path.stat().st_size for path in entry.rglob("*") if path.is_file())
said = ("refuse", "It is too large.") if size > {MOST} else ("ok", "")
(output / "verdict.json").write_text(json.dumps({{"verdict": said[0], "reason": said[1]}}))
"""
"""A screen with a rule on the whole entry."""


@dataclass
class World:
    """A benchmark whose policy approves and merges, at a forge that merges."""

    forge: Forge
    hosted: fake_forge.FakeForge
    benchmark: str
    who: str = "mallory"

    def __post_init__(self) -> None:
        self.clock = (NOON + number * MINUTE for number in count(1))
        self.hosted.merge_branches = self._merge

    def _merge(self, pull: dict[str, dict[str, str]]) -> str:
        self.forge.merge(PullRequestRef(base=BRANCH, head=pull["head"]["sha"]))
        return self.forge.ours.git("rev-parse", "HEAD")

    @property
    def folder(self) -> str:
        return f"submissions/{self.benchmark}/{self.who}/one"

    def open(self, number: int, files: dict[str, str]) -> PullRequestRef:
        """Open a pull request with a part of an entry, beside what main had at first."""
        written: Files = {f"{self.folder}/{name}": text for name, text in files.items()}
        card = {f"{self.folder}/submission.yaml": "kind: code\n"}
        source = self.forge.open(number, {**card, **written}, base=self.first)
        pull = self.hosted.add_pull(number, user={"login": self.who})
        pull["head"]["sha"] = source.head
        return source

    @property
    def first(self) -> str:
        return self.forge.ours.git("rev-list", "--max-parents=0", "HEAD").split()[0]

    def screen(self, source: PullRequestRef) -> Path:
        """Do what the job `screen` does, but for the container: run the base branch's program."""
        pull, notes = opened(self.forge, source), []
        for item in screens(pull):
            with tempfile.TemporaryDirectory() as place:
                read, output = Path(place, "entry"), Path(place, "output")
                read.mkdir()
                output.mkdir()
                pull.after.tree.export(item.submission.path, read, frozenset({SCORES}))
                program = self.forge.ours.path / PROGRAM
                subprocess.run([sys.executable, program, read, output], check=True)
                verdict = json.loads((output / "verdict.json").read_text())
            notes.append({**verdict, "submission": item.submission.id, "tree": item.tree,
                          "program": item.program, "is_from_program": True,
                          "at": NOON.isoformat()})  # fmt: skip
        handed_over = Path(tempfile.mkdtemp(dir=self.forge.folder.parent))
        (handed_over / FILE).write_text(json.dumps({"verdicts": notes}))
        return handed_over

    def steps(self, source: PullRequestRef, approver: str | None = None) -> Iterator[StepResult]:
        """Take the steps of evaluate.yml, one at each call of ``next``."""
        step = receive(self.forge.ours.path, source, self.who, next(self.clock))
        yield step
        if not step.next and not approver:
            return
        verdicts = None
        if step.next == "screen":
            verdicts = self.screen(source)
            yield step
        at = next(self.clock)
        step = approve(self.forge.ours.path, source, self.who, approver, at, verdicts=verdicts)
        yield step
        if step.ok:
            folder = self.forge.evaluate(source)
            step = finish(self.forge.ours.path, source, folder, next(self.clock))
            yield step
            done = merge(step, next(self.clock))
            if done is not None:
                yield done

    def run(self, source: PullRequestRef) -> StepResult:
        """Take all of them."""
        *_, last = self.steps(source)
        return last

    def labelled(self, source: PullRequestRef) -> StepResult:
        """Let an organiser set the label."""
        shown = next(one for one in self.hosted.pulls if one["number"] == source.number)
        shown["labels"] = [{"name": "evaluate"}]
        return approve(self.forge.ours.path, source, self.who, ORGANISER, next(self.clock))

    def ready(self) -> list[int]:
        """What `pr queue` starts."""
        repo = self.forge.ours.path
        return read_queue(repo, next(self.clock), branch=BRANCH, remote="origin")[0].ready()

    @property
    def main(self) -> str:
        """Digest of the entry as main has it; empty without one."""
        tree = read_tree(open_repository(self.forge.origin), BRANCH)
        return tree.digest(self.folder, frozenset({SCORES}))

    def verdicts_on(self, tree: str) -> list[str]:
        ledger = self.forge.ledger
        paths = [path for path in ledger.entries.below(f"screens/{tree[:2]}") if tree in path]
        return [note.verdict for _, note in ledger.notes(paths, VerdictNote)]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_forge.FakeForge]:
    with fake_forge.running(fake_forge.FakeForge()) as server:
        for name, value in {
            "GITHUB_TOKEN": "reads", "PULLBENCH_MERGE_TOKEN": "merges",
            "PULLBENCH_FORGE_API": server.url, "GITHUB_REPOSITORY": "org/bench",
            "GITHUB_SERVER_URL": "https://forge.example",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        yield server


def with_screen(folder: Path, served: fake_forge.FakeForge) -> World:
    forge = make_forge(folder, Repository(folder / "repo").with_bundle("screened"))
    forge.ours.replace(BUNDLE, "screen: screen}", "screen: screen, merge: true}")
    with_program(forge, _RULE)
    return World(forge, served, "screened")


@pytest.fixture
def world(tmp_path: Path, served: fake_forge.FakeForge) -> World:
    return with_screen(tmp_path, served)


@pytest.fixture
def adding(forge: Forge, served: fake_forge.FakeForge) -> World:
    return World(forge, served, "adding")


def advance(steps: Iterator[StepResult], until: str) -> None:
    """Go on until a step ends in a state."""
    assert any(step.report.state == until for step in steps)


HALF = {"a.py": "#" * 6000}, {"b.py": "#" * 6000}


def test_an_entry_in_two_halves_is_read_as_a_whole(world: World) -> None:
    first, second = (world.open(number, files) for number, files in enumerate(HALF, 1))
    late = world.steps(second)
    assert [next(late).next, next(late).next] == ["screen", "screen"]
    assert world.run(first).report.reason == "pullbench merged it by itself."
    # The second one's screen has read less than what its merge would now make of it.
    (step,) = late
    assert not step.ok
    assert "The base branch has changed what its merge makes of the entry" in step.report.reason
    assert world.ready() == [2]
    last = world.run(second)
    assert last.report.state == "refused"
    assert "It is too large." in last.report.reason
    assert world.verdicts_on(world.main) == ["ok"]
    assert world.ready() == []


@pytest.mark.parametrize("phase", ["queued", "scored"])
def test_a_half_that_was_approved_or_evaluated_before_is_judged_again(
    world: World, phase: str
) -> None:
    first, second = (world.open(number, files) for number, files in enumerate(HALF, 1))
    late = world.steps(second)
    advance(late, phase)
    world.run(first)
    waiting = list(late)[-1]
    assert (waiting.ok, "has changed what its merge" in waiting.report.reason) == (
        phase == "scored", True,
    )  # fmt: skip
    waits = last_waits(world.forge.ledger, [2]).get(2)
    assert waits is not None and (waits.why, waits.actor) == ("moved", None)
    assert world.ready() == [2]
    assert world.run(second).report.state == "refused"
    assert world.verdicts_on(world.main) == ["ok"]


def test_what_is_as_it_was_read_is_merged_although_the_base_moved(world: World) -> None:
    first, second = (world.open(number, {f"{number}.py": "#\n"}) for number in (1, 2))
    late = world.steps(second)
    advance(late, "scored")
    world.run(first)
    assert not list(late)[-1].report.reason.startswith("pullbench")
    assert world.ready() == [2]
    assert world.run(second).report.reason == "pullbench merged it by itself."
    assert world.verdicts_on(world.main) == ["ok"]


def test_new_content_that_is_withdrawn_is_read(world: World) -> None:
    """A withdrawal of what main holds needs no screen; nothing else is exempt."""
    whole, card = {**HALF[0], **HALF[1]}, {"submission.yaml": "kind: code\ncancelled: true\n"}
    assert world.run(world.open(1, {**whole, **card})).report.state == "refused"
    assert not world.main
    assert "merged" in world.run(world.open(2, HALF[0])).report.reason
    world.forge.theirs.git("fetch", "--quiet", "origin")
    files: Files = {f"{world.folder}/submission.yaml": card["submission.yaml"]}
    withdrawn = world.forge.open(3, files)
    assert not screens(opened(world.forge, withdrawn))


def stricter(world: World) -> None:
    world.forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    world.forge.ours.write(PROGRAM, _RULE.replace(str(MOST), "100"))
    world.forge.ours.commit("A stricter screen")
    world.forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def test_a_stricter_screen_reads_before_the_merge_although_an_organiser_approved(
    world: World,
) -> None:
    source = world.open(1, HALF[0])
    assert next(world.steps(source)).next == "screen"
    verdicts, path = world.screen(source), world.forge.ours.path
    world.hosted.pulls[0]["labels"] = [{"name": "evaluate"}]
    at = next(world.clock)
    assert approve(path, source, world.who, ORGANISER, at, verdicts=verdicts).ok
    stricter(world)
    done = finish(path, source, world.forge.evaluate(source), next(world.clock))
    ended = merge(done, next(world.clock))
    assert ended is not None and "has not read it yet" in ended.report.reason
    assert not world.main
    # The queue starts the screen, which refuses it.
    assert world.ready() == [1]
    assert world.run(source).report.state == "refused"


def test_a_stricter_screen_reads_before_cells_are_handed_out_again(world: World) -> None:
    source = world.open(1, HALF[0])
    advance(world.steps(source), "queued")
    stricter(world)
    step = receive(world.forge.ours.path, source, world.who, next(world.clock))
    assert step.next == "screen"
    assert world.run(source).report.state == "refused"


def padding(number: int) -> str:
    return "".join(f"{'pad' * 2} = {n}{number} * b - c // {n + 1}{number}\n" for n in range(99))


def test_a_copy_in_two_padded_halves_is_flagged(adding: World) -> None:
    adding.forge.ours.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n",
        "\npullbench:\n  policy: {approve: {code: everyone}, merge: true}\n",
    )  # fmt: skip
    adding.forge.ours.commit("A policy")
    adding.forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    carols = adding.forge.open(9, entry("carol", content=WORK))
    assert receive(adding.forge.ours.path, carols, "carol", NOON).ok
    lines = WORK.splitlines(keepends=True)
    halves = ["".join(lines[:13]), "".join(lines[13:])]
    first, second = (
        adding.open(number, {f"{number}.py": half, f"pad{number}.py": padding(number)})
        for number, half in enumerate(halves, 1)
    )
    late = adding.steps(second)
    assert next(late).next == "approve"
    assert adding.run(first).report.reason == "pullbench merged it by itself."
    *_, last = late
    assert not last.ok
    assert [one.message for one in last.report.problems if "carol/one" in one.message]
    assert "The base branch has changed" in last.report.reason
    waits = last_waits(adding.forge.ledger, [2]).get(2)
    assert waits is not None and "An organiser compares it" in waits.reason


@pytest.mark.parametrize("comments", ["/retry", "/evaluate"])
def test_an_organisers_approval_is_of_the_whole_that_was_read(adding: World, comments: str) -> None:
    first, second = (adding.open(number, {f"{number}.py": "x = 1\n"}) for number in (1, 2))
    step = None
    for source in (first, second):
        receive(adding.forge.ours.path, source, "mallory", NOON)
        assert adding.labelled(source).ok
        step = finish(adding.forge.ours.path, source, None, NOON)
    assert step is not None and step.report.state == "failed"
    by, before = ("mallory", "retry") if comments == "/retry" else (ORGANISER, "evaluate")
    adding.forge.merge(first)
    said = len(adding.hosted.comments)
    event = event_of(comments, by, at=NOON + MINUTE, issue={"number": 2, "pull_request": {}})
    where = PullRequestRef(base=BRANCH, head="", remote="origin")
    answer_comment(adding.forge.ours.path, where, event, NOON + MINUTE)
    assert "has changed what its merge makes" in adding.hosted.comments[said]["body"]
    assert not adding.forge.ledger.entries.below(f"pulls/2/commands/{before}")
    # CI judges it again, by which nobody has approved it.
    again = receive(adding.forge.ours.path, second, "mallory", NOON + 2 * MINUTE)
    assert (again.next, again.report.state) == ("", "received")
    assert "has changed what its merge makes" in again.report.reason
    assert not approve(adding.forge.ours.path, second, "mallory", None, NOON + 3 * MINUTE).ok
    assert len(adding.forge.ledger.approvals_of(2)) == 1
    # Who reads it now approves it.
    assert adding.labelled(second).ok


def test_a_label_of_a_whole_that_nobody_saw_shows_it_first(adding: World) -> None:
    first, second = (adding.open(number, {f"{number}.py": "x = 1\n"}) for number in (1, 2))
    for source in (first, second):
        receive(adding.forge.ours.path, source, "mallory", NOON)
    adding.forge.merge(first)
    seen = adding.labelled(second)
    assert (seen.ok, seen.report.state) == (False, "received")
    assert "has changed what its merge makes" in seen.report.reason
    assert adding.labelled(second).ok


def check_splits(data: st.DataObject, served: fake_forge.FakeForge) -> None:
    """Let parts of an entry come in any order; main never holds what no screen has read."""
    served.pulls.clear()
    served.comments.clear()
    with tempfile.TemporaryDirectory() as folder:
        world = with_screen(Path(folder), served)
        sizes = data.draw(st.lists(st.sampled_from([10, 2000, 6000]), min_size=1, max_size=5))
        pulls = data.draw(st.integers(1, 4))
        parts: list[dict[str, str]] = [{} for _ in range(pulls)]
        for name, size in enumerate(sizes):
            parts[data.draw(st.integers(0, pulls - 1))][f"{name}.py"] = "#" * size
        sources = {number: world.open(number, files) for number, files in enumerate(parts, 1)}
        seen: set[str] = set()
        running = {number: world.steps(source) for number, source in sources.items()}
        rounds = 0
        while running:
            number = data.draw(st.sampled_from(sorted(running)))
            if next(running[number], None) is None:
                del running[number]
            tree = world.main
            seen |= {*world.verdicts_on(tree)}
            if tree:
                assert "ok" in world.verdicts_on(tree), f"{sizes} in {parts}"
            if not running and rounds < 2 * pulls:
                rounds += 1
                running = {number: world.steps(sources[number]) for number in world.ready()}
        assert world.ready() == [], "what can go on went on"
        there = world.forge.ours.path / world.folder
        size = sum(path.stat().st_size for path in there.rglob("*.py"))
        assert size <= MOST
        for pull in served.pulls:
            waits = last_waits(world.forge.ledger, [pull["number"]]).get(pull["number"])
            left = opened(world.forge, sources[pull["number"]]).changes
            assert not left or (waits and waits.actor), "somebody knows what to do"


_SLOWLY = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=_SLOWLY,
)
@given(data=st.data())
def test_main_holds_no_whole_that_no_screen_has_read(
    served: fake_forge.FakeForge, data: st.DataObject
) -> None:
    check_splits(data, served)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=_SLOWLY)
@given(data=st.data())
def test_main_holds_no_whole_that_no_screen_has_read_in_many_splits(
    served: fake_forge.FakeForge, data: st.DataObject
) -> None:
    check_splits(data, served)
