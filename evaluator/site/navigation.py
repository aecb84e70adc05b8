"""Pages of one benchmark in the four groups that stand over each of them."""

from collections.abc import Iterator
from typing import NamedTuple

from evaluator.core.formats.quantities import slug
from evaluator.site.content import BenchmarkContent


class Group(NamedTuple):
    """Pages of one subject; the first is where its name leads."""

    title: str
    pages: tuple[tuple[str, str], ...]
    """Path below the benchmark, empty for the board's own page, and title."""


def page_groups(content: BenchmarkContent) -> list[Group]:
    groups = (
        Group("Results", tuple(_results(content))),
        Group("Analysis", tuple(_analysis(content))),
        Group("Rules", tuple(_rules(content))),
        Group("Submit", (("submit", "Submit"),)),
    )
    return [group for group in groups if group.pages]


def group_of(groups: list[Group], below: str) -> Group:
    """Return the group of a page, by its path below the benchmark."""
    first, last = below.partition("/")[0], below.rpartition("/")[2]
    for name in (below, first, last if first == "phases" else ""):
        for group in groups:
            if any(name == path.partition("/")[0] or name == path for path, _ in group.pages):
                return group
    return groups[0]


def _results(content: BenchmarkContent) -> Iterator[tuple[str, str]]:
    datasets = content.benchmark.datasets
    yield "", "Leaderboard"
    if datasets is not None and datasets.become == "tasks":
        yield "datasets", "By data set"
    yield "submissions", "All submissions"
    if content.history.formers:
        yield "history", "History"
    yield "share", "Share"


def _analysis(content: BenchmarkContent) -> Iterator[tuple[str, str]]:
    hidden = content.benchmark.leaderboard.hidden
    if not hidden:
        yield "confidence", "Is the lead real?"
    if not isinstance(content.study, str):
        yield "analysis", "Tests"
    if content.plots:
        yield "plots", "Plots"
    if not hidden:
        yield "compare", "Compare"
    if content.benchmark.stages:
        yield "ablation", "Ablation"


def _rules(content: BenchmarkContent) -> Iterator[tuple[str, str]]:
    for title in content.pages:
        yield f"pages/{slug(title) or 'page'}", title
    yield "tasks", "Tasks"
