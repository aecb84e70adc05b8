"""Ownership of paths: a pull request's changes, judged by the base branch's rules."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from evaluator.ci.git.amounts import beyond
from evaluator.ci.git.merge_changes import forks
from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.ci.git.raw_trees import Change, changes
from evaluator.ci.opened.proposal import submissions_in, submitted
from evaluator.core.errors import Actor, Problem, participants_problem
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.paths import LFS_POINTER, path_fault, shown
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import Submission
from evaluator.core.git.commands import Repo, read_blobs, sizes
from evaluator.core.git.listing import SUBMODULE, TreeEntry
from evaluator.core.git.tree import Tree
from evaluator.core.plugins import Contract

_POINTER_BYTES = 1024
"""No Git LFS pointer is longer."""
FILES_ELSEWHERE = Contract[Callable[[Submission], Collection[str]]]("files_elsewhere")
"""Each returns files of a submission that runners fetch, for which git has a pointer alone."""


@dataclass(frozen=True, kw_only=True)
class Changed:
    """What a pull request changes, as far as it must be known to judge it."""

    changes: Sequence[Change]
    sizes: Mapping[str, int]
    """Bytes by blob id."""
    starts: Mapping[str, bytes]
    """First bytes, by path, of the files that are small enough to be pointers."""
    submissions: Mapping[str, Sequence[str]]
    """Path of each submission that is touched -> blob ids of its files after the merge."""


def changed_in(repo: Repo, proposed: Sequence[Change], tree: Tree) -> Changed:
    """What must be known of changes; ``tree`` holds them, a working tree some of them."""
    folders = tree.entries.folders
    submissions = {
        path: [folder.entries[name].blob for name in folder.submitted]
        for path in (f"submissions/{name}" for name in sorted(submissions_in(proposed)))
        if (folder := folders.get(path)) and path not in tree.archived
    }
    ids = {change.new.blob for change in proposed if change.new and change.new.is_regular}
    files = (entry for path in submissions for entry in folders[path].entries.values())
    submodules = {entry.blob for entry in files if entry.mode == SUBMODULE}
    blob_sizes = sizes(repo, sorted(ids.union(*submissions.values()) - submodules))
    blob_sizes |= tree.unsaved_sizes(change.path for change in proposed)
    blobs = {change.path: change.new.blob for change in proposed if change.new}
    small = {
        path: blob for path, blob in blobs.items()
        if blob_sizes.get(blob, _POINTER_BYTES + 1) <= _POINTER_BYTES
    }  # fmt: skip
    starts = tree.read(path for path in small if path in tree.dirty)
    saved = {path: blob for path, blob in small.items() if path not in tree.dirty}
    starts |= zip(saved, read_blobs(repo, list(saved.values())), strict=True)
    return Changed(changes=proposed, sizes=blob_sizes, starts=starts, submissions=submissions)


def judge_changes(
    changed: Changed, actor: str | None, settings: Settings, participants: Collection[str],
    submissions: Iterable[Submission],
) -> Iterator[Problem]:  # fmt: skip
    """Report what ``actor``, a login, may not change; without one, ownership is not judged.

    Of ``submissions``, which are those after the merge, it is asked which pointers runners follow.
    """
    if not changed.changes:
        yield participants_problem(
            "submissions", "nothing is changed", "Add a submission's directory."
        )
    organiser = actor is None or settings.is_organiser(actor)
    own_names = names_of(actor, settings) if actor is not None else set()
    for change in changed.changes:
        problem = None if actor is None else _record_problem(change, organiser)
        if problem is None and not organiser:
            problem = _place_problem(change, own_names)
        if problem is None and change.new is not None:
            problem = _form_problem(change.path, change.new)
        if problem is not None:
            yield problem
    for name in sorted({change.path.split("/")[2] for change in submitted(changed.changes)}):
        if name.casefold() in own_names or organiser:
            yield from _imitations(name, settings, participants)
    yield from _amount_problems(changed, settings, organiser=organiser)
    followed = {
        f"{submission.path}/{name}"
        for submission in submissions if submission.path in changed.submissions
        for elsewhere in FILES_ELSEWHERE.values()
        for name in elsewhere(submission)
    }  # fmt: skip
    for path, start in changed.starts.items():
        if start.startswith(LFS_POINTER) and path not in followed:
            actor = Actor.of(path)
            yield Problem(
                file=shown(path), message="is a Git LFS pointer, not the file",
                hint="Commit the file itself: `git lfs untrack` it, or "
                + (
                    "give its address to `artefacts`, if the benchmark takes them."
                    if actor is Actor.PARTICIPANT
                    else "keep it as private data."
                ),
                actor=actor,
            )  # fmt: skip


def judge_earlier(
    repo: Repo, base: str, head: str, actor: str, settings: Settings
) -> Iterator[Problem]:
    """Report commits before a head with changes that are not ``actor``'s, though it shows none.

    Merged, a commit is part of the base branch: another pull request that holds it, too, or the
    same one rebased, would bring what it changes, or take back what the base changed since. Its
    files are in everybody's clone, so that they have the limits of what is shown.
    Raises RefusedError.
    """
    names = names_of(actor, settings)
    reported: set[str] = set()
    brought: set[str] = set()
    for commit, fork in forks(repo, base, head).items():
        where = f"commit {commit[:10]}"
        if commit == head:
            continue
        if fork is None:
            yield participants_problem(
                where, "begins at several commits of the base branch, or at none", _MEND
            )
            continue
        for change in changes(repo, fork, commit):
            brought.update([change.new.blob] if change.new and change.new.is_regular else ())
            fault = _record_problem(change, organiser=False) or _place_problem(change, names)
            if (fault or path_fault(change.path)) and change.path not in reported:
                reported.add(change.path)
                message = f"changes {shown(change.path)[:200]}, which no merge of it may change"
                yield participants_problem(where, message, _MEND)
    fetch_missing(repo, brought)
    limits = beyond(
        "commits before the head", "have", [*brought], sizes(repo, [*brought]), settings
    )
    yield from (replace(problem, hint=_MEND) for problem in limits)


def names_of(login: str, settings: Settings) -> set[str]:
    """As whom a login enters, case-folded: itself and its teams."""
    wanted = login.casefold()
    teams = (
        team.casefold()
        for team, members in settings.teams.items()
        if wanted in {member.casefold() for member in members}
    )
    return {wanted, *teams}


_MEND = (
    "Put your FOLDER into one commit on top of the base branch, and push it in place of your "
    "BRANCH: `git fetch upstream && git switch -c again upstream/main && git checkout @{-1} -- "
    "FOLDER && git commit -m Again && git push --force origin HEAD:BRANCH`."
)


def _record_problem(change: Change, organiser: bool) -> Problem | None:
    """Refuse a changed record; an organiser may take one away, so that its cell runs again."""
    parts = change.path.split("/")
    if parts[0] != "submissions" or SCORES not in map(str.casefold, parts[4:5]):
        return None
    if organiser and change.new is None:
        return None
    return participants_problem(
        change.path, "is a record, which CI alone writes",
        "Leave scores/ out of the pull request; scores come by themselves.",
    )  # fmt: skip


def _place_problem(change: Change, own_names: Collection[str]) -> Problem | None:
    parts = change.path.split("/")
    names = " or ".join(sorted(own_names))
    if parts[0] != "submissions" or len(parts) < 5:
        return participants_problem(
            change.path, "is not a participant's to change",
            f"A participant's pull request adds submissions/<benchmark>/<{names}>/<name>/ "
            "and nothing else; an organiser changes the rest.",
        )  # fmt: skip
    if parts[2].casefold() not in own_names:
        return participants_problem(
            change.path, f"belongs to the participant '{shown(parts[2])}'",
            f"Enter as {names}; an organiser adds you to a team in [tool.pullbench.teams].",
        )  # fmt: skip
    return None


def _form_problem(path: str, entry: TreeEntry) -> Problem | None:
    """Refuse what a clone of the repository would trip over, or act upon."""
    if fault := entry.fault(path):
        return participants_problem(path, fault, "Only plain files with plain names are accepted.")
    name = path.rpartition("/")[2]
    if path.startswith("submissions/") and name.casefold().startswith(".git"):
        message = "would change how git treats the repository"
        return participants_problem(path, message, "Leave it out of the submission.")
    return None


def _imitations(name: str, settings: Settings, participants: Collection[str]) -> Iterator[Problem]:
    """Refuse a participant's directory that passes for another's, or for an organiser's."""
    if name in participants or name in settings.participants:
        return
    for other in sorted({*participants, *settings.teams, *settings.organisers}):
        if other.casefold() == name.casefold():
            if other in participants:
                message = f"differs from the participant '{other}' by case alone"
                hint = f"Use submissions/<benchmark>/{other}/."
                yield participants_problem(f"submissions/*/{name}", message, hint)
        elif looks_like(name, other):
            who = "participant" if other in participants else "name"
            yield participants_problem(
                f"submissions/*/{name}", f"looks like the {who} '{other}'",
                f"An organiser adds '{name}' to [tool.pullbench] participants if it is another.",
            )  # fmt: skip


