"""Boards -> files for machines beside the pages."""

import json
from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.board import tables
from evaluator.board.analysis.files import study_files
from evaluator.board.analysis.study import Study
from evaluator.board.effects import ablation_csv
from evaluator.board.leaderboard import Board
from evaluator.board.logo import logo_name
from evaluator.board.pages import BenchmarkContent, Deployment
from evaluator.board.parquet import to_parquet
from evaluator.board.view import view_json

File = tuple[str, bytes]
"""Path on the site, and content."""


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


def data_files(content: BenchmarkContent, _site: Deployment) -> Iterator[File]:
    """Yield the files of one benchmark: its boards in every form, the logo."""
    base = content.benchmark.path
    if content.logo:
        yield f"{base}/{logo_name(content.benchmark)}", content.logo
    if content.benchmark.leaderboard.hidden:
        return
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
