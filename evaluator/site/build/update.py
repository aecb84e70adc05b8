"""The site brought up to date, where anything is different from what the build before used.

One digest of everything that a site is a function of is compared before anything of it is read.
The programs for pages are not even loaded.
"""

import gc
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.git.tree import begin_reading
from evaluator.core.log import say
from evaluator.site.build.inputs import unchanged_site

Built = tuple[Path, Mapping[str, str]]


def update_site(
    start: Path, carried: Path | None = None, key: str = "", queue: bytes = b""
) -> Built:
    """Build the site where anything changed, and replace ``carried`` for a later machine.

    ``queue`` is what ``pullbench pr list --json`` said.
    """
    gc.disable()  # an eighth of a build is to look for rubbish, and there is none
    try:
        if carried is None or not key:
            return _update(start, queue)
        from evaluator.site.build.carried import pack_site, unpack_site

        say(f"{unpack_site(start, carried, key)} files are here of the site as it was built before")
        built = _update(start, queue)
        pack_site(start, carried, key)
    finally:
        gc.enable()
    return built


def _update(start: Path, queue: bytes) -> Built:
    read = begin_reading(start)  # git looks at the files while programs are loaded
    tree = read()
    folder = unchanged_site(start, tree, utc_now(), queue)
    if folder is not None:
        return folder, {}
    from evaluator.site.build.build import build_site

    built = build_site(start, tree, queue)
    return built.folder, built.left_out
