"""A real git repository in a temporary folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from evaluator import pipeline
from evaluator.clock import utc_now
from evaluator.errors import Problem
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json
from evaluator.planning.plan import Plan
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.runnable import EngineName
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
        return pipeline.snapshot(self.path, revision)

    def problems(self) -> list[Problem]:
        return pipeline.validate(self.snapshot())

    def plan(self, revision: str | None = None) -> Plan:
        return pipeline.plan(self.snapshot(revision), utc_now())

    def reasons(self, revision: str | None = None) -> dict[str, str]:
        """Reason by missing cell."""
        return {str(item.cell.id): item.reason for item in self.plan(revision).missing}

    def run(
        self,
        *cells: str,
        fresh: bool = False,
        engine: EngineName = "docker",
        lanes: int = 2,
    ) -> dict[str, Record]:
        """Evaluate what is planned, or cells, in this process; records by cell."""
        taken = self.snapshot()
        chosen = pipeline.choose(taken, utc_now(), cells, fresh=fresh)
        done = pipeline.run(taken, chosen, engine=engine, lanes=lanes, fresh=fresh)
        return {str(cell): record for cell, record in done.records.items()}

    def pullbench(
        self, *arguments: str, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command itself, as a new program where it is to have an ``environment``.

        Some of what it loads looks at the environment while it is loaded.
        """
        if environment is None:
            return pullbench(("-C", str(self.path), *arguments), os.environ)
        return subprocess.run(
            command(self.path, *arguments), env={**os.environ, **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def record_paths(self) -> list[str]:
        found = self.path.glob("submissions/*/*/*/scores/**/*")
        return sorted(path.relative_to(self.path).as_posix() for path in found if path.is_file())

    def record(self, cell: CellId) -> Record:
        return from_json((self.path / cell.record_path).read_bytes())


def command(folder: Path, *arguments: str) -> list[str]:
    """Return argv of ``pullbench`` in a folder."""
    return [sys.executable, "-m", "evaluator", "-C", str(folder), *arguments]
