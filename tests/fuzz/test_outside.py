"""28, 1.2: whatever comes from outside is judged alone, without an error that is not documented.

A few hundred tries of each in the suite; `make fuzz MINUTES=60` goes on for an hour.
"""

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from evaluator.ci.ledger.assignments import Assignment
from evaluator.ci.scores.encryption import close
from evaluator.ci.scores.hand_in import read_artifacts, read_references
from evaluator.ci.scores.unsealing import seal_accepted
from evaluator.ci.scores.validation import Accepted, check_with_datasets
from evaluator.core.compute.evaluation import Evaluated
from evaluator.core.compute.job import Job
from evaluator.core.errors import PlatformError
from evaluator.core.formats.cell import Keys
from evaluator.core.formats.pointer import Pointer
from evaluator.core.formats.record import record_keys
from evaluator.core.formats.record_lines import from_json, to_json
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.git.listing import Listing, TreeEntry, add_archived
from evaluator.core.git.tree import open_repository
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.archive.archiving import pointer_file
from evaluator.plugins.dask.executor import check_answer
from evaluator.plugins.dask.shared_store import SharedStore, SharedTrees
from tests.ci.steps.conftest import NOON
from tests.fuzz.mutations import HOSTILE, NAMES, mutated
from tests.records import cells_of, make_record, record_of
from tests.repository import Repository

# Hypothesis warns of long inputs, which are as long as what is handed over.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
MINUTES = float(os.environ.get("PULLBENCH_FUZZ_MINUTES", "0"))
TARGETS = 7
MINE, HONEST = "adding/bob/wrong/main/one", "adding/alice/right/main/one"
PUBLIC, SECRET = make_keys()


def fuzz(strategy: st.SearchStrategy[Any], tries: int, check: Callable[[Any], None]) -> None:
    """Try so many inputs, or in the long form for this target's share of the time."""
    end = time.monotonic() + 60 * MINUTES / TARGETS
    bounds = settings(
        max_examples=tries, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink],
    )  # fmt: skip
    while True:

        @bounds
        @given(strategy)
        def tried(one: Any) -> None:
            check(one)

        tried()
        if time.monotonic() >= end:
            return


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("fuzzed") / "repo").with_bundle("small")


@pytest.fixture
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        yield Path(folder)


def bad_files(path: str, honest: bytes) -> st.SearchStrategy[list[tuple[str, str, bytes]]]:
    """Path, kind and content of files that a job hands in, at the record's place or near it."""
    folder = path.rpartition("/")[0]
    near = [
        path,
        f"{path}.age",
        path.replace(".json", ".logs.json"),
        *(f"{folder}/{name}" for name in NAMES),
        *(f"{folder}/main/{name}" for name in NAMES),
    ]
    contents = (
        mutated(honest)
        | mutated(close(honest, PUBLIC))
        | mutated(honest).map(lambda content: close(content, PUBLIC))
    )
    kinds = st.sampled_from(["file"] * 8 + ["link", "folder", "fifo"])
    return st.lists(st.tuples(st.sampled_from(near), kinds, contents), min_size=1, max_size=4)


def lay_out(place: Path, bad: list[tuple[str, str, bytes]]) -> None:
    for path, kind, content in bad:
        file = place / path
        if file.is_fifo():  # nobody reads what would be written there
            continue
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if kind == "file":
                file.write_bytes(content)
            elif kind == "link":
                file.symlink_to("/dev/zero")
            elif kind == "fifo":
                os.mkfifo(file)
            else:
                file.mkdir(exist_ok=True)
        except OSError:  # two of them have one name, or the name is none here
            continue


