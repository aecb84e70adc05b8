"""What landed on a branch since it was last compared, against what was shown and approved.

The ledger holds the tips that were compared, and what differed. The walk goes from parent to parent
down to one of them: neither a commit's date nor its message hides it. A merge is assigned to a pull
request by its head, other commits by the submissions that they bring, with the content that these
were received with; a number in a message adds a comparison.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from pydantic import AwareDatetime

from evaluator.ci.git.merge_changes import differences, digest_of, list_paths, merge_bases
from evaluator.ci.git.raw_trees import Change
from evaluator.ci.git.raw_trees import changes as compare
from evaluator.ci.git.remote import boundary, complete
from evaluator.ci.ledger.arrivals import brought_by, pull_requests_of
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, COMPARED, LANDED, Note, note_json, shard
from evaluator.ci.ledger.versions import DEPTH, NO_CONTENT
from evaluator.core.errors import RefusedError
from evaluator.core.formats.cache import Cache, cache_key, digest_of_programs
from evaluator.core.formats.cell import digest
from evaluator.core.formats.repository_status import UnreviewedCommit
from evaluator.core.git.commands import Landed, Repo, first_parents_of, list_entries
from evaluator.core.git.tree import Tree

MENTION = r"\(#[0-9]+\)|^Merge pull request #[0-9]+ "
"""In each message that may name one; for git, too."""
_NUMBER = "#([1-9][0-9]{0,8})"
_SUBJECTS = (
    # Merged by GitHub, by Gitea, and squashed by either, which add the number themselves: titles
    # are the participant's, so that only what stands behind them counts.
    re.compile(rf"Merge pull request {_NUMBER} from \S+"),
    re.compile(rf"Merge pull request '.*' \({_NUMBER}\) from \S+ into \S+", re.DOTALL),
    re.compile(rf".* \({_NUMBER}\)", re.DOTALL),
)


def number_of(subject: str) -> int | None:
    matches = filter(None, (pattern.fullmatch(subject) for pattern in _SUBJECTS))
    return next((int(match[1]) for match in matches), None)


MAX_COMMITS = 100
"""Those that are compared where nobody knows what was compared before: the last."""
changes = lru_cache(MAX_COMMITS)(compare)  # with what was shown, and with what was approved


def recent_unreviewed(tree: Tree, cache: Cache | None = None) -> list[UnreviewedCommit]:
    """Compare the last commits; ``cache`` names those that an earlier call found right."""
    if tree.commit is None:
        return []
    repo = tree.repository
    latest = first_parents_of(repo, tree.commit, f"--max-count={MAX_COMMITS}")
    key = cache_key("unreviewed", digest_of_programs())
    before = bytes((cache and cache.get(key)) or b"").decode().split()
    found = list(_not_as_shown(repo, [one for one in latest if one.commit not in before]))
    # What a clone knows of a merge depends on how deep it is.
    wrong = {one.commit for one in found}
    right = [one.commit for one in latest if len(one.parents) == 1 and one.commit not in wrong]
    if cache and right != before:
        cache.put(key, "\n".join(right).encode())
    return found


def _not_as_shown(repo: Repo, commits: Iterable[Landed]) -> Iterator[UnreviewedCommit]:
    """Yield commits of a branch that did something else than was shown: a merge says it itself."""
    for commit, at, parents, subject in commits:
        try:
            fault = next(_faults(repo, commit, parents), None)
        except RefusedError as error:
            fault = error.message
        if fault:
            yield UnreviewedCommit(
                commit=commit, at=at, pull_request=number_of(subject), fault=fault
            )


def _faults(repo: Repo, commit: str, parents: list[str]) -> Iterator[str]:
    if len(parents) > 2:
        yield "merges several heads at once, which were not judged together"
    if not parents:
        return
    landed = changes(repo, parents[0], commit)
    if len(parents) == 2:
        bases = merge_bases(repo, *parents)
        if not bases:
            yield "merges a head without a common history"
            return
        visible = changes(repo, bases[0], parents[1])
        different = differences(repo, parents[0], visible, landed)
        shown_as = {change.path: change for change in visible}
        different += [
            change.path
            for change in landed
            if (seen := shown_as.get(change.path))
            and seen.old == change.old and seen.new != change.new
        ]  # fmt: skip
        if different:
            yield f"changed what the pull request did not show: {list_paths(sorted(different))}"
        if len(bases) > 1:
            yield f"merges a head with {len(bases)} merge bases"


_SHOWN = dt.timedelta(days=30)
"""Since it was noted, by CI's clock."""


class _Difference(Note):
    """That a commit did something else than was shown or approved."""

    commit: str
    at: AwareDatetime
    """When that was seen."""
    pull_request: int | None
    fault: str


_Step = tuple[Landed, Sequence[Change]]
"""A commit with what it changed of its first parent."""


