"""A benchmark's screen reads an entry as data, in a container of its own."""

import json
from pathlib import Path

import pytest

from evaluator.ci.ledger.ledger_notes import note_json
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.git.tree import open_repository
from evaluator.plugins.screening.plugin import PLUGIN
from evaluator.plugins.screening.screening import (
    FILE,
    Screens,
    VerdictNote,
    screen,
    screens,
    strictest_verdicts,
)
from tests.ci.steps.conftest import NOON, ORGANISER, Files, Forge
from tests.plugging import leave_out
from tests.plugins.screening.test_likeness import MINUTE, RENAMED, WORK
from tests.repository import BRANCH, Repository
from tests.steps import approve, receive

MALLORY = "screened/mallory/one"
PROGRAM = "benchmarks/screened/screen/screen.py"
BUNDLE = "benchmarks/screened/competition.yaml"


def entered(content: str = "add = sum\n", **others: str) -> Files:
    folder = f"submissions/{MALLORY}"
    files: Files = {f"{folder}/submission.yaml": "kind: code\n", f"{folder}/main.py": content}
    return files | {f"{folder}/{name}": text for name, text in others.items()}


def with_program(forge: Forge, text: str, path: str = PROGRAM) -> None:
    """Let the base branch have another screen."""
    forge.ours.write(path, text)
    forge.ours.commit("Another screen")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")


def received(forge: Forge, files: Files, number: int = 1) -> PullRequestRef:
    source = forge.open(number, files)
    assert receive(forge.ours.path, source, "mallory", NOON).ok
    return source


def opened(forge: Forge, source: PullRequestRef) -> PullRequest:
    return open_pull_request(open_repository(forge.ours.path), source, NOON)


def ran(forge: Forge, files: Files) -> VerdictNote:
    """Return the one verdict of the screen that the base branch has."""
    (note,) = screen(opened(forge, received(forge, files)), forge.folder)
    return note


def noted(forge: Forge, source: PullRequestRef, folder: Path) -> VerdictNote | None:
    """Return what holds once the step that approves has noted a job's folder."""
    pull = opened(forge, source)
    pull.add_notes(Screens(pull).verdict_notes(folder))
    return strictest_verdicts(opened(forge, source), opened(forge, source).ledger)[MALLORY]


def verdicts_in(forge: Forge, pull: PullRequest, **changes: object) -> Path:
    """Return a job's folder with a verdict on a pull request."""
    (item,) = screens(pull)
    note = {"verdict": "ok", "submission": MALLORY, "tree": item.tree, "program": item.program,
            "is_from_program": True, "at": NOON.isoformat()}  # fmt: skip
    forge.folder.mkdir(exist_ok=True)
    (forge.folder / FILE).write_text(json.dumps({"verdicts": [note | changes]}))
    return forge.folder


@pytest.mark.docker
@pytest.mark.parametrize(
    ("content", "verdict", "reason"),
    [
        ("add = sum\n", "ok", ""),
        ("import socket\n", "refuse", "main.py imports socket."),
        ("# long\n" * 3000, "ask", "main.py has more than 10000 bytes."),
    ],
)
def test_a_verdict_comes_back_to_the_ledger(
    screened: Forge, content: str, verdict: str, reason: str
) -> None:
    source = received(screened, entered(content))
    output = screened.folder / "screen"
    done = screened.ours.pullbench(
        "pr", "screen", "--base", BRANCH, "--head", source.head, "--remote", "origin",
        "--pull-request", "1", "--output", str(output),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{MALLORY}: {verdict}" in done.stdout
    note = noted(screened, source, output)
    assert note is not None
    assert (note.verdict, note.reason, note.is_from_program) == (verdict, reason, True)


_SEEN = """
import json, os, sys
from pathlib import Path
entry, output = map(Path, sys.argv[1:])
seen = sorted(p.relative_to("/app").as_posix() for p in Path("/app").rglob("*") if p.is_file())
faults = []
for path in ("/app/program/new", "/app/input/submission/new", "/new"):
    try:
        Path(path).write_text("")
        faults.append(path)
    except OSError:
        pass
links = sorted(os.listdir("/sys/class/net"))
(output / "verdict.json").write_text(json.dumps(
    {"verdict": "ask", "reason": " ".join([*seen, *faults, *links])}))
"""


@pytest.mark.docker
def test_it_sees_the_program_and_the_entry_alone(screened: Forge) -> None:
    with_program(screened, _SEEN)
    names = ["metadata.yaml", "screen.py"]
    assert ran(screened, entered(notes="mine\n")).reason.split() == [
        *(f"input/submission/{name}" for name in ("main.py", "notes", "submission.yaml")),
        *(f"program/{name}" for name in names), "lo",
    ]  # fmt: skip


def writes(text: str) -> str:
    return f"import sys; open(sys.argv[2] + '/verdict.json', 'w').write({text!r})\n"


@pytest.mark.docker
@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("raise SystemExit(3)\n", "ended with exit code 3"),
        (writes('{"verdict": "ok"}') + "raise SystemExit(1)\n", "ended with exit code 1"),
        ("pass\n", "wrote no verdict.json"),
        (writes('{"verdict": "fine"}'), "verdict.json is wrong"),
        (writes('{"verdict": "refuse"}'), "needs a reason"),
        (writes(json.dumps({"verdict": "ask", "reason": "x" * 301})), "verdict.json is wrong"),
        (writes(json.dumps({"verdict": "refuse", "reason": "a\x1b[2Jb"})), "control characters"),
        (writes("[" * 100_000), "verdict.json is"),
        ("import os, sys; os.symlink('/etc', sys.argv[2] + '/verdict.json')\n", "no verdict"),
        ("x = bytearray(2 ** 31)\n", "limit of memory"),
    ],
)  # fmt: skip
def test_no_verdict_asks_an_organiser(screened: Forge, program: str, says: str) -> None:
    with_program(screened, program)
    note = ran(screened, entered())
    assert (note.verdict, note.is_from_program) == ("ask", False)
    assert note.reason.startswith("The screen ended without a verdict: ")
    assert says in note.reason


