"""Attacks on predictions that one job hands over to another, which has the hidden labels."""

import dataclasses
import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaluator.ci.ledger.queues import SCORE, job_outputs
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.scores.uploads import DIGESTS_VARIABLE, JOB_VARIABLE, digest_of, records_in
from evaluator.importing.files import zip_bytes
from evaluator.importing.handed_over import PREDICTED_VARIABLE, Envelope
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import decrypt, encrypt, make_keys
from tests.repository import Repository

pytestmark = pytest.mark.docker
PREDICTED = 31_415_926_535
"""What alice's program answers; it is far from right."""
CELLS = {
    who: CellId(benchmark="adding", participant=who, submission=name, phase="main", task="one")
    for who, name in (("alice", "right"), ("bob", "wrong"), ("carol", "broken"))
}
JOBS = {"default-1": "alice", "default-2": "bob", "default-3": "carol"}
RUN = {"GITHUB_RUN_ID": "77", "GITHUB_RUN_ATTEMPT": "2", "CI": "true"}


@dataclasses.dataclass
class Run:
    """One run of a workflow: what its jobs are told, and what they hand over."""

    repo: Repository
    keys: tuple[str, str]
    artifacts: Path
    said: list[str] = dataclasses.field(default_factory=list)

    def call(self, *arguments: str, **variables: str) -> int:
        """Call a command as a job does: the variables are all that it has."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PULLBENCH_", "GITHUB_"))}
        done = self.repo.pullbench(*arguments, environment={**kept, **RUN, **variables})
        self.said.append(done.stdout + done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        assert "defect of pullbench" not in done.stderr, done.stderr
        return done.returncode

    def predict(self) -> None:
        for job, who in JOBS.items():
            self.call(
                "run", "--at", "HEAD", "--output", str(self.artifacts / f"records-{job}"),
                **{JOB_VARIABLE: job, "PULLBENCH_CELLS": str(CELLS[who])},
            )  # fmt: skip

    def digests(self) -> dict[str, str]:
        return {f"d{job[-1]}": digest_of(self.artifacts / f"records-{job}") for job in JOBS}

    def score(self, digests: Mapping[str, str]) -> Mapping[str, Record]:
        output, unlocked = self.artifacts / f"records-{SCORE}", self.artifacts / "unlocked"
        shutil.rmtree(output, ignore_errors=True)
        job = {"PULLBENCH_CELLS": " ".join(map(str, CELLS.values())), UNLOCKED: str(unlocked)}
        predicted = {job: str(CELLS[who]) for job, who in JOBS.items()}
        self.call(
            "unlock", "--base", "HEAD", "--from", str(self.artifacts), **job,
            **{DATA_IDENTITY: self.keys[1], DIGESTS_VARIABLE: json.dumps([digests]),
               PREDICTED_VARIABLE: json.dumps(predicted)},
        )  # fmt: skip
        self.call("run", "--at", "HEAD", "--output", str(output), **job, **{JOB_VARIABLE: SCORE})
        assert not unlocked.exists()
        return {cell.participant: record for cell, record in self.records(output).items()}

    def records(self, folder: Path) -> Mapping[CellId, Record]:
        """Of a job, opened as *finish* does."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SEAL_IDENTITY, self.keys[1])
            return records_in(folder)

    def file(self, who: str) -> Path:
        (job,) = (job for job, one in JOBS.items() if one == who)
        return self.artifacts / f"records-{job}" / CELLS[who].predictions_path

    def opened(self, who: str) -> tuple[Envelope, bytes]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(DATA_IDENTITY, self.keys[1])
            header, _, rest = decrypt(self.file(who).read_bytes(), "it").partition(b"\n")
        envelope = msgspec.json.decode(header, type=Envelope)
        return envelope, rest[: envelope.length]

    def put(self, who: str, envelope: Envelope, content: bytes) -> None:
        """Whoever reads the settings can encrypt."""
        whole = msgspec.json.encode(envelope) + b"\n" + content
        self.file(who).parent.mkdir(parents=True, exist_ok=True)
        self.file(who).write_bytes(encrypt(whole, [self.keys[0]]))


