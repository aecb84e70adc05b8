"""Why a cell is stale: the parts of its key that changed, each with the commit that did it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.core.formats.cell import PART_NAMES, STAGES, changed_parts
from evaluator.core.formats.record import shortened
from evaluator.core.git.tree import Tree
from evaluator.core.planning.digests import build_context

if TYPE_CHECKING:
    from evaluator.core.planning.plan import Cell


class Explainer:
    """Explains stale cells; asks git once for each cause."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._last_change = lru_cache(maxsize=None)(tree.last_change)

    def __call__(self, cell: "Cell", old: Mapping[str, str]) -> str:
        """Return the reason for one cell, by the parts of its record's key."""
        changed = changed_parts(old, shortened(cell.keys.parts))
        if not changed:
            return "evaluated by another version of pullbench"
        return "; ".join(self._change_of(cell, part) for part in changed)

    def _change_of(self, cell: "Cell", part: str) -> str:
        text = f"{PART_NAMES[part]} changed"
        paths = _part_paths(self._tree, cell, part)
        if not paths:
            return text
        commit = self._last_change(paths)
        return f"{text} in {commit}" if commit else f"{text}, not committed"


def _part_paths(tree: Tree, cell: "Cell", part: str) -> tuple[str, ...]:
    base = cell.benchmark.path
    if part == "submission":
        return (cell.submission.path,)
    if part == STAGES:
        return (cell.submission.path, f"{base}/competition.yaml")
    if part == "image":
        names = {"", cell.submission.environment}
        paths = [p for name in names for p in build_context(tree, cell.benchmark, name).values()]
        return (f"{base}/competition.yaml", *sorted(paths))
    if part in {"limits", "columns", "repeat"}:
        return (f"{base}/competition.yaml",)
    if part == "input_data" and cell.benchmark.repeat_data_of(cell.task) == "rows":
        part = "reference_data"
    if any(item.file == part for item in cell.task.private):
        return (f"{base}/competition.yaml",)
    if part == "input_data":
        path = cell.benchmark.data_path(cell.task, "input_data", cell.id.repeat)
    elif part == "reference_data":
        path = cell.benchmark.data_path(cell.task, "reference_data", cell.id.repeat)
    else:
        program: str | None = getattr(cell.task, part)
        path = program and f"{base}/{program}"
    return (path,) if path else (f"{base}/competition.yaml",)
