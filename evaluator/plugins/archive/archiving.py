"""Submissions of ended phases: moved to an archive, fetched from there, and brought back."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from evaluator.ci.git.branch import Committed, add_files, write_commit
from evaluator.ci.git.following import Files
from evaluator.ci.git.partial_clone import address_of, fetch_missing
from evaluator.ci.scores.commit import current_branch
from evaluator.core.clock import moment_text
from evaluator.core.errors import UsageError, printable
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.pointer import (
    FOLDER,
    ArchivedSubmission,
    Pointer,
    address_fault,
    read_pointer,
)
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.commands import Repo
from evaluator.core.git.listing import TreeEntry
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.planning.entries import entries
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.plugins.archive.archived import address_at, fetch_archived, files_of, measured
from evaluator.plugins.archive.git import keep_as_bundle, keep_at

BUNDLE = ".bundle"
"""Ends the name of an archive that is a file."""
_LAST = dt.datetime.max.replace(tzinfo=dt.UTC)


@dataclass(frozen=True, kw_only=True)
class Moved:
    """What was archived, or brought back."""

    committed: Committed
    submissions: Sequence[str]
    """Ids."""
    staying: Sequence[str] = ()
    """Why others stay, a line for each."""


def archive(start: Path, now: dt.datetime, name: str, to: str, *, url: str = "") -> Moved:
    """Move the files of an ended phase's submissions to a repository or a bundle.

    ``name`` is ``benchmark/phase``; ``to`` is a remote, its address, or a file that ends in
    ``.bundle``, which others find at ``url``. Scores and submission.yaml stay, and a pointer. The
    archive is there before the branch moves, in one commit: a killed call is completed by the
    next. Raises UsageError, PlatformError.
    """
    repo = open_repository(start)
    bundle = to.endswith(BUNDLE)
    at = url or (to if bundle else address_of(repo, to))
    if fault := address_fault(at, bundle=bundle):
        raise UsageError(f"'{printable(at)}' {fault}", hint="Name a remote, or a file .bundle.")
    moved: list[Submission] = []
    staying: list[str] = []

    def accept(tip: str | None) -> Files:
        moved.clear()
        staying.clear()
        snapshot = read_snapshot(read_tree(repo, tip), only=name.partition("/")[0])
        phase = _ended(snapshot, name, now)
        for item, reason in _candidates(snapshot, phase, now):
            if reason:
                staying.append(f"{item.id}: {reason}")
            else:
                moved.append(item)
        if not moved:
            return {}
        folders = {item.path: files_of(snapshot.tree, item.path) for item in moved}
        commit = _archive_commit(repo, snapshot.tree, folders, phase, name)
        pointer = Pointer(
            benchmark=moved[0].benchmark, phase=phase.slug, at=at, commit=commit,
            submissions={
                path.split("/", 2)[2]: {file: " ".join(entry) for file, entry in files.items()}
                for path, files in folders.items()
            },
        )  # fmt: skip
        root = snapshot.tree.root
        if bundle:
            keep_as_bundle(repo, root / to, commit)
            sha256, size = measured(root / to)
            pointer = replace(pointer, sha256=sha256, size=size)
        else:
            pointer = replace(pointer, branch=f"archive/{moved[0].benchmark}/{phase.slug}/{commit}")
        path, content = pointer_file(pointer)
        if not bundle:
            keep_at(repo, address_at(root, at), commit, pointer.branch)
        gone = {f"{path}/{file}": None for path, files in folders.items() for file in files}
        return {**gone, path: content}

    committed = add_files(
        repo, accept, lambda _: f"Archive {len(moved)} submissions of {name}",
        branch=current_branch(repo), remote=None,
    )  # fmt: skip
    return Moved(committed=committed, submissions=[item.id for item in moved], staying=staying)


def restore(start: Path, names: Collection[str]) -> Moved:
    """Bring back submissions by what their ids begin with. Raises UsageError, PlatformError."""
    repo = open_repository(start)
    ids: list[str] = []

    def accept(tip: str | None) -> Files:
        tree = read_tree(repo, tip)
        wanted: dict[str, ArchivedSubmission] = {}
        for name in names:
            prefix = f"submissions/{name.strip('/')}/"
            of_name = {p: one for p, one in tree.archived.items() if f"{p}/".startswith(prefix)}
            if not of_name:
                raise UsageError(f"nothing of '{printable(name)}' is archived",
                                 hint="`ls archives/` has the pointers.")  # fmt: skip
            wanted |= of_name
        ids[:] = [path.partition("/")[2] for path in sorted(wanted)]
        fetch_archived(tree, wanted)
        files: dict[str, bytes | TreeEntry | None] = {
            f"{path}/{name}": entry
            for path in wanted
            for name, entry in files_of(tree, path).items()
        }
        pointers = {one.file: one.pointer for one in wanted.values()}
        for file, pointer in pointers.items():
            left = {
                name: listed for name, listed in pointer.submissions.items()
                if f"submissions/{pointer.benchmark}/{name}" not in wanted
            }  # fmt: skip
            files[file] = pointer_file(replace(pointer, submissions=left))[1] if left else None
        return files

    committed = add_files(
        repo, accept, lambda _: f"Restore {len(ids)} archived submissions",
        branch=current_branch(repo), remote=None,
    )  # fmt: skip
    return Moved(committed=committed, submissions=ids)


def _ended(snapshot: Snapshot, name: str, now: dt.datetime) -> Phase:
    """The phase of a name, which has ended. Raises UsageError."""
    benchmark = snapshot.benchmark(name.partition("/")[0])
    phase = benchmark.phase(name.partition("/")[2])
    if phase is None:
        slugs = ", ".join(f"{benchmark.name}/{one.slug}" for one in benchmark.phases)
        raise UsageError(f"there is no phase '{printable(name)}'", hint=f"Phases: {slugs}.")
    if phase.end is None or now < phase.end:
        when = f"ends on {moment_text(phase.end)}" if phase.end else "has no end"
        raise UsageError(
            f"{benchmark.name}/{phase.slug} {when}; only an ended phase is archived",
            hint=f"Set its `end` in {benchmark.path}/competition.yaml, or wait for it.",
        )
    return phase


def _candidates(
    snapshot: Snapshot, phase: Phase, now: dt.datetime
) -> Iterator[tuple[Submission, str]]:
    carried: dict[str, Phase] = {}
    for item in entries(snapshot, _LAST):
        other = snapshot.benchmarks[item.benchmark].phase(item.phase)
        if other is not None and (other.end is None or now < other.end):
            carried[item.id] = other
    for item in snapshot.submissions:
        files = files_of(snapshot.tree, item.path)
        if item.phase != phase.slug or item.path in snapshot.tree.archived or not files:
            continue
        if item.id in carried:
            yield item, f"it is carried into '{carried[item.id].name}', which has not ended"
        elif item.kind.brings_data:
            yield item, "others are evaluated on it"
        elif not all(entry.is_regular for entry in files.values()):
            yield item, "it has links, which no archive holds"
        else:
            yield item, ""


def _archive_commit(
    repo: Repo, tree: Tree, folders: Mapping[str, Mapping[str, TreeEntry]], phase: Phase, name: str
) -> str:
    """Write the commit of an archive, the same one whenever the same files are archived."""
    files = {f"{path}/{file}": entry for path, inner in folders.items()
             for file, entry in inner.items()}  # fmt: skip
    files |= {f"{path}/{FILE_NAME}": tree.entries[f"{path}/{FILE_NAME}"] for path in folders}
    fetch_missing(repo, [entry.blob for entry in files.values()])
    at = int(phase.end.timestamp()) if phase.end else 0
    return write_commit(repo, None, files, f"Archive of {name}", at=at)


def pointer_file(pointer: Pointer) -> tuple[str, bytes]:
    path = f"{FOLDER}/{pointer.benchmark}/{pointer.phase}/{pointer.commit[:12]}.json"
    content = msgspec.json.format(msgspec.json.encode(pointer, order="sorted"), indent=1) + b"\n"
    try:
        read_pointer(content, path)
    except ValueError as error:  # msgspec's among them
        raise UsageError(
            f"a submission has a name that no archive holds: {error}",
            hint="`pullbench validate` names it; rename it first.",
        ) from None
    return path, content
