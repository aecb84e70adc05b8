"""The repository at one commit -> what the site shows: benchmarks, boards, history, status."""

import datetime as dt
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache, cache_key
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.datasets import CHECK
from evaluator.core.formats.record import PAGE, Record
from evaluator.core.formats.repository_status import RepositoryStatus, Waiting
from evaluator.core.git.tree import Tree, begin_reading
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import PublicBoard, attachments, publish
from evaluator.core.leaderboard.snapshot_boards import SnapshotTables, current_phase, read_tables
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import Contract, Service
from evaluator.core.scores.redaction import redact
from evaluator.site.content.content import BenchmarkContent, DatasetEntry, Deployment, Vouched
from evaluator.site.content.events import read_moment
from evaluator.site.content.history import histories
from evaluator.site.content.images import images
from evaluator.site.content.insight import Prices
from evaluator.site.content.left_out import NOTICE, attempt, note
from evaluator.site.content.organisers_pages import clean_page
from evaluator.site.content.past_boards import History
from evaluator.site.content.rescoring import rescoring
from evaluator.site.content.settings import SiteSettings

WORKFLOWS = ".github"
"""Folder with the lists that workflows install from."""
_PINNED, _REQUIREMENTS = f"{WORKFLOWS}/locks/take-part.txt", f"{WORKFLOWS}/requirements.txt"
MAX_LOGO_BYTES = 2**20
MAX_TASK_CELLS = 2000
"""Cells of a board up to which each of its tasks has a board on the page of tasks."""


def read_site(
    root: Path, now: dt.datetime, cache: Cache, tree: Tree | None = None
) -> tuple[list[BenchmarkContent], Deployment]:
    """Read everything that the site shows; nothing that is hidden is in it.

    ``tree`` is the working tree, where somebody has read it.
    """
    snapshot = read_snapshot(tree or begin_reading(root)(), cache=cache)
    tables = read_tables(snapshot, now, cache=cache)
    status = _status(snapshot, tables, now, cache)
    contents = _contents(snapshot, tables, status, now)
    boards = {item.benchmark.name: item.boards for item in contents}
    histories_of = attempt("history", partial(histories, snapshot, boards, now, cache), {})
    contents = [
        replace(item, history=histories_of.get(item.benchmark.name, History())) for item in contents
    ]
    note(snapshot.record_files.faults)
    status = replace(status, waiting=[*status.waiting, *_undecided(contents)])
    return contents, _deployment(snapshot, status, now)


SITE_STATUS = Contract[Callable[[Snapshot, Sequence[Cell], dt.datetime, Cache], RepositoryStatus]](
    "site_status"
)
"""What is on its way to the boards, from the cells that are open."""
VOUCH = Service[Callable[[Snapshot, dt.datetime], Callable[[PublicBoard], Vouched]]](
    "statements.vouch"
)
"""From a snapshot and the time to who vouches for the numbers of a board."""


def _undecided(contents: Sequence[BenchmarkContent]) -> Iterator[Waiting]:
    for board in (board for content in contents for board in content.boards):
        for row in (*board.rows, *board.unlisted):
            if row.standing is not None and row.standing.state == "awaiting approval":
                yield Waiting(
                    submission=row.submission.id, phase=board.phase.name, cells=0,
                    state="awaiting approval", since=read_moment(row.submitted),
                    reason=row.standing.reason or "only approved entries are ranked",
                    hint=f"See {board.benchmark.path}/approvals.yaml.", actor=Actor.ORGANISER,
                )  # fmt: skip


def _status(
    snapshot: Snapshot, tables: SnapshotTables, now: dt.datetime, cache: Cache
) -> RepositoryStatus:
    read = next(iter(SITE_STATUS.values()), None)
    return read(snapshot, tables.open, now, cache) if read else RepositoryStatus()


