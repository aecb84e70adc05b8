"""What a benchmark of ours needs before hostile submissions to it can run: shorter, and open."""

from collections.abc import Callable

from tests.repository import Repository


def open_practice(repo: Repository) -> None:
    repo.replace("benchmarks/autorl-jobshop/competition.yaml", '"2026-11-21 15:20"', '"2099-01-01"')


def open_feedback(repo: Repository) -> None:
    for time in ("14:00", "14:30"):
        repo.replace(
            "benchmarks/autowsl/competition.yaml", f"2026-11-21T{time}", f"2099-01-01T{time}"
        )


PREPARED: dict[str, Callable[[Repository], None]] = {
    "autorl-jobshop": open_practice,
    "autowsl": open_feedback,
}
"""Folder of benchmarks/ -> what is changed in a copy of it; nothing where it is not listed."""
