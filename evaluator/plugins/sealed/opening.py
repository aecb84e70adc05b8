"""Opens at their dates what was sealed, and labels that become public.

It is decrypted where the key is, and committed where main is written.
The digest is checked in both places, so that nobody between them can put in something else.
What was not scored, or was withdrawn, stays closed.
"""

import datetime as dt
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from evaluator.ci.git.branch import Committed, add_files
from evaluator.core.clock import moment_text
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.errors import PlatformError, counted
from evaluator.core.formats.pinned_files import PrivateData, SealedFile
from evaluator.core.formats.submission import Submission
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.log import complain
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import open_private
from evaluator.plugins.sealed.contents import STATEMENT, misfit

OPENED_LABELS = "opened"
"""Folder of a bundle."""
_MAX_BYTES = 2**30
"""Of one commit; a forge takes 2 GiB in one push. What is left is opened by the next run."""


def due(snapshot: Snapshot, now: dt.datetime) -> Iterator[tuple[Submission, SealedFile]]:
    """Yield entries that are still closed although their date has come."""
    for one in snapshot.submissions:
        if one.sealed is None or one.sealed.until > now or one.cancelled:
            continue
        if snapshot.tree.under(one.opened_path):
            continue
        if any(it.status == "finished" for it in snapshot.record_files.records_at(one.place)):
            yield one, one.sealed


def due_labels(snapshot: Snapshot, now: dt.datetime) -> Iterator[tuple[str, PrivateData]]:
    """Yield encrypted data whose date has come, with the folder that is to hold them."""
    for benchmark in snapshot.benchmarks.values():
        for item in (item for task in benchmark.tasks for item in task.private):
            if item.encrypted and item.until and item.until <= now:
                name = PurePosixPath(item.encrypted).name.removesuffix(".age")
                folder = f"{benchmark.path}/{OPENED_LABELS}/{name}"
                if not snapshot.tree.under(folder):
                    yield folder, item


def due_names(snapshot: Snapshot, now: dt.datetime) -> Sequence[str]:
    entries = [one.id for one, _ in due(snapshot, now)]
    return [*entries, *(folder for folder, _ in due_labels(snapshot, now))]


def decrypt_due(snapshot: Snapshot, now: dt.datetime, output: Path) -> list[str]:
    """Decrypt what is due into folders by commitment; say what stays closed, and why."""
    output.mkdir(parents=True, exist_ok=True)
    closed: list[str] = []
    for folder, item in due_labels(snapshot, now):
        file = f"{folder.partition(f'/{OPENED_LABELS}/')[0]}/{item.encrypted}"
        content = snapshot.tree.read([file]).get(file, b"")
        try:
            open_private(item, content, output, snapshot.settings.max_data)
        except (PlatformError, CellFailedError) as error:
            closed.append(f"{file}: {error}")
    for one, sealed in due(snapshot, now):
        file = f"{one.path}/{sealed.source}"
        content = snapshot.tree.read([file]).get(file, b"")
        try:
            open_private(sealed, content, output, snapshot.settings.max_data)
        except PlatformError as error:
            closed.append(
                f"{one.id}: {error.message}. Without the key of {sealed.recipient} its content "
                "is lost, unless its author has the receipt: its `identity` opens it as "
                "another key; scores and digest stay"
            )
        except CellFailedError:
            closed.append(f"{one.id}: is damaged")
    return closed


def commit_due(
    start: Path, source: Path, now: dt.datetime, branch: str, remote: str | None
) -> Committed:
    """Commit what ``decrypt_due`` wrote, as plain files beside the scores."""
    repo = open_repository(start)

    def accept(tip: str | None) -> dict[str, bytes]:
        snapshot = read_snapshot(read_tree(repo, tip))
        files: dict[str, bytes] = {}
        size = 0
        for target, item in due_labels(snapshot, now):
            folder = source / item.sha256
            if folder.is_dir() and _fits(folder, item):
                files |= _files(folder, target)
        for one, sealed in due(snapshot, now):
            folder = source / sealed.sha256
            if not folder.is_dir():
                continue
            if fault := misfit(folder, sealed, one.benchmark, one.participant):
                complain(f"{one.id} stays closed: {fault}")
                continue
            new = _files(folder, one.opened_path)
            size += sum(map(len, new.values()))
            if size > _MAX_BYTES and files:
                break
            files |= new
        return files

    return add_files(
        repo, accept, lambda files: f"Open {counted(len(files), 'files')} whose date has come\n",
        branch=branch, remote=remote,
    )  # fmt: skip


def _files(folder: Path, target: str) -> dict[str, bytes]:
    return {
        f"{target}/{file.relative_to(folder).as_posix()}": file.read_bytes()
        for file in folder.rglob("*") if file.is_file()
    }  # fmt: skip


def _fits(folder: Path, item: PrivateData) -> bool:
    """Whether a folder, or the one file in it, is what the bundle pins."""
    alone = [*folder.iterdir()][:2]
    return item.sha256 in map(content_digest, [folder, *(alone if len(alone) == 1 else ())])


def verify_sealed(snapshot: Snapshot, name: str) -> Iterator[tuple[str, bool]]:
    """Say of sealed entries whether they are open, and whether that is what was sealed."""
    tree = snapshot.tree
    for one in snapshot.submissions:
        if one.sealed is None or not f"{one.id}/".startswith(f"{name}/" if name else ""):
            continue
        said = f"{one.id}: sealed until {moment_text(one.sealed.until)}"
        if not tree.under(one.opened_path):
            yield f"{one.id}: withdrawn, and stays closed" if one.cancelled else said, True
            continue
        log = tree.repository.git.log
        commit = str(log("-1", "--diff-filter=A", "--format=%h", tree.commit, "--",
                         f"{one.opened_path}/{STATEMENT}"))  # fmt: skip
        with tempfile.TemporaryDirectory() as scratch:
            tree.export(one.opened_path, Path(scratch))
            fault = misfit(Path(scratch), one.sealed, one.benchmark, one.participant)
        says = f"does not fit: {fault}" if fault else "fits"
        yield f"{said}, opened at {commit}, {says}", not fault
