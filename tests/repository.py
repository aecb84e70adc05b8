"""A real git repository in a temporary folder."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.errors import Problem
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.scores_file import decode, encode, of_lines
from evaluator.core.planning.plan import Plan, make_local_plan
from evaluator.core.planning.rules import validate
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores import running
from evaluator.core.scores.selection import choose
from evaluator.core.scores.uploads import records_in
from evaluator.core.scores.writing import Writer
from tests.commands import pullbench

BUNDLES = Path(__file__).with_name("bundles")
BRANCH = "main"


class Repository:
    """Files and commits, and pullbench at work on them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", f"--initial-branch={BRANCH}")
        self.write(".gitignore", "/build/\n")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.path / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))

    def copy_bundle(self, name: str) -> None:
        for part in ("benchmarks", "submissions"):
            if (BUNDLES / name / part).exists():
                shutil.copytree(BUNDLES / name / part, self.path / part, dirs_exist_ok=True)

    def with_bundle(self, name: str) -> "Repository":
        self.copy_bundle(name)
        self.commit(f"Add {name}")
        return self

    def commit(self, message: str = "A change") -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def share_environments(self, folder: Path) -> "Repository":
        """Use virtual environments that other tests made: each takes seconds."""
        cache = self.path / "build" / "cache"
        cache.mkdir(parents=True)
        (cache / "environments").symlink_to(folder)
        return self

    @property
    def status(self) -> str:
        return self.git("status", "--porcelain")

    def snapshot(self, revision: str | None = None) -> Snapshot:
        return load_snapshot(self.path, revision)

    def problems(self) -> list[Problem]:
        return validate(self.snapshot())

    def plan(self, revision: str | None = None) -> Plan:
        return make_local_plan(self.snapshot(revision), utc_now())

    def reasons(self, revision: str | None = None) -> dict[str, str]:
        """Reason by missing cell."""
        return {str(item.cell.id): item.reason for item in self.plan(revision).missing}

    def run(
        self,
        *cells: str,
        fresh: bool = False,
        engine: str = "docker",
        lanes: int = 2,
    ) -> dict[str, Record]:
        """Evaluate what is planned, or cells, in this process; records by cell."""
        taken = self.snapshot()
        chosen = choose(taken, utc_now(), cells, fresh=fresh)
        done = running.run(taken, chosen, engine=engine, lanes=lanes, fresh=fresh)
        return {str(cell): record for cell, record in done.records.items()}

    def pullbench(
        self, *arguments: str, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command itself, as a new program if Python reads a part of ``environment``."""
        whole = {**os.environ, **(environment or {})}
        if not any(name.startswith("PYTHON") for name in environment or {}):
            return pullbench(("-C", str(self.path), *arguments), whole)
        return subprocess.run(
            command(self.path, *arguments), env=whole, capture_output=True, text=True, check=False
        )

    def record_paths(self) -> list[str]:
        """Paths of the files of scores, logs among them."""
        found = self.path.glob("submissions/*/*/*/scores/**/*")
        return sorted(path.relative_to(self.path).as_posix() for path in found if path.is_file())

    def put(self, record: Record) -> None:
        """Write a record into the working tree, as a run does."""
        put_record(self.path, record)

    def take_off(self, cell: CellId) -> None:
        """Take the line of a cell off the working tree."""
        path = self.path / cell.scores_path
        file = decode(path.read_bytes())
        lines = [
            line for line in file.cells if (line.task, line.repeat) != (cell.task, cell.repeat)
        ]
        if lines:
            path.write_bytes(encode(of_lines(file, file.runs, lines)))
        else:
            path.unlink()

    def records(self) -> dict[str, Record]:
        """Records of the working tree with their logs, by cell."""
        return {str(cell): one for cell, one in sorted(records_in(self.path).items())}

    def record(self, cell: CellId) -> Record:
        return records_in(self.path)[cell]


def put_record(folder: Path, record: Record) -> None:
    """Write a record below a folder, as a run does; its attachments stay."""
    files = {suffix: folder / (record.path_of(suffix) or "") for suffix in ATTACHMENTS}
    contents = {suffix: file.read_bytes() for suffix, file in files.items() if file.is_file()}
    with tempfile.TemporaryDirectory() as scratch:
        lock = Path(scratch) / "lock"
        Writer(folder=folder, lock=lock, scratch=Path(scratch)).put(record, contents)


def command(folder: Path, *arguments: str) -> list[str]:
    """Return argv of ``pullbench`` in a folder."""
    return [sys.executable, "-m", "evaluator", "-C", str(folder), *arguments]
