"""Data of a task are made ready once for all its folds and submissions, and then only read."""

import io
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.compute.mounts import CellInputs, ingestion_mounts, scoring_mounts
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.planning import export
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.scores.jobs import make_job
from evaluator.core.scores.runnable import data_folder
from evaluator.importing import fetching, pinned, private_parts
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import LocalPrivateParts, encrypt, make_keys
from tests.repository import Repository

BUNDLE = "benchmarks/repeated"


def packed(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often data are unpacked, decrypted, fetched, laid out and read for their digest."""
    found: Counter[str] = Counter()

    def count(module: Any, name: str, what: Callable[..., str]) -> None:
        real = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            found[what(*arguments)] += 1
            return real(*arguments)

        monkeypatch.setattr(module, name, counted)

    count(export, "_unpack", lambda _content, path, _folder: f"unpack {Path(path).name}")
    count(private_parts, "decrypt", lambda _content, name, _recipient: f"decrypt {Path(name).name}")
    count(fetching, "_copy", lambda url, *_: f"fetch {Path(url).name}")
    count(pinned, "stream_digest", lambda _file: "digest")
    return found


@pytest.fixture
def many(repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Three submissions to three tasks of three folds: one zip, and private data of each kind."""
    repo.copy_bundle("repeats")
    entry = repo.path / "submissions/repeated/alice/entry"
    for name in ("second", "third"):
        shutil.copytree(entry, entry.with_name(name))
        (entry.with_name(name) / "more.txt").write_text(name)
    files = {f"{number}/data": b"%d" % number for number in range(40)}
    repo.write(f"{BUNDLE}/input.zip", packed(files))
    folder = tmp_path / "private" / "answers"
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    digest = content_digest(folder)
    archive = tmp_path / "answers.zip"
    archive.write_bytes(packed(files))
    public, secret = make_keys()
    monkeypatch.setenv(DATA_IDENTITY, secret)
    repo.write(f"{BUNDLE}/answers.zip.age", encrypt(packed(files), [public]))
    repo.write("pyproject.toml", f'[tool.pullbench]\ndata = "{tmp_path / "private"}"\n')
    task = (
        "  - {{index: {0}, name: Task {0}, ingestion_program: ingestion_program, "
        "scoring_program: scoring_program, input_data: input.zip}}\n"
    )
    places = ("path: answers", "encrypted: answers.zip.age", f"url: 'file://{archive}'")
    pins = "".join(
        f"    - {{task: {index}, file: reference_data, {place}, sha256: {digest}}}\n"
        for index, place in enumerate(places)
    )
    head, _, rest = (repo.path / BUNDLE / "competition.yaml").read_text().partition("tasks:\n")
    rest = rest[rest.index("phases:") :].replace("tasks: [0]", "tasks: [0, 1, 2]")
    tasks = "".join(task.format(index) for index in range(3))
    repo.write(f"{BUNDLE}/competition.yaml", f"{head}tasks:\n{tasks}\n{rest}  private:\n{pins}")
    repo.commit()
    assert {one.severity for one in repo.problems()} <= {"warning"}
    return repo


def prepare(repo: Repository) -> list[CellInputs]:
    """Lay out all cells as one run does, four at once."""
    taken = repo.snapshot()
    parts = LocalPrivateParts(
        data=data_folder(taken), cache=repo.path / "build/cache/fetched",
        memory=lambda: repo.path / "memory", limit=2**20, isolated=True,
    )  # fmt: skip
    exporter = Exporter(taken.tree, repo.path / "build/cache/trees")
    planned = make_local_plan(taken, utc_now()).missing
    jobs = [make_job(taken, item.cell, exporter) for item in planned]
    source = JobContents(exporter, parts)
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(source.inputs, jobs))


def test_once_for_all_folds_and_submissions(many: Repository, counts: Counter[str]) -> None:
    made = prepare(many)
    assert len(made) == 27
    assert counts["unpack input.zip"] == counts["decrypt answers.zip.age"] == 1
    assert counts["fetch answers.zip"] == 1
    # Each file once where it lies, and once in each place in which it was laid out; what was laid
    # out a moment ago is read again, at most by each of the four threads. Not by each of 27 cells.
    assert counts["digest"] <= 5 * 3 * 40
    assert len({inputs.input_data for inputs in made}) == 1
    assert len({inputs.reference_data for inputs in made}) == 3
    assert len({inputs.submission for inputs in made}) == 3

    # Another run on this machine finds what lies in its cache, and opens what never lies anywhere.
    counts.clear()
    again = prepare(many)
    assert [inputs.input_data for inputs in again] == [inputs.input_data for inputs in made]
    assert counts["unpack input.zip"] == counts["fetch answers.zip"] == 0
    assert counts["decrypt answers.zip.age"] == 1


def test_no_step_can_write_to_it(many: Repository) -> None:
    """What is mounted cannot be written to: test_isolation.py tries it."""
    inputs = prepare(many)[0]
    mounts = [*ingestion_mounts(inputs), *scoring_mounts(inputs)]
    assert {"/app/input_data", "/app/input/ref"} <= {mount.target for mount in mounts}
