"""What a site is a function of, as one digest, and whether a built one is of the present."""

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from evaluator.core.formats.cache import Cache, cache_key, digest_of_files, digest_of_programs
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree
from evaluator.site.build.output import COMPUTED, read_manifest

CONFIGURATION = "mkdocs.yml"


def unchanged_site(root: Path, tree: Tree, now: dt.datetime, queue: bytes = b"") -> Path | None:
    """The folder of the site where a build would leave each of its files as it is."""
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
