"""What a private phase hides reaches the author of the pull request, and nobody else."""

import datetime as dt
import io
import json
import os
import re
import subprocess
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyrage
import pytest

from evaluator.ci.forge.connection import MAX_TRIES
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.policy.case import MOVED
from evaluator.ci.policy.waiting import GOES_ON
from evaluator.ci.steps.commands import answer_comment
from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.merge import note_waiting
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.formats.record import Step as RecordStep
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.cells import cells
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.feedback.archive import TEXT, open_feedback
from evaluator.plugins.feedback.keys import usable
from tests import fake_forge, test_canaries
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Forge, entry, make_forge
from tests.ci.steps.test_commands import event_of
from tests.records import record_of
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, proposed, receive

BUNDLE = "benchmarks/adding/competition.yaml"
RECIPIENT, IDENTITY = make_keys()
SCORE, LOG, HIDDEN = "0.8125", "nothing but secrets", "0.4375"
HOUR = dt.timedelta(hours=1)
SHORTEST = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43


def make_key(folder: Path, name: str, *options: str) -> Path:
    file = folder / name
    line = ["ssh-keygen", "-q", "-N", "", "-C", "me@home", "-f", str(file), *options]
    subprocess.run(line, check=True)
    return file


@dataclass
class Course:
    """A deployment with a private phase, its forge, and the key of a participant."""

    forge: Forge
    server: fake_forge.FakeForge
    key: Path

    def hand_in(self, source: PullRequestRef, *, log: str = LOG, failed: bool = False) -> Path:
        """As jobs do: what is hidden is sealed to the organisers."""
        error = CellError(
            actor=Actor.PARTICIPANT, reason=Reason.NO_SCORES, message=LOG, step="ingestion"
        )
        taken = proposed(self.forge.ours.path, source, NOON)
        for cell in cells(taken, NOON):
            if cell.id in taken.record_files or cell.id.participant == "alice":
                continue
            whole = record_of(
                cell, scores={} if failed else {"right": float(SCORE), "distance": float(HIDDEN)},
                steps=[RecordStep(step="ingestion", wall_seconds=1.0, log=log)],
                error=error if failed else None, status="failed" if failed else "finished",
            )  # fmt: skip
            self.forge.hand_in(withheld(encrypt_hidden(whole, cell.benchmark, RECIPIENT)))
        return self.forge.folder

    def take(self, source: PullRequestRef, who: str = "carol", **more: object) -> StepResult:
        """Take a pull request all the way."""
        ours = self.forge.ours.path
        assert receive(ours, source, who, NOON).ok
        self.server.add_pull(source.number or 0, "evaluate")
        assert approve(ours, source, who, ORGANISER, NOON).ok
        return finish(ours, source, self.hand_in(source, **more), NOON + HOUR)  # type: ignore[arg-type]

    def given(self, number: int = 1) -> list[str]:
        return self.forge.ledger.entries.below(f"pulls/{number}/feedback")

    def content(self, path: str) -> bytes:
        entry_of = self.forge.ledger.entries[path]
        done = subprocess.run(
            ["git", "cat-file", "blob", entry_of.blob], cwd=self.forge.origin, check=True,
            capture_output=True,
        )  # fmt: skip
        return done.stdout

    def read(self, path: str, key: Path | None = None) -> str:
        return open_feedback(self.content(path), key or self.key)[TEXT].decode()


@pytest.fixture
def course(
    small: Repository, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Course]:  # fmt: skip
    keys = tmp_path_factory.mktemp("keys")
    small.replace(
        BUNDLE,
        "\npullbench:\n",
        "\npullbench:\n  phases: {0: {shows: status, feedback: private}}\n",
    )
    small.replace(BUNDLE, "key: distance,", "key: distance, hidden: true,")
    forge = make_forge(tmp_path, small)
    lines = f'[tool.pullbench]\nseal = "{RECIPIENT}"\nforge = "https://forge.example/org/bench"\n'
    forge.ours.write("pyproject.toml", SETTINGS.replace("[tool.pullbench]\n", lines))
    assert not [p for p in forge.ours.problems() if "feedback" in p.key]
    forge.ours.commit("A course")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    monkeypatch.setenv("PULLBENCH_TOKEN", "secret-token")
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    with fake_forge.running(fake_forge.FakeForge()) as server:
        monkeypatch.setenv("PULLBENCH_FORGE_API", server.url)
        key = make_key(keys, "id_ed25519", "-t", "ed25519")
        server.keys["carol"] = [key.with_suffix(".pub").read_text()]
        yield Course(forge, server, key)


def said(course: Course, step: StepResult) -> str:
    """Return all that anybody can read: the comment, and every object of every branch."""
    done = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=course.forge.origin,
        check=True, capture_output=True,
    )  # fmt: skip
    return to_markdown(step.report) + done.stdout.decode("utf-8", "replace")


