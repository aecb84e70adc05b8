"""Private data that lie in git in the clear as well."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.core.cli import cli
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import make_keys
from tests.repository import Repository

FOLDER = "benchmarks/probe"
REFERENCE = f"{FOLDER}/reference_data"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo").with_bundle("isolation")


def encrypt(repo: Repository, source: str, *, name: str = "reference.age") -> str:
    """Do what the page of organisers says: pin, encrypt, name the file in the bundle."""
    place = repo.path / source
    made = CliRunner().invoke(
        cli,
        ["pin", "--data", str(place), "--encrypt", str(repo.path / FOLDER / name), "--to",
         make_keys()[0]],
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    digest = content_digest(place)
    entry = f"{{task: 0, file: reference_data, encrypted: {name}, sha256: {digest}}}"
    before = (repo.path / FOLDER / "competition.yaml").read_text().partition("  private:")[0]
    repo.write(f"{FOLDER}/competition.yaml", f"{before.rstrip()}\n  private: [{entry}]\n")
    return digest


def validate(repo: Repository, *arguments: str) -> tuple[int, str]:
    done = repo.pullbench("validate", *arguments)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("committed", [False, True])
def test_plain_data_beside_the_encrypted_ones_are_refused(
    repo: Repository, committed: bool
) -> None:
    encrypt(repo, REFERENCE)
    if committed:
        repo.commit("Encrypt")
    code, said = validate(repo)
    assert code == 1
    assert f"keeps data private that lie in the clear at {REFERENCE}. Move them out" in said
    assert "[organiser must act]" in said
    assert validate(repo, "probe")[0] == 1


def test_what_an_earlier_commit_has_in_the_clear_is_public_for_ever(
    repo: Repository,
) -> None:
    first = repo.git("rev-parse", "HEAD")
    encrypt(repo, REFERENCE)
    shutil.rmtree(repo.path / REFERENCE)
    repo.commit("Encrypt")
    code, said = validate(repo)
    assert code == 0
    assert f"warning: {FOLDER}/competition.yaml: pullbench.private" in said
    assert f"commit {first[:10]} has in the clear at {REFERENCE}" in said
    assert "for ever. Make other data, and pin those." in said
    assert f"git filter-repo --invert-paths --path {REFERENCE}" in said
    # Other data, as it says, were never in the clear.
    repo.write(f"{REFERENCE}/new.txt", "other\n")
    encrypt(repo, REFERENCE)
    shutil.rmtree(repo.path / REFERENCE)
    repo.commit("Other data")
    assert "in the clear" not in validate(repo)[1]


def test_on_a_side_branch_that_took_them_away_again(repo: Repository) -> None:
    shutil.rmtree(repo.path / REFERENCE)
    repo.write(f"{REFERENCE}/x", "public\n")
    repo.commit("A sample")
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(f"{FOLDER}/truth/x", "secret\n")
    leak = repo.commit("Oops")
    encrypt(repo, f"{FOLDER}/truth", name="truth.age")
    shutil.rmtree(repo.path / FOLDER / "truth")
    repo.commit("Encrypt")
    repo.git("switch", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    code, said = validate(repo)
    assert code == 0
    assert f"commit {leak[:10]} has in the clear at {FOLDER}/truth" in said


def test_other_data_at_the_same_place_are_no_leak(repo: Repository) -> None:
    """A sample for those who have no key stays where it is."""
    repo.write(f"{FOLDER}/truth/x", "secret\n")
    encrypt(repo, f"{FOLDER}/truth", name="hidden.age")
    shutil.rmtree(repo.path / FOLDER / "truth")
    assert "in the clear" not in validate(repo)[1]


def test_a_single_file(repo: Repository) -> None:
    repo.write(f"{FOLDER}/truth.csv", "secret\n")
    encrypt(repo, f"{FOLDER}/truth.csv", name="truth.csv.age")
    assert f"in the clear at {FOLDER}/truth.csv" in validate(repo)[1]
