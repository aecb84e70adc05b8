"""A repository with the history and the ledger that 10,000 pull requests leave behind."""

import datetime as dt
import hashlib
import subprocess
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from evaluator.ci.ledger.arrivals import Received, head_path, pull_request_path, received_path
from evaluator.ci.ledger.assignments import assign, assignment_files
from evaluator.ci.ledger.attempts import AttemptNote, attempt_file
from evaluator.ci.ledger.ledger_notes import (
    Approval,
    Outcome,
    approval_files,
    note_json,
    outcome_file,
    record_files,
)
from evaluator.ci.ledger.ledger_state import STATE_FILE, LedgerState, state_json
from evaluator.ci.ledger.versions import Work, work_of
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import read_snapshot
from tests.bench.records import files_of, plain_record
from tests.bench.repository import add_commit, bundle, submission

BENCHMARK = "large"
LEDGER = "pullbench-ledger"
TASKS = 20
TOGETHER = 20
"""Pull requests whose records one commit brings."""
AT = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
SETTINGS = b"""\
[tool.pullbench]
organisers = ["olga"]
"""


class _Import:
    """Writes commits of several branches through one ``git fast-import``."""

    def __init__(self, root: Path) -> None:
        command = ["git", "-C", str(root), "fast-import", "--quiet", "--force"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)
        assert self._process.stdin is not None
        self._out = self._process.stdin
        self._mark = 0

    def commit(self, reference: str, at: dt.datetime, files: Mapping[str, bytes],
               *parents: str) -> str:  # fmt: skip
        """Write a commit on top of what the parents name; returns its mark."""
        self._mark += 1
        out = self._out
        out.write(f"commit {reference}\nmark :{self._mark}\n".encode())
        out.write(f"committer Bench <bench@localhost> {int(at.timestamp())} +0000\n".encode())
        message = f"Merge pull request #{self._mark}\n" if len(parents) > 1 else "bench\n"
        out.write(f"data {len(message)}\n{message}".encode())
        for word, parent in zip(("from", "merge"), parents, strict=False):
            out.write(f"{word} {parent}\n".encode())
        for path, content in files.items():
            out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
        return f":{self._mark}"

    def end(self) -> None:
        self._out.close()
        assert self._process.wait() == 0


def fill(root: Path, submissions: int) -> None:
    """Make ``origin.git``, which so many submissions entered, each by a pull request."""
    files = bundle(BENCHMARK, "sleep 0", TASKS) | {"pyproject.toml": SETTINGS}
    names = [(f"person{n // 10}", f"entry{n % 10}") for n in range(submissions)]
    for participant, name in names:
        files |= submission(BENCHMARK, participant, name)
    add_commit(root, files, checkout=False)
    repo = open_repository(root)
    snapshot = read_snapshot(read_tree(repo, "main"))
    every = cells(snapshot, AT)
    origin = root / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(origin)], check=True)
    writer = _Import(origin)
    is_entry = f"submissions/{BENCHMARK}/"
    tip = writer.commit(
        "refs/heads/main", AT,
        {path: file for path, file in files.items() if not path.startswith(is_entry)},
    )  # fmt: skip
    ledger: tuple[str, ...] = ()
    notes: dict[str, bytes] = {}
    scores: dict[str, bytes] = {}
    groups = groupby(every, key=lambda cell: cell.submission.id)
    for number, (_, group) in enumerate(groups, 1):
        own = list(group)
        at = AT + dt.timedelta(hours=number)
        entry = own[0].submission
        proposed = submission(BENCHMARK, entry.participant, entry.name)
        head = writer.commit(f"refs/pull/{number}/head", at, proposed, tip)
        tip = writer.commit("refs/heads/main", at, proposed, tip, head)
        notes |= notes_of(own, number, at, work_of(snapshot.tree, entry))
        scores |= dict(files_of(plain_record(cell) for cell in own))
        if number % TOGETHER == 0 or number == submissions:
            tip = writer.commit("refs/heads/main", at, scores, tip)
            ledger = (writer.commit(f"refs/heads/{LEDGER}", at, notes, *ledger),)
            notes, scores = {}, {}
    writer.end()
    state = LedgerState(tip=_tip(origin, LEDGER), on=_tip(origin, "main"))
    writer = _Import(origin)
    writer.commit("refs/heads/main", at, {STATE_FILE: state_json(state)},
                  "refs/heads/main^0")  # fmt: skip
    writer.end()
    _git(origin, "repack", "-q", "-a", "-d", "--write-bitmap-index")


def notes_of(own: list[Cell], number: int, at: dt.datetime, work: Work) -> dict[str, bytes]:
    """Return what the steps of one pull request write into the ledger."""
    entry = own[0].submission
    head = hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()
    received = note_json(Received(at=at, head=head, pull_request=number))
    paths = (
        head_path(head), received_path(entry.id, work, head), pull_request_path(number, head)
    )  # fmt: skip
    approval = Approval(
        tree=head[::-1], head=head, base=head, approver="olga", at=at, pull_request=number,
        changed=work.content,
    )  # fmt: skip
    planned = [PlannedCell(cell=cell, state="new", reason="is new") for cell in own]
    given = assign(approval.id, planned, Settings(), at)
    attempt = AttemptNote(
        submission=entry.id, phase=work.phase, kind=work.kind, content=work.content, received=at
    )
    notes = dict.fromkeys(paths, received) | approval_files(approval) | assignment_files(given)
    notes |= dict([attempt_file(attempt), outcome_file(Outcome(approval=approval.id, at=at))])
    for cell in own:
        notes |= record_files(plain_record(cell), {}, at)
    return notes


def _tip(origin: Path, branch: str) -> str:
    return _git(origin, "rev-parse", f"refs/heads/{branch}").strip()


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    ).stdout