@pytest.mark.docker
def test_a_program_that_does_not_end_asks_an_organiser(
    screened: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluator.plugins.screening.screening._SECONDS", 2)
    with_program(screened, "import time; time.sleep(600)\n")
    assert "limit of time" in ran(screened, entered()).reason


def test_without_an_engine_there_is_no_verdict(
    screened: Forge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    source = received(screened, entered())
    with pytest.raises(PlatformError):
        screen(opened(screened, source), screened.folder)
    assert not (screened.folder / FILE).exists()


def test_what_was_refused_at_its_arrival_reaches_no_screen(screened: Forge) -> None:
    source = screened.open(1, {**entered(), "README.md": "mine\n"})
    assert not receive(screened.ours.path, source, "mallory", NOON).ok
    with pytest.raises(UsageError, match="was not received"):
        screen(opened(screened, source), screened.folder)


def test_a_withdrawn_entry_and_other_benchmarks_need_no_screen(screened: Forge) -> None:
    card: Files = {f"submissions/{MALLORY}/submission.yaml": "kind: code\ncancelled: true\n"}
    # New work is read, whatever its author says of it.
    assert len(screens(opened(screened, screened.open(1, {**entered(), **card})))) == 1
    for path, text in entered().items():
        screened.ours.write(path, str(text))
    with_program(screened, "\n")
    assert screens(opened(screened, screened.open(2, card))) == []
    screened.ours.replace(BUNDLE, ", screen: screen}", "}")
    with_program(screened, "\n", f"{PROGRAM}.txt")
    assert screens(opened(screened, screened.open(3, entered("add = max\n")))) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"tree": "0" * 40},
        {"program": "0" * 64},
        {"submission": "screened/alice/right"},
        {"verdict": "certainly"},
        {"reason": "x" * 1000},
        {"reason": "two\nlines"},
    ],
)
def test_a_verdict_on_something_else_counts_for_nothing(
    screened: Forge, changes: dict[str, object]
) -> None:
    source = received(screened, entered())
    folder = verdicts_in(screened, opened(screened, source), **changes)
    assert noted(screened, source, folder) is None


def test_a_verdict_holds_for_one_content_and_one_program(screened: Forge) -> None:
    source = received(screened, entered())
    note = noted(screened, source, verdicts_in(screened, opened(screened, source)))
    assert note is not None
    pushed = received(screened, entered("add = max\n"))
    assert strictest_verdicts(opened(screened, pushed), screened.ledger) == {MALLORY: None}
    with_program(screened, "pass\n")
    pull = opened(screened, screened.push(1, source.head))
    assert strictest_verdicts(pull, screened.ledger) == {MALLORY: None}


