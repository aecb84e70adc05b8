"""The workflows at work, under act: real containers, a real bare repository, a real browser.

What act ignores is in tests/workflows/rules.py.
"""

import datetime as dt
import functools
import http.server
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyrage
import pytest
from playwright.sync_api import Browser, expect

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.formats.record_lines import to_json
from evaluator.core.formats.submission import parse_submission
from evaluator.core.planning.plan import make_local_plan
from evaluator.importing.files import pack
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from evaluator.plugins.attest.checking import verify
from evaluator.plugins.attest.keys import new_key
from evaluator.plugins.scaffold.benchmark import begin_benchmark, from_template
from evaluator.plugins.sealed.sealing import seal_entry
from tests.records import record_of
from tests.site.conftest import Silent
from tests.workflows.act import Ran
from tests.workflows.rules import WEEKLY
from tests.workflows.scene import GOOD, NAME, ORGANISER, PARTICIPANT, Scene

pytestmark = pytest.mark.docker
ALL_PUBLISHED = {
    "collect": "success", "cells": "success", "store": "success", "site": "success",
    "carry": "success", "deploy": "success", "queue": "success", "overdue": "success",
}  # fmt: skip
WITHOUT_CELLS = {
    job: result for job, result in ALL_PUBLISHED.items() if job not in {"cells", "store"}
}
RECEIVED = {"receive": "success", "cells": "success", "finish": "success", "queue": "success"}
"""Of an entry that a policy or a comment lets through, and that no screen reads."""
DONE = {"approve": "success", "cells": "success", "finish": "success", "queue": "success"}
"""Of one with a label."""


SAY = (
    "import pathlib; from evaluator.core.scores.uploads import digest_of; "
    'print("d1=" + digest_of(pathlib.Path("build/records")))'
)
"""A job's output, said again."""


def comment(scene: Scene, number: int = 1) -> str:
    """The one comment."""
    (body,) = scene.forge.comments_of(number)
    return body


def quiet(ran: Ran) -> None:
    """Nothing that a stranger wrote or printed was taken for a command."""
    assert not [text for text in ran.commands if "evil" in text], ran.commands


def failed(scene: Scene, actor: Actor, reason: Reason) -> CellId:
    """Write a failure as the record of the one submission that is there."""
    (item,) = scene.clone.plan().missing
    error = CellError(actor=actor, reason=reason, message="it went wrong", step=None)
    record = record_of(item.cell).replace(status="failed", scores={}, error=error)
    scene.clone.put(record)
    return item.cell.id


@pytest.fixture
def address(scene: Scene) -> Iterator[str]:
    """The deployed site, served."""
    handler = functools.partial(Silent, directory=str(scene.act.pages))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.browser
