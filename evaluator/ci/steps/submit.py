"""From a folder to a branch with a submission, without touching anybody's working tree."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import compare_address, find_forge
from evaluator.ci.git.branch import push_branch
from evaluator.ci.git.remote import repository_at
from evaluator.core.errors import Actor, InvalidInputError, UsageError
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.names import PARTICIPANTS, is_reserved, name_problem
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import Service

MAX_FILES = 2000
MAX_BYTES = 50 * 2**20
"""Of one submission; larger data belongs elsewhere, with a digest."""
SEAL_ENTRY = Service[Callable[[Snapshot, Submission, Mapping[str, bytes]], dict[str, bytes]]](
    "sealing.entry", "entries are sealed by the plugin 'sealed', which is not installed",
    "Leave out --seal, or install all of pullbench.",
)  # fmt: skip
"""Returns the files of a submission encrypted to the organisers; their own copy is left alone."""
_LEFT_OUT = {".git", "__pycache__", SCORES, ".DS_Store"}


@dataclass(frozen=True, kw_only=True)
class Submitted:
    """The pushed branch, and its pull request."""

    branch: str
    commit: str
    opened: bool
    address: str
    """Of the pull request, or at which to open it; empty without a forge."""


def submit(
    start: Path, folder: Path, *,
    benchmark: str, participant: str | None, name: str | None, remote: str, seal: bool = False,
) -> Submitted:  # fmt: skip
    """Push a folder as a submission. Raises InvalidInputError with what ``validate`` refuses."""
    repo = open_repository(start)
    participant, name = entry_names(
        repo, participant or "", name or folder.resolve().name, option="--participant and --name"
    )
    files = _read(folder)
    snapshot = read_snapshot(read_tree(repo, "HEAD"))
    target, base = snapshot.benchmark(benchmark), snapshot.settings.branch
    if FILE_NAME not in files:
        raise UsageError(
            f"{folder} has no {FILE_NAME}",
            hint="An empty one will do where the files tell what they are.",
        )
    location = (benchmark, participant, name)
    submission, problems = parse_submission(location, files[FILE_NAME], list(files), target)
    if submission is None:
        raise InvalidInputError(problems)
    if seal:
        files = SEAL_ENTRY.need()(snapshot, submission, files)
    branch = f"submit/{benchmark}/{participant}/{name}"
    paths = {f"{submission.path}/{path}": content for path, content in files.items()}
    pushed, address = repository_at(repo, remote), snapshot.settings.forge
    upstream = repository_at(repo, address) if address else ""
    is_fork = bool(pushed and upstream) and pushed.casefold() != upstream.casefold()
    commit = push_branch(
        repo, branch, paths, remote=remote, upstream=address if is_fork else None, base=base,
        message=f"Submit {submission.id}\n\n{submission.title}\n",
    )  # fmt: skip
    owner, _, repository = pushed.partition("/")
    head = f"{owner}:{branch}" if owner else branch
    siblings = is_fork and owner.casefold() == upstream.partition("/")[0].casefold()
    by_hand = f"{owner}:{repository}:{branch}" if siblings else head
    compare = compare_address(address, head=by_hand, base=base) if address else ""
    forge = find_forge(address)
    if forge is None:
        return Submitted(branch=branch, commit=commit, address=compare, opened=False)
    try:
        opened = forge.open_pull_request(
            head=head, base=base, title=f"Submit {submission.id}", body=submission.description,
            head_repo=pushed if siblings else "",
        )  # fmt: skip
    except ForgeError as error:
        error.hint = (
            f"{error.hint} The branch is pushed: open the pull request at {compare}".strip()
        )
        raise
    return Submitted(branch=branch, commit=commit, address=opened, opened=True)


def entry_names(repo: Repo, login: str, name: str, *, option: str) -> tuple[str, str]:
    """A participant, by default who makes commits here, and a name. Raises UsageError."""
    login = login or slug(str(repo.gitpython.config_reader().get_value("user", "name", "")))
    for part in (login, name):
        if problem := name_problem(shown(part), "", Actor.PARTICIPANT):
            raise UsageError(problem.message, hint=f"{problem.hint} The option is {option}.")
    if is_reserved(login, PARTICIPANTS):
        raise UsageError(
            f"the participant's name '{login}' is that of a file of the site",
            hint=f"Name yourself with {option}.",
        )
    return login, name


def _read(folder: Path) -> dict[str, bytes]:
    """Plain files below a folder, by path; refuses links and absurd sizes."""
    files: dict[str, bytes] = {}
    total = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        for name in sorted(set(names) - _LEFT_OUT):
            file = Path(parent, name)
            path = file.relative_to(folder).as_posix()
            fault = path_fault(path)
            if fault is None and (file.is_symlink() or not file.is_file()):
                fault = "is a link or a special file"
            if fault:
                raise UsageError(f"{shown(path)} {fault}", hint="Submit plain files only.")
            total += file.stat().st_size
            if len(files) >= MAX_FILES or total > MAX_BYTES:
                raise UsageError(
                    f"{folder} holds more than {MAX_FILES} files or {MAX_BYTES // 2**20} MiB",
                    hint="Leave out what is not needed to run it.",
                )
            files[path] = file.read_bytes()
    return files
