"""Links of one benchmark: its pages in four groups, and its submissions' files on the forge."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evaluator.core.formats.quantities import slug
from evaluator.core.formats.submission import Submission
from evaluator.site.content import BenchmarkContent, Deployment


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
    if content.history.boards:
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


@dataclass(frozen=True, kw_only=True)
class CodeLinks:
    """Addresses of submissions of one benchmark."""

    folder: str
    """Of the benchmark's submissions, with a slash at the end; empty where no forge is known."""
    archived: frozenset[str]

    def has(self, submission: Submission) -> bool:
        """Whether there are files that somebody wrote, and not only scores that are reported."""
        return bool(self.folder and not submission.reported and submission.id not in self.archived)


NO_CODE = CodeLinks(folder="", archived=frozenset())


def code_links(content: BenchmarkContent, site: Deployment) -> CodeLinks:
    folder = f"submissions/{content.benchmark.name}"
    at = site.forms and site.commit and site.forms.source(site.commit, folder)
    return CodeLinks(folder=f"{at}/" if at else "", archived=frozenset(content.archived))


def code_text(submission: Submission) -> str:
    """Return what a link to the files says; ``assets/cells.js`` says the same."""
    return "code" if submission.kind_name == "code" else "files"