@pytest.mark.slow
def test_from_an_opened_pull_request_to_a_row_on_the_site(
    scene: Scene, address: str, browser: Browser
) -> None:
    first = scene.push()
    assert first.results == ALL_PUBLISHED, first.log
    example = scene.record(scene.cell("example", "first"))
    assert example.error is None

    head = scene.enter()
    assert scene.pull("opened", "validate").results == dict.fromkeys(
        ("validate", "controls"), "success"
    )
    opened = scene.pull("opened", "evaluate")
    assert opened.results["receive"] == "success", opened.log
    assert scene.forge.states(head) == ["pending"]
    assert head[:7] in comment(scene)

    labelled = scene.label()
    assert labelled.results == DONE, labelled.log
    quiet(labelled)
    assert scene.forge.states(head)[-1] == "success"
    assert len(scene.kept()) == 1 + 1
    text = comment(scene)
    assert PARTICIPANT in text
    assert "example" in text  # the whole board, not the new row alone
    assert scene.forge.labels(1) == []

    scene.merge()
    scene.act.app = "Iv23abc"
    merged = scene.push()
    # Its record was kept: nothing is evaluated twice.
    assert merged.results == WITHOUT_CELLS
    # Its token may write contents; without an app there was none to ask for.
    assert merged.log.count("app-token: Iv23abc, contents: write, pulls: none") == 1
    assert "app-token: " not in first.log
    # Nor is a page written again that shows nothing new.
    assert re.search(r"\d\d+ files are here of the site as it was built before", merged.log)
    record = scene.record(scene.cell())
    assert record.scores["error"] < example.scores["error"]

    page = browser.new_page()
    page.goto(f"{address}benchmarks/{NAME}/")
    rows = page.locator("table[data-sortable] tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(PARTICIPANT)
    page.close()


@pytest.mark.slow
def test_a_push_after_approval_voids_it(scene: Scene) -> None:
    head = scene.enter()
    newer = scene.enter(2, "print()")
    # While its cells run, the head moves.
    move = f"git -C '{scene.origin}' update-ref refs/pull/1/head {newer}"
    ran = scene.label(meanwhile=move)
    assert ran.results == {**DONE, "finish": "failure"}
    assert scene.kept() == []
    assert "Approved by" in comment(scene)  # the event of the push replaces it
    assert "success" not in scene.forge.states(head)

    scene.forge.pulls[1]["head"]["sha"] = newer
    scene.forge.label(1, "evaluate")
    ran = scene.pull("synchronize", "evaluate", before=head)
    assert ran.results["receive"] == "success", ran.log
    assert scene.forge.labels(1) == []
    assert "void" in comment(scene).lower()
    assert scene.forge.states(newer) == ["pending"]


SCREENED = Path(__file__).parents[1] / "bundles/screened/benchmarks/screened/screen"


def policy(scene: Scene, *, screen: bool = True) -> None:
    """The benchmark gets a policy, and a program that reads entries first."""
    for path in SCREENED.iterdir():
        scene.clone.write(
            f"benchmarks/{NAME}/screen/{path.name}",
            path.read_text().replace("main.py", "model.py"),
        )
    scene.set_policy(f"{{approve: {{code: everyone}}, merge: true{', screen: screen' * screen}}}")


@pytest.mark.parametrize(
    ("screen", "jobs"),
    [(False, RECEIVED),
     pytest.param(True, {"receive": "success", "screen": "success", **DONE},
                  marks=pytest.mark.slow)],
)  # fmt: skip
def test_with_a_policy_nobody_sets_a_label(
    scene: Scene, screen: bool, jobs: dict[str, str]
) -> None:
    """From an opened pull request to a row, without an act of a person."""
    policy(scene, screen=screen)
    scene.act.app = "Iv23abc"
    scene.enter()
    opened = scene.pull("opened", "evaluate")
    assert opened.results == jobs, opened.log
    assert "pullbench merged it by itself" in comment(scene)
    assert opened.log.count("app-token: Iv23abc, contents: write, pulls: write") == 1
    tokens = [one.token for one in scene.forge.asked if one.path.endswith("/merge")]
    assert tokens == ["the-token-of-the-app"]
    merged = scene.push()  # what the app's merge starts
    assert merged.results["site"] == "success", merged.log
    assert scene.record(scene.cell()).error is None
    page = scene.act.pages / f"benchmarks/{NAME}/index.html"
    assert f"{PARTICIPANT}/slope" in page.read_text()
    # No person did anything, and nothing more is to be done.
    assert scene.forge.labels(1) == []
    assert scene.forge.dispatched == []


@pytest.mark.slow
def test_what_the_screen_refuses_is_never_run(scene: Scene) -> None:
    policy(scene)
    head = scene.enter(content="import socket\n")
    ran = scene.pull("opened", "evaluate")
    assert ran.results["screen"] == "success", ran.log
    assert ran.results["approve"] == "failure"
    assert not {"cells", "finish"} & ran.results.keys()
    assert "`model.py` imports socket" in comment(scene)
    assert scene.forge.states(head)[-1] == "failure"


def test_a_strangers_evaluate_is_refused(scene: Scene) -> None:
    scene.enter()
    said = scene.comment("/evaluate\n$(evil) ::error::evil", by="mallory")
    assert said.results == {"answer": "success"}, said.log
    quiet(said)
    assert "`mallory` may not" in scene.forge.comments_of(1)[-1]
    assert scene.forge.dispatched == []
    # Other text is nobody's business, and starts no job.
    assert "success" not in scene.comment("Thanks, /evaluate", by=ORGANISER).results.values()


@pytest.mark.slow
def test_a_comment_evaluates_and_tries_again(scene: Scene) -> None:
    head = scene.enter()
    assert scene.pull("opened", "evaluate").results["receive"] == "success"
    assert scene.comment("/evaluate", by=ORGANISER).results == {"answer": "success"}
    died = scene.proceed(meanwhile="echo gone; exit 1")
    assert died.results["cells"] == "failure", died.log
    assert "without a record" in comment(scene)
    assert scene.comment("/retry", by=PARTICIPANT).results == {"answer": "success"}
    ran = scene.proceed()
    assert ran.results == RECEIVED, ran.log
    assert scene.forge.states(head)[-1] == "success"
    assert len(scene.kept()) == 1
    assert scene.forge.dispatched == []


def test_a_label_by_somebody_else_approves_nothing(scene: Scene) -> None:
    head = scene.enter()
    ran = scene.label(by="mallory")
    assert ran.results["approve"] == "failure", ran.log
    assert "success" not in {ran.results.get("cells"), ran.results.get("finish")}
    assert scene.kept() == []
    assert "mallory" in comment(scene)
    assert scene.forge.labels(1) == []
    assert scene.forge.states(head) == ["failure"]
    # Another label is nobody's business.
    asked = len(scene.forge.asked)
    ran = scene.label(name="question")
    assert "success" not in ran.results.values()
    assert len(scene.forge.asked) == asked


@pytest.mark.slow
def test_a_label_that_is_gone_approves_nothing(scene: Scene) -> None:
    """Its event came, but a push or an organiser has taken it off meanwhile."""
    scene.enter()
    assert scene.pull("opened", "evaluate").results["receive"] == "success"
    ran = scene.pull("labeled", "evaluate", sender=ORGANISER, label="evaluate")
    assert ran.results["approve"] == "failure", ran.log
    assert "success" not in {ran.results.get("cells"), ran.results.get("finish")}
    assert scene.kept() == []
    assert "taken off" in comment(scene)


@pytest.mark.slow
def test_cells_that_die_are_named(scene: Scene) -> None:
    head = scene.enter()
    ran = scene.label(meanwhile="echo gone; exit 1")
    assert ran.results["cells"] == "failure"
    assert scene.forge.states(head)[-1] == "failure"
    assert "without a record" in comment(scene)
    assert scene.kept() == []
    # Nothing is stuck, and nothing is booked: the label, once more.
    ran = scene.label()
    assert ran.results == DONE, ran.log
    assert scene.forge.states(head)[-1] == "success"


@pytest.mark.slow
def test_the_clock_starts_phases_and_tries_platform_faults_again(scene: Scene) -> None:
    cell = failed(scene, Actor.PLATFORM, Reason.PLATFORM_FAULT)
    start = utc_now().replace(microsecond=0)
    bundle = f"benchmarks/{NAME}/competition.yaml"
    scene.clone.replace(bundle, '"2020-01-01"', f'"{start:%Y-%m-%dT%H:%M:%S}Z"')
    scene.commit("Not before now")
    a_second_ago = make_local_plan(scene.clone.snapshot(), start - dt.timedelta(seconds=1))
    assert (a_second_ago.waiting, a_second_ago.missing) == (1, ())
    ran = scene.schedule()
    assert ran.results == ALL_PUBLISHED, ran.log
    assert scene.record(cell).error is None


@pytest.mark.slow
def test_once_a_week_a_sample_is_evaluated_again_and_the_verdict_signed(scene: Scene) -> None:
    setting, scene.act.signing_key = (line.split(" = ")[1] for line in new_key().splitlines())
    settings = (scene.clone.path / "pyproject.toml").read_text()
    scene.clone.write("pyproject.toml", f"{settings}\n[tool.pullbench.attest]\nkeys = {setting}\n")
    scene.commit("We sign")
    assert scene.push().results == ALL_PUBLISHED
    ran = scene.schedule(WEEKLY)
    assert ran.results == {**WITHOUT_CELLS, "check": "success", "vouch": "success"}, ran.log
    scene.update()
    scene.clone.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
    report = verify(scene.clone.snapshot("HEAD"), NAME)
    assert [one.state for one in report.proofs.values()] == ["re-derived"]
    assert not report.faults


@pytest.mark.slow
def test_a_rerun_by_hand_of_what_failed(scene: Scene) -> None:
    cell = failed(scene, Actor.PARTICIPANT, Reason.EXITED)
    scene.clone.write(f"{scene.entry()}/submission.yaml", "kind: code\n")
    scene.clone.write(f"{scene.entry()}/model.py", GOOD)
    (other,) = scene.clone.plan().missing
    fine = record_of(other.cell, scores={"error": 1.0})
    scene.clone.put(fine)
    scene.commit("Records")
    ran = scene.dispatch(NAME, failed=True)
    assert ran.results == ALL_PUBLISHED, ran.log
    assert scene.record(cell).scores["error"] > 5
    assert scene.record(other.cell.id) == fine


@pytest.mark.slow
@pytest.mark.parametrize("by_itself", [True, False])
def test_a_lone_job_hands_in_its_own_cells_and_no_others(
    scene: Scene, tmp_path: Path, *, by_itself: bool
) -> None:
    """Its artifact keeps its name although there is no other, so that it stays bound to the job.

    What was added not ``by_itself``, so that its output says nothing of it, spoils the artifact.
    """
    cell = failed(scene, Actor.PARTICIPANT, Reason.EXITED)
    scene.clone.write(f"{scene.entry()}/submission.yaml", "kind: code\n")
    scene.clone.write(f"{scene.entry()}/model.py", GOOD)
    (other,) = scene.clone.plan().missing
    fine = record_of(other.cell, scores={"error": 1.0})
    scene.clone.put(fine)
    scene.commit("Records")
    forged = tmp_path / "forged.json"
    forged.write_bytes(to_json(fine.replace(scores={"error": 0.0})))
    place = f"build/records/{other.cell.id.part_path}"
    meanwhile = f"mkdir -p $(dirname {place}) && cp {forged} {place}"
    if by_itself:
        meanwhile += f' && {sys.executable} -c "$SAY" >"$STAND_IN_OUTPUTS/default-1"'
    ran = scene.dispatch(NAME, failed=True, meanwhile=f"SAY='{SAY}'; {meanwhile}")
    if not by_itself:
        assert ran.results == {**ALL_PUBLISHED, "store": "failure"}, ran.log
        assert "records-default-1: is not what its job handed over" in ran.log
        assert scene.record(cell).error is not None
        return
    assert ran.results == ALL_PUBLISHED, ran.log
    assert scene.record(cell).error is None
    assert scene.record(other.cell.id) == fine
    assert "no such cell was handed out to the job" in ran.log


def test_what_is_wrong_is_said_at_its_place(scene: Scene) -> None:
    settings = "[tool.pullbench]\norganisers = ['ann']\n"
    wrong = {f"{scene.entry()}/submission.yaml": "knid: code\n", "pyproject.toml": settings}
    head = scene.propose(1, wrong)
    ran = scene.pull("opened", "validate")
    assert ran.results == {"validate": "failure"}
    assert [text for text in ran.commands if "::error file=pyproject.toml" in text]
    assert scene.pull("opened", "evaluate").results["receive"] == "failure"
    assert scene.forge.states(head) == ["failure"]
    assert "pyproject.toml" in comment(scene)


CLOSED = "closed"
TRUTH = "id,label\n" + "".join(f"{n},canary-{n}-{n * 7919 % 1000:03}\n" for n in range(8))


def close(scene: Scene) -> str:
    """Begin a benchmark of results whose labels are encrypted; return the secret key."""
    public, secret = make_keys()
    repository, folder = scene.clone, f"benchmarks/{CLOSED}"
    begin_benchmark(repository.path, CLOSED, *from_template("results", "Closed"))
    shutil.rmtree(repository.path / f"submissions/{CLOSED}")
    shutil.rmtree(repository.path / folder / "controls")
    truth = repository.write("../truth/truth.csv", TRUTH).parent
    shutil.rmtree(repository.path / folder / "reference_data")
    content = encrypt(pack(truth), [public])
    repository.write(f"{folder}/truth.age", content)
    bundle = (repository.path / folder / "competition.yaml").read_text()
    digest = content_digest(truth)
    pin = f"{{task: 0, file: reference_data, encrypted: truth.age, sha256: {digest}}}"
    before = bundle.partition("  controls:")[0]
    repository.write(f"{folder}/competition.yaml", f"{before}  private: [{pin}]\n")
    assert not [one for one in repository.problems() if one.severity == "error"]
    scene.commit("A closed challenge")
    return secret


def results(scene: Scene, right: int, *, number: int = 1) -> CellId:
    """Propose predictions, some of them right; return their cell."""
    rows = TRUTH.splitlines()
    wrong = [f"{row.split(',')[0]},another" for row in rows[right + 1 :]]
    folder = f"submissions/{CLOSED}/{PARTICIPANT}/first"
    scene.propose(number, {
        f"{folder}/submission.yaml": "kind: results\n",
        f"{folder}/predictions.csv": "\n".join([*rows[: right + 1], *wrong, ""]),
    })  # fmt: skip
    return CellId(benchmark=CLOSED, participant=PARTICIPANT, submission="first", phase="main",
                  task="labels")  # fmt: skip


def test_encrypted_labels_score_an_entry_before_its_merge_and_appear_nowhere(scene: Scene) -> None:
    scene.act.data_key = close(scene)
    cell = results(scene, right=6)
    scene.pull("opened", "evaluate")
    ran = scene.label()
    done = {job: result for job, result in DONE.items() if job != "cells"}
    assert ran.results == {**done, "score": "success"}, ran.log
    assert "0.750" in comment(scene)
    scene.merge()
    merged = scene.push()
    assert scene.record(cell).scores == {"accuracy": 0.75}
    assert merged.results["collect"] == "success"
    # What the participant never had, nobody has: in no object, log, artifact, comment or page.
    secret = [row.split(",")[1].encode() for row in TRUTH.splitlines()[7:]]
    for content in everything(scene, ran, merged):
        assert not [label for label in secret if label in content]
    assert not [*Path("/dev/shm").glob("pullbench-unlocked")]


PROGRAM = """
def predict(train, xs):
    print("predicted-" + "in-the-log")
    return [2**20 / 3 for x in xs]
"""


def test_a_program_is_scored_by_labels_that_it_never_meets(scene: Scene) -> None:
    """Its predictions go from job to job for one key alone; logs are hidden here."""
    public, scene.act.data_key = make_keys()
    scene.act.seal_key = scene.act.data_key
    repository, folder = scene.clone, f"benchmarks/{NAME}"
    truth = repository.path / folder / "reference_data"
    digest, content = content_digest(truth), encrypt(pack(truth), [public])
    answers = truth.glob("*")
    secret = [line for path in answers for line in path.read_bytes().split() if len(line) > 6]
    shutil.rmtree(truth)
    shutil.rmtree(repository.path / f"submissions/{NAME}")
    repository.write(f"{folder}/truth.age", content)
    bundle = (repository.path / folder / "competition.yaml").read_text()
    pin = f"{{task: 0, file: reference_data, encrypted: truth.age, sha256: {digest}}}"
    bundle = bundle.partition("  controls:")[0]
    bundle = re.sub(r"\n *starting_kit: .*", "", bundle)
    bundle = bundle.replace("    tasks:", "    hide_output: true\n    tasks:", 1)
    shutil.rmtree(repository.path / folder / "controls")
    repository.write(f"{folder}/competition.yaml", f"{bundle}  private: [{pin}]\n")
    repository.replace("pyproject.toml", "[tool.pullbench]", f"[tool.pullbench]\nseal = '{public}'")
    assert not [one for one in repository.problems() if one.severity == "error"]
    scene.commit("Labels are hidden")
    scene.enter(content=PROGRAM)
    scene.pull("opened", "evaluate")
    ran = scene.label()
    assert ran.results == {**DONE, "score": "success"}, ran.log
    assert [*ran.artifacts.rglob("*.predictions.age")]
    scene.merge()
    merged = scene.push()
    record = scene.record(scene.cell())
    assert record.error is None
    assert record.scores["error"] > 300_000
    for said in everything(scene, ran, merged):
        assert not [text for text in (b"349525.333", b"predicted-in") if text in said]
        assert not [one for one in secret if one in said]


def everything(scene: Scene, *ran: Ran) -> Iterator[bytes]:
    """Yield all that anybody can read after some runs, from objects of git to comments."""
    yield subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=scene.origin, check=True,
        capture_output=True,
    ).stdout  # fmt: skip
    for folder in (*(one.artifacts for one in ran), scene.act.pages):
        yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file())
    yield from (text.encode() for text in (*(one.log for one in ran), comment(scene)))


