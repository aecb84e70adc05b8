"""Benchmarks and results in others' formats -> a repository."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.pipeline import snapshots

if TYPE_CHECKING:
    from evaluator.errors import Problem
    from evaluator.formats.record import Record
    from evaluator.importers.amlb.adding import AddedFramework
    from evaluator.importers.exchange.importer import ResultsImporter
    from evaluator.importers.exchange.reporting import Reports
    from evaluator.importers.importer import Imported, Importer
    from evaluator.planning.plan import PlannedCell
    from evaluator.planning.snapshot import Snapshot
    from evaluator.scores.running import RunSummary


def import_benchmark(
    start: Path,
    importer: "Importer",
    options: Mapping[str, Any],
    *,
    name: str | None,
    force: bool,
    tell: Callable[[str], None],
) -> "Imported":
    """Read a benchmark into benchmarks/, or refuse it whole. Raises UsageError."""
    from evaluator.compute.private import content_digest
    from evaluator.formats.names import check_name
    from evaluator.importers.importer import Request, import_benchmark
    from evaluator.importers.placing import DataPlace
    from evaluator.scores.runnable import data_folder

    snapshot = snapshots.take(start)
    if name is not None:
        check_name(name)
    place = DataPlace(folder=data_folder(snapshot), digest=content_digest)
    request = Request(root=snapshot.tree.root, name=name, force=force, data=place, tell=tell)
    return import_benchmark(importer, request, options)


def unstored_files(start: Path, imported: "Imported") -> "list[Problem]":
    """Return warnings of the files of an import that a commit would lack or change."""
    from evaluator.planning.unstored import check_unstored

    return [*check_unstored(snapshots.take(start), f"benchmarks/{imported.name}")]


def samples_of(start: Path, imported: "Imported") -> tuple["Snapshot", list["PlannedCell"]]:
    """Return the cells of an import's samples, and the snapshot in which they are entered.

    Problems of the snapshot say why a sample has none.
    """
    from evaluator.git.tree import open_repository, read_tree
    from evaluator.scores.trying import cells_to_try, with_samples

    tree = read_tree(open_repository(start))
    snapshot = with_samples(tree, imported.name, imported.samples or ())
    return snapshot, cells_to_try(snapshot, imported.name)


def try_samples(
    snapshot: "Snapshot",
    cells: Sequence["PlannedCell"],
    imported: "Imported",
    show: Callable[["PlannedCell", "Record"], str],
) -> "RunSummary":
    """Evaluate samples in containers, and never without; records go below build/."""
    from evaluator.importers.importer import TRIED
    from evaluator.pipeline.evaluation import run

    output = snapshot.tree.root / TRIED / imported.name / "records"
    return run(
        snapshot, cells, engine="docker", lanes=1, output=output, fresh=True, with_less=True,
        show=show,
    )  # fmt: skip


def import_results(
    start: Path,
    importer: "ResultsImporter",
    options: Mapping[str, Any],
    *,
    benchmark: str,
    phase: str | None,
    participant: str,
    url: str,
) -> "Reports":
    """Write results as submissions of kind ``reported``. Raises UsageError."""
    from evaluator.importers.exchange.reporting import Stated, phase_for

    results = importer.read(**options)
    stated = Stated(
        participant=participant, source=results.source, url=url or results.url,
        constraint=results.constraint,
    )  # fmt: skip
    snapshot = snapshots.take(start)
    target = snapshot.benchmark(benchmark)
    reports = results.report(target, phase_for(target, phase), stated)
    for path, content in reports.files.items():
        file = snapshot.tree.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return reports


def add_framework(
    start: Path,
    framework: str,
    benchmark: str,
    entry: str,
    *,
    definitions: Sequence[Path],
    modules: Sequence[Path],
    params: Sequence[str],
    install: bool,
) -> "AddedFramework":
    """Write a framework of the AutoML Benchmark as a submission. Raises UsageError."""
    from evaluator.importers.amlb.adding import add_framework, check_entry, parse_params
    from evaluator.importers.amlb.frameworks import find_framework

    snapshot = snapshots.take(start)
    snapshot.benchmark(benchmark)
    check_entry(entry)
    return add_framework(
        snapshot.tree.root, benchmark, entry, find_framework(framework, definitions),
        modules=modules, params=parse_params(params), install=install,
        submissions={f"{item.participant}/{item.name}" for item in snapshot.submissions
               if item.benchmark == benchmark},
    )  # fmt: skip
