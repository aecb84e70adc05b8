"""Encrypted data that are opened in one step, and scored with in another that has no key."""

import os
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from evaluator.core.compute.run_folder import held
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from tests.repository import Repository

CELL = "echo/alice/same/main/echo"
BUNDLE = "benchmarks/echo"
TRUTH = b"THE-TRUTH"


@pytest.fixture
def public_secret() -> tuple[str, str]:
    return make_keys()


@pytest.fixture
def closed(repo: Repository, public_secret: tuple[str, str]) -> Repository:
    """A benchmark of results whose reference data are encrypted, and one of programs as well."""
    repo.with_bundle("small")
    for name, task in (("echo", "reference_data"), ("adding", "reference_data/one")):
        folder = repo.path / "benchmarks" / name / task
        files = {path.name: (path.read_bytes(), False) for path in folder.iterdir()}
        digest = content_digest(folder)
        shutil.rmtree(folder)
        content = encrypt(zip_bytes(files), [public_secret[0]])
        repo.write(f"benchmarks/{name}/truth.age", content)
        bundle = f"benchmarks/{name}/competition.yaml"
        repo.write(bundle, (repo.path / bundle).read_text() + (
            f"  private: [{{task: 0, file: reference_data, encrypted: truth.age, "
            f"sha256: {digest}}}]\n"
        ))  # fmt: skip
    repo.commit()
    return repo