@pytest.mark.slow
def test_the_author_alone_reads_scores_and_logs(course: Course, tmp_path: Path) -> None:
    source = course.forge.open(1, entry("carol"))
    step = course.take(source)
    assert step.ok, step.report.problems
    public = said(course, step)
    assert not [text for text in (SCORE, LOG, HIDDEN) if text in public]
    (path,) = course.given()
    assert "pullbench feedback 1" in step.report.next_step
    assert f"`{path}`" in to_markdown(step.report)

    done = course.forge.theirs.pullbench("feedback", "1", "--identity", str(course.key))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"right {SCORE}") == 2
    assert done.stdout.count(f"    | {LOG}") == 2
    # What the board hides from everybody, it hides from the author.
    assert HIDDEN not in done.stdout and "distance" not in done.stdout

    other = make_key(tmp_path, "other", "-t", "ed25519")
    refused = course.forge.theirs.pullbench("feedback", "1", "--identity", str(other))
    assert refused.returncode == 2
    assert "is not encrypted to" in refused.stderr
    assert LOG not in refused.stdout + refused.stderr


def test_a_step_that_is_repeated_adds_nothing(course: Course) -> None:
    source = course.forge.open(1, entry("carol"))
    first = course.take(source)
    again = finish(course.forge.ours.path, source, course.forge.folder, NOON + 2 * HOUR)
    assert len(course.given()) == 1
    assert again.report.next_step == first.report.next_step


def test_what_is_said_of_feedback_stays_while_a_pull_request_waits(course: Course) -> None:
    step = course.take(course.forge.open(1, entry("carol")))
    assert step.pull is not None
    waiting = note_waiting(step, MOVED, step.pull).report
    assert waiting.next_step.startswith(GOES_ON) and "organiser" not in waiting.next_step
    assert waiting.next_step.endswith(step.report.next_steps[1])
    assert "pullbench feedback 1" in to_markdown(waiting)


def test_a_failure_is_told(course: Course) -> None:
    step = course.take(course.forge.open(1, entry("carol")), failed=True)
    assert step.report.state == "failed"
    assert LOG not in said(course, step)
    text = course.read(course.given()[0])
    assert f"failed, no scores written: {LOG} [participant must act]" in text


def test_a_key_that_comes_later_opens_nothing(course: Course, tmp_path: Path) -> None:
    source = course.forge.open(1, entry("carol"))
    assert receive(course.forge.ours.path, source, "carol", NOON).ok
    thief = make_key(tmp_path, "thief", "-t", "ed25519")
    course.server.keys["carol"].append(thief.with_suffix(".pub").read_text())
    course.take(source)
    (path,) = course.given()
    with pytest.raises(UsageError, match="not encrypted to"):
        course.read(path, thief)
    assert SCORE in course.read(path)


@pytest.mark.slow
def test_without_a_key_the_comment_says_what_to_do(course: Course, tmp_path: Path) -> None:
    curve = make_key(tmp_path, "curve", "-t", "ecdsa")
    course.server.keys["carol"] = [curve.with_suffix(".pub").read_text(), "ssh-dss AAAA"]
    source = course.forge.open(1, entry("carol"))
    came = receive(course.forge.ours.path, source, "carol", NOON)
    assert came.ok
    (warning,) = came.report.problems
    assert (warning.severity, warning.actor) == ("warning", Actor.PARTICIPANT)
    assert "ssh-ed25519" in warning.hint and "/retry" in warning.hint
    step = course.take(source)
    assert step.ok and "/retry" in step.report.next_step
    assert not course.given()
    assert SCORE not in said(course, step)

    def retry(at: dt.datetime) -> int:
        event, where = (
            event_of("/retry", "carol", at=at),
            PullRequestRef(base=BRANCH, head="", remote="origin"),
        )
        answer_comment(course.forge.ours.path, where, event, at)
        return len([one for one in course.server.asked if one.path.endswith("/dispatches")])

    course.server.pulls[0] |= {"user": {"login": "carol"}, "labels": []}
    course.server.pulls[0]["head"]["sha"] = source.head
    course.server.keys["carol"] = [course.key.with_suffix(".pub").read_text()]
    assert retry(NOON + HOUR) == 1
    # evaluate.yml then takes the same steps again, with no cell left to evaluate.
    assert receive(course.forge.ours.path, replace(source, is_asked=True), "carol", NOON + HOUR).ok
    again = approve(course.forge.ours.path, source, "carol", None, NOON + HOUR)
    assert (again.ok, again.planned) == (True, ())
    finish(course.forge.ours.path, source, None, NOON + 2 * HOUR)
    assert SCORE in course.read(course.given()[0])
    assert retry(NOON + 3 * HOUR) == 1, "there is nothing more to try again"


