"""What a day on a forge has to leave: everything landed, the right board, a sound ledger."""

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tests.bench.repository import add_commit, bundle
from tests.ci.steps.conftest import LEDGER
from tests.commands import pullbench

BENCHMARK = "day"
TASKS = 2
_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)|\b[0-9a-f]{40}\b")
Files = Mapping[str, bytes]


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", folder, *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def check_landed(
    origin: Path, pages: Path, merges: Collection[str], entries: Files, evaluated: int, folder: Path
) -> None:
    """Every merge is there once, and the board and the site are those of an undisturbed run.

    ``entries`` are the files of all submissions; ``evaluated`` is of how many contents the ledger
    has to have the records.
    """
    subjects = git(origin, "log", "--first-parent", "--merges", "--format=%s", "main")
    assert sorted(subjects.splitlines()) == sorted(merges)
    board = _board(origin, "--at", "main")
    assert len(board) == len(merges)
    assert board == _undisturbed(entries, folder)
    assert _rows((pages / f"api/v1/{BENCHMARK}/final.json").read_text()) == board
    assert not re.search("missing|corrupt", git(origin, "fsck", "--no-dangling", "--no-progress"))
    paths = git(origin, "ls-tree", "-r", "--name-only", LEDGER).splitlines()
    notes = Counter(path.partition("/")[0] for path in paths)
    assert evaluated == notes["evaluated"] / TASKS, notes


def check_ledger(origin: Path, tips: Collection[str]) -> None:
    """It has only grown."""
    assert set(tips) <= set(git(origin, "rev-list", LEDGER).splitlines()), "it was rewritten"
    assert not git(origin, "log", "--diff-filter=D", "--name-only", "--format=", LEDGER)


def _undisturbed(entries: Files, folder: Path) -> list[Any]:
    """Return the board of the same submissions, one commit each, evaluated in one run."""
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    add_commit(folder, bundle(BENCHMARK, "true", TASKS) | dict(entries))
    run = ("-C", str(folder), "run", "--engine", "docker")
    done = pullbench(run, os.environ, within="tests.chaos.no_ops")
    assert done.returncode == 0, done.stderr
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "Records")
    return _board(folder)


def _board(folder: Path, *revision: str) -> list[Any]:
    read = ("-C", str(folder), "leaderboard", BENCHMARK, "--format", "json", *revision)
    done = pullbench(read, os.environ)
    assert done.returncode == 0, done.stderr
    return _rows(done.stdout)


def _rows(board: str) -> list[Any]:
    """Return the rows of a board's JSON, without times and commits."""
    return list(json.loads(_TIMES.sub("", board))["rows"])