def call(repo: Repository, *arguments: str, **variables: str) -> tuple[int, str]:
    """Call a command as a job of a workflow does: the variables are all that it has."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PULLBENCH_")
    }
    done = repo.pullbench(*arguments, environment={**environment, "CI": "true", **variables})
    return done.returncode, done.stdout + done.stderr


def record_in(folder: Path) -> Record:
    (record,) = records_of(
        decode((folder / "submissions/echo/alice/same/scores/main.json").read_bytes())
    )
    return record


@pytest.mark.docker
def test_the_step_that_scores_has_the_data_and_not_the_key(
    closed: Repository, public_secret: tuple[str, str], tmp_path: Path
) -> None:
    folder, output = tmp_path / "unlocked", tmp_path / "records"
    head = closed.git("rev-parse", "HEAD").strip()
    job = {"PULLBENCH_CELLS": CELL, UNLOCKED: str(folder)}
    code, said = call(closed, "unlock", "--base", head, **job, **{DATA_IDENTITY: public_secret[1]})
    assert code == 0, said
    assert folder.stat().st_mode & 0o777 == 0o700
    code, said = call(closed, "run", "--at", head, "--output", str(output), **job)
    assert code == 0, said
    record = record_in(output)
    assert record.error is None, record.error
    assert record.scores == {"agreement": 1}
    assert not folder.exists()
    # What is in the folder is believed by its digest alone.
    call(closed, "unlock", "--base", head, **job, **{DATA_IDENTITY: public_secret[1]})
    (file,) = folder.glob("*/predictions.csv")
    file.chmod(0o644)
    file.write_text("id,value\n1,1\n2,2\n")
    shutil.rmtree(output)
    call(closed, "run", "--at", head, "--output", str(output), **job)
    error = record_in(output).error
    assert error is not None
    assert "the bundle pins" in error.message


@pytest.mark.docker
@pytest.mark.parametrize("secret", ["", "another's", "no key"])
def test_a_missing_or_wrong_key_waits_for_an_organiser(
    closed: Repository, tmp_path: Path, secret: str
) -> None:
    folder, output = tmp_path / "unlocked", tmp_path / "records"
    job = {"PULLBENCH_CELLS": CELL, UNLOCKED: str(folder)}
    head = closed.git("rev-parse", "HEAD").strip()
    given = {"": {}, "another's": {DATA_IDENTITY: make_keys()[1]}, "no key": {DATA_IDENTITY: "x"}}
    code, said = call(closed, "unlock", "--base", head, **job, **given[secret])
    assert (code, DATA_IDENTITY in said) == (0, True)
    call(closed, "run", "--at", head, "--output", str(output), **job)
    error = record_in(output).error
    assert error is not None
    assert error.actor == "platform"
    wanted = {"": "has no", "another's": "does not open", "no key": "no age identity"}
    assert f"{DATA_IDENTITY}" in error.message
    assert wanted[secret] in error.message


def test_nothing_is_opened_beside_a_participants_program(
    closed: Repository, public_secret: tuple[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "unlocked"
    cells = {"PULLBENCH_CELLS": f"adding/alice/right/main/one {CELL}", UNLOCKED: str(folder)}
    code, said = call(
        closed, "unlock", "--base", "HEAD", **cells, **{DATA_IDENTITY: public_secret[1]}
    )
    assert code == 2
    assert "adding/alice/right/main/one runs a participant's program" in said
    assert not folder.exists()
    # Nor does a run with open data run one.
    output = tmp_path / "records"
    code, said = call(
        closed, "run", "--at", "HEAD", "--output", str(output),
        **{UNLOCKED: str(tmp_path), "PULLBENCH_CELLS": f"{CELL} adding/alice/right/main/two"},
    )  # fmt: skip
    assert code == 2
    assert "runs a participant's program" in said
    assert not [*output.rglob("*.json")]


def test_nothing_is_opened_for_programs_that_the_pull_request_changes(
    closed: Repository, public_secret: tuple[str, str], tmp_path: Path
) -> None:
    base = closed.git("rev-parse", "HEAD").strip()
    closed.git("checkout", "-q", "-b", "change")
    closed.replace(f"{BUNDLE}/scoring_program/scoring.py", "import", "import os\nimport")
    head = closed.commit("Another scorer")
    folder = tmp_path / "unlocked"
    code, said = call(
        closed, "unlock", "--base", base, "--head", head, "--remote", "", "--pull-request", "1",
        **{"PULLBENCH_CELLS": CELL, UNLOCKED: str(folder), DATA_IDENTITY: public_secret[1]},
    )  # fmt: skip
    assert code == 2
    assert "the pull request changes benchmarks/echo" in said
    assert not folder.exists()


@pytest.mark.docker
def test_what_a_killed_job_left_is_opened_anew(
    closed: Repository, public_secret: tuple[str, str], tmp_path: Path
) -> None:
    folder, output = tmp_path / "unlocked", tmp_path / "records"
    head = closed.git("rev-parse", "HEAD").strip()
    job = {"PULLBENCH_CELLS": CELL, UNLOCKED: str(folder)}
    secret = {DATA_IDENTITY: public_secret[1]}
    assert call(closed, "unlock", "--base", head, **job, **secret)[0] == 0
    (old,) = folder.glob("*/predictions.csv")
    (folder / f"{'0' * 64}.fault").write_text("\nof another run")
    inode = old.stat().st_ino
    with old.open():  # so that its number is not used again
        code, said = call(closed, "unlock", "--base", head, **job, **secret)
        assert code == 0, said
        assert [path.stat().st_ino == inode for path in folder.glob("*/*")] == [False]
    assert not [*folder.glob("*.fault")]
    call(closed, "run", "--at", head, "--output", str(output), **job)
    assert record_in(output).scores == {"agreement": 1}
    assert not folder.exists()


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ("others may enter it", "others may enter it"),
        ("a link", "is no folder"),
        ("a file", "is no folder"),
        ("other files", "which is not of `unlock`"),
        ("another run", "in use by another run"),
    ],
)
def test_a_folder_that_may_be_somebody_elses_is_not_touched(
    closed: Repository, public_secret: tuple[str, str], tmp_path: Path, there: str, wanted: str
) -> None:
    """A stranger's program on this machine may have made it first."""
    folder, other = tmp_path / "there", tmp_path / "other"
    other.mkdir(mode=0o700)
    kept = other / ("0" * 64)
    kept.touch()
    if there == "a link":
        folder.symlink_to(other)
    elif there == "a file":
        kept.rename(folder)
        kept = folder
    else:
        kept = (other.rename(folder) / kept.name).rename(
            folder / ("notes" if there == "other files" else kept.name)
        )
        folder.chmod(0o777 if there == "others may enter it" else 0o700)
    job = {"PULLBENCH_CELLS": CELL, UNLOCKED: str(folder)}
    run = ("run", "--at", "HEAD", "--output", str(tmp_path / "records"))
    with held(folder) if there == "another run" else nullcontext():
        for verb in (("unlock", "--base", "HEAD"), run):
            if verb == run and there == "other files":
                continue  # a run removes its own folder, as the one who calls it says
            code, said = call(closed, *verb, **job, **{DATA_IDENTITY: public_secret[1]})
            assert code != 0
            assert wanted in said
            assert "defect of pullbench" not in said
            assert kept.exists()
    assert [*tmp_path.rglob("predictions.csv")] == [
        path for path in tmp_path.rglob("predictions.csv") if closed.path in path.parents
    ]
