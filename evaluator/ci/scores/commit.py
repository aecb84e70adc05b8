"""Commit the records of a working tree or a folder to a branch."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

from evaluator.ci.git.branch import Committed, add_files
from evaluator.ci.git.following import Files
from evaluator.ci.ledger.ledger import local_ledger, read_ledger
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.ledger.quotas import admission_by
from evaluator.ci.scores.ledger_records import add_to_ledger, sign_records
from evaluator.ci.scores.record_changes import ScoreChanges, record_changes, without_committed
from evaluator.ci.scores.revocation import next_state, removal_withdrawals
from evaluator.ci.scores.unsealing import seal_accepted
from evaluator.ci.scores.validation import UNISOLATED, check_with_datasets
from evaluator.core.errors import UsageError, counted, some_of
from evaluator.core.formats.cell import Place
from evaluator.core.formats.record_lines import without_logs
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.log import say
from evaluator.core.planning.cells import cells
from evaluator.core.planning.plan import make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.scores.uploads import Upload, read_folder


def commit(
    start: Path,
    now: dt.datetime,
    *,
    remote: str | None = None,
    source: Path | None = None,
    unisolated: bool = False,
) -> Committed:
    """Commit scores that have the keys of the branch's plan, of what it does not refuse."""
    repo = open_repository(start)
    upload = read_folder(source or Path(repo.working_tree_dir or start))
    replaceable: dict[str, list[bytes]] = {}
    changes = ScoreChanges()
    left_out: tuple[str, ...] = ()
    snapshot: Snapshot | None = None

    def accept(tip: str | None) -> Files:
        nonlocal changes, left_out, snapshot
        snapshot = read_snapshot(read_tree(repo, tip))
        new = without_committed(upload, snapshot)
        expected = {cell.id: cell for cell in cells(snapshot, now) if cell.phase.has_started(now)}
        name, tree = snapshot.settings.ledger, snapshot.tree
        ledger = grown_ledger(repo, name, remote, tree) if remote else local_ledger(repo, name)
        refused = make_plan(snapshot, now, admission_by(ledger)).refusals if new.records else {}
        checked, further = check_with_datasets(
            new, expected, snapshot, now, refused=refused, unisolated=unisolated
        )
        expected |= {item.cell.id: item.cell for item in further}
        if checked.malformed:
            raise UsageError(
                "\n".join(checked.malformed),
                hint="Records are written by `pullbench run`; delete the file and run it again.",
            )
        left_out = checked.left_out
        for reason in left_out:
            say(f"left out: {reason}")
        accepted = seal_accepted(checked.accepted, expected, snapshot.settings.seal)
        changes = record_changes(accepted, snapshot)
        replaceable.clear()
        replaceable.update(_replaceable(upload, changes, snapshot))
        files = changes.files(snapshot)
        signed = sign_records(repo, snapshot, changes.cells, files, now, remote)
        return {**files, **_state(repo, snapshot, signed, now, remote)} if files else {}

    committed = add_files(
        repo, accept, lambda _: changes.message, branch=current_branch(repo),
        remote=remote, replaceable=replaceable,
    )  # fmt: skip
    if committed.commit and snapshot:
        sign_records(repo, snapshot, (), {}, now, remote, base=committed.commit, is_read=True)
    changed = read_tree(repo).changed("benchmarks") if left_out else []
    if changed and committed.commit is None:
        raise UsageError(
            f"no new records to commit: no commit has {some_of(changed)} as your files have it",
            hint="Commit these first (`git add`, `git commit`), and then run this again.",
        )
    if left_out and all(text.endswith(UNISOLATED) for text in left_out) and not committed.commit:
        raise UsageError(
            f"no new records to commit: {counted(len(left_out), 'records')} came without isolation",
            hint="Run them with Docker, or take them as they are with --allow-unisolated.",
        )
    return replace(committed, cells=changes.count if committed.commit else 0)


def _state(
    repo: Repo, snapshot: Snapshot, signed: str | None, now: dt.datetime, remote: str | None
) -> dict[str, bytes]:
    """What the branch says of a ledger that was written, as after every ``collect``."""
    if signed is None:
        return {}
    ledger = read_ledger(repo, signed)
    notes = removal_withdrawals(repo, snapshot, ledger, now)
    branch = snapshot.settings.ledger
    noted = add_to_ledger(repo, notes, "Withdraw {} records\n", branch=branch, remote=remote)
    return next_state(snapshot, read_ledger(repo, noted.commit or signed))


def _replaceable(
    upload: Upload, changes: ScoreChanges, snapshot: Snapshot
) -> dict[str, list[bytes]]:
    """Handed-in files that the branch will have completely; a file with other lines stays."""
    left: set[Place] = {
        cell.place
        for cell, versions in upload.records.items()
        if cell not in changes.records
        and any(without_logs(version) != snapshot.record_files.get(cell) for version in versions)
    }
    stay = {
        path for place in left for path in (place.cell("").scores_path, place.cell("").logs_path)
    }
    return {path: contents for path, contents in upload.files.items() if path not in stay}


def current_branch(repo: Repo) -> str:
    """The branch that is checked out. Raises UsageError where none is."""
    branch = repo.branch
    if branch is None:
        raise UsageError("HEAD is on no branch", hint="Check one out with git.")
    return branch
