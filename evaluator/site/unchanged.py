"""Whether a site stands as the build before left it, and so would the next one.

One digest of everything that a site is a function of is compared before anything of it is read.
The programs for pages are not even loaded.
"""

import datetime as dt
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from evaluator.core.formats.cache_files import (
    cache_key,
    digest_of_files,
    read_checksummed,
    write_checksummed,
)
from evaluator.core.git.history import history_digest
from evaluator.core.git.tree import Tree
from evaluator.site.fingerprints import of_programs
from evaluator.site.output import listing_digest

CACHE = "build/cache/site"
"""What a build leaves for the next one."""
CONFIGURATION = "mkdocs.yml"
_NOTE = "last-build.json"


class LastBuild(msgspec.Struct, frozen=True, kw_only=True):
    """What a build notes when it is done."""

    inputs: str
    """Digest of all that the site is made of, as it was when the build began."""
    sources: list[str]
    """Folders that MkDocs read."""
    site: str
    """The site's folder."""
    files: str
    """Digest of the names, sizes and times of all its files."""
    since: dt.datetime
    until: dt.datetime
    """The time within which no phase begins or ends, so that the clock changes nothing."""


_DECODER = msgspec.json.Decoder(LastBuild)


def inputs_of(root: Path, tree: Tree, sources: Iterable[str]) -> str:
    """Digest of all that a site is a function of, but the clock."""
    changed = [(path, tree.entries.get(path)) for path in sorted(tree.dirty)]
    return cache_key(
        str(root), of_programs(), str(tree.commit), repr(changed), history_digest(tree.repository),
        (root / CONFIGURATION).read_bytes(), *(digest_of_files(Path(one)) for one in sources),
    )  # fmt: skip


def unchanged_site(root: Path, tree: Tree, now: dt.datetime) -> Path | None:
    """Return the folder of the site where a build would leave each of its files as it is."""
    try:
        note = _DECODER.decode(read_checksummed(root / CACHE / _NOTE))
        if not note.since <= now < note.until or note.inputs != inputs_of(root, tree, note.sources):
            return None
        settings = tomllib.loads(tree.read(["pyproject.toml"]).get("pyproject.toml", b"").decode())
        if settings.get("tool", {}).get("pullbench", {}).get("hub"):
            return None  # what others publish may be different at any time
    except (OSError, ValueError):
        return None
    site = Path(note.site)
    return site if listing_digest(site) == note.files else None


def forget(root: Path) -> None:
    """Take back the note of the last build: files of the site are about to change."""
    (root / CACHE / _NOTE).unlink(missing_ok=True)


def note_build(root: Path, note: LastBuild) -> None:
    write_checksummed(root / CACHE / _NOTE, msgspec.json.encode(note))


def steady_time(
    now: dt.datetime, boundaries: Iterable[dt.datetime | None]
) -> tuple[dt.datetime, dt.datetime]:
    """Return the time around ``now`` within which no boundary lies."""
    past, future = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
    for one in boundaries:
        if one is not None and one <= now:
            past = max(past, one)
        elif one is not None:
            future = min(future, one)
    return past, future
