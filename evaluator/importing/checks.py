"""What `validate` says of bundles to their organisers: what they reveal, and what cannot work."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.approvals import FILE_NAME as APPROVALS_FILE
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.paths import shown
from evaluator.core.formats.submission import FILE_NAME as CARD
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.snapshot import Snapshot, read_decisions
from evaluator.importing.commands import check_commands
from evaluator.importing.committed_files import check_leaks, check_unstored
from evaluator.importing.written_keys import never_ranked


def check_bundles(snapshot: Snapshot, within: Sequence[str]) -> Iterator[Problem]:
    """Report what is wrong with settings and bundles; if ``within`` names folders, only briefly."""
    yield from _data_folder(snapshot)
    yield from _without_key(snapshot)
    yield from _named_submissions(snapshot, within)
    if within:
        return
    yield from check_unstored(snapshot)
    yield from _shared_images(snapshot)
    for benchmark in snapshot.benchmarks.values():
        yield from check_commands(snapshot.tree, benchmark)
        yield from never_ranked(benchmark, snapshot.tree.under(benchmark.path), snapshot.tree.read)
        yield from check_leaks(snapshot.tree, benchmark)


def _data_folder(snapshot: Snapshot) -> Iterator[Problem]:
    """Refuse private data where the next `git add` would publish them."""
    root = snapshot.tree.root
    folder = (
        Path(os.path.normpath(root / snapshot.settings.data)) if snapshot.settings.data else None
    )
    if folder is None or folder == root or not folder.is_relative_to(root):
        return
    path = folder.relative_to(root).as_posix()
    if not snapshot.tree.is_ignored(path):
        yield Problem(
            file="pyproject.toml", key="tool.pullbench.data",
            message=f"names '{shown(path)}', a folder of the repository that git does not ignore",
            hint=f"Add /{shown(path)}/ to .gitignore, or keep private data elsewhere.",
            actor=Actor.ORGANISER,
        )  # fmt: skip


def _without_key(snapshot: Snapshot) -> Iterator[Problem]:
    """Warn of what is hidden on the site alone, and of uploads that reveal what others cannot."""
    uploads = bool(snapshot.settings.forge)
    for benchmark in snapshot.benchmarks.values() if not snapshot.settings.seal else ():
        board = benchmark.leaderboard
        hides = board.hidden or any(column.hidden for column in board.columns)
        warnings = [
            ("leaderboards[0]", "hides scores that lie in git in the clear", "warning")
        ] * hides
        for number, phase in enumerate(benchmark.phases):
            key, status = f"phases[{number}]", phase.shows == "status"
            if hides or status or phase.hides_logs:
                files = [kind.file for kind in ATTACHMENTS.values() if kind.takes(benchmark)]
                lost = " and ".join(["logs", *files])
                warnings.append(
                    (key, f"hides {lost} that nobody keeps, not even organisers", "note")
                )
            secret = hides or any(task.private for task in phase.tasks)
            if uploads and phase.limits_attempts and secret and not status:
                text = "limits attempts, and anybody can read what jobs upload before *finish*"
                warnings.append((key, text, "note"))
        hint = (
            "`pullbench keygen` makes a key for [tool.pullbench] seal; or keep the repository "
            "private."
        )
        for key, message, severity in warnings:
            yield benchmark.problem(key, message, hint, severity=severity)


def _shared_images(snapshot: Snapshot) -> Iterator[Problem]:
    """Warn of benchmarks that build images of one name from different files."""
    first: dict[str, Benchmark] = {}
    digests = PartDigests(snapshot.tree)
    for benchmark in snapshot.benchmarks.values():
        other = first.setdefault(benchmark.docker_image, benchmark)
        if (
            benchmark.has_dockerfile
            and other.has_dockerfile
            and digests.images_of(benchmark, "") != digests.images_of(other, "")
        ):
            yield benchmark.problem(
                "docker_image",
                f"is the image that {other.name} builds, too, from other files: each run "
                "of one replaces the other's",
                f"Give it a name of its own, such as localhost/pullbench/{benchmark.name}:1.",
                severity="warning",
            )


def _named_submissions(snapshot: Snapshot, prefixes: Sequence[str]) -> Iterator[Problem]:
    """Report unreadable decisions, and baselines about nothing, below ``prefixes``."""
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not any(p.startswith(f"{benchmark.path}/") for p in prefixes):
            continue
        if benchmark.baseline and not _exists(snapshot, benchmark, benchmark.baseline):
            yield benchmark.problem(
                "pullbench.baseline",
                f"names '{benchmark.baseline}', which is no submission to this benchmark",
                "Name one as participant/submission, or enter it.",
                severity="warning",  # a copy of a bundle has none yet, and nothing else needs it
            )
        named, problems = read_decisions(snapshot, benchmark)
        yield from problems
        file = f"{benchmark.path}/{APPROVALS_FILE}"
        refuses = any(item.decision == "refused" for item in named)
        if not (benchmark.needs_approval or refuses) and file in snapshot.tree.entries:
            yield Problem(
                file=file, message="decides nothing, since this benchmark ranks without approval "
                "and nothing is refused",
                hint="Set 'approval: required' below pullbench in competition.yaml, or remove it.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
        for position, item in enumerate(named):
            if not _exists(snapshot, benchmark, item.submission):
                yield Problem(
                    file=file, key=f"decisions[{position}].submission",
                    message=f"names '{item.submission}', which is no submission to this benchmark",
                    hint="Correct the name, or take the decision out.", actor=Actor.ORGANISER,
                )  # fmt: skip


def _exists(snapshot: Snapshot, benchmark: Benchmark, name: str) -> bool:
    return f"submissions/{benchmark.name}/{name}/{CARD}" in snapshot.tree.entries
