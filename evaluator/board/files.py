"""Boards -> files for machines beside the pages."""

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.board import tables
from evaluator.board.analysis.files import study_files
from evaluator.board.analysis.study import Study
from evaluator.board.badges import badge_files, badged, leader_files
from evaluator.board.citations import cff
from evaluator.board.confidence import Confidence, confidence, confidence_csv
from evaluator.board.detail_pages import detail_files
from evaluator.board.effects import ablation_csv
from evaluator.board.embed import embed_file
from evaluator.board.feeds import NAME as FEED
from evaluator.board.feeds import FeedPlace, feed
from evaluator.board.former_pages import former_files
from evaluator.board.leaderboard import Board
from evaluator.board.logo import logo_name
from evaluator.board.pages import BenchmarkContent, Deployment
from evaluator.board.parquet import to_parquet
from evaluator.board.picture import NAME as PICTURE
from evaluator.board.picture import board_picture
from evaluator.board.sharing import benchmark_citation, submission_citation
from evaluator.board.view import view_json

File = tuple[str, bytes]
"""Path on the site, and content."""
_NEVER = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""Time of the feed of a site without benchmarks."""


class PhaseIndex(TypedDict):
    """A phase of a benchmark, and where its board is."""

    slug: str
    name: str
    current: bool
    """Whether it is open, or was last."""
    results: str
    """Address of the board, from the folder of the index."""


class BenchmarkIndex(TypedDict):
    """A benchmark whose leaderboard is public."""

    name: str
    title: str
    phases: list[PhaseIndex]


class IndexData(TypedDict):
    """``api/v1/index.json``: where a program begins."""

    benchmarks: list[BenchmarkIndex]


def data_files(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    """Yield the files of one benchmark: its boards in every form, and what tells of them."""
    benchmark, base = content.benchmark, content.benchmark.path
    if content.logo:
        yield f"{base}/{logo_name(benchmark)}", content.logo
    yield f"{base}/{PICTURE}", board_picture(content.current, site.name)
    page = f"{site.address}{base}/" if site.address else ""
    cited = cff(benchmark, page=page, forge=site.forge, commit=site.commit)
    yield f"{base}/CITATION.cff", cited.encode()
    yield f"{base}/citation.bib", benchmark_citation(content, site).encode()
    if benchmark.leaderboard.hidden:
        return
    if benchmark.shows_detailed_results:
        yield from detail_files(content.boards, content.details)
    yield from former_files(content)
    known = confidence(content.current)
    if isinstance(known, Confidence):
        yield f"{base}/confidence/confidence.csv", confidence_csv(known).encode()
    yield embed_file(content, site)
    begun = min(phase.start for phase in benchmark.phases)
    title = f"{benchmark.title} on {site.name}"
    yield (
        f"{base}/{FEED}",
        feed(f"{base}/{FEED}", title, f"{base}/", content.events, _place(site), begun),
    )
    yield from _of_submissions(content, site)
    for name, file in content.plots.files() if content.plots else ():
        yield f"{base}/plots/{name}", file
    for board in content.boards:
        yield from _board_files(board, content)
    if content.benchmark.stages:
        yield f"{base}/ablation/ablation.csv", ablation_csv(content.current).encode()
    if isinstance(content.study, Study):
        for name, file in study_files(content.study).items():
            yield f"{base}/analysis/{name}", file


def _board_files(board: Board, content: BenchmarkContent) -> Iterator[File]:
    """Yield one board at each of its addresses; every form is made once, for boards are large."""
    base = content.benchmark.path
    data = tables.to_json(board).encode()
    files = {
        "board.json": data,
        "board.csv": tables.to_csv(board).encode(),
        "board.parquet": to_parquet(board),
        "view.json": view_json(board, content.board_details),
    }
    yield f"api/v1/{content.benchmark.name}/{board.phase.slug}.json", data
    for name, made in files.items():
        if board.phase == content.current.phase:
            yield f"{base}/{name}", made
        if len(content.boards) > 1:
            yield f"{base}/phases/{board.phase.slug}/{name}", made


def _of_submissions(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    """Yield badges and citations; of a submission to several phases, those of the last."""
    base = content.benchmark.path
    made: dict[str, bytes] = {}
    for board in content.boards:
        made.update(badge_files(board))
        for row in badged(board):
            folder = f"submissions/{row.submission.participant}/{row.submission.name}"
            made[f"{folder}/citation.bib"] = submission_citation(row, board, site).encode()
    made.update(leader_files(content.current))
    yield from ((f"{base}/{path}", file) for path, file in made.items())


def site_files(contents: Sequence[BenchmarkContent], site: Deployment) -> Iterator[File]:
    """Yield what is of all benchmarks together."""
    yield api_index(contents)
    yield "assets/embed.css", (Path(__file__).parent / "templates/embed.css").read_bytes()
    begun = min(
        (phase.start for content in contents for phase in content.benchmark.phases),
        default=_NEVER,
    )
    found = [event for content in contents for event in content.events]
    yield FEED, feed(FEED, site.name, "", found, _place(site), begun)


def _place(site: Deployment) -> FeedPlace:
    return FeedPlace(site=site.name, address=site.address, forge=site.forge)


def api_index(contents: Sequence[BenchmarkContent]) -> File:
    """Return path and content of the list of boards, from which a program can begin."""
    data: IndexData = {
        "benchmarks": [
            {
                "name": content.benchmark.name,
                "title": content.benchmark.title,
                "phases": [
                    {"slug": board.phase.slug, "name": board.phase.name,
                     "current": board.phase == content.current.phase,
                     "results": f"{content.benchmark.name}/{board.phase.slug}.json"}
                    for board in content.boards
                ],
            }
            for content in contents
            if not content.benchmark.leaderboard.hidden
        ]
    }  # fmt: skip
    return "api/v1/index.json", (json.dumps(data, indent=2, sort_keys=True) + "\n").encode()