def test_a_stricter_verdict_is_never_replaced(screened: Forge) -> None:
    source = received(screened, entered())
    pull = opened(screened, source)
    verdicts: list[tuple[dict[str, object], str]] = [
        ({"verdict": "ask", "reason": "no verdict", "is_from_program": False}, "ask"),
        ({"verdict": "ok"}, "ok"),
        ({"verdict": "ask", "reason": "no verdict", "is_from_program": False}, "ok"),
        ({"verdict": "refuse", "reason": "It imports a socket."}, "refuse"),
        ({"verdict": "ok"}, "refuse"),
    ]
    for changes, holds in verdicts:
        note = noted(screened, source, verdicts_in(screened, pull, **changes))
        assert note is not None
        assert note.verdict == holds


@pytest.mark.parametrize("verdict", ["ask", "refuse"])
def test_a_label_overrules_a_question_and_no_refusal(screened: Forge, verdict: str) -> None:
    source = received(screened, entered())
    folder = verdicts_in(screened, opened(screened, source), verdict=verdict, reason="Look at it.")
    step = approve(screened.ours.path, source, "mallory", ORGANISER, NOON, verdicts=folder)
    assert step.ok == (verdict == "ask")
    said = [problem.message for problem in step.report.problems]
    assert said == ["The benchmark's screen refuses it: Look at it."] * (not step.ok)
    by_policy = approve(screened.ours.path, source, "mallory", None, NOON)
    assert by_policy.report.state == ("queued" if verdict == "ask" else "refused")
    with_program(screened, "pass\n")
    unread = approve(screened.ours.path, source, "mallory", ORGANISER, NOON)
    assert ["has not read" in problem.message for problem in unread.report.problems] == [True]
    folder = verdicts_in(screened, opened(screened, source), verdict="ok")
    assert approve(screened.ours.path, source, "mallory", ORGANISER, NOON, verdicts=folder).ok


def test_a_copy_of_what_the_screen_refused_is_shown(screened: Forge) -> None:
    source = received(screened, entered(WORK))
    folder = verdicts_in(screened, opened(screened, source), verdict="refuse", reason="No.")
    assert noted(screened, source, folder)
    copied = screened.open(2, entered(RENAMED))
    step = receive(screened.ours.path, copied, "mallory", NOON + MINUTE)
    (problem,) = step.report.problems
    assert problem.message.endswith(" and was refused by the screen on 2026-03-10.")


@pytest.mark.parametrize("damage", ["missing", "huge", "link", "not JSON"])
def test_a_damaged_folder_notes_nothing(screened: Forge, damage: str, tmp_path: Path) -> None:
    source = received(screened, entered())
    folder = verdicts_in(screened, opened(screened, source))
    file = folder / FILE
    content = file.read_bytes()
    file.unlink()
    if damage == "huge":
        file.write_bytes(content + b" " * 2**20)
    elif damage == "link":
        (tmp_path / "elsewhere").write_bytes(content)
        file.symlink_to(tmp_path / "elsewhere")
    elif damage == "not JSON":
        file.write_bytes(b"\xff" + content)
    assert noted(screened, source, folder) is None


def test_a_screen_makes_no_score_stale(screened: Forge) -> None:
    before = {item.cell.id: item.cell.keys for item in screened.ours.plan().missing}
    with_program(screened, "pass\n")
    assert {item.cell.id: item.cell.keys for item in screened.ours.plan().missing} == before


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("nowhere", "is no folder of the bundle"),
        ("logo.svg", "is no folder of the bundle"),
        ("../screened/screen", "is no folder of the bundle"),
        ("scoring_program", "the scoring program of a task"),
        ("reference_data", "the reference data of a task"),
        ("ingestion_program/", "the ingestion program of a task"),
    ],
)
def test_validate_names_a_screen_that_cannot_be(repo: Repository, written: str, says: str) -> None:
    repo.with_bundle("screened")
    repo.replace(BUNDLE, "screen: screen}", f"screen: {written}}}")
    problems = repo.problems()
    assert {problem.key for problem in problems} == {"pullbench.policy.screen"}
    assert any(says in problem.message for problem in problems)


def test_a_note_is_read_as_it_was_written() -> None:
    note = VerdictNote(
        verdict="ok", submission=MALLORY, tree="a", program="b", is_from_program=True, at=NOON
    )
    assert VerdictNote.model_validate_json(note_json(note)) == note


@pytest.mark.parametrize("approver", [None, ORGANISER])
def test_without_the_plugin_nobody_gets_past_the_screen(
    screened: Forge, monkeypatch: pytest.MonkeyPatch, approver: str | None
) -> None:
    source = received(screened, entered())
    leave_out(monkeypatch, PLUGIN)
    step = approve(screened.ours.path, source, "mallory", approver, NOON)
    assert not step.ok
    (problem,) = step.report.problems
    assert "the benchmark 'screened', which is not there or cannot be read" in problem.message
