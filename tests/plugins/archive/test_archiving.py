"""Ended phases are archived. Real remotes, real bundles."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.pointer import address_fault
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.cells import Cell, cells
from evaluator.site.build import build
from tests.repository import Repository
from tests.site.conftest import ROOT

PHASE = "adding/main"
ENTERED = {"adding/alice/right", "adding/bob/wrong"}


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory, environments: Path) -> Repository:
    """The bundle ``small`` with records, whose first benchmark has ended."""
    repo = Repository(tmp_path_factory.mktemp("evaluated") / "repo").with_bundle("small")
    repo.share_environments(environments)
    repo.run("adding", engine="subprocess")
    repo.commit("Scores")
    end(repo)
    return repo


@pytest.fixture
def ended(evaluated: Repository, tmp_path: Path) -> Repository:
    shutil.copytree(evaluated.path, tmp_path / "repo", symlinks=True)
    return Repository(tmp_path / "repo")


def end(repo: Repository, at: str = "2025-01-01") -> None:
    repo.replace("benchmarks/adding/competition.yaml", "start: 2020-01-01",
                 f"start: 2020-01-01, end: {at}")  # fmt: skip
    repo.commit("It ends")


def archived(repo: Repository, to: str, *options: str) -> str:
    done = repo.pullbench("archive", PHASE, "--to", to, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def refused(repo: Repository, *arguments: str) -> str:
    done = repo.pullbench(*arguments)
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


def pointer(repo: Repository) -> Path:
    (file,) = repo.path.glob("archives/adding/main/*.json")
    return file


def board(repo: Repository) -> list[tuple[object, ...]]:
    taken = leaderboard(repo.snapshot(), "adding", phase=None, task=None, now=utc_now())
    return [(row.rank, row.submission.id, dict(row.overall)) for row in taken.rows]


def shallow(repo: Repository, folder: Path) -> Repository:
    """A clone that has none of the files that were moved."""
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{repo.path}", str(folder)],
                   check=True)  # fmt: skip
    return Repository(folder)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere.git"
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    return folder


@pytest.mark.parametrize("kind", ["repository", "bundle"])
def test_files_move_and_scores_stay_valid(
    ended: Repository, elsewhere: Path, tmp_path: Path, environments: Path, kind: str
) -> None:
    to = "../elsewhere.git" if kind == "repository" else "../elsewhere.bundle"
    before, plan, records = board(ended), ended.reasons(), ended.records()
    keys = {str(cell.id): cell.keys for cell in cells_of(ended)}
    archived(ended, to)
    assert not ended.status
    left = {path.name for path in ended.path.glob("submissions/adding/*/*/*")}
    assert left == {"submission.yaml", "scores"}
    assert (board(ended), ended.reasons(), ended.records()) == (before, plan, records)
    assert {str(cell.id): cell.keys for cell in cells_of(ended)} == keys
    assert not [one for one in ended.problems() if one.severity == "error"]
    where = json.loads(pointer(ended).read_text())
    assert {f"adding/{name}" for name in where["submissions"]} == ENTERED
    clone = shallow(ended, tmp_path / "clone").share_environments(environments)
    assert (board(clone), clone.reasons()) == (before, plan)
    done = clone.pullbench("reproduce", "adding", "--engine", "subprocess", "--strict")
    assert done.returncode == 0, done.stderr
    assert "from the archive" in done.stdout + done.stderr


def cells_of(repo: Repository) -> list[Cell]:
    return list(cells(repo.snapshot(), utc_now()))


def test_archiving_twice_does_nothing(ended: Repository, elsewhere: Path) -> None:
    archived(ended, str(elsewhere))
    tip = ended.git("rev-parse", "HEAD")
    assert "nothing is to be archived" in archived(ended, str(elsewhere))
    assert ended.git("rev-parse", "HEAD") == tip


def test_a_phase_that_has_not_ended_is_refused(small: Repository, elsewhere: Path) -> None:
    assert "has no end; only an ended phase" in refused(
        small, "archive", PHASE, "--to", str(elsewhere)
    )
    end(small, "2200-01-01")
    text = refused(small, "archive", PHASE, "--to", str(elsewhere))
    assert "ends on 2200-01-01" in text
    assert "competition.yaml" in text
    assert "Phases: adding/main" in refused(small, "archive", "adding/none", "--to", "x")


def test_what_an_open_phase_has_too_stays(ended: Repository, elsewhere: Path) -> None:
    ended.replace(
        "benchmarks/adding/competition.yaml",
        "\nleaderboards:",
        "  - {index: 1, name: Next, start: 2025-02-01, tasks: [0], auto_migrate_to_this_phase: "
        "true}\n\nleaderboards:",
    )
    ended.write("submissions/adding/bob/older/submission.yaml", "phase: main\n")
    ended.write("submissions/adding/bob/older/main.py", "print()\n")
    for path in ended.path.glob("submissions/adding/*/*/submission.yaml"):
        path.write_text(path.read_text() + "" if "phase" in path.read_text() else
                        path.read_text() + "phase: main\n")  # fmt: skip
    ended.commit("A second phase")
    text = archived(ended, str(elsewhere))
    assert "stays: adding/alice/right: it is carried into 'Next', which has not ended" in text
    assert (ended.path / "submissions/adding/alice/right/main.py").exists()
    moved = json.loads(pointer(ended).read_text())["submissions"]
    assert len(moved) == 1


def test_a_killed_archive_is_completed(ended: Repository, elsewhere: Path) -> None:
    tip = ended.git("rev-parse", "HEAD")
    for to in (str(elsewhere), "build/one.bundle"):
        archived(ended, to)
        first = pointer(ended).read_bytes()
        ended.git("reset", "-q", "--hard", tip)  # the archive is there, the branch has not moved
        archived(ended, to)
        assert pointer(ended).read_bytes() == first
        ended.git("reset", "-q", "--hard", tip)


def test_one_is_restored(ended: Repository, tmp_path: Path, elsewhere: Path) -> None:
    path = ended.path / "submissions/adding/alice/right/main.py"
    path.chmod(0o755)
    ended.run("adding", engine="subprocess")
    ended.commit("It may be executed")
    content, plan = path.read_bytes(), ended.reasons()
    archived(ended, str(elsewhere))
    clone = shallow(ended, tmp_path / "clone")
    done = clone.pullbench("restore", "adding/alice")
    assert done.returncode == 0, done.stderr
    assert not clone.status
    there = clone.path / "submissions/adding/alice/right/main.py"
    assert there.read_bytes() == content
    assert there.stat().st_mode & 0o111
    assert clone.reasons() == plan
    assert json.loads(pointer(clone).read_text())["submissions"].keys() == {"bob/wrong"}
    assert clone.pullbench("restore", "adding/bob/wrong").returncode == 0
    assert not list(clone.path.glob("archives/**/*.json"))
    assert "nothing of 'adding/bob' is archived" in refused(clone, "restore", "adding/bob")


def test_a_partial_clone_asks_the_archive(
    ended: Repository, tmp_path: Path, elsewhere: Path
) -> None:
    plan, tip = ended.reasons(), ended.git("rev-parse", "HEAD")
    ended.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", f"file://{ended.path}",
                    str(partial)], check=True)  # fmt: skip
    theirs = Repository(partial)
    archived(theirs, str(elsewhere))
    assert theirs.reasons() == plan
    archived(ended, str(elsewhere))
    assert ended.git("rev-parse", "HEAD^") == tip
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", f"file://{ended.path}",
                    str(tmp_path / "other")], check=True)  # fmt: skip
    other = Repository(tmp_path / "other")
    assert other.reasons() == plan
    done = other.pullbench("restore", "adding")
    assert "from the archive" in done.stdout + done.stderr
    assert other.reasons() == plan


def test_another_content_is_refused(ended: Repository, tmp_path: Path, elsewhere: Path) -> None:
    bundle = tmp_path / "one.bundle"
    archived(ended, str(bundle))
    clone = shallow(ended, tmp_path / "clone")
    other = clone.git("commit-tree", "HEAD^{tree}", "-m", "Other")
    clone.git("update-ref", "refs/heads/other", other)
    clone.git("bundle", "create", "-q", str(bundle), "refs/heads/other")
    run = ("reproduce", "adding", "--engine", "subprocess")
    assert "is not the bundle that it names" in refused(clone, *run)
    file = pointer(clone)
    said = json.loads(file.read_text())
    forged = {**said, "at": str(elsewhere), "branch": "other"}
    del forged["sha256"], forged["size"]
    clone.git("push", "-q", str(elsewhere), "other")
    file.write_text(json.dumps(forged))
    assert "lacks 2 of the files that it names" in refused(clone, *run)
    bundle.unlink()
    file.write_text(json.dumps(said))
    assert "has no file" in refused(clone, *run)


@pytest.mark.parametrize(
    "address",
    ["ext::sh -c touch% x", "ext::sh", "-oProxyCommand=x", "--upload-pack=x", "file:///etc",
     "http://example.org/x", "https://user@example.org/x", "ssh://-oProxyCommand=x/y",
     "git@-host:x", "git@host:-x", "https://example.org/a b", "", "fd::17/x", "a\nb"],
)  # fmt: skip
def test_weird_addresses_are_refused(ended: Repository, elsewhere: Path, address: str) -> None:
    assert address_fault(address)
    archived(ended, str(elsewhere))
    said = json.loads(pointer(ended).read_text())
    pointer(ended).write_text(json.dumps({**said, "at": address}))
    faults = [str(one) for one in ended.problems() if one.severity == "error"]
    assert any("archives/" in fault and "`at` " in fault for fault in faults), faults


def test_usual_addresses_pass() -> None:
    for address in ("https://example.org/x.git", "ssh://git@example.org:22/x", "git@host:a/b",
                    "../archive.git", "/srv/archive.git", "archives.git"):  # fmt: skip
        assert not address_fault(address)
    assert address_fault("git@host:a/b", bundle=True)


@pytest.mark.slow
def test_the_site_is_what_it_was_and_says_where_the_files_are(
    ended: Repository, elsewhere: Path
) -> None:
    shutil.copytree(ROOT / "site", ended.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", ended.path / "mkdocs.yml")
    ended.commit("A site")
    page = build.build_site(ended.path).folder / "benchmarks/adding/submissions/alice/right"
    board_page = page.parents[2] / "board.csv"
    before = board_page.read_bytes()
    assert 'id="archived"' not in (page / "index.html").read_text()
    archived(ended, str(elsewhere))
    build.build_site(ended.path)
    text = (page / "index.html").read_text()
    assert str(elsewhere) in text
    assert json.loads(pointer(ended).read_text())["commit"] in text
    assert board_page.read_bytes() == before
