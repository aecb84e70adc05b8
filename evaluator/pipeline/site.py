"""leaderboard -> site."""

from collections.abc import Mapping
from pathlib import Path

Built = tuple[Path, Mapping[str, str]]
"""Folder of a site, and what was left out of it: path -> why."""


def build_site(start: Path, carried: Path | None = None, key: str = "") -> Built:
    """Build the site where anything changed. Raises UsageError.

    ``carried`` is a file with what a machine before left of the site, and is replaced by what this
    one leaves; ``key`` is what it was packed with.
    """
    if carried is None or not key:
        return _build_site(start)
    from evaluator.log import say
    from evaluator.site.carried import pack_site, unpack_site

    say(f"{unpack_site(start, carried, key)} files are here of the site as it was built before")
    built = _build_site(start)
    pack_site(start, carried, key)
    return built


def _build_site(start: Path) -> Built:
    from evaluator.clock import utc_now
    from evaluator.git.tree import begin_reading

    read = begin_reading(start)  # git looks at the files while programs are loaded
    from evaluator.site.unchanged import unchanged_site

    tree = read()
    folder = unchanged_site(start, tree, utc_now())
    if folder is not None:
        return folder, {}
    from evaluator.site.build import build_site

    built = build_site(start, tree)
    return built.folder, built.left_out


def serve_site(folder: Path, port: int) -> None:
    """Serve a built site on a loopback address until ^C. Raises UsageError."""
    from evaluator.site.serving import serve

    serve(folder, port)