@pytest.mark.slow
@pytest.mark.parametrize("key", [SECRET, ""], ids=["key", "no key"])
def test_artifacts_of_jobs(
    key: str, repo: Repository, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SEAL_IDENTITY, key)
    cells = cells_of(repo)
    snapshot, expected = repo.snapshot(), {cell.id: cell for cell in cells.values()}
    jobs = {name: {cell: cells[cell].keys.score} for name, cell in (("m", MINE), ("h", HONEST))}
    given_out = Assignment(scope="collect", id="1", jobs=jobs)
    honest, mine = record_of(cells[HONEST]), record_of(cells[MINE])

    def check(bad: list[tuple[str, str, bytes]]) -> None:
        folder = scratch / "in"
        shutil.rmtree(folder, ignore_errors=True)
        file = folder / "records-h" / honest.cell.scores_path
        file.parent.mkdir(parents=True)
        file.write_bytes(to_json(honest))
        lay_out(folder / "records-m", bad)
        handed, _ = read_artifacts(folder, given_out, expected, snapshot, NOON, {})
        checked, _ = check_with_datasets(handed, expected, snapshot, NOON)
        sealed = seal_accepted(checked.accepted, expected, PUBLIC)
        assert sealed[honest.cell] == Accepted(record=honest)
        assert sealed.keys() <= {honest.cell, mine.cell}
        for item in sealed.values():
            assert from_json(to_json(item.record)).cell == item.record.cell

    fuzz(bad_files(mine.cell.scores_path, to_json(mine)), 60, check)


@pytest.mark.slow
def test_references_of_the_inbox(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEAL_IDENTITY, SECRET)
    honest = record_of(cells_of(repo)[HONEST])
    content = to_json(honest)

    def write(kind: str, data: bytes) -> str:
        done = subprocess.run(
            ["git", "hash-object", "--literally", "-w", "--stdin", "-t", kind], cwd=repo.path,
            input=data, capture_output=True, check=True,
        )  # fmt: skip
        return done.stdout.decode().strip()

    def tree(path: str, data: bytes, mode: str) -> str:
        name = write("blob", data)
        for part in reversed(os.fsencode(path).split(b"/")):
            name = write("tree", mode.encode() + b" " + part + b"\0" + bytes.fromhex(name))
            mode = "40000"
        return name

    def commit(tree: str) -> str:
        who = b"a <a@b> 1 +0000"
        return write(
            "commit", b"tree %b\nauthor %b\ncommitter %b\n\nx\n" % (tree.encode(), who, who)
        )

    def tag(name: str, kind: str) -> str:
        head = f"object {name}\ntype {kind}\ntag t\ntagger a <a@b> 1 +0000\n\nx\n"
        return write("tag", head.encode())

    good = commit(tree(honest.cell.scores_path, content, "100644"))
    paths = [
        honest.cell.scores_path,
        f"{honest.cell.scores_path}.age",
        "submissions",
        "a",
        *(f"submissions/adding/bob/wrong/scores/{name}" for name in NAMES),
    ]
    kinds = [
        "blob",
        "tag of a blob",
        "tree",
        "tag of a tree",
        "commit",
        "tag of a commit",
        "tree of rubbish",
        "commit of a blob",
    ]

    def check(drawn: tuple[str, str, str, bytes]) -> None:
        kind, path, mode, data = drawn
        of = kind.rpartition(" ")[2]
        name = write("blob", data)
        if of in ("tree", "commit"):
            name = tree(path, data, mode)
        if of == "commit":
            name = commit(name)
        if kind == "tree of rubbish":
            name = write("tree", data)
        if kind.startswith("tag"):
            name = tag(name, of)
        if kind == "commit of a blob":
            name = commit(name)
        git = open_repository(repo.path)
        handed, aside = read_references(git, {"bad": name, "good": good})
        assert honest in handed.records[honest.cell]
        assert "good" not in aside
        assert ("bad" in aside) == bool(handed.malformed)

    modes = st.sampled_from(["100644", "100755", "120000", "160000", "40000", "7"])
    fuzz(st.tuples(st.sampled_from(kinds), st.sampled_from(paths), modes, mutated(content)),
         40, check)  # fmt: skip


