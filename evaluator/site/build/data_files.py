"""Boards -> files for machines beside the pages."""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, NotRequired

import msgspec
from pydantic import BaseModel, TypeAdapter
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.formats.approvals import Approvals
from evaluator.core.formats.competition import Competition
from evaluator.core.formats.record_lines import LogsFile
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.formats.submission import SubmissionFile
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.tables import csv_of_board
from evaluator.core.plugins import Contract
from evaluator.site.boards.ablation import ablation_csv
from evaluator.site.boards.board_columns import board_columns
from evaluator.site.boards.exports.badges import EndpointData, badge_files, badged, leader_files
from evaluator.site.boards.exports.board_json import json_parts, to_data
from evaluator.site.boards.exports.board_schema import BoardData
from evaluator.site.boards.exports.citations import cff
from evaluator.site.boards.exports.feeds import NAME as FEED
from evaluator.site.boards.exports.feeds import feed
from evaluator.site.boards.exports.parquet import to_parquet
from evaluator.site.boards.exports.picture import NAME as PICTURE
from evaluator.site.boards.exports.picture import board_picture
from evaluator.site.boards.view import view_files
from evaluator.site.boards.view_schema import ViewData
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.insight import Missing, insight
from evaluator.site.content.past_boards import FormerData
from evaluator.site.content.reading import logo_name
from evaluator.site.pages.history_pages import past_board_files
from evaluator.site.pages.navigation import code_links
from evaluator.site.pages.security_policy import detail_files
from evaluator.site.pages.sharing import (
    EMBED,
    EMBEDDED_ROWS,
    benchmark_citation,
    submission_citation,
)
from evaluator.site.pages.templating import render

File = tuple[str, bytes]
"""Path on the site, and content."""


class LargeFile(NamedTuple):
    """A form of a board, which may be too large to be in memory."""

    paths: Sequence[str]
    parts: Iterable[bytes]


_JSON = "board.json"
SCHEMAS = "schemas"
_TOP = ".top.json"
"""Ends the name of a board's first rows. Names of phases hold no dots."""
TOP_ROWS = 10
_EMBEDDED_COLUMNS = 6
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
    top: NotRequired[str]
    entered: NotRequired[int]


class BenchmarkIndex(TypedDict):
    """A benchmark whose leaderboard is public."""

    name: str
    title: str
    phases: list[PhaseIndex]


class IndexData(TypedDict):
    """``api/v1/index.json``: where a program begins."""

    benchmarks: list[BenchmarkIndex]


class LedgerData(TypedDict):
    """``api/v1/ledger.json``: what says later that the ledger lost nothing."""

    commit: str | None
    """Of the boards."""
    tip: str
    """For ``pullbench verify --tip``: digest of the last statement that CI had signed."""


_MODELS: dict[str, type[BaseModel]] = {
    "competition": Competition,
    "approvals": Approvals,
    "submission": SubmissionFile,
}
SCHEMA_TYPES = Contract[Any]("schemas")
"""Types of plugins whose JSON Schemas are on the site, by name."""
_PUBLISHED: dict[str, Any] = {
    "board": BoardData,
    "index": IndexData,
    "ledger": LedgerData,
    "view": ViewData,
    "former": FormerData,
    "badge": EndpointData,
}
Make = Callable[[], Iterable[File | LargeFile]]
Makers = Iterator[tuple[str, Make]]
"""Path of a file, or of a folder of several -> what makes them."""


def board_makers(content: BenchmarkContent) -> Makers:
    for board, folder in _boards(content):
        yield f"{folder}/board.parquet", partial(_parquet, board, content)
        yield f"{folder}/board.csv", partial(_csv, board, content)
        yield f"{folder}/{_JSON}", partial(_json, board, content)


def _boards(content: BenchmarkContent) -> Iterator[tuple[PublicBoard, str]]:
    """Yield each board that is shown, with the folder of its phase."""
    if not content.benchmark.leaderboard.hidden:
        for board in content.boards:
            yield board, f"{content.benchmark.path}/phases/{board.phase.slug}"


def _parquet(board: PublicBoard, content: BenchmarkContent) -> Iterator[LargeFile]:
    yield LargeFile(_paths("board.parquet", board, content), [to_parquet(board)])


