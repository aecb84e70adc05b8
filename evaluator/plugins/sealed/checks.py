"""What `validate` and boards say of phases with `seal`, and of copies of sealed entries."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence

from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.cell import place_of
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.runnable import labels_of
from evaluator.plugins.sealed.keys import seal_of


def note(_: Sequence[PublicBoard], board: PublicBoard, now: dt.datetime) -> str:
    seal = seal_of(board.phase)
    if seal is None:
        return ""
    until = moment_text(seal.until)
    if seal.until <= now:
        return f"Entries could be sealed until {until}."
    return (
        f"Entries may be sealed, with `pullbench submit --seal`: nobody but the organisers reads "
        f"them before {until}, when they are opened for everybody. What you upload in the browser "
        "is not sealed."
    )


def check_sealed(snapshot: Snapshot, within: Sequence[str]) -> Iterator[Problem]:
    yield from _phases(snapshot)
    yield from _labels(snapshot)
    yield from _programs(snapshot)
    yield from _copies(snapshot, tuple(within))


def _phases(snapshot: Snapshot) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        for phase in filter(seal_of, benchmark.phases):
            faults = []
            if not phase.hide_output:
                faults.append((
                    "needs `hide_output`: a log of the scoring program can tell what an entry "
                    "predicts", "Add `hide_output: true` to the phase.",
                ))  # fmt: skip
            if phase.is_played:
                faults.append((
                    "seals predictions, and an agent plays in this phase",
                    "Leave `seal` out: jobs that run participants' programs have no key.",
                ))  # fmt: skip
            for fault in faults:
                yield benchmark.problem(f"pullbench.phases.{phase.index}.seal", *fault)


def _labels(snapshot: Snapshot) -> Iterator[Problem]:
    """Report labels that become public while a phase still scores by them."""
    for benchmark in snapshot.benchmarks.values():
        for phase in benchmark.phases:
            for item in (item for task in phase.tasks for item in task.private if item.until):
                if item.until and (phase.end is None or item.until < phase.end):
                    yield benchmark.problem(
                        "pullbench.private",
                        f"'{item.source}' becomes public on {moment_text(item.until)}, and "
                        f"phase '{phase.name}' still scores by it",
                        "Set 'until' to the end of the phase, or later.",
                    )


def _programs(snapshot: Snapshot) -> Iterator[Problem]:
    """Say of programs what GitHub's runners cannot hide from them, and what they need."""
    for benchmark in snapshot.benchmarks.values():
        if "self-hosted" in labels_of(benchmark.queue, snapshot.settings.queues):
            continue
        for phase in benchmark.phases:
            hidden = {
                "its labels" if item.file == "reference_data" else "what programs see"
                for task in phase.tasks for item in task.private
                if item.encrypted and not phase.only_results
            }  # fmt: skip
            if "what programs see" in hidden or (hidden and phase.is_played):
                hint = "Name a `queue` of machines of your own that have the key."
            elif hidden and not snapshot.settings.seal:
                hint = "Add `seal` to [tool.pullbench]: their predictions are encrypted to it."
            else:
                continue
            yield benchmark.problem(
                "pullbench.private",
                f"{' and '.join(sorted(hidden))} are encrypted, so that GitHub's runners "
                f"cannot evaluate programs in phase '{phase.name}'",
                f"{hint} Or let the phase accept results alone.", severity="warning",
            )  # fmt: skip


def _copies(snapshot: Snapshot, within: tuple[str, ...]) -> Iterator[Problem]:
    """Report a file or a name that another entry has, unless that failed as a copy would.

    All folders are read: a snapshot may have those of one participant alone.
    """
    folders = snapshot.tree.entries.folders
    judged = {
        one.path: one.sealed.source
        for one in snapshot.submissions
        if one.sealed and (not within or f"{one.path}/".startswith(within))
    }
    if not judged:
        return
    owners: dict[str, list[str]] = defaultdict(list)
    for path, folder in folders.items():
        if folder.may_hold(".age"):
            for name in folder.submitted:
                if name.endswith(".age"):
                    for known in (name.rpartition("/")[2], folder.entries[name].blob):
                        owners[known].append(path)
    for path, source in judged.items():
        file = f"{path}/{source}"
        others = {
            other
            for other in {*owners[source], *owners[snapshot.tree.entries[file].blob]} - {path}
            # In a whole tree the first one came by right.
            if (within or _came(snapshot, other) <= _came(snapshot, path))
            and not _has_failed(snapshot, other)
        }
        if others:
            yield Problem(
                file=file, message=f"is the sealed entry {min(others)}", actor=Actor.PARTICIPANT,
                hint="Seal your own work: `pullbench submit FOLDER --seal`.",
            )  # fmt: skip


def _has_failed(snapshot: Snapshot, path: str) -> bool:
    """Whether it was opened, and did not hold what is its participant's."""
    places = filter(None, map(place_of, snapshot.tree.entries.folders[path].records))
    records = [one for place in places for one in snapshot.record_files.records_at(place)]
    return bool(records) and all(one.status == "failed" for one in records)


def _came(snapshot: Snapshot, path: str) -> str:
    return snapshot.tree.added(f"{path}/submission.yaml") or "9999"
