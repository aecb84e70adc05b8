"""What an archived phase costs and saves: 10,000 submissions of ten files of 5 kB, 4 tasks."""

import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.archive.archiving import archive
from tests.bench.figures import Value
from tests.bench.planning import TASKS, _records
from tests.bench.records import files_of
from tests.bench.repository import add_commit, bundle, repository, submission
from tests.bench.sizes import SUBMISSIONS

FILES, BYTES = 10, 5000


def archive_10k() -> Iterator[Value]:
    """Archive them, and compare a job's clone and its plan before and after."""
    with repository() as root, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        chance = random.Random(19)  # noqa: S311 - content that does not compress
        add_commit(root, _files(chance))
        add_commit(root, dict(files_of(_records(root))))
        competition = root / "benchmarks/large/competition.yaml"
        ended = competition.read_text().replace(
            "start: 2020-01-01", "start: 2020-01-01, end: 2025-01-01"
        )
        add_commit(root, {"benchmarks/large/competition.yaml": ended.encode()})
        elsewhere = Path(folder, "elsewhere.git")
        subprocess.run(["git", "init", "-q", "--bare", str(elsewhere)], check=True)
        before = _costs(root, Path(folder))
        began = time.perf_counter()
        archive(root, utc_now(), "large/final", str(elsewhere))
        yield "archive_10k_seconds", time.perf_counter() - began, "s"
        (pointer,) = root.glob("archives/large/final/*.json")
        yield "archive_10k_pointer", pointer.stat().st_size / 1e6, "MB"
        after = _costs(root, Path(folder))
    for name, unit in (("plan", "s of processors"), ("clone", "MB"), ("files", "files")):
        yield f"archive_10k_{name}_before", before[name], unit
        yield f"archive_10k_{name}_after", after[name], unit
        yield f"archive_10k_{name}_ratio", after[name] / before[name], "ratio"


def _files(chance: random.Random) -> dict[str, bytes]:
    files = bundle("large", "sleep 0", TASKS)
    for index in range(SUBMISSIONS):
        entered = submission("large", f"person{index // 10}", f"entry{index % 10}")
        folder = next(iter(entered)).rpartition("/")[0]
        files |= entered
        files |= {f"{folder}/part{one}.bin": chance.randbytes(BYTES) for one in range(FILES - 1)}
    return files


def _costs(root: Path, folder: Path) -> dict[str, float]:
    clone = folder / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{root}", str(clone)], check=True)
    size = sum(path.stat().st_size for path in (clone / ".git").rglob("*") if path.is_file())
    count = sum(path.is_file() for path in clone.glob("submissions/**/*"))
    shutil.rmtree(clone)
    began = time.process_time()
    missing = make_local_plan(load_snapshot(root, "HEAD"), utc_now()).missing
    assert not missing
    return {"plan": time.process_time() - began, "clone": size / 1e6, "files": count}
