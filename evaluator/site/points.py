"""Points in a benchmark's history worth looking at: tags, and the last commit of days of change."""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.core.formats.names import POINTS, is_reserved
from evaluator.core.git.commands import Repo, object_ids
from evaluator.core.git.history import first_parents_of, tags

_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
"""Names of tags that can stand in an address as they are."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A commit at which something of a benchmark is other than at the moment before."""

    commit: str
    at: dt.datetime
    tags: tuple[str, ...]
    """Of commits with the same content, this one's among them."""
    folders: tuple[str, ...]
    """Names for addresses, one at least: of the day or of tags."""
    content: tuple[str | None, str | None]
    """git's ids of the benchmark's bundle and submissions."""


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    commit: str
    at: dt.datetime
    place: int
    """Larger is later."""
    tags: tuple[str, ...]
    is_last_of_day: bool


def moments(repo: Repo, commit: str, benchmarks: Sequence[str]) -> Mapping[str, Sequence[Moment]]:
    """Return the moments of each benchmark, the oldest first.

    Two exchanges with git and one for all contents, however long the history is.
    """
    candidates = _candidates(repo, commit)
    asked = [
        f"{candidate.commit}:{folder}/{name}"
        for name in benchmarks
        for candidate in candidates
        for folder in ("benchmarks", "submissions")
    ]
    ids = iter(object_ids(repo, asked))
    return {name: _moments_of(candidates, [(next(ids), next(ids)) for _ in candidates])
            for name in benchmarks}  # fmt: skip


def _candidates(repo: Repo, commit: str) -> list[_Candidate]:
    """Find commits with a tag, and each day's last, the oldest first."""
    named: dict[str, list[str]] = defaultdict(list)
    for name, target in tags(repo, commit):
        named[target].append(name)
    candidates: list[_Candidate] = []
    days: set[dt.date] = set()
    for place, (name, at, *_) in enumerate(first_parents_of(repo, commit)):
        last = at.date() not in days
        days.add(at.date())
        tags_here = tuple(sorted(named.get(name, ())))
        if last or tags_here:
            candidates.append(
                _Candidate(commit=name, at=at, place=-place, tags=tags_here, is_last_of_day=last)
            )
    return candidates[::-1]


def _moments_of(
    candidates: Sequence[_Candidate], contents: Sequence[tuple[str | None, str | None]]
) -> list[Moment]:
    moments: list[Moment] = []
    used: set[str] = set()
    for candidate, content in zip(candidates, contents, strict=True):
        if content[0] is None:
            continue  # it was not there yet
        folders = [_folder(tag, candidate.commit) for tag in candidate.tags]
        if moments and moments[-1].content == content:
            last = moments.pop()
            # A tagged commit of a day whose last one has the same content.
            day = [candidate.at.date().isoformat()] if _ends_day(candidate, last) else []
            others = used - {*last.folders}
            wanted = [name for name in (*day, *last.folders, *folders) if name not in others]
            used.update(wanted)
            moments.append(
                replace(
                    last, tags=(*last.tags, *candidate.tags), folders=tuple(dict.fromkeys(wanted))
                )
            )
            continue
        if candidate.is_last_of_day:
            folders.insert(0, candidate.at.date().isoformat())
        folders = [name for name in dict.fromkeys(folders) if name not in used]
        used.update(folders)
        if folders:
            moments.append(
                Moment(commit=candidate.commit, at=candidate.at, tags=candidate.tags,
                       folders=tuple(folders), content=content)
            )  # fmt: skip
    return moments


def _ends_day(candidate: _Candidate, last: Moment) -> bool:
    return candidate.is_last_of_day and candidate.at.date() == last.at.date()


def _folder(tag: str, commit: str) -> str:
    """Return a tag's name where it can be part of an address, and is no day and no page."""
    if _PLAIN.fullmatch(tag) and not _DAY.fullmatch(tag) and not is_reserved(tag, POINTS):
        return tag
    return f"tag-{commit[:12]}"
