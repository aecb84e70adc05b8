"""Cells side by side share no inode, and folds of a task never run side by side."""

import datetime as dt
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.docker_engine import DockerEngine
from evaluator.core.compute.engine.leftovers import RUN_LABEL
from evaluator.core.compute.engine.spec import Image, Mount, RunSpec
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import Settings
from tests.programs import run_program
from tests.repository import Repository

pytestmark = pytest.mark.docker

# Another worker may run another test of this file.
RUN = f"a-test-of-cells-apart-{uuid.uuid4().hex}"
LOCK = """
import fcntl, os, sys, time
for path in ("/app/data", "/app/data/file"):
    try:
        fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit("locked by another")
assert open("/app/data/file").read() == "content"
try:
    open("/app/data/new", "w")
except OSError:
    time.sleep(float(sys.argv[1]))
else:
    sys.exit("it can be written to")
"""
SLEEPS = "import sys, time\ntime.sleep(1)\nopen(sys.argv[2] + '/answer.txt', 'w').write('0')\n"


@contextmanager
def engine_with(empty: Path | None) -> Iterator[DockerEngine]:
    client = connect()
    assert client is not None
    engine = DockerEngine(client, Settings(), RUN, empty=empty)
    try:
        yield engine
    finally:
        engine.close()
    with connect() as client:  # type: ignore[union-attr]
        filters = {"label": f"{RUN_LABEL}={RUN}"}
        assert client.package.containers(all=True, filters=filters) == []
        assert not client.package.volumes(filters=filters)["Volumes"]


def spec(folder: Path, *arguments: str) -> RunSpec:
    if not (folder / "file").exists():  # a program may be reading it
        (folder / "file").write_text("content")
    folder.chmod(0o755)
    return RunSpec(
        image=Image(name="python:3.11-slim", context=None, digest=""),
        command=["python3", "-c", LOCK, *arguments],
        mounts=[Mount(source=folder, target="/app/data")],
        workdir="/", outputs={}, limits=Limits(), seconds=30,
    )  # fmt: skip


@pytest.fixture
def folders(tmp_path: Path) -> Mapping[str, Path]:
    made = {name: tmp_path / name for name in ("data", "empty", "with:colon")}
    for folder in made.values():
        folder.mkdir()
    return made


@pytest.mark.slow
def test_two_containers_with_one_folder_share_no_inode(folders: Mapping[str, Path]) -> None:
    with engine_with(folders["empty"]) as engine:
        first = engine.create(spec(folders["data"], "4")).start()
        second = engine.create(spec(folders["data"], "4")).start()
        reports = [first.wait(), second.wait()]
        assert [(report.exit_code, report.log) for report in reports] == [(0, b""), (0, b"")]
        assert not engine.shares_files


def test_overlays_go_with_their_container(folders: Mapping[str, Path]) -> None:
    client = connect()
    assert client is not None
    with client, engine_with(folders["empty"]) as engine:
        assert run_program(engine, spec(folders["data"], "0")).exit_code == 0
        engine.finish_removals()  # containers that ended are removed beside the run
        with engine.create(spec(folders["data"], "0")):
            assert len(volumes(client)) == 1
        engine.finish_removals()
        assert volumes(client) == []


def volumes(client: Any) -> list[str]:
    found = client.package.volumes(filters={"label": f"{RUN_LABEL}={RUN}"})["Volumes"] or ()
    return [volume["Name"] for volume in found]


def test_a_dead_runs_overlays_are_removed(folders: Mapping[str, Path]) -> None:
    client = connect()
    assert client is not None
    with client, engine_with(folders["empty"]) as engine:
        engine.create(spec(folders["data"], "0"))
        assert len(volumes(client)) == 1
        assert engine.remove_run(RUN)
        assert volumes(client) == []


def test_a_folder_is_looked_at_and_not_read(folders: Mapping[str, Path]) -> None:
    with (folders["data"] / "large").open("wb") as file:
        file.truncate(2**36)
    with engine_with(folders["empty"]) as engine:
        assert run_program(engine, spec(folders["data"], "0")).exit_code == 0
        assert not engine.shares_files


@pytest.mark.parametrize("why", ["path", "file", "engine"])
def test_where_no_overlay_can_be_mounted_the_engine_says_so(
    why: str, folders: Mapping[str, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = folders["with:colon" if why == "path" else "data"]
    asked = spec(folder, "0")
    if why == "file":
        mount = Mount(source=folder / "file", target="/app/data/file")
        asked = replace(asked, mounts=[mount])
    with engine_with(None if why == "engine" else folders["empty"]) as engine:
        assert run_program(engine, asked).exit_code == 0
        assert engine.shares_files
    assert "one cell runs at a time" in capfd.readouterr().out


def entered(repo: Repository) -> Repository:
    """Two submissions of one participant and one of another, which take a second for each fold."""
    repo.with_bundle("crossed")
    for name in ("mallory/first", "mallory/second", "trent/third"):
        repo.write(f"submissions/crossed/{name}/main.py", f"# {name}\n{SLEEPS}")
        repo.write(f"submissions/crossed/{name}/submission.yaml", "kind: code\n")
    repo.commit("Entries")
    return repo


def spans(records: Mapping[str, Record]) -> dict[str, tuple[dt.datetime, dt.datetime]]:
    """When participants' code ran, about."""
    found = {}
    for cell, record in records.items():
        began = dt.datetime.fromisoformat(record.provenance.started)
        wall = record.steps[0].wall_seconds
        found[cell] = (began, began + dt.timedelta(seconds=wall))
    return found


def overlapping(records: Mapping[str, Record]) -> set[tuple[str, str]]:
    by_cell = spans(records)
    return {
        (one, other)
        for one, (began, ended) in by_cell.items()
        for other, (begins, _) in by_cell.items()
        if one != other and began <= begins < ended
    }


@pytest.mark.slow
def test_folds_of_a_task_never_run_side_by_side_whoever_entered_them(repo: Repository) -> None:
    records = entered(repo).run(lanes=4)
    pairs = overlapping({cell: record for cell, record in records.items() if "/one." in cell})
    assert [pair for pair in pairs if pair[0][-1] != pair[1][-1]] == []
    # The lanes are not left empty: one fold of several submissions runs at once.
    assert pairs


@pytest.mark.slow
def test_where_containers_share_files_one_cell_runs_at_a_time(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DockerEngine, "_is_shared", _shared)
    assert overlapping(entered(repo).run(lanes=4)) == set()


def _shared(engine: DockerEngine, *_: object) -> bool:
    engine.shares_files = True
    return True
