"""What is kept below build/ is used for what it is, and looked at whenever it is used."""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import Encoder

from evaluator.core.clock import utc_now
from evaluator.core.compute import mounts
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import read_command
from evaluator.core.compute.store import PredictionStore
from evaluator.core.compute.worker import Worker
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.planning.export import Exporter
from evaluator.core.scores.jobs import make_job
from evaluator.core.scores.uploads import records_in
from evaluator.importing.private_parts import LocalPrivateParts
from evaluator.plugins.host.subprocess_engine import SubprocessEngine
from evaluator.site.build import build
from tests.records import write_records
from tests.repository import Repository, command
from tests.site.conftest import ROOT

CELL = "adding/alice/right/main/one"
RIGHT = {"right": 1.0, "distance": 0.0}
SCORER = "benchmarks/adding/scoring_program/scoring.py"


@pytest.fixture
def home(small: Repository, environments: Path) -> Repository:
    return small.share_environments(environments)


def run(repo: Repository, *arguments: str, engine: str = "subprocess") -> str:
    done = repo.pullbench("run", *arguments, "--engine", engine, "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def record(repo: Repository, cell: str = CELL) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Encoder().encode(repo.records()[cell]))
    found["provenance"].setdefault("reused_predictions", False)
    return found


SEED = random.randrange(10**6)  # noqa: S311 - it is printed
CHANCE = random.Random(SEED)  # noqa: S311 - bytes


@pytest.fixture(autouse=True)
def _printed() -> None:
    print(f"seed {SEED}")


def flip(path: Path) -> None:
    """Change one byte of a file; its size and its time stay."""
    status = path.stat()
    content = bytearray(path.read_bytes())
    content[CHANCE.randrange(len(content))] ^= 1 << CHANCE.randrange(8)
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize(("first", "second"), [("subprocess", "docker"), ("docker", "subprocess")])
def test_stored_predictions_know_their_isolation(home: Repository, first: str, second: str) -> None:
    """A corrected scorer scores what was predicted, but not what was predicted otherwise."""
    run(home, CELL, engine=first)
    before = record(home)
    home.replace(SCORER, "abs(found", "7 + abs(found")
    run(home, CELL, engine=second)
    after = record(home)
    assert after["provenance"]["isolation"] != before["provenance"]["isolation"]
    assert not after["provenance"]["reused_predictions"]
    assert after["extra"]["token"] != before["extra"]["token"], "its code did not run"
    run(home, CELL, engine=first)
    again = record(home)
    assert again["provenance"]["reused_predictions"]
    assert again["extra"]["token"] == before["extra"]["token"]


@pytest.mark.parametrize("zipped", [False, True])
def test_one_flipped_byte_in_what_was_laid_out_changes_no_score(
    home: Repository, zipped: bool
) -> None:
    if zipped:
        folder = "benchmarks/adding/reference_data/one"
        archive = home.path / "benchmarks/adding/one.zip"
        home.git("archive", "--format=zip", f"--output={archive}", f"HEAD:{folder}")
        bundle = "benchmarks/adding/competition.yaml"
        home.replace(bundle, "reference_data/one", "one.zip")
        home.commit("A zip")
    run(home, "adding")
    before = {cell: one.scores for cell, one in home.records().items()}
    trees = home.path / "build/cache/trees"
    laid_out = {path: path.read_bytes() for path in files(trees)}
    assert len(laid_out) > 6
    for path in laid_out:
        flip(path)
    said = run(home, "adding", "--fresh")
    assert {cell: one.scores for cell, one in home.records().items()} == before
    assert record(home)["scores"] == RIGHT
    assert {path: path.read_bytes() for path in files(trees)} == laid_out
    assert "laid out anew" in said
    assert "laid out anew" not in run(home, "adding", "--fresh")


@pytest.mark.parametrize("name", ["sum.txt", "metadata", "step.json", "listing.json"])
def test_one_flipped_byte_in_predictions_runs_the_code_again(home: Repository, name: str) -> None:
    run(home, CELL)
    before = record(home)
    found = [path for path in files(home.path / "build/predictions") if path.name == name]
    assert found, files(home.path / "build/predictions")
    for path in found:
        flip(path)
    home.replace(SCORER, "abs(found", "7 + abs(found")
    run(home, CELL)
    after = record(home)
    assert after["scores"] == {"right": 1.0, "distance": 7.0}
    assert after["extra"]["token"] != before["extra"]["token"]
    assert not after["provenance"]["reused_predictions"]


@pytest.mark.parametrize("what", ["gone", "more", "moved"])
def test_files_that_go_come_or_change_places_are_noticed(home: Repository, what: str) -> None:
    run(home, CELL)
    trees = home.path / "build/cache/trees"
    (answer,) = (path for path in trees.rglob("sum.txt") if path.read_text() == "6\n")
    place = answer.parent.parent
    if what == "gone":
        answer.unlink()
    elif what == "more":
        answer.with_name("more.txt").write_text("more")
    else:
        run(home, "adding/alice/right/main/two")
        (other,) = (path for path in trees.rglob("sum.txt") if path != answer)
        aside = trees / "aside"
        place.rename(aside)
        other.parent.parent.rename(place)
        aside.rename(other.parent.parent)
    run(home, CELL, "--fresh")
    assert record(home)["scores"] == RIGHT
    assert sorted(path.name for path in answer.parent.iterdir()) == ["sum.txt"]


@pytest.mark.slow
def test_runs_side_by_side_repair_what_is_damaged_once(home: Repository, tmp_path: Path) -> None:
    """Neither takes away what the other has just laid out, and uses."""
    run(home, "adding")
    trees = home.path / "build/cache/trees"
    for number in range(3):
        damaged = [path for path in trees.iterdir() if path.name != ".locks"]
        for path in files(trees):
            flip(path)
        outputs = [tmp_path / f"{number}-{name}" for name in "abc"]
        runs = [
            subprocess.Popen(
                command(
                    home.path, "run", "adding", "--fresh", "--engine", "subprocess", "--output",
                    str(output),
                ),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            for output in outputs
        ]  # fmt: skip
        said = [process.communicate(timeout=120)[0] for process in runs]
        assert [process.returncode for process in runs] == [0, 0, 0], said
        for output in outputs:
            records = records_in(output).values()
            assert len(records) == 4
            assert [one.error for one in records] == [None] * 4
            right = [one.scores for one in records if one.cell.participant == "alice"]
            assert right == [RIGHT, RIGHT]
        assert sum(text.count("laid out anew") for text in said) == len(damaged)
    left = [path.name for path in (home.path / "build").rglob(".part-*")]
    assert left == []


@pytest.mark.parametrize("restored", [True, False])
def test_one_flipped_byte_in_what_was_fetched_is_fetched_anew(
    home: Repository, tmp_path: Path, restored: bool
) -> None:
    """And where its address has something else by now, no score is made of it."""
    source = tmp_path / "sum.txt"
    source.write_text("6\n")
    digest = home.pullbench("pin", "--data", str(source)).stdout.strip()
    entry = f"{{task: 0, file: reference_data, url: '{source.as_uri()}', sha256: {digest}}}"
    bundle = "benchmarks/adding/competition.yaml"
    home.replace(bundle, "    reference_data: reference_data/one\n", "")
    home.replace(bundle, "pullbench:\n", f"pullbench:\n  private: [{entry}]\n")
    home.replace(SCORER, '/ "ref" / "sum.txt"', '/ "ref" / os.listdir(source / "ref")[0]')
    home.replace(SCORER, "import json\n", "import json\nimport os\n")
    home.commit("Data at an address")
    run(home, CELL)
    assert record(home)["scores"] == RIGHT
    (fetched,) = (home.path / "build/cache/fetched").rglob("sum.txt")
    flip(fetched)
    if not restored:
        source.write_text("7\n")
    run(home, CELL)
    assert record(home)["status"] == ("finished" if restored else "failed")
    assert record(home).get("scores", {}) == (RIGHT if restored else {})


def worker_with_job(home: Repository, environments: Path) -> tuple[Worker, Job]:
    build = home.path / "build"
    snapshot = home.snapshot()
    (planned,) = (item for item in home.plan().missing if str(item.cell.id) == CELL)
    private = LocalPrivateParts(data=None, cache=build, memory=Path, limit=0, isolated=False)
    exporter = Exporter(snapshot.tree, build / "cache/trees")
    engine = SubprocessEngine(environments)
    store = PredictionStore(build / "predictions", engine.isolation)
    worker = Worker(engine, store, JobContents(exporter, private), build, utc_now, 0)
    return worker, make_job(snapshot, planned.cell, exporter)


@pytest.mark.parametrize("program", ["ingestion_program", "scoring_program"])
def test_no_organiser_is_blamed_for_a_program_that_somebody_clears(
    home: Repository, environments: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is laid out, and loses its metadata before these are read."""
    worker, job = worker_with_job(home, environments)

    def read(folder: Path, name: str, *others: Any) -> list[str]:
        if name.endswith(program):
            (folder / "metadata.yaml").unlink()
        return read_command(folder, name, *others)

    monkeypatch.setattr(mounts, "read_command", read)
    error = worker.evaluate(job).record.error
    assert error is not None
    assert (error.actor, error.reason) == (Actor.PLATFORM, Reason.PLATFORM_FAULT)
    assert error.message == "a file went away while it was used"


def test_the_second_half_of_a_cell_looks_once_more(home: Repository, environments: Path) -> None:
    """Hours may lie between them; what is lost meanwhile is laid out and predicted anew."""
    build = home.path / "build"
    worker, job = worker_with_job(home, environments)
    cell = worker.begin(job)
    damaged = [*files(build / "cache/trees"), *files(build / "predictions")]
    for path in damaged:
        flip(path)
    record = worker.finish(cell).record
    assert record.error is None
    assert record.scores == RIGHT
    assert [step.step for step in record.steps] == ["ingestion", "scoring"]


@pytest.mark.slow
def test_one_flipped_byte_in_an_environment_makes_it_anew(small: Repository) -> None:
    """In a folder of this test's own: others share theirs."""
    run(small, CELL)
    environments = small.path / "build/cache/environments"
    (module,) = environments.glob("*/files/lib/*/site-packages/pip/__init__.py")
    content = module.read_bytes()
    flip(module)
    assert "laid out anew" in run(small, CELL, "--fresh")
    assert module.read_bytes() == content
    assert record(small)["scores"] == RIGHT
    assert "laid out anew" not in run(small, CELL, "--fresh")


@pytest.mark.slow
def test_one_flipped_byte_in_what_a_build_left_changes_no_page(small: Repository) -> None:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path)
    small.commit("A site")
    write_records(small)
    small.commit("Records")
    site, cache = small.path / "build/site", small.path / "build/cache"
    folders = [cache / name for name in ("site/computed", "site/frames")]

    def built() -> dict[str, bytes]:
        shutil.rmtree(site, ignore_errors=True)
        build.build_site(small.path)
        return {path.relative_to(site).as_posix(): path.read_bytes() for path in files(site)}

    def stored() -> dict[Path, bytes]:
        return {
            path: path.read_bytes()
            for folder in folders
            for path in files(folder)
            if path.name != "manifest" and path.parent.name != ".locks"  # which names times
        }

    pages = built()
    left = stored()
    assert {path.relative_to(cache).parts[1] for path in left} == {"computed", "frames"}
    assert len(files(folders[0])) == 7, "lines of scores files among them: a flip shows on no board"
    for path in left:
        flip(path)
    assert built() == pages
    assert stored() == left
