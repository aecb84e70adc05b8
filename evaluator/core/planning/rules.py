"""What is wrong with the files of a snapshot: names, links, records, results; by file and line."""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from evaluator.core.errors import Actor, Problem, counted, participants_problem
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import (
    OPENED,
    SCORES,
    Place,
    attachment_of,
    place_of,
    place_of_logs,
)
from evaluator.core.formats.names import BENCHMARKS, PARTICIPANTS, is_reserved
from evaluator.core.formats.paths import LFS_POINTER, case_clashes, shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.predictions import check_predictions, names_of
from evaluator.core.formats.record_lines import decode_logs
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.commands import fetch_objects
from evaluator.core.planning.records import read_scores
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.planning.typed_names import is_within
from evaluator.core.plugins import Contract


def validate(snapshot: Snapshot, places: Collection[str] = ()) -> list[Problem]:
    entries = all(place.startswith("submissions/") for place in places)
    return by_place(
        problem
        for problem in (*snapshot.problems, *check_tree(snapshot, [*places] if entries else ()))
        if not places or any(is_within(problem.file, place) for place in places)
    )


def by_place(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(
        dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line or 0, problem.key)
    )


ENTRY_RULES = Contract[Callable[[Benchmark, Phase], Iterable[str]]]("entry_rules")
"""Sentences that participants must read before they enter a phase."""


def entry_rules(benchmark: Benchmark, phases: Sequence[Phase]) -> list[str]:
    """Those of some phases; one that not all have begins with their names."""
    names: dict[str, list[str]] = {}
    for phase in phases:
        for rules_of in ENTRY_RULES.values():
            for rule in rules_of(benchmark, phase):
                names.setdefault(rule, []).append(phase.name)
    return [
        rule if len(of) == len(phases) else f"{', '.join(of)}: {rule}" for rule, of in names.items()
    ]


def score_rules(_: Benchmark, phase: Phase) -> Iterator[str]:
    if phase.shows == "status":
        yield "Others see whether your entry ran, and no scores."
    elif phase.feedback_digits is not None:
        yield f"Scores have {counted(phase.feedback_digits, 'decimals')}, and no log is shown."
    if phase.ladder is not None:
        yield (
            f"You see a new score if it beats your best by more than {phase.ladder.step:.3g}. "
            "Otherwise you see your best again."
        )


CHECKS = Contract[Callable[[Snapshot, tuple[str, ...]], Iterable[Problem]]]("checks")
"""Each reports problems of a snapshot below folders, or everywhere without any."""


def check_tree(snapshot: Snapshot, within: Sequence[str] = ()) -> Iterator[Problem]:
    """Report names, links, forged records and bad predictions, of all or below ``within``."""
    prefixes = tuple(f"{folder}/" for folder in within)
    tree = snapshot.tree
    paths = (
        [path for folder in within for path in tree.under(folder)] if within else [*tree.entries]
    )
    yield from _names(snapshot, paths)
    yield from _misplaced(paths)
    yield from check_site_names(snapshot, paths, new=bool(prefixes))
    yield from _clashes(snapshot, prefixes)
    yield from _records(snapshot, paths)
    yield from _predictions(snapshot, paths)
    for check in CHECKS.values():
        yield from check(snapshot, prefixes)


def _names(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Problem]:
    for path in paths:
        if fault := snapshot.tree.entries[path].fault(path):
            yield Problem(
                file=shown(path), message=fault,
                hint="Only plain files with plain names are accepted.", actor=Actor.of(path),
            )  # fmt: skip


def _misplaced(paths: Sequence[str]) -> Iterator[Problem]:
    for path in paths:
        parts = path.split("/")
        if parts[0] == "submissions" and len(parts) in (3, 4):
            yield participants_problem(
                path, "is in no submission's folder",
                "Submissions belong in submissions/<benchmark>/<participant>/<name>/; move it "
                "into a folder of that depth.",
            )  # fmt: skip