def _contents(
    snapshot: Snapshot, tables: SnapshotTables, status: RepositoryStatus, now: dt.datetime
) -> list[BenchmarkContent]:
    settings = snapshot.tree.digest("pyproject.toml")
    vouches = VOUCH.load()
    vouch = vouches(snapshot, now) if vouches else None
    record_of = snapshot.record_files.with_logs

    def read(benchmark: Benchmark) -> BenchmarkContent:
        current = current_phase(benchmark, now)
        boards = {phase.slug: tables.board(benchmark, phase) for phase in benchmark.phases}
        shown = {slug: publish(board) for slug, board in boards.items()}
        return BenchmarkContent(
            benchmark=benchmark,
            current=shown[current.slug],
            boards=tuple(shown.values()),
            task_boards=_task_boards(boards[current.slug], tables),
            pages=_pages(snapshot, benchmark),
            details={
                cell: page.decode("utf-8", "replace")
                for board in shown.values()
                for cell, page in attachments(board, PAGE).items()
            },
            logo=_logo(snapshot, benchmark),
            images=tuple(images(benchmark, partial(_read, snapshot, benchmark))),
            file=partial(_read, snapshot, benchmark),
            datasets=tuple(_datasets(snapshot, benchmark, record_of)),
            rescorings={
                slug: change
                for slug, board in boards.items()
                if (change := rescoring(board)) is not None
            },
            vouched={slug: vouch(board) for slug, board in shown.items()} if vouch else {},
            prices=Prices(
                currency=snapshot.settings.currency, per_hour=snapshot.settings.price_per_hour
            ),
            pull_requests=status.pull_requests,
            bundle=cache_key(settings, snapshot.tree.digest(benchmark.path)),
            sources=snapshot.sources[benchmark.name],
            archived={
                path.partition("/")[2]: one.pointer
                for path, one in snapshot.tree.archived.items()
                if one.pointer.benchmark == benchmark.name
            },
            records=snapshot.record_files.at_with_logs,
        )

    contents = (
        attempt(benchmark.path, partial(read, benchmark), None)
        for benchmark in snapshot.benchmarks.values()
    )
    return [content for content in contents if content is not None]


def _deployment(snapshot: Snapshot, status: RepositoryStatus, now: dt.datetime) -> Deployment:
    settings, tree = snapshot.settings, snapshot.tree
    return Deployment(
        forge=settings.forge,
        commit=tree.commit,
        modified=bool(tree.dirty),
        now=now,
        branch=settings.branch,
        installation=installation(
            tree.at_commit(tree.commit, WORKFLOWS).entries if tree.commit else ()
        ),
        waiting=status.waiting,
        unreviewed=status.unreviewed,
        withdrawn=status.withdrawn,
        look=settings.of_plugins.get("site", SiteSettings()),
    )


def _datasets(
    snapshot: Snapshot, benchmark: Benchmark, record_of: Callable[[CellId], Record | None]
) -> Iterator[DatasetEntry]:
    for item in snapshot.datasets.values():
        submission = item.submission
        if submission.benchmark != benchmark.name:
            continue
        record = record_of(submission.cell(CHECK))
        phase = benchmark.phase(submission.phase)
        yield DatasetEntry(
            submission=submission,
            state=item.state,
            reason=item.reason,
            successor=item.successor,
            record=redact(record, benchmark) if record else None,
            in_phase=phase.name if phase else "",
        )


def _read(snapshot: Snapshot, benchmark: Benchmark, path: str) -> bytes | None:
    whole = f"{benchmark.path}/{path}"
    return snapshot.tree.read([whole]).get(whole) if whole in snapshot.tree.entries else None


def _pages(snapshot: Snapshot, benchmark: Benchmark) -> dict[str, str]:
    wanted = [(page.title, page.file) for page in benchmark.pages] + [("Terms", benchmark.terms)]
    files = snapshot.tree.read(f"{benchmark.path}/{file}" for _, file in wanted)
    result: dict[str, str] = {}
    read = partial(_read, snapshot, benchmark)
    for title, file in wanted:
        text = files.get(f"{benchmark.path}/{file}")
        if text is not None:
            result.setdefault(
                title,
                attempt(f"{benchmark.path}/{file}", partial(clean_page, text, file, read), NOTICE),
            )
    return result


def _task_boards(board: Board, tables: SnapshotTables) -> dict[str, PublicBoard]:
    if len(board.tasks) * len(board.rows) > MAX_TASK_CELLS:
        return {}
    return {task.slug: publish(tables.task_board(board, task)) for task in board.tasks}


def _logo(snapshot: Snapshot, benchmark: Benchmark) -> bytes:
    path = f"{benchmark.path}/{benchmark.logo}"
    logo = snapshot.tree.read([path]).get(path, b"")
    return logo if logo_name(benchmark) and len(logo) <= MAX_LOGO_BYTES else b""


def logo_name(benchmark: Benchmark) -> str:
    """File name of the logo on the site. SVG is left out: it may hold scripts."""
    ending = benchmark.logo.rpartition(".")[2].lower()
    return f"logo.{ending}" if ending in {"png", "jpg", "jpeg", "gif", "webp"} else ""


def installation(files: Container[str]) -> tuple[str, ...]:
    """Commands that install pullbench from the lists that workflows install from."""
    if _PINNED not in files or _REQUIREMENTS not in files:
        return ()
    return (
        "python3 -m venv .venv && . .venv/bin/activate",
        f"pip install --require-hashes -r {_PINNED}",
        f"pip install --no-deps -r {_REQUIREMENTS}",
    )