@pytest.fixture(scope="module")
def predicted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The jobs that ran programs have ended."""
    folder = tmp_path_factory.mktemp("handed-over")
    repo, keys = Repository(folder / "repo"), make_keys()
    repo.copy_bundle("small")
    truth = repo.path / "benchmarks/adding/reference_data/one"
    digest = content_digest(truth)
    files = {path.name: (path.read_bytes(), False) for path in truth.iterdir()}
    shutil.rmtree(truth)
    repo.write("benchmarks/adding/truth.age", encrypt(zip_bytes(files), [keys[0]]))
    bundle = "benchmarks/adding/competition.yaml"
    pin = f"{{task: 0, file: reference_data, encrypted: truth.age, sha256: {digest}}}"
    repo.write(bundle, (repo.path / bundle).read_text() + f"  private: [{pin}]\n")
    repo.write("pyproject.toml", f"[tool.pullbench]\nseal = '{keys[0]}'\n")
    main = "submissions/adding/alice/right/main.py"
    repo.write(main, f"def add(numbers):\n    return {PREDICTED}\n")
    repo.write("submissions/adding/carol/broken/submission.yaml", "kind: code\n")
    repo.write("submissions/adding/carol/broken/main.py", "raise SystemExit(3)\n")
    repo.commit("Hidden labels")
    run = Run(repo, keys, folder / "artifacts")
    run.predict()
    return run


@pytest.fixture
def run(predicted: Run, tmp_path: Path) -> Run:
    shutil.copytree(predicted.artifacts, tmp_path / "artifacts")
    return dataclasses.replace(predicted, artifacts=tmp_path / "artifacts", said=[*predicted.said])


def test_programs_are_scored_by_what_they_predicted_and_nobody_reads_it(run: Run) -> None:
    outputs = job_outputs(run.repo.plan().missing, run.repo.snapshot().settings)
    assert [str(cell) in outputs[SCORE] for cell in CELLS.values()] == [True] * 3  # type: ignore[operator]
    # Of the program that failed there is the record, and of the others nothing that counts.
    counts = [[*run.records(run.artifacts / f"records-{job}")] for job in JOBS]
    assert counts == [[], [], [CELLS["carol"]]]
    records = run.score(run.digests())
    assert {*records} == {"alice", "bob"}
    assert records["alice"].error is records["bob"].error is None
    assert records["alice"].scores["right"] == 0
    assert records["alice"].scores["distance"] > 31e9
    assert [step.step for step in records["bob"].steps] == ["ingestion", "scoring"]
    for text in (*(path.read_bytes() for path in run.artifacts.rglob("*") if path.is_file()),
                 *map(str.encode, run.said)):  # fmt: skip
        assert str(PREDICTED).encode() not in text


def bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sum.txt", bytes(2**26))
    return buffer.getvalue()


RIGHT = zip_bytes({"sum.txt": (b"10\n", False), "token.txt": (b"1\n", False)})
Attack = Callable[[Run, Envelope, bytes], None]


def says(**fields: Any) -> Attack:
    return lambda run, envelope, content: run.put(
        "bob", msgspec.structs.replace(envelope, **fields), content
    )


def holds(content: bytes) -> Attack:
    """Predictions that are not those of the digest."""
    return lambda run, envelope, _: run.put(
        "bob", msgspec.structs.replace(envelope, length=len(content)), content
    )


def copied(run: Run, *_: object) -> None:
    shutil.copyfile(run.file("alice"), run.file("bob"))


def cut(run: Run, *_: object) -> None:
    run.file("bob").write_bytes(run.file("bob").read_bytes()[:-100])


def large(run: Run, *_: object) -> None:
    run.file("bob").write_bytes(bytes(2**23))


def linked(run: Run, *_: object) -> None:
    run.file("bob").unlink()
    run.file("bob").symlink_to(run.file("alice"))


def to_another_key(run: Run, envelope: Envelope, content: bytes) -> None:
    run.file("bob").write_bytes(encrypt(content, [make_keys()[0]]))


ATTACKS: Mapping[str, tuple[Attack, str]] = {
    "another cell's": (copied, "their job is 'default-1'"),
    "of another cell": (says(cell=str(CELLS["alice"])), "their cell is 'adding/alice"),
    "of another run": (says(run="76"), "their run is '76', and not '77'"),
    "of an attempt to come": (says(attempt=3), "their attempt is 3, and this is 2"),
    "of no attempt": (says(attempt=0), "their attempt is 0, and this is 2"),
    "of another head": (says(prediction_key="0" * 64), "their prediction_key is '000"),
    "of no step": (says(step={"step": "scoring", "wall_seconds": 1}), "are of no prediction step"),
    "truncated": (cut, "they are damaged"),
    "to another key": (to_another_key, "they are damaged"),
    "a bomb": (holds(bomb()), "they are no zip"),
    "too large": (large, "is larger than"),
    "other predictions": (holds(RIGHT), "they are no zip of files with the digest"),
    "another digest": (says(sha256="0" * 64), "they are no zip of files with the digest"),
    "a length below nothing": (says(length=-(2**62)), "they are no zip"),
    "a link": (linked, "no plain file, or a link"),
    "a path": (holds(zip_bytes({"../../sum.txt": (b"10\n", False)})), "they are no zip"),
    "no envelope": (lambda run, *_: run.file("bob").write_bytes(
        encrypt(b"{}\n", [run.keys[0]])) and None, "missing"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_not_what_was_planned_is_named_and_scores_nobody(run: Run, attack: str) -> None:
    """Although the job's output covers it: the program broke out, and holds its own job."""
    make, wanted = ATTACKS[attack]
    make(run, *run.opened("bob"))
    records = run.score(run.digests())
    assert records["alice"].scores["right"] == 0  # it harms nobody else
    error = records["bob"].error
    assert error is not None
    assert (error.actor, records["bob"].scores) == ("platform", {})
    assert wanted in error.message
    assert wanted in "".join(run.said)


