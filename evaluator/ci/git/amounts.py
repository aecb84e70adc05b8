"""How large a submission may be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluator.ci.git.history import base_of
from evaluator.core.errors import Problem, participants_problem
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.settings import Settings
from evaluator.core.git.commands import sizes
from evaluator.core.git.tree import Tree, read_tree


def beyond(
    path: str, has: str, blobs: Sequence[str], sizes: Mapping[str, int], settings: Settings
) -> Iterator[Problem]:
    """Report a submission with too many files or bytes; ``sizes`` are bytes by blob id."""
    total = sum(sizes.get(blob, 0) for blob in blobs)
    if len(blobs) > settings.max_files:
        yield participants_problem(
            path, f"{has} {len(blobs):,} files; the limit is {settings.max_files:,}",
            "Leave out what is not needed; an organiser may raise [tool.pullbench] max_files.",
        )  # fmt: skip
    if total > settings.max_bytes:
        yield participants_problem(
            path,
            f"{has} {total / 2**20:.1f} MiB; the limit is {settings.max_bytes / 2**20:.1f} MiB",
            "Leave out what is not needed; an organiser may raise [tool.pullbench] max_bytes.",
        )  # fmt: skip


def oversized(tree: Tree, paths: Iterable[str], settings: Settings) -> dict[str, str]:
    """Submissions that no pull request may bring, and why; but for those of the base."""
    repo, folders = tree.repository, tree.entries.folders
    _, base = base_of(repo, settings.branch)
    accepted = None if base is None else read_tree(repo, base)
    reasons: dict[str, str] = {}
    for path in paths:
        is_new = accepted is not None and accepted.digest(path, _SCORES) != tree.digest(
            path, _SCORES
        )
        if path in tree.archived or path not in folders or not (is_new or tree.is_changed(path)):
            continue
        names = folders[path].submitted
        blobs = [folders[path].entries[name].blob for name in names]
        unsaved = tree.unsaved_sizes(names)
        known = sizes(repo, sorted({*blobs} - unsaved.keys())) | unsaved
        for problem in beyond(path, "has", blobs, known, settings):
            reasons[path] = f"{problem.file} {problem.message}. {problem.hint}"
    return reasons


_SCORES = frozenset({SCORES})