def check_site_names(snapshot: Snapshot, paths: Sequence[str], *, new: bool) -> Iterator[Problem]:
    """Report names that the site needs itself; what is committed and not ``new`` is warned of."""
    clashes: dict[tuple[str, str, Actor], bool] = {}
    for path in paths:
        parts = path.split("/", 4)
        fresh = new or path in snapshot.tree.dirty
        if parts[0] == "submissions" and len(parts) == 5 and is_reserved(parts[2], PARTICIPANTS):
            key = ("/".join([*parts[:4], FILE_NAME]), parts[2], Actor.PARTICIPANT)
        elif parts[0] == "benchmarks" and len(parts) > 2 and is_reserved(parts[1], BENCHMARKS):
            key = (f"benchmarks/{parts[1]}/{BUNDLE_FILE}", parts[1], Actor.ORGANISER)
        else:
            continue
        # What changes in a folder that is there is not a new name.
        clashes[key] = clashes.get(key, True) and fresh
    for (file, name, actor), fresh in clashes.items():
        kind = "participant" if actor is Actor.PARTICIPANT else "benchmark"
        yield Problem(
            file=file, key=kind,
            message=f"the {kind}'s name '{name}' is that of a file of the site",
            hint="Choose another name for the folder.", actor=actor,
            severity="error" if fresh else "warning",
        )  # fmt: skip


def _clashes(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    entries = snapshot.tree.entries
    paths: Iterable[str] = entries
    if prefixes:
        # A file clashes with one of another submission only if their folders do, and with none of
        # another benchmark.
        files = (
            folder.entries
            for name, folder in entries.folders.items()
            if f"{name}/".startswith(prefixes) or any(one.startswith(name) for one in prefixes)
        )
        near = {"/".join(prefix.split("/", 2)[:2]).casefold() for prefix in prefixes}
        paths = [
            path
            for path in itertools.chain(entries.outside, entries.folders, *files)
            if "/".join(path.split("/", 2)[:2]).casefold() in near
        ]
    for first, second in case_clashes(paths):
        if prefixes and not any(f"{path}/".startswith(prefixes) for path in (first, second)):
            continue
        yield Problem(
            file=shown(second),
            message=f"differs from '{shown(first)}' only by case or letter form",
            hint="On some systems the two are one file; rename it.", actor=Actor.of(second),
        )  # fmt: skip


def _records(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Problem]:
    tree, files = snapshot.tree, dict[str, Place | None]()
    for path in paths:
        parts = path.split("/")
        if parts[0] != "submissions" or len(parts) < 5 or parts[4] != SCORES:
            continue
        if "/".join(parts[4:6]) == OPENED:
            continue  # it is what was sealed, if its digest is the name of that
        scores, logs, attachment = place_of(path), place_of_logs(path), attachment_of(path)
        if attachment and attachment[0] in snapshot.record_files:
            continue  # it is shown only if the record names its digest
        if scores is None and logs is None:
            hint = "Only CI writes below scores/; remove it."
            yield participants_problem(path, "is no place for scores", hint)
            continue
        files[path] = scores
    entries = [tree.entries[path] for path in files if path not in tree.dirty]
    fetch_objects(tree.repository, [entry.blob for entry in entries if entry.is_regular])
    for path, scores in files.items():
        content = tree.read([path]).get(path, b"")  # one at a time: they may be large
        try:
            if scores is not None:
                read_scores(content, scores)
            else:
                decode_logs(content)
        except ValueError as error:
            if path in tree.dirty:
                hint = "CI writes scores/: restore the file from git, or remove it."
                yield participants_problem(path, f"is no scores file: {error}", hint)
                continue
            yield Problem(
                file=path, message=str(error), actor=Actor.ORGANISER,
                hint="Scores are written by `pullbench run`; take the file as it was from git, or "
                "delete it and run its cells again.",
            )  # fmt: skip


def _predictions(snapshot: Snapshot, among: Sequence[str]) -> Iterator[Problem]:
    """Check declared rows, even if submission.yaml has mistakes."""
    expected = {
        (benchmark.name, name): item
        for benchmark in snapshot.benchmarks.values()
        for item in benchmark.predictions
        if item.columns
        for name in names_of(item, max(map(benchmark.repeats_in, benchmark.phases), default=1))
    }
    paths = {
        path: expected[key]
        for path in among
        if path.startswith("submissions/")
        and len(parts := path.split("/", 4)) == 5
        and path.rpartition("/")[0] not in snapshot.tree.archived  # was checked when it came
        and (key := (parts[1], parts[4])) in expected
    }
    for path, content in snapshot.tree.read(paths).items():
        if not content.startswith(LFS_POINTER):  # refused, unless a runner fetches the file
            yield from check_predictions(paths[path], content, path)
