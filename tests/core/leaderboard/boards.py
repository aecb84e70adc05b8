"""Boards made from text and numbers, without a repository."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from evaluator.core.errors import Actor
from evaluator.core.formats.approvals import ApprovalDecision
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import CellError, Reason, Record
from evaluator.core.formats.record_lines import lines_of
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Board, Row, is_on_board, rank
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.table_builder import TableBuilder
from evaluator.core.scores.redaction import withheld
from tests.records import make_record

HEAD = """\
version: 2
title: T
image: logo.png
terms: terms.md
pages: []
tasks:
  - {index: 0, name: One, scoring_program: scoring}
  - {index: 1, name: Two, scoring_program: scoring}
phases:
  - {index: 0, name: Main, start: 2020-01-01, tasks: [%s]}
leaderboards:
  - title: Results
    key: results
    submission_rule: %s
    columns:
%s
"""
ONE_COLUMN = "      - {title: A, key: a, index: 0, sorting: desc, precision: 3}\n"
FILES = frozenset({"logo.png", "terms.md", "scoring/metadata.yaml"})
FAILED = "failed"


def make_benchmark(
    columns: str = ONE_COLUMN,
    *,
    rule: str = "Force_Latest_Multiple",
    tasks: str = "0",
    extra: str = "",
) -> Benchmark:
    text = HEAD % (tasks, rule, columns) + extra
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is not None, problems
    return benchmark


def hide_primary(board: PublicBoard) -> PublicBoard:
    """Hide the column that ranks, as former boards may have to; `validate` refuses it."""
    rules = board.benchmark.leaderboard
    hidden = replace(rules.primary, hidden=True)
    columns = tuple(hidden if column == rules.primary else column for column in rules.columns)
    rules = replace(rules, primary=hidden, columns=columns)
    return replace(board, benchmark=replace(board.benchmark, leaderboard=rules))


def make_board(
    benchmark: Benchmark,
    phase: Phase,
    submissions: Iterable[Submission],
    records: Mapping[CellId, Record],
    *,
    stale: Collection[CellId] = frozenset(),
    task: Task | None = None,
    commit: str | None = None,
    decisions: tuple[ApprovalDecision, ...] = (),
) -> Board:
    """Rank the submissions to a phase. ``stale`` are cells whose records are of other content."""
    tasks = (task,) if task else phase.tasks
    builder = TableBuilder(benchmark, phase, tasks)
    entered = [item for item in submissions if is_on_board(item, benchmark, phase)]
    for submission in entered:
        builder.add_variants(submission.stages)
    by_place: dict[Place, dict[CellId, Record]] = {}
    for cell, record in records.items():
        by_place.setdefault(cell.place, {})[cell] = record

    def of(submission: Submission) -> Mapping[CellId, Record]:
        place = Place(benchmark.name, submission.participant, submission.name, phase.slug)
        return by_place.get(place, {})

    for submission in entered:
        own_records = of(submission)
        builder.add(
            submission,
            lines_of(own_records.values()) if own_records else None,
            {(cell.task, cell.repeat) for cell in stale if cell in own_records},
        )

    def load(submission: Submission, slug: str) -> list[Record]:
        wanted = [record for cell, record in of(submission).items() if cell.task == slug]
        wanted.sort(key=lambda record: record.cell.repeat or 0)
        return [withheld(one) for one in wanted] if phase.shows == "status" else wanted

    if task is not None:
        benchmark = replace(benchmark, leaderboard=benchmark.leaderboard.of_one_task)
    return rank(
        benchmark,
        phase,
        tasks,
        builder.table(load, lambda _: {}),
        commit=commit,
        decisions=decisions,
    )


class Entries:
    """Submissions with their records; the order of entering is the order of time."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.submissions: list[Submission] = []
        self.records: dict[CellId, Record] = {}

    def enter(
        self,
        participant: str,
        name: str,
        *scores: Mapping[str, float] | str | Sequence[Mapping[str, float]],
        leaderboard: bool = True,
    ) -> "Entries":
        """Add a submission; for each task its scores, one set per repeat, or FAILED."""
        self.submissions.append(
            Submission(
                benchmark="bench",
                participant=participant,
                name=name,
                title=name.title(),
                kind_name="results",
                phase="main",
                description="",
                fact_sheet={},
                leaderboard=leaderboard,
            )
        )
        for task, given in zip(self.benchmark.tasks, scores, strict=False):
            repeats = [given] if isinstance(given, (str, Mapping)) else list(given)
            for repeat, values in enumerate(repeats):
                self._record(participant, name, task.slug, values, repeat, len(repeats))
        return self

    def _record(
        self,
        participant: str,
        name: str,
        task: str,
        values: Mapping[str, float] | str,
        repeat: int,
        repeats: int,
    ) -> None:
        cell = CellId(
            benchmark="bench",
            participant=participant,
            submission=name,
            phase="main",
            task=task,
            repeat=repeat if repeats > 1 else None,
        )
        record = make_record(cell, scores={} if isinstance(values, str) else dict(values))
        time = f"2026-01-01T{len(self.submissions):02}:00:00+00:00"
        changes: dict[str, object] = {
            "provenance": record.provenance.replace(submitted=time),
            "scores": {} if isinstance(values, str) else dict(values),
        }
        if isinstance(values, str):
            changes["status"] = "failed"
            changes["error"] = CellError(
                actor=Actor.PARTICIPANT, reason=Reason.TIMED_OUT, message="was stopped"
            )
        self.records[cell] = record.replace(**changes)

    def board(self, **options: object) -> PublicBoard:
        return publish(self.private_board(**options))

    def private_board(self, **options: object) -> Board:
        """The same with all that the organiser hides."""
        phase = self.benchmark.phases[0]
        return make_board(
            self.benchmark,
            phase,
            self.submissions,
            self.records,
            **options,  # type: ignore[arg-type]
        )

    def ranks(self, **options: object) -> list[tuple[int | None, str]]:
        return [(row.rank, row.submission.name) for row in self.board(**options).rows]


def with_submission(row: Row, **changes: object) -> Row:
    """Return a row whose submission says something else."""
    submissions = list(row.table.submissions)
    submissions[row.place] = replace(row.submission, **changes)  # type: ignore[arg-type]
    return replace(row, table=replace(row.table, submissions=tuple(submissions)))
