"""Repositories for measurements, made with one ``git fast-import`` whatever their size."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

FOLDER = "BENCH_FOLDER"
"""Names the folder of repositories that figures share."""
COMPETITION = """\
version: 2
title: {title}
image: logo.png
terms: terms.md
pages: []
docker_image: python:3.11-slim
tasks:
{tasks}
phases:
  - {{index: 0, name: Final, start: 2020-01-01, tasks: [{indexes}], execution_time_limit: 60,
     max_submissions: 0, max_submissions_per_day: 0}}
leaderboards:
  - title: Results
    key: results
    submission_rule: Force_Latest_Multiple
    columns:
      - {{title: Score, key: score, index: 0}}
pullbench:
  limits: {{memory: 256 MiB, output_size: 16 MiB}}
"""
TASK = """\
  - {{index: {index}, name: Task {index}, ingestion_program: ingestion, scoring_program: scoring}}
"""


def bundle(name: str, command: str, tasks: int = 1) -> dict[str, bytes]:
    """Files of a bundle whose prediction step runs ``command`` and whose score is always 1."""
    base = f"benchmarks/{name}"
    text = COMPETITION.format(
        title=name,
        tasks="".join(TASK.format(index=index) for index in range(tasks)),
        indexes=", ".join(map(str, range(tasks))),
    )
    return {
        f"{base}/competition.yaml": text.encode(),
        f"{base}/logo.png": b"\x89PNG",
        f"{base}/terms.md": b"None.\n",
        f"{base}/ingestion/metadata.yaml": f"command: {command}\n".encode(),
        f"{base}/scoring/metadata.yaml": b"command: cp $program/scores.json $output\n",
        f"{base}/scoring/scores.json": b'{"score": 1}\n',
    }


def submission(benchmark: str, participant: str, name: str) -> dict[str, bytes]:
    """Files of a submission of code."""
    base = f"submissions/{benchmark}/{participant}/{name}"
    return {
        f"{base}/submission.yaml": (
            f"kind: code\nname: {name}\ndescription: Entered by {participant}.\n".encode()
        ),
        f"{base}/model.py": f"# {participant}/{name}\n".encode(),
    }


@contextmanager
def repository() -> Iterator[Path]:
    """Make an empty repository in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder)
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        yield root


def shared_repository(name: str, fill: Callable[[Path], object]) -> Path:
    """Make a repository for all figures that name it, of this process and of later ones.

    A figure may leave one more commit or a built site there, and must expect both.
    """
    root = Path(os.environ[FOLDER], name)
    if not root.exists():
        # One that broke halfway is not taken for whole.
        part = root.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(part)], check=True)
        fill(part)
        part.rename(root)
    return root


@contextmanager
def copied(original: Path) -> Iterator[Path]:
    """Copy a repository for a figure that changes what it measures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder, "copy")
        subprocess.run(["cp", "-a", str(original), str(root)], check=True)
        yield root


def add_commit(
    root: Path,
    files: Mapping[str, bytes] | Iterable[tuple[str, bytes]],
    *,
    checkout: bool = True,
) -> None:
    """Commit files on top of main and, unless told otherwise, check it out.

    Pairs are written as they come, so that half a gigabyte of records is never in memory.
    """
    head = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "-q", "--verify", "refs/heads/main"],
        capture_output=True, text=True, check=False,
    ).stdout.strip()  # fmt: skip
    command = ["git", "-C", str(root), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        with process.stdin as out:
            out.write(b"commit refs/heads/main\n")
            out.write(b"committer Bench <bench@localhost> 1700000000 +0000\ndata 5\nbench\n")
            if head:
                out.write(f"from {head}\n".encode())
            for path, content in files.items() if isinstance(files, Mapping) else files:
                out.write(
                    b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content)
                )
    assert process.returncode == 0
    if checkout:
        subprocess.run(["git", "-C", str(root), "reset", "-q", "--hard", "main"], check=True)
