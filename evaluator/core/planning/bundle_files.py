"""A benchmark of a snapshot as the files of a bundle."""

from evaluator.core.errors import Actor, InvalidInputError, Problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.git.tree import Tree
from evaluator.core.importers.files import Files
from evaluator.core.planning.snapshot import Snapshot


def bundle_files(snapshot: Snapshot, name: str) -> tuple[Benchmark, Files]:
    """Return a benchmark and its files, whose paths are from its directory.

    Raises UsageError where there is no such benchmark, InvalidInputError with all that is wrong
    with it, or where links are among its files.
    """
    errors = [
        problem
        for problem in snapshot.problems
        if problem.severity == "error" and problem.file.startswith(f"benchmarks/{name}/")
    ]
    if errors and name not in snapshot.benchmarks:
        raise InvalidInputError(errors)
    benchmark = snapshot.benchmark(name)
    return benchmark, _regular_files(snapshot.tree, benchmark.path)


def _regular_files(tree: Tree, folder: str) -> Files:
    paths = tree.under(folder)
    links = [path for path in paths if not tree.entries[path].is_regular]
    if links:
        raise InvalidInputError(
            Problem(
                file=path, message="is a link or a submodule", actor=Actor.ORGANISER,
                hint="Replace it by the file or folder that it points to.",
            )
            for path in links
        )  # fmt: skip
    return {
        path.removeprefix(f"{folder}/"): (content, tree.entries[path].mode == "100755")
        for path, content in tree.read(paths).items()
    }