def find_unreviewed(
    repo: Repo, tip: str, ledger: Ledger, remote: str | None, now: dt.datetime
) -> tuple[list[UnreviewedCommit], dict[str, bytes]]:
    """Compare what came since the last noted tip, or the last commits; return it, and its notes."""
    if is_known := bool(ledger.entries.names(COMPARED)):
        complete(repo, remote, tip)
    commits, met = _since(repo, tip, ledger)
    is_cut = is_known and not met and commits[-1].commit in boundary(repo)
    commits = commits if met else commits[:MAX_COMMITS]
    new = [*_not_as_shown(repo, commits), *_not_as_approved(repo, commits, ledger)]
    if is_known and not met and not is_cut:
        count = MAX_COMMITS
        fault = f"was written anew: no commit in its line was compared before, and {count} are"
        new.append(UnreviewedCommit(commit=tip, at=now, pull_request=None, fault=fault))
    new = [replace(item, at=now) for item in new]
    notes = {}
    for item in new:
        name = f"{item.commit}-{digest([item.pull_request, item.fault])[:16]}"
        notes[f"{LANDED}/{name}.json"] = note_json(_Difference(**vars(item)))
    if commits and not is_cut:
        notes[_compared(tip)] = b"{}\n"
    noted = ledger.notes([*{*ledger.entries.below(LANDED)} - {*notes}], _Difference)
    shown = (UnreviewedCommit(**dict(note)) for _, note in noted if now - note.at < _SHOWN)
    return [*new, *shown], notes


def _since(repo: Repo, tip: str, ledger: Ledger) -> tuple[list[Landed], bool]:
    """Commits down to a noted one, if there is one; ``git log A..B`` trusts dates."""
    commits: list[Landed] = []
    following: Sequence[str] = [tip]
    while following:
        page = first_parents_of(repo, following[0], f"--max-count={MAX_COMMITS}")
        ledger.entries.read_folders(_compared(landed.commit) for landed in page)
        for landed in page:
            if _compared(landed.commit) in ledger.entries:
                return commits, True
            commits.append(landed)
        following = page[-1].parents if ledger.entries.names(COMPARED) else ()
    return commits, False


def _compared(commit: str) -> str:
    return f"{shard(COMPARED, commit)}/{commit}.json"


def _not_as_approved(
    repo: Repo, commits: Iterable[Landed], ledger: Ledger
) -> Iterator[UnreviewedCommit]:
    """Compare with approvals; a rebase's last commits look like an organiser's push."""
    if not ledger.entries.names(APPROVED):
        return
    for run in _runs(repo, commits):
        seen: set[int] = set()
        for position, (landed, landed_changes) in enumerate(run):
            brought = _brought(repo, landed, landed_changes, ledger)
            mentioned = {number} if (number := number_of(landed.subject)) else set()
            for number in sorted((brought | mentioned) - seen):
                approved = ledger.approved_changes(number)
                if approved is None:
                    continue
                seen |= {number} & brought
                if approved.isdisjoint(_digests(repo, run[position:])):
                    paths = list_paths([change.path for change in landed_changes])
                    yield UnreviewedCommit(
                        commit=landed.commit, at=landed.at, pull_request=number,
                        fault="changed something else than was approved, by itself and with the "
                        f"commits before it: {paths}",
                    )  # fmt: skip


def _runs(repo: Repo, commits: Iterable[Landed]) -> Iterator[list[_Step]]:
    """Yield commits that may have landed together, the newest first; a merge by itself."""
    run: list[_Step] = []
    for landed in commits:
        steps: list[_Step] = []
        with suppress(RefusedError):  # `_not_as_shown` names it
            if landed.parents:
                steps = [(landed, changes(repo, landed.parents[0], landed.commit))]
        if len(landed.parents) == 1 and steps:
            run += steps
        else:
            yield run
            yield steps
            run = []
    yield run


def _brought(
    repo: Repo, landed: Landed, landed_changes: Iterable[Change], ledger: Ledger
) -> set[int]:
    if len(landed.parents) > 1:
        heads = (brought_by(ledger, parent) for parent in landed.parents[1:])
        return {number for number in heads if number}
    numbers: set[int] = set()
    for folder in {_submission(change.path) for change in landed_changes} - {""}:
        entries = list_entries(repo, landed.commit, folder)
        content = Tree(repo, landed.commit, entries, frozenset()).digest(folder, NO_CONTENT)
        numbers |= pull_requests_of(ledger, folder.partition("/")[2], content)
    return numbers


def _submission(path: str) -> str:
    """The folder of the submission whose content a file is part of; empty for none."""
    parts = path.split("/", DEPTH)
    if parts[0] != "submissions" or len(parts) <= DEPTH:
        return ""
    return "" if parts[DEPTH].partition("/")[0] in NO_CONTENT else "/".join(parts[:DEPTH])


def _digests(repo: Repo, steps: Sequence[_Step]) -> Iterator[str]:
    """Yield the digest of what the first commit did, of the first two together, and so on."""
    combined: dict[str, Change] = {}
    for _, its_changes in steps:
        for change in its_changes:
            later = combined.get(change.path, change)
            combined[change.path] = later._replace(old=change.old)
        ordered = (combined[path] for path in sorted(combined))
        differing = [change for change in ordered if change.old != change.new]
        yield digest_of(repo, steps[0][0].commit, differing)