def test_jobs_that_failed_run_again_alone(run: Run) -> None:
    """Of those that ended well the forge keeps output and artifact, which are of attempt 1."""
    envelope, content = run.opened("bob")
    assert envelope.attempt == 2
    run.put("bob", msgspec.structs.replace(envelope, attempt=1), content)
    assert run.score(run.digests())["bob"].error is None


def test_what_its_job_did_not_hand_over_is_named_and_scores_nobody(run: Run) -> None:
    before = run.digests()
    envelope, _ = run.opened("bob")
    right = Path(run.artifacts, "right")
    right.mkdir()
    for name, (content, _) in {"sum.txt": (b"10\n", 0), "token.txt": (b"1\n", 0)}.items():
        (right / name).write_bytes(content)
    says = {"sha256": content_digest(right), "length": len(RIGHT)}
    run.put("bob", msgspec.structs.replace(envelope, **says), RIGHT)
    error = run.score(before)["bob"].error
    assert error is not None
    assert "'records-default-2' is not what its job handed over" in error.message
    # So says who breaks out of the container of one's own entry, and hands that over: then it is
    # as if the program had answered so.
    assert run.score(run.digests())["bob"].error is None


def test_a_job_does_not_answer_for_the_cell_of_another(run: Run) -> None:
    """carol's program failed; the job of bob, who broke out, has an answer for her."""
    envelope, content = run.opened("bob")
    for job in ("default-2", "default-3"):
        says = {"cell": str(CELLS["carol"]), "job": job}
        path = run.artifacts / "records-default-2" / CELLS["carol"].predictions_path
        path.parent.mkdir(parents=True)
        whole = msgspec.json.encode(msgspec.structs.replace(envelope, **says)) + b"\n" + content
        path.write_bytes(encrypt(whole, [run.keys[0]]))
        assert "carol" not in run.score(run.digests())
        shutil.rmtree(path.parent)