def _amount_problems(changed: Changed, settings: Settings, *, organiser: bool) -> list[Problem]:
    """Refuse submissions that are too large, and too many at once unless an organiser adds them."""
    problems = [
        problem
        for path, blobs in changed.submissions.items()
        for problem in beyond(path, "has", blobs, changed.sizes, settings)
    ]
    if not problems and not organiser:
        added = [change.new.blob for change in changed.changes if change.new]
        problems += beyond("submissions", "would get", added, changed.sizes, settings)
    return problems


_ALSO = {"2": "z", "5": "s", "9": "g", "q": "g", "-": "", "_": "", ".": ""}
"""What Unicode does not list: it knows few letters within ASCII that look alike."""
_PAIRS = {"cl": "d", "vv": "w"}
_DIGITS = ({"6": "b"}, {"8": "b"})
"""Each by itself: nobody takes team-6 for team-8."""


def looks_like(name: str, other: str) -> bool:
    return any(
        _skeleton(name, choice) == _skeleton(other, choice) for choice in range(len(_DIGITS))
    )


@cache
def _skeleton(name: str, choice: int) -> str:
    alike = {**_unicode(), **_ALSO, **_DIGITS[choice], **_PAIRS}
    text = "".join(alike.get(letter, letter) for letter in name.casefold())
    for several, letter in alike.items():
        if len(several) > 1:
            text = text.replace(several, letter)
    return text


@cache
def _unicode() -> dict[str, str]:
    """Map what Unicode's confusables say of ASCII, in lower case: text -> what it looks like."""
    # Imported here: it reads a megabyte, and few commands judge names.
    from confusable_homoglyphs.confusables import confusables_data

    return {
        confusable["c"].casefold(): text.casefold()
        for text, alike in confusables_data.items()
        for confusable in alike
        if len(text) == 1 and text.isalpha()
        and not (len(confusable["c"]) == 1 and confusable["c"].islower())
        and confusable["c"].isalnum() and (text + confusable["c"]).isascii()
    }  # fmt: skip
