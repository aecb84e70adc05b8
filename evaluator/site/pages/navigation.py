"""Links of one benchmark: its pages in groups, and its submissions' files on the forge."""

from typing import NamedTuple

from evaluator.core.formats.quantities import slug
from evaluator.core.formats.submission import Submission
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.forge import CodeLinks


class Group(NamedTuple):
    """Pages of one subject; the first is where its name leads."""

    title: str
    pages: tuple[tuple[str, str], ...]
    """Path below the benchmark, empty for the board's own page, and title."""


def page_groups(content: BenchmarkContent) -> list[Group]:
    benchmark = content.benchmark
    hidden, datasets = benchmark.leaderboard.hidden, benchmark.datasets
    entries: list[tuple[str, str, object]] = [
        ("submissions", "All entries", True),
        ("datasets", "By data set", datasets is not None and datasets.become == "tasks"),
    ]
    analysis: list[tuple[str, str, object]] = [
        ("analysis", "Analysis", not hidden),
        ("compare", "Compare", not hidden),
        ("ablation", "Ablation", benchmark.stages),
    ]
    pages = [(f"pages/{slug(title) or 'page'}", title, True) for title in content.pages]
    groups: dict[str, list[tuple[str, str, object]]] = {
        "Leaderboard": [("", "Leaderboard", True)],
        "Analysis": analysis,
        "Entries": entries,
        "History": [("history", "History", content.history.boards)],
        "About": [("about", "About", True), *pages, ("tasks", "Tasks", True)],
        "Share": [("share", "Share", True)],
        "Submit an entry": [("submit", "Submit an entry", True)],
    }
    for path, page in content.further_pages.items():
        groups[page.group].append((path, page.name, True))
    existing = (
        Group(name, tuple((path, title) for path, title, is_there in pages if is_there))
        for name, pages in groups.items()
    )
    return [group for group in existing if group.pages]


def group_of(groups: list[Group], below: str) -> Group:
    first, last = below.partition("/")[0], below.rpartition("/")[2]
    for name in (below, first, last if first == "phases" else ""):
        for group in groups:
            if any(name == path.partition("/")[0] or name == path for path, _ in group.pages):
                return group
    return groups[0]


def code_links(content: BenchmarkContent, site: Deployment) -> CodeLinks:
    folder = f"submissions/{content.benchmark.name}"
    at = site.forms and site.commit and site.forms.source(site.commit, folder)
    return CodeLinks(folder=f"{at}/" if at else "", archived=frozenset(content.archived))


def code_text(submission: Submission) -> str:
    """What a link to the files says; ``assets/cells.js`` says the same."""
    return "code" if submission.kind_name == "code" else "files"