@pytest.mark.slow
def test_the_store_of_an_executor(scratch: Path) -> None:
    store = SharedStore(str(scratch / "store"))
    content = scratch / "content"
    (content / "folder").mkdir(parents=True)
    (content / "folder/file").write_text("honest\n")
    digest = store.put_tree(content)
    honest = next((scratch / "store").rglob("*.tar")).read_bytes()
    bad = "0" * 64
    place = scratch / f"store/trees/00/{bad}.tar"
    place.parent.mkdir(parents=True)

    def check(archive: bytes) -> None:
        place.write_bytes(archive)
        with pytest.raises(PlatformError):
            SharedTrees(store, scratch / "cache").folder(bad)
        folder = SharedTrees(store, scratch / "cache").folder(digest)
        assert (folder / "folder/file").read_text() == "honest\n"
        shutil.rmtree(scratch / "cache")
        # Nothing lies elsewhere.
        assert {path.name for path in scratch.iterdir()} == {"store", "content"}

    fuzz(st.one_of(mutated(honest), _archives()), 100, check)


@st.composite
def _archives(draw: st.DrawFn) -> bytes:
    names = ["a", "a/b", "../a", "/tmp/a", "a/../../b", ".", "", "a" * 300, "\udcff", "a//b", "a\n"]
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for _ in range(draw(st.integers(1, 4))):
            member = tarfile.TarInfo(draw(st.sampled_from(names)))
            member.type = draw(
                st.sampled_from([*map(bytes, [b"0", b"1", b"2", b"3", b"5", b"6", b"7", b"S"])])
            )
            member.linkname = draw(st.sampled_from(["/etc/passwd", "..", "a"]))
            member.mode = draw(st.sampled_from([0, 0o777, 0o6777]))
            member.size = 3 if member.type == b"0" else 0
            if draw(st.booleans()):
                member.pax_headers = {"size": draw(st.sampled_from(["-1", str(2**70), "x", "0"]))}
            archive.addfile(member, io.BytesIO(b"abc"))
    return stream.getvalue()


def test_pointers_of_archives() -> None:
    pointer = Pointer(
        benchmark="b", phase="main", at="../archive", commit="1" * 40,
        submissions={"p/s": {"main.py": f"100644 {'2' * 40}"}},
    )  # fmt: skip
    path, honest = pointer_file(pointer)
    other, good = pointer_file(msgspec.structs.replace(
        pointer, commit="3" * 40, submissions={"q/s": {"main.py": f"100644 {'2' * 40}"}}
    ))  # fmt: skip

    def check(content: bytes) -> None:
        entries = Listing(b"")
        for name in "pq":
            entries.put(f"submissions/b/{name}/s/submission.yaml", TreeEntry("100644", "4" * 40))
        archived, problems = add_archived(entries, {path: content, other: good})
        assert archived["submissions/b/q/s"].file == other
        assert not any(problem.file == other for problem in problems)

    fuzz(mutated(honest), 150, check)


def test_answers_of_workers() -> None:
    """What is left of pickle's: any object, and honest ones with any value in any place."""
    honest = make_record()

    class OfJob:
        cell = honest.cell
        keys = Keys(prediction="", score=honest.keys.score, shared=honest.keys.parts)

    job: Job = OfJob()  # type: ignore[assignment]

    def check(drawn: tuple[str, Any]) -> None:
        part, value = drawn
        record: Any = honest
        if hasattr(honest, part):
            record = honest.replace(**{part: value})
        elif hasattr(honest.provenance, part):
            provenance = honest.provenance.replace(**{part: value})
            record = honest.replace(provenance=provenance)
        attachments = value if part == "files" else {}
        answer = Evaluated(record=value if part == "whole" else record, attachments=attachments)
        if part == "answer":
            answer = value
        try:
            believed = check_answer(answer, job)
        except PlatformError:
            return
        assert (believed.record.cell, believed.record.keys) == (job.cell, record_keys(job.keys))
        to_json(believed.record)

    parts = [
        "answer", "whole", "files", *honest.__struct_fields__,
        *honest.provenance.__struct_fields__,
    ]  # fmt: skip
    fuzz(st.tuples(st.sampled_from(parts), st.sampled_from(HOSTILE)), 200, check)
