"""What people copy from a benchmark's page *Share* and from the page of a submission."""

import html
from typing import Any

from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.exports.badges import MAX_BADGES, leader_badge
from evaluator.site.boards.exports.citations import benchmark_bibtex, submission_bibtex
from evaluator.site.content.content import BenchmarkContent, Deployment

EMBED = "embed"
"""Folder of the board for frames."""
EMBEDDED_ROWS = 50
_FRAME = (
    '<iframe src="{address}{path}/" title="{title}" width="100%" height="480" loading="lazy"\n'
    '  sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>'
)


def share_values(content: BenchmarkContent, site: Deployment) -> dict[str, Any]:
    benchmark = content.benchmark
    title = html.escape(f"Leaderboard of {one_line(benchmark.title)}")
    return {
        "content": content,
        "site": site,
        "max_rows": EMBEDDED_ROWS,
        "max_badges": MAX_BADGES,
        "leader": leader_badge(content.current),
        "snippet": _FRAME.format(
            address=site.address, path=f"{benchmark.path}/{EMBED}", title=title
        ),
        "bibtex": benchmark_citation(content, site),
    }


def benchmark_citation(content: BenchmarkContent, site: Deployment) -> str:
    path = content.benchmark.path
    page = _address(site, page=f"{path}/", files=path)
    return benchmark_bibtex(content.benchmark, page=page, commit=site.commit)


def submission_citation(row: Row, board: PublicBoard, site: Deployment) -> str:
    submission = row.submission
    path = f"{board.benchmark.path}/submissions/{submission.short_name}/"
    page = _address(site, page=path, files=f"submissions/{submission.id}")
    return submission_bibtex(row, board, page=page)


def reproduction(site: Deployment, names: str) -> str:
    lines: list[str] = []
    if site.forge:
        folder = site.forge.rstrip("/").rpartition("/")[2].removesuffix(".git")
        lines += [f"git clone {site.forge}", f"cd {folder}"]
    if site.commit:
        lines.append(f"git checkout {site.commit}")
    return "\n".join((*lines, *site.installation, f"pullbench reproduce {names}"))


def _address(site: Deployment, *, page: str, files: str) -> str:
    if site.address:
        return f"{site.address}{page}"
    return site.forms.source(site.commit or site.branch, files) if site.forms else ""
