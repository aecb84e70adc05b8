"""The site brought up to date, where anything is different from what the build before used.

One digest of everything that a site is a function of is compared before anything of it is read.
The programs for pages are not even loaded.
"""

import datetime as dt
import gc
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.formats.cache import Cache, cache_key, digest_of_files, digest_of_programs
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree, begin_reading
from evaluator.core.log import say
from evaluator.site.output import COMPUTED, read_manifest

CONFIGURATION = "mkdocs.yml"
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
        from evaluator.site.carried import pack_site, unpack_site

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
    from evaluator.site.build import build_site

    built = build_site(start, tree, queue)
    return built.folder, built.left_out


def unchanged_site(root: Path, tree: Tree, now: dt.datetime, queue: bytes = b"") -> Path | None:
    """Return the folder of the site where a build would leave each of its files as it is."""
    manifest = read_manifest(Cache(root / COMPUTED))
    made_of = manifest and manifest.inputs
    if manifest is None or not made_of or not made_of.since <= now < made_of.until:
        return None
    try:
        if made_of.digest != digest_of_inputs(root, tree, made_of.sources, queue):
            return None
    except (OSError, ValueError):
        return None
    return Path(manifest.site) if manifest.is_intact() else None


def digest_of_inputs(root: Path, tree: Tree, sources: Iterable[str], queue: bytes = b"") -> str:
    changed = [(path, tree.entries.get(path)) for path in sorted(tree.dirty)]
    return cache_key(
        str(root), digest_of_programs(), str(tree.commit), repr(changed),
        _history_digest(tree.repository), (root / CONFIGURATION).read_bytes(), queue,
        *(digest_of_files(Path(one)) for one in sources),
    )  # fmt: skip


def _history_digest(repo: Repo) -> str:
    """Digest of what git says of a commit's history beside the commit: tags, and where it ends."""
    shallow = Path(repo.common_dir) / "shallow"
    end = shallow.read_bytes() if shallow.exists() else b""
    return cache_key(str(repo.git.for_each_ref("refs/tags")), end)