def _csv(board: PublicBoard, content: BenchmarkContent) -> Iterator[LargeFile]:
    yield LargeFile(_paths("board.csv", board, content), map(str.encode, csv_of_board(board)))


def _json(board: PublicBoard, content: BenchmarkContent) -> Iterator[LargeFile]:
    path = f"api/v1/{content.benchmark.name}/{board.phase.slug}.json"  # the largest has one address
    yield LargeFile([path], json_parts(board, content.marks(board)))


def _view(board: PublicBoard, content: BenchmarkContent, site: Deployment) -> Iterator[LargeFile]:
    is_current = board.phase == content.current.phase and len(content.task_boards) > 1
    files = view_files(
        board, content.board_details, content.prices,
        content.task_boards if is_current else None, code_links(content, site),
        content.marks(board),
    )  # fmt: skip
    for name, file in files.items():
        yield LargeFile(_paths(name, board, content), [file])


def _paths(name: str, board: PublicBoard, content: BenchmarkContent) -> list[str]:
    """Where a file of a board is: with its phase, and with its benchmark if it is open."""
    base = content.benchmark.path
    paths = [f"{base}/{name}"] if board.phase == content.current.phase else []
    if len(content.boards) > 1:
        paths.append(f"{base}/phases/{board.phase.slug}/{name}")
    return paths


def other_makers(content: BenchmarkContent, site: Deployment) -> Makers:
    """Yield what makes the other files of one benchmark: those that tell of its boards."""
    makers: dict[str, Callable[[BenchmarkContent, Deployment], Iterator[File]]]
    makers = {PICTURE: _pictures, "citation.bib": _citations}
    if not content.benchmark.leaderboard.hidden:
        makers |= {
            "details": _details,
            "at": past_board_files,
            "confidence": _beside_boards,
            _TOP: _tops,
            "embed": embed_files,
            FEED: _feed,
            "submissions/badges": _of_submissions,
            "analysis/files": _analyses,
        }
    for name, make in makers.items():
        yield f"{content.benchmark.path}/{name}", partial(make, content, site)
    for folder, page in content.further_pages.items():
        base = f"{content.benchmark.path}/{folder}"
        yield base, partial(list, [(f"{base}/{name}", file) for name, file in page.files.items()])
    for board, folder in _boards(content):
        yield f"{folder}/view", partial(_view, board, content, site)


