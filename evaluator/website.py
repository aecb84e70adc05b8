"""Builds and serves the site: where planning and board meet."""

import datetime as dt
import functools
import hashlib
import http.server
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from evaluator.board import pages
from evaluator.board.datasets import DatasetEntry
from evaluator.board.former import History
from evaluator.board.leaderboard import Board, make_board
from evaluator.board.logo import logo_name
from evaluator.board.plots.entries import Prices
from evaluator.board.published import published, published_record
from evaluator.board.rescoring import rescoring
from evaluator.errors import UsageError
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record
from evaluator.history import histories
from evaluator.log import say
from evaluator.pipeline import current_phase, snapshot, stale_cells
from evaluator.planning.approvals import decisions
from evaluator.planning.datasets import check_cell
from evaluator.planning.entries import board_entries
from evaluator.planning.plan import cells
from evaluator.planning.snapshot import Snapshot
from evaluator.unfinished import unfinished

MAX_LOGO_BYTES = 2**20
MAX_TASK_CELLS = 2000
"""Cells of a board up to which each of its tasks has a board on the page of tasks."""


def content(root: Path, now: dt.datetime) -> tuple[list[pages.BenchmarkContent], pages.Deployment]:
    """Read everything that the site shows; nothing that is hidden is in it."""
    taken = snapshot(root)
    every = list(cells(taken, now))
    stale = stale_cells(taken, now, every=every)
    entered = list(board_entries(taken, now))
    contents = []
    for benchmark in taken.benchmarks.values():
        records = taken.records(benchmark.name)
        current = current_phase(benchmark, now)

        board_of = functools.partial(
            make_board, benchmark, submissions=entered, records=records,
            stale=stale, commit=taken.tree.commit, decisions=decisions(taken, benchmark),
        )  # fmt: skip
        boards = {phase.slug: board_of(phase) for phase in benchmark.phases}
        shown = {slug: published(board) for slug, board in boards.items()}
        contents.append(
            pages.BenchmarkContent(
                benchmark=benchmark,
                current=shown[current.slug],
                boards=tuple(shown.values()),
                task_boards=_task_boards(shown[current.slug], board_of),
                pages=_pages(taken, benchmark),
                details=_details(taken, benchmark, records.values()),
                logo=_logo(taken, benchmark),
                datasets=tuple(_datasets(taken, benchmark, records)),
                rescorings={
                    slug: made
                    for slug, board in boards.items()
                    if (made := rescoring(board, stale=stale)) is not None
                },
                prices=Prices(
                    currency=taken.settings.currency, per_hour=taken.settings.price_per_hour
                ),
            )
        )
    site = pages.Deployment(
        forge=taken.settings.forge,
        commit=taken.tree.commit,
        modified=bool(taken.tree.dirty),
        now=now,
        branch=taken.settings.branch,
        waiting=unfinished(taken, now, every=every),
    )
    former = histories(taken, {item.benchmark.name: item.current for item in contents}, now)
    contents = [
        replace(item, history=former.get(item.benchmark.name, History())) for item in contents
    ]
    return contents, site


def _datasets(
    taken: Snapshot, benchmark: Benchmark, records: Mapping[CellId, Record]
) -> Iterator[DatasetEntry]:
    """Yield the benchmark's data sets, those that are refused among them."""
    for item in taken.datasets.values():
        submission = item.submission
        if submission.benchmark != benchmark.name:
            continue
        record = records.get(check_cell(submission))
        phase = benchmark.phase(submission.phase)
        yield DatasetEntry(
            submission=submission,
            state=item.state,
            reason=item.reason,
            successor=item.successor,
            record=published_record(record, benchmark) if record else None,
            in_phase=phase.name if phase else "",
        )


def _pages(taken: Snapshot, benchmark: Benchmark) -> dict[str, str]:
    wanted = [(page.title, page.file) for page in benchmark.pages] + [("Terms", benchmark.terms)]
    found = taken.tree.read(f"{benchmark.path}/{file}" for _, file in wanted)
    result: dict[str, str] = {}
    for title, file in wanted:
        text = found.get(f"{benchmark.path}/{file}")
        if text is not None:
            result.setdefault(title, pages.clean_page(text, file))
    return result


def _task_boards(board: Board, board_of: Callable[..., Board]) -> dict[str, Board]:
    """Make the boards of single tasks; of many rows there are none, for one can sort by a task."""
    if len(board.tasks) * len(board.rows) > MAX_TASK_CELLS:
        return {}
    return {task.slug: published(board_of(board.phase, task=task)) for task in board.tasks}


def _details(taken: Snapshot, benchmark: Benchmark, records: Iterable[Record]) -> dict[CellId, str]:
    """Pages of scoring programs, where they are what the record says."""
    wanted = {
        shown.cell.id.record_path.removesuffix(".json") + ".html": shown
        for record in records
        if record.detailed_results
        and (shown := published_record(record, benchmark)).detailed_results
    }
    return {
        wanted[path].cell.id: content.decode("utf-8", "replace")
        for path, content in taken.tree.read(wanted).items()
        if (kept := wanted[path].detailed_results)
        and hashlib.sha256(content).hexdigest() == kept.sha256
    }


def _logo(taken: Snapshot, benchmark: Benchmark) -> bytes:
    path = f"{benchmark.path}/{benchmark.logo}"
    logo = taken.tree.read([path]).get(path, b"")
    return logo if logo_name(benchmark) and len(logo) <= MAX_LOGO_BYTES else b""


def build(root: Path) -> Path:
    """Build the site as ``mkdocs build --strict`` does; returns its folder."""
    file = root / "mkdocs.yml"
    if not file.exists():
        raise UsageError(
            f"{root} has no mkdocs.yml", hint="Run this at the root of a benchmark repository."
        )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    try:
        config = load_config(str(file), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        mkdocs_build(config)
        config.plugins.on_shutdown()
    except MkDocsException as error:
        raise UsageError(f"the site cannot be built: {error}") from None
    return Path(config.site_dir)


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the site as static hosts do: what is for machines may be read from any origin."""

    def end_headers(self) -> None:
        """Add what lets another origin's pages read ``api/``, which is public anyway."""
        if self.path.startswith("/api/"):
            self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


def serve(folder: Path, port: int) -> None:
    """Serve the built site on a loopback address until ^C."""
    handler = functools.partial(SiteHandler, directory=str(folder))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise UsageError(
            f"cannot serve on port {port}: {error}", hint="Choose another with --port."
        ) from None
    with server:
        say(f"serving at http://127.0.0.1:{server.server_port}/ (stop with ^C)")
        server.serve_forever()