@pytest.mark.parametrize("secret", ["", make_keys()[1], "nonsense"], ids=["no", "other", "bad"])
def test_without_the_organisers_key_nobody_reads(
    course: Course, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv(SEAL_IDENTITY, secret)
    source = course.forge.open(1, entry("carol"))
    step = course.take(source)
    assert "The author gets no scores" in step.report.next_step
    assert SEAL_IDENTITY in step.report.next_step
    assert not course.given()
    # Once the organisers have mended it, the step is repeated.
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    finish(course.forge.ours.path, source, course.forge.folder, NOON + 2 * HOUR)
    assert SCORE in course.read(course.given()[0])


def test_a_forge_that_does_not_answer_keeps_nobody_from_arriving(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluator.ci.forge.connection.time.sleep", lambda _: None)
    monkeypatch.setattr("evaluator.ci.forge.connection.Connection.pauses", [])
    broken = fake_forge.Reply(status=500, data={"message": "oops"})
    course.server.reply("GET /users/carol/keys", *[broken] * MAX_TRIES)
    came = receive(course.forge.ours.path, course.forge.open(1, entry("carol")), "carol", NOON)
    assert came.ok
    assert course.forge.ledger.entries.below("received")
    assert "/retry" in came.report.problems[0].hint


def test_an_account_with_a_thousand_keys(course: Course) -> None:
    own = course.key.with_suffix(".pub").read_text()
    course.server.keys["carol"] = [own, *[SHORTEST] * 1000]
    course.take(course.forge.open(1, entry("carol")))
    (asked,) = [one for one in course.server.asked if one.path.endswith("/keys")]
    assert asked.query["per_page"] == "20"
    content = course.content(course.given()[0])
    assert len(content) < 20_000
    assert SCORE in course.read(course.given()[0])


@pytest.mark.slow
def test_the_size_does_not_tell_the_scores_nor_the_log(course: Course) -> None:
    """A scorer may print a line for each mistake."""
    sizes = set()
    for number, lines in enumerate((0, 1, 40), start=1):
        source = course.forge.open(number, entry("carol", name=f"n{number}", content=f"{number}\n"))
        course.take(source, log="".join(f"row {n * 7919}: wrong\n" for n in range(lines)))
        archive = pyrage.decrypt(
            course.content(course.given(number)[0]),
            [pyrage.ssh.Identity.from_buffer(course.key.read_bytes())],
        )
        sizes.add(len(archive))
    assert sizes == {2 * 4096}


def test_cells_of_others_are_not_the_authors(course: Course) -> None:
    """An organiser's change of a benchmark evaluates everybody: nobody's scores are told."""
    course.server.keys[ORGANISER] = course.server.keys["carol"]
    source = course.forge.open(1, {"benchmarks/adding/scoring_program/new.py": "1\n"})
    step = course.take(source, ORGANISER)
    assert [line for line in step.report.cells if "/bob/" in str(line.cell)]
    assert not course.given()


@pytest.mark.docker
@pytest.mark.slow
def test_no_number_of_a_private_phase_leaves_the_machine_in_the_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real programs say numbers in every way that they have; real commands take them along."""
    private = "pullbench:\n  phases: {0: {shows: status, feedback: private}}\n"
    monkeypatch.setattr(test_canaries, "HIDES", {"phase": ("pullbench:\n", private)})
    world = test_canaries.World(tmp_path, RECIPIENT)
    ours, key = world.ours, make_key(tmp_path, "id", "-t", "ed25519")
    keys = {"erin": [key.with_suffix(".pub").read_text()]}
    with fake_forge.running(fake_forge.FakeForge(keys=keys)) as server:
        for name, value in {
            "PULLBENCH_TOKEN": "secret-token", "PULLBENCH_FORGE_API": server.url,
            "GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "org/bench",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        world.enter("phase", "erin", 5)
        ours.git("checkout", "--quiet", "-B", "pull")
        head = ours.commit("Enter")
        ours.git("push", "--quiet", "origin", f"{head}:refs/pull/1/head")
        ours.git("checkout", "--quiet", "--force", BRANCH)
        pull = ("--base", BRANCH, "--head", head, "--pull-request", "1")
        world.call("pr", "receive", *pull, "--actor", "erin")
        server.add_pull(1, "evaluate")
        world.call("pr", "approve", *pull, "--actor", "erin", "--approver", "olga")
        artifact = tmp_path / "artifact"
        world.call("run", *pull, "--engine", "docker", "--output", str(artifact))
        world.take(artifact, "artifact")
        with monkeypatch.context() as secret:
            secret.setenv(SEAL_IDENTITY, IDENTITY)
            world.call("pr", "finish", *pull, "--from", str(artifact))
        world.said.texts["forge"] = json.dumps([asked.data for asked in server.asked])
        pages = tmp_path / "pages"
        opened = ours.pullbench("feedback", "1", "--identity", str(key), "--output", str(pages))
    world.call("site")
    world.take(ours.path / "build/site", "site")
    assert "pullbench feedback 1" in world.said.texts["forge"]
    assert world.said.find(test_canaries.BASE) == []
    assert world.git().find(test_canaries.BASE) == []
    told = " ".join(test_canaries.multiples(opened.stdout, test_canaries.BASE))
    assert all(f"({kind})" in told for kind in ("score", "secret", "extra", "log")), told
    (page,) = pages.iterdir()
    assert "(page)" in " ".join(test_canaries.multiples(page.read_text(), test_canaries.BASE))


# --- keys


def test_keys_that_age_supports(tmp_path: Path) -> None:
    made = {
        name: make_key(tmp_path, name, *options).with_suffix(".pub").read_text()
        for name, options in {
            "ed25519": ["-t", "ed25519"], "rsa": ["-t", "rsa", "-b", "2048"],
            "weak": ["-t", "rsa", "-b", "1024"], "ecdsa": ["-t", "ecdsa"],
        }.items()
    }  # fmt: skip
    odd = ["", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-rsa !", "x" * 10**6, "ssh-rsa AAAA\nssh-rsa"]
    assert [key.split()[0] for key in usable([*odd, *made.values()])] == ["ssh-ed25519", "ssh-rsa"]
    assert all(key.count(" ") == 1 for key in usable(made.values()))


@pytest.mark.parametrize("way", ["nonsense", "cut", "not zip", "bomb"])
def test_files_of_strangers(course: Course, way: str) -> None:
    recipient = pyrage.ssh.Recipient.from_str(course.key.with_suffix(".pub").read_text())
    content = b"nonsense"
    if way == "cut":
        content = pyrage.encrypt(b"PK", [recipient])[:-3]
    elif way == "not zip":
        content = pyrage.encrypt(zlib.compress(b"0" * 99), [recipient])
    elif way == "bomb":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(TEXT, bytes(65 * 2**20))
        content = file.getvalue()
        assert len(content) < 2**17
    with pytest.raises(UsageError):
        open_feedback(content, course.key)


@pytest.mark.slow
def test_a_key_with_a_passphrase_is_left_to_age(course: Course, tmp_path: Path) -> None:
    course.take(course.forge.open(1, entry("carol")))
    locked = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-N", "secret", "-f", str(locked)], check=True)
    done = course.forge.theirs.pullbench("feedback", "1", "--identity", str(locked))
    assert done.returncode == 2
    assert f"age --decrypt --identity {locked}" in done.stderr
    # What it prints is what the command takes.
    opened = tmp_path / "opened.zip"
    identity = pyrage.ssh.Identity.from_buffer(course.key.read_bytes())
    opened.write_bytes(pyrage.decrypt(course.content(course.given()[0]), [identity]))
    done = course.forge.theirs.pullbench("feedback", str(opened))
    assert SCORE in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said_to"),
    [
        (("99",), "has no feedback for pull request 99"),
        (("99", "--remote", ""), "has no feedback for pull request 99"),
        (("nothing.age",), "nothing.age cannot be read"),
        (("pyproject.toml", "--identity", "nowhere"), "the key nowhere cannot be used"),
    ],
)  # fmt: skip
def test_what_is_not_there(course: Course, arguments: tuple[str, ...], said_to: str) -> None:
    course.take(course.forge.open(1, entry("carol")))
    done = course.forge.theirs.pullbench("feedback", *arguments)
    assert done.returncode == 2
    assert said_to in done.stderr


# --- the bundle


@pytest.mark.parametrize(
    ("phase", "has_key", "faults"),
    [
        ("{feedback: private}", True, ["to everybody"]),
        ("{feedback: private, shows: status}", False, ["needs a key"]),
        ("{feedback: private}", False, ["to everybody", "needs a key"]),
        ("{feedback: public}", False, []),
    ],
)  # fmt: skip
def test_private_feedback_needs_a_silent_phase_and_a_key(
    small: Repository, phase: str, has_key: bool, faults: list[str]
) -> None:
    small.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  phases: {{0: {phase}}}\n")
    small.write("pyproject.toml", f'[tool.pullbench]\nseal = "{RECIPIENT}"\n' * has_key)
    small.commit()
    done = small.pullbench("validate", environment=dict(os.environ))
    said_all = re.sub(r"\s+", " ", done.stdout + done.stderr)
    assert (done.returncode == 1) == bool(faults), said_all
    assert all(fault in said_all for fault in faults)