def _pictures(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    base = content.benchmark.path
    if content.logo:
        yield f"{base}/{logo_name(content.benchmark)}", content.logo
    yield f"{base}/{PICTURE}", board_picture(content.current, site.name)


def _citations(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    base = content.benchmark.path
    page = f"{site.address}{base}/" if site.address else ""
    cited = cff(content.benchmark, page=page, forge=site.forge, commit=site.commit)
    yield f"{base}/CITATION.cff", cited.encode()
    yield f"{base}/citation.bib", benchmark_citation(content, site).encode()


def _details(content: BenchmarkContent, _: Deployment) -> Iterator[File]:
    if content.benchmark.shows_detailed_results:
        yield from detail_files(content.details)


def _tops(content: BenchmarkContent, _: Deployment) -> Iterator[File]:
    for board in content.boards:
        top = json.dumps(to_data(board, TOP_ROWS, content.marks(board)), sort_keys=True).encode()
        yield f"api/v1/{content.benchmark.name}/{board.phase.slug}{_TOP}", top + b"\n"


def _feed(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    benchmark, path = content.benchmark, f"{content.benchmark.path}/{FEED}"
    begun = min(phase.start for phase in benchmark.phases)
    title = f"{benchmark.title} on {site.name}"
    yield path, feed(path, title, f"{benchmark.path}/", content.events, site, begun)


def _analyses(content: BenchmarkContent, _: Deployment) -> Iterator[File]:
    base = content.benchmark.path
    if content.benchmark.stages:
        yield f"{base}/ablation/ablation.csv", ablation_csv(content.current).encode()
    if not isinstance(content.study, Missing):
        for name, file in insight().study_files(content.study).items():
            yield f"{base}/analysis/{name}", file


def _beside_boards(content: BenchmarkContent, _: Deployment) -> Iterator[File]:
    base = content.benchmark.path
    pages = [(base, content.current, content.study, content.plots)]
    for slug, board in content.phases_with_pages.items():
        study, plots = content.phase_studies[slug], content.phase_plots.get(slug)
        pages.append((f"{base}/phases/{slug}", board, study, plots))
    for folder, board, study, plots in pages:
        measured = insight().confidence(board)
        if not isinstance(measured, Missing):
            for name, file in insight().confidence_files(measured, study).items():
                yield f"{folder}/confidence/{name}", file
        for name, file in plots.files() if plots else ():
            yield f"{folder}/plots/{name}", file


def _of_submissions(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    """Yield badges and citations; of a submission to several phases, those of the last."""
    base = content.benchmark.path
    files: dict[str, bytes] = {}
    for board in content.boards:
        files.update(badge_files(board))
        for row in badged(board).values():
            folder = f"submissions/{row.submission.short_name}"
            files[f"{folder}/citation.bib"] = submission_citation(row, board, site).encode()
    files.update(leader_files(content.current))
    yield from ((f"{base}/{path}", file) for path, file in files.items())


def site_makers(contents: Sequence[BenchmarkContent], site: Deployment) -> Makers:
    yield "api/v1/index.json", lambda: [api_index(contents)]
    tips = (one.tip for content in contents for one in content.vouched.values() if one.tip)
    if tip := next(tips, ""):
        ledger: LedgerData = {"commit": site.commit, "tip": tip}
        text = json.dumps(ledger, indent=2, sort_keys=True) + "\n"
        yield "api/v1/ledger.json", lambda: [("api/v1/ledger.json", text.encode())]
    yield FEED, partial(_feed_of_all, contents, site)


def _feed_of_all(contents: Sequence[BenchmarkContent], site: Deployment) -> Iterator[File]:
    begun = min(
        (phase.start for content in contents for phase in content.benchmark.phases), default=_NEVER
    )
    latest = [event for content in contents for event in content.events]
    yield FEED, feed(FEED, site.name, "", latest, site, begun)


def api_index(contents: Sequence[BenchmarkContent]) -> File:
    data: IndexData = {
        "benchmarks": [
            {
                "name": content.benchmark.name,
                "title": content.benchmark.title,
                "phases": [
                    {"slug": board.phase.slug, "name": board.phase.name,
                     "current": board.phase == content.current.phase,
                     "results": f"{content.benchmark.name}/{board.phase.slug}.json",
                     "top": f"{content.benchmark.name}/{board.phase.slug}{_TOP}",
                     "entered": len(board.rows) + len(board.unlisted)}
                    for board in content.boards
                ],
            }
            for content in contents
            if not content.benchmark.leaderboard.hidden
        ]
    }  # fmt: skip
    return "api/v1/index.json", (json.dumps(data, indent=2, sort_keys=True) + "\n").encode()


def embed_files(content: BenchmarkContent, site: Deployment) -> Iterator[File]:
    """Yield the page with the board's first rows; it needs no script, and has no state."""
    board = content.current
    columns = [one for one in board_columns(board) if len(board.tasks) == 1 or not one.task]
    text = render(
        "embed.html", content=content, site=site, board=board,
        sentence=insight().conclusions(board), columns=columns[:_EMBEDDED_COLUMNS],
        rows=board.rows[:EMBEDDED_ROWS], more=len(board.rows[EMBEDDED_ROWS:]),
    )  # fmt: skip
    yield f"{content.benchmark.path}/{EMBED}/index.html", text.encode()


def schema_files() -> Iterator[tuple[str, bytes]]:
    """Path on the site -> JSON Schema (draft 2020-12)."""
    schemas = {name: model.model_json_schema(mode="validation") for name, model in _MODELS.items()}
    schemas["scores"] = msgspec.json.schema(ScoresFile)
    schemas["logs"] = msgspec.json.schema(LogsFile)
    published = _PUBLISHED | dict(SCHEMA_TYPES)
    schemas |= {name: TypeAdapter(kind).json_schema() for name, kind in published.items()}
    for name, content in schemas.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | content
        yield f"{SCHEMAS}/{name}.json", (json.dumps(schema, indent=2) + "\n").encode()
