"""Solutions that bundles ship: which submissions have their files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.tree import Tree


def mark_solutions(
    tree: Tree, benchmarks: Mapping[str, Benchmark], submissions: Sequence[Submission]
) -> list[Submission]:
    solutions = {name: _contents(tree, item) for name, item in benchmarks.items()}
    return [
        replace(item, solution=solution)
        if (contents := solutions[item.benchmark]) and (solution := _same(tree, item, contents))
        else item
        for item in submissions
    ]


def _contents(tree: Tree, benchmark: Benchmark) -> dict[str, dict[str, str]]:
    """Solution -> path -> git's id of its content, of those that have files."""
    contents = {item.path: content_blobs(tree, f"{benchmark.path}/{item.path}")
                for item in benchmark.solutions if item.path}  # fmt: skip
    return {path: blobs for path, blobs in contents.items() if blobs}


def _same(tree: Tree, submission: Submission, contents: Mapping[str, Mapping[str, str]]) -> str:
    folder = tree.entries.folders.get(submission.path)
    for path, blobs in contents.items():
        if folder is not None and folder.may_hold(next(iter(blobs.values()))):
            submitted = content_blobs(tree, submission.path)
            if submitted == blobs:
                return path
    return ""


def content_blobs(tree: Tree, place: str) -> dict[str, str]:
    """Contents below a folder, or of a file, without what an entry has of its own."""
    if place in tree.entries:
        return {place.rpartition("/")[2]: tree.entries[place].blob}
    below = {path[len(place) + 1 :]: tree.entries[path].blob for path in tree.under(place)}
    return {
        path: blob for path, blob in below.items()
        if path != FILE_NAME and path.partition("/")[0] != SCORES
    }  # fmt: skip
