"""Private data that lies encrypted in the bundle, opened for the scoring container alone."""

import json
import os
import shutil
import signal
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner

from evaluator.core.cli import cli
from evaluator.core.compute.run_folder import RunFolder, remove_places
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.formats.record import Reason, Record
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import decrypt, encrypt, make_keys
from tests.core.scores.test_running import running
from tests.records import prediction_key
from tests.repository import Repository

REFERENCE = "benchmarks/probe/reference_data"
FILE = "benchmarks/probe/reference.age"
CELL = "probe/alice/entry/main/look"
MEMORY = Path("/dev/shm")


def leftovers() -> set[Path]:
    return set(MEMORY.glob("pullbench-*"))


@pytest.fixture
def keys(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The isolation bundle, whose reference data lie in it encrypted; the secret key is set.

    One submission looks for them in every file that its container can read.
    """
    repo.copy_bundle("isolation")
    shutil.rmtree(repo.path / "submissions/probe/bob")
    public, secret = make_keys()
    monkeypatch.setenv(DATA_IDENTITY, secret)
    pin(repo, repo.path / REFERENCE, public)
    repo.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    return public, secret


def pin(repo: Repository, source: Path, public: str) -> None:
    """Encrypt a file or folder and name it in the bundle, with its digest; the data go."""
    made = CliRunner().invoke(
        cli, ["pin", "--data", str(source), "--encrypt", str(repo.path / FILE), "--to", public]
    )
    assert made.exit_code == 0, made.output
    digest = content_digest(source)
    assert digest in made.output
    shutil.rmtree(repo.path / REFERENCE)
    entry = f"{{task: 0, file: reference_data, encrypted: reference.age, sha256: {digest}}}"
    bundle = "benchmarks/probe/competition.yaml"
    before = (repo.path / bundle).read_text().partition("  private:")[0].rstrip("\n")
    repo.write(bundle, f"{before}\n  private: [{entry}]\n")
    assert {one.severity for one in repo.problems()} <= {"warning"}


def test_a_bundle_that_pins_the_file_gets_its_digest(repo: Repository, tmp_path: Path) -> None:
    other, old, data = "1" * 64, "0" * 64, tmp_path / "labels.csv"
    data.write_text("id,label\n1,2\n")
    private = (
        "  private:\n    - {task: 0, file: reference_data, encrypted: other.age,\n"
        '       sha256: %s}  # why\n    - encrypted: 1.age  # mine\n      sha256: "%s"\n'
    )
    bundle = repo.write("benchmarks/bench/competition.yaml", private % (other, old))
    public, _ = make_keys()
    command = [
        "pin",
        "--data",
        str(data),
        "--to",
        public,
        "--encrypt",
        str(bundle.parent / "1.age"),
    ]
    made = CliRunner().invoke(cli, command)
    assert f"{bundle} pins these data" in made.output
    assert bundle.read_text() == private % (other, content_digest(data))


def failure(record: Record) -> tuple[str, Reason, str, str]:
    assert record.error is not None
    return record.error.actor, record.error.reason, record.error.message, record.error.hint


@pytest.mark.docker
@pytest.mark.parametrize("single", [False, True])
def test_scoring_sees_it_and_ingestion_does_not(
    repo: Repository, keys: tuple[str, str], single: bool
) -> None:
    content = b"THE-REFERENCE\n"
    if single:
        pin(repo, repo.write(f"{REFERENCE}/the-reference.txt", content), keys[0])
    assert b"THE-REFERENCE" not in (repo.path / FILE).read_bytes()
    before = leftovers()
    (record,) = repo.run(CELL).values()
    assert record.error is None, record.error
    (stored,) = repo.path.glob(
        f"build/predictions/*/*/{prediction_key(repo, record)}/files/facts.json"
    )
    seen = json.loads(stored.read_text())
    assert seen["app"] == ["ingested_program", "input_data", "output", "program"]
    assert not [name for name in seen["environment"] if "IDENTITY" in name]
    scoring = record.step("scoring")
    assert scoring is not None
    # A single file has the name of the encrypted one, without its ending.
    assert json.loads(scoring.log)["reference"] == ["reference" if single else "the-reference.txt"]
    # Nothing stays: neither in memory nor, in the clear, anywhere below the repository.
    assert leftovers() == before
    clear = [
        path
        for path in (repo.path / "build").rglob("*")
        if path.is_file() and path.read_bytes() == content
    ]
    assert clear == []


@pytest.mark.docker
def test_without_the_key_the_platform_must_act(
    repo: Repository, keys: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the next plan lists the cell again, and nothing is booked to the participant."""
    monkeypatch.delenv(DATA_IDENTITY)
    repo.commit()
    actor, reason, message, hint = failure(repo.run(CELL)[CELL])
    assert (actor, reason) == ("platform", Reason.PLATFORM_FAULT)
    assert DATA_IDENTITY in message
    assert "An organiser sets the secret" in hint
    assert repo.reasons()[CELL].startswith("platform fault")
    monkeypatch.setenv(DATA_IDENTITY, keys[1])
    assert repo.run(CELL)[CELL].error is None


@pytest.mark.slow
@pytest.mark.docker
def test_files_and_keys_that_do_not_fit(
    repo: Repository, keys: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (repo.path / FILE).read_bytes()
    before = leftovers()
    # Another's key: this machine cannot open it, another may.
    monkeypatch.setenv(DATA_IDENTITY, str(pyrage.x25519.Identity.generate()))
    actor, _, message, _ = failure(repo.run(CELL)[CELL])
    assert actor == "platform"
    assert "does not open 'reference.age'" in message
    # Several keys, one of which fits.
    monkeypatch.setenv(DATA_IDENTITY, f"{pyrage.x25519.Identity.generate()}\n{keys[1]}")
    assert repo.run(CELL)[CELL].error is None
    # Tampered with.
    repo.write(FILE, content[:-9] + bytes(byte ^ 1 for byte in content[-9:]))
    actor, reason, message, _ = failure(repo.run(CELL)[CELL])
    assert (actor, reason) == ("organiser", Reason.BAD_DATA)
    assert message == "the encrypted data 'reference.age' are damaged"
    # Well encrypted, and something else: a folder and a file.
    other = repo.write("other/the-reference.txt", "I am another").parent
    for path in (other, other / "the-reference.txt"):
        packed = path.read_bytes() if path.is_file() else zip_bytes({"a": (b"other", False)})
        repo.write(FILE, encrypt(packed, [keys[0]]))
        actor, reason, message, _ = failure(repo.run(CELL)[CELL])
        assert (actor, reason) == ("organiser", Reason.BAD_DATA)
        assert "the bundle pins" in message
    # Too large for this machine.
    repo.write(FILE, content)
    repo.write("pyproject.toml", "[tool.pullbench]\nretries = 0\nmax_data = 16\n")
    actor, _, message, hint = failure(repo.run(CELL)[CELL])
    assert (actor, "max_data" in hint) == ("organiser", True)
    assert leftovers() == before


def test_programs_without_isolation_get_none(repo: Repository, keys: tuple[str, str]) -> None:
    """They run with the rights of whoever has the key."""
    actor, _, message, hint = failure(repo.run(CELL, engine="subprocess")[CELL])
    assert (actor, hint) == ("platform", "Use `--engine docker`.")
    assert "without isolation" in message


@pytest.mark.docker
@pytest.mark.slow
def test_a_killed_run_leaves_memory_to_the_next_one(repo: Repository) -> None:
    repo.with_bundle("slow")
    with running(repo) as process:
        (folder,) = (repo.path / "build/run").iterdir()
        secret = folder_of(folder.name).memory() / "secret"
        secret.write_text("in the clear")
        assert secret.parent.stat().st_mode & 0o777 == 0o700
        process.send_signal(signal.SIGKILL)
    assert secret.exists()
    assert repo.pullbench("run", "--jobs", "2").returncode == 0
    assert not secret.parent.exists()


def folder_of(run_id: str) -> RunFolder:
    folder = RunFolder(Path())
    folder.id = run_id
    return folder


def test_memory_goes_with_the_run(tmp_path: Path) -> None:
    with RunFolder(tmp_path) as folder:
        made = folder.memory()
        assert folder.memory() == made
        (made / "file").write_text("x")
        assert made.parent == MEMORY
    assert not made.exists()


def test_memory_that_is_somebody_elses(tmp_path: Path) -> None:
    """Whoever guesses the name of a run cannot have it decrypt into a folder of theirs."""
    name = f"test-{os.getpid()}"
    (MEMORY / f"pullbench-{name}").symlink_to(tmp_path)
    try:
        with pytest.raises(PlatformError, match="somebody else's"):
            folder_of(name).memory()
        remove_places(name)
        assert tmp_path.exists()
    finally:
        (MEMORY / f"pullbench-{name}").unlink()


def test_keys_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="age1"):
        encrypt(b"x", ["AGE-SECRET-KEY-1"])
    monkeypatch.setenv(DATA_IDENTITY, "secret-of-mine")
    with pytest.raises(PlatformError) as caught:
        decrypt(b"x", "data.age")
    assert "secret-of-mine" not in str(caught.value)
    assert DATA_IDENTITY in str(caught.value)


def test_pin_wants_both_or_neither(small: Repository) -> None:
    made = small.pullbench("pin", "--data", str(small.path), "--encrypt", "x.age")
    assert made.returncode == 2
    assert "belong together" in made.stderr
    lines = [line.split(" = ") for line in small.pullbench("keygen", "--data").stdout.splitlines()]
    assert [line[0] for line in lines] == ["public", DATA_IDENTITY]
