"""The site brought up to date, by what is carried from another machine and what changed since."""

from collections.abc import Mapping
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.git.tree import begin_reading
from evaluator.core.log import say

Built = tuple[Path, Mapping[str, str]]
"""Folder of a site, and what was left out of it: path -> why."""


def update_site(start: Path, carried: Path | None = None, key: str = "") -> Built:
    """Build the site where anything changed. Raises UsageError.

    ``carried`` is a file with what a machine before left of the site, and is replaced by what this
    one leaves; ``key`` is what it was packed with.
    """
    if carried is None or not key:
        return _update(start)
    from evaluator.site.carried import pack_site, unpack_site

    say(f"{unpack_site(start, carried, key)} files are here of the site as it was built before")
    built = _update(start)
    pack_site(start, carried, key)
    return built


def _update(start: Path) -> Built:
    read = begin_reading(start)  # git looks at the files while programs are loaded
    from evaluator.site.unchanged import unchanged_site

    tree = read()
    folder = unchanged_site(start, tree, utc_now())
    if folder is not None:
        return folder, {}
    from evaluator.site.build import build_site

    built = build_site(start, tree)
    return built.folder, built.left_out
