"""Benchmarks that begin, from a template or from another one, and go out as a bundle."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.pipeline import snapshots

if TYPE_CHECKING:
    from evaluator.exports.codabench_bundle import Exported
    from evaluator.formats.bundle import Benchmark
    from evaluator.importers.scaffold_repository import Scaffolded


def templates() -> list[str]:
    """Return the names of what a benchmark may start from."""
    from evaluator.importers.scaffold import kinds

    return kinds()


def begin_repository(
    folder: Path,
    *,
    benchmark: str,
    template: str,
    title: str | None,
    forge: str,
    organisers: Sequence[str],
    package: str | None,
) -> "Scaffolded":
    """Write a repository with one benchmark, or renew what pullbench wrote. Raises UsageError."""
    from evaluator.formats.names import check_name
    from evaluator.importers.package import package_of
    from evaluator.importers.scaffold_repository import begin_repository

    pinned = package_of(package)
    check_name(benchmark)
    return begin_repository(
        folder, benchmark=benchmark, template=template, title=title, forge=forge,
        organisers=organisers, package=pinned,
    )  # fmt: skip


def begin_benchmark(start: Path, name: str, template: str, title: str | None) -> str:
    """Write a benchmark and its first submission; returns its path. Raises UsageError."""
    from evaluator.formats.names import check_name
    from evaluator.importers.scaffold import begin_benchmark

    check_name(name)
    return begin_benchmark(snapshots.take(start).tree.root, name, template, title)


def enter_solutions(start: Path, benchmark: str, participant: str) -> list[str]:
    """Write the solutions of a bundle as submissions; returns their paths. Raises UsageError."""
    from evaluator.clock import utc_now
    from evaluator.formats.names import check_name
    from evaluator.planning.solutions import solution_entries

    check_name(participant)
    snapshot = snapshots.take(start, only=benchmark)
    folders = solution_entries(
        snapshot.tree, snapshot.benchmark(benchmark), snapshot.submissions, participant, utc_now()
    )
    for folder, files in folders.items():
        for name, content in files.items():
            file = snapshot.tree.root / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    return list(folders)


def copy_benchmark(
    start: Path, name: str, source: str, *, title: str | None, data: Path | None
) -> "Benchmark":
    """Write a benchmark as another one is, on its data or on those of a folder.

    Returns the benchmark that was copied. Raises UsageError, InvalidInputError.
    """
    from evaluator.exports.codabench_bundle import bundle_files
    from evaluator.formats.names import check_name
    from evaluator.importers.scaffold import copy_benchmark
    from evaluator.importers.scaffold_data import with_data

    check_name(name)
    snapshot = snapshots.take(start)
    original, files = bundle_files(snapshot, source)
    if data is not None:
        files = with_data(original, files, start / data)
    copy_benchmark(snapshot.tree.root, name, files, title)
    return original


def export(
    start: Path, name: str, *, at: str | None, image: str, light: bool, as_is: bool
) -> "Exported":
    """Return a bundle as one file. Raises UsageError, InvalidInputError."""
    from evaluator.exports.codabench_bundle import bundle_files, export_bundle

    benchmark, files = bundle_files(snapshots.take(start, at, only=name), name)
    return export_bundle(benchmark, files, image=image, light=light, as_is=as_is)


def fact_sheets() -> list[str]:
    """Return the names of the fact sheets to begin with."""
    from evaluator.importers.fact_sheets import names

    return names()


def fact_sheet_keys() -> Collection[str]:
    """Return the keys of competition.yaml that questions may stand under."""
    from evaluator.importers.fact_sheets import PLACES

    return PLACES


def fact_sheet(name: str, key: str | None) -> str:
    """Return a fact sheet to paste into competition.yaml."""
    from evaluator.importers.fact_sheets import fact_sheet

    return fact_sheet(name, key)