def test_without_the_key_of_the_labels_an_entry_waits_for_an_organiser(scene: Scene) -> None:
    key = close(scene)
    cell = results(scene, right=6)
    scene.pull("opened", "evaluate")
    scene.label()
    assert "PULLBENCH_DATA_IDENTITY" in comment(scene)
    scene.act.data_key = key
    scene.comment("/retry", by=PARTICIPANT)
    assert scene.proceed().results["score"] == "success"
    assert "0.750" in comment(scene)
    assert cell.benchmark in comment(scene)


def test_a_sealed_entry_is_scored_closed_and_opened_at_its_date(scene: Scene) -> None:
    key = close(scene)
    public = str(pyrage.x25519.Identity.from_str(key).to_public())
    bundle, folder = (
        f"benchmarks/{CLOSED}/competition.yaml",
        f"submissions/{CLOSED}/{PARTICIPANT}/one",
    )
    before, later = "2026-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00"
    text = (
        (scene.clone.path / bundle)
        .read_text()
        .replace("    tasks:", "    hide_output: true\n    tasks:", 1)
    )
    seal = f'  phases: {{0: {{seal: {{until: "{before}", to: {public}}}}}}}\n'
    scene.clone.write(bundle, text + seal)
    scene.commit("Entries may be sealed")
    rows = "id,label\n" + "".join(f"{n},entered-{n}-{n * 7919 % 1000:03}\n" for n in range(7))
    predictions = (rows + TRUTH.splitlines()[-1] + "\n").encode()
    snapshot = scene.clone.snapshot()
    location = (CLOSED, PARTICIPANT, "one")
    files = {"submission.yaml": b"kind: results\n", "predictions.csv": predictions}
    entry, problems = parse_submission(
        location, files["submission.yaml"], [*files], snapshot.benchmarks[CLOSED]
    )
    assert entry is not None, problems
    sealed = {
        f"{folder}/{name}": content for name, content in seal_entry(snapshot, entry, files).items()
    }
    scene.clone.write(bundle, text + seal.replace(before, later))  # it is put off
    scene.commit("Another date")
    scene.propose(1, sealed)
    scene.act.data_key = key
    assert scene.pull("opened", "validate").results["validate"] == "success"
    scene.pull("opened", "evaluate")
    ran = scene.label()
    assert ran.results["score"] == "success", ran.log
    assert "0.125" in comment(scene)
    scene.merge()
    merged = scene.push()
    assert "open" not in merged.results
    cell = CellId(benchmark=CLOSED, participant=PARTICIPANT, submission="one", phase="main",
                  task="labels")  # fmt: skip
    record = scene.record(cell)
    assert record.scores == {"accuracy": 0.125}
    assert not [said for said in everything(scene, ran, merged) if b"entered-" in said]

    scene.update()
    scene.clone.write(bundle, text + seal)
    scene.commit("The date has come")
    opened = scene.push()
    assert opened.results["open"] == opened.results["store"] == "success", opened.log
    scene.update()
    path = scene.clone.path / folder / "scores/opened"
    assert (path / "predictions/predictions.csv").read_bytes() == predictions
    assert scene.record(cell) == record
    assert scene.clone.plan().missing == ()
    done = scene.clone.pullbench("verify", CLOSED)
    assert ", fits" in done.stdout, done.stderr
    assert "open" not in scene.push().results
