"""Board, rank intervals, *Analysis*, *Compare*, records, comment and JSON never contradict."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.ranking.comparison import ALPHA
from evaluator.plugins.insight.insight import INSIGHT
from evaluator.plugins.insight.statistics.conclusions import (
    conclusions,
    evidence,
    headline,
    verdict,
)
from evaluator.plugins.insight.statistics.confidence import Confidence, confidence
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals, rank_spans
from evaluator.plugins.insight.study_files import confidence_files
from evaluator.plugins.races.accept import CHALLENGER
from evaluator.plugins.races.contender import Contender
from evaluator.plugins.races.contenders import compare
from evaluator.site.content.insight import Missing
from evaluator.site.pages import benchmark_pages
from tests.core.leaderboard.tables import LOWER, Cell, table_board
from tests.site.conftest import serving

ASSETS = Path(benchmark_pages.__file__).parent / "assets"
BETWEEN = """async (questions) => {
  const { between } = await import("/distances.js");
  return questions.map((one) => one.rows.map((_, row) => one.rows.map((_, other) => {
    const found = between(one, row, other);
    return found === null ? null : [found.low > 0 || found.high < 0, found.distance];
  })));
}"""
P = 0.01


def random_boards(count: int, seed: int = 1) -> Iterator[PublicBoard]:
    """Boards of any number of rows, tasks and repeats, weights, families, ties and directions.

    Some are of outcomes that pass or fail, of times that are compared by ratio, or of mean ranks
    with failures.
    """
    source = np.random.default_rng(seed)
    for _ in range(count):
        rows, tasks, repeats = source.integers(2, 8), source.integers(1, 13), source.integers(1, 5)
        values = source.normal(size=(rows, tasks, repeats)) + source.choice(
            [0, 0.5, 2]
        ) * np.arange(rows).reshape(-1, 1, 1)
        values = np.round(values, source.choice([0, 1, 6]))
        kind = source.choice(
            ["values", "outcomes", "times", "failures"], p=[0.55, 0.15, 0.15, 0.15]
        )
        if kind == "outcomes":
            values = (values > 0).astype(np.float64)
        if kind == "times":
            values = np.exp(values)
        table: dict[str, list[Cell]] = {
            f"p{row}/r{row}": [one if repeats > 1 else one[0] for one in values[row].tolist()]
            for row in range(rows)
        }
        of_kind = ""
        if kind == "failures":
            of_kind = ", aggregate: mean_rank"
            for cells in table.values():
                cells[:] = [None if source.random() < 0.1 else one for one in cells]
        if kind == "times":
            of_kind = ", columns: {a: {ratio: true}}"
        weights = source.choice([1, 10], tasks) if source.random() < 0.3 else [1] * tasks
        groups = source.integers(0, 9, tasks) if source.random() < 0.2 else range(tasks)
        own = ", ".join(
            f"{task}: {{weight: {weight}, group: g{group}}}"
            for task, (weight, group) in enumerate(zip(weights, groups, strict=True))
        )
        yield table_board(
            table,
            columns=LOWER
            if kind == "times" or source.random() < 0.3
            else "      - {title: A, key: a, index: 0}\n",
            extra=f"pullbench: {{accept: {{beats: record, p: {P}}}, repeats: {repeats}, "
            f"tasks: {{{own}}}{of_kind}}}\n",
        )


def contradictions(board: PublicBoard) -> Iterator[str]:
    certain, lines = intervals(board), confidence(board)
    spans, (_, short) = rank_spans(board), headline(board)
    said = conclusions(board)
    if said != INSIGHT.conclusions(board):
        yield "the comment says something else"
    if isinstance(certain, Missing) or isinstance(lines, Missing):
        if "significant" in said + short + verdict(board) or spans:
            yield "a verdict without a comparison"
        return
    first, others = certain.rows[0], [row for row in certain.rows if row.rank != 1]
    leaders = [place for place, row in enumerate(certain.rows) if row.rank == 1]
    behind = [place for place, row in enumerate(certain.rows) if row.rank != 1]
    is_sure = bool(others) and certain.can_separate and not certain.same
    words = [verdict(board).startswith("significant")] if others else []
    words += ["and is significantly better" in said] if len(board.leaders) == 1 and others else []
    if any(word != is_sure for word in words):
        yield f"board, sentence and verdict: {said}"
    if others and ("no significant difference" in short) != bool(
        certain.can_separate and certain.same
    ):
        yield f"headline: {short}"
    if others and certain.can_separate:
        rival = (certain.same or behind)[0]
        p = float(certain.pairs.against(certain.leader_against(rival))[0][rival])
        if ("chance alone explains" in evidence(board)) != (p > ALPHA):
            yield f"why: {evidence(board)}"
    if is_sure and not certain.better[np.ix_(leaders, behind)].all():
        yield "a leader that is not better"
    for line in lines.lines:
        if bool(spans) and spans[line.row.submission.id][:3] != (line.low, line.high, line.group):
            yield "rank intervals of board and analysis"
        if line.row.rank != 1 and line.row is not first:
            place = certain.rows.index(line.row)
            if bool(certain.better[0, place]) != (line.least > int(certain.is_by_ratio)):
                yield f"distance and verdict: {line}"
    yield from _records(board, certain, list(compare(board)))


def _records(board: PublicBoard, certain: Intervals, entries: list[Contender]) -> Iterator[str]:
    """A record is no worse than any board's verdict on the same runs, and claims no more."""
    runs = [one for one in (certain, *certain.beside) if one.about == "runs"]
    if len(board.tasks) > 1 and board.table.repeats.max() == 1 and certain.noun == "tasks":
        runs = [certain]
    for entry in entries:
        if not entry.best or not entry.certainty or entry.fault:
            continue
        if entry.certainty.p_more > CHALLENGER * P:
            yield "a record without its p"
        for one in runs:
            names = [row.submission.id for row in one.rows]
            new, old = (names.index(each.row.submission.id) for each in (entry, entry.best))
            if not one.can_separate:
                yield "a record where units are too few"
            if one.pairs.against(new)[3][old] < 0:
                yield "a record that is significantly worse"
            if len(names) == 2 and one.pairs.two and entry.certainty.p != one.pairs.two.p:
                yield "two p of one question"
            if len(names) == 2 and one.pairs.against(new)[0][old] > ALPHA:
                yield "a record of two rows that do not differ"


@pytest.mark.parametrize("boards", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_nothing_contradicts_on_random_boards(boards: int) -> None:
    found = [(place, one) for place, board in enumerate(random_boards(boards))
             for one in contradictions(board)]  # fmt: skip
    assert found == []


def test_a_record_has_the_p_of_the_board_about_runs_of_the_same_tasks() -> None:
    """What two tasks differ by is no chance: a new entry wins on one and loses on the other."""
    source = np.random.default_rng(1)
    table: dict[str, list[Cell]] = {
        name: [source.normal(mean, 0.1, 12).tolist() for mean in means]
        for name, means in (("a/old", (0, 0)), ("b/new", (3, -2.5)))
    }
    extra = f"pullbench: {{accept: {{beats: record, p: {P}}}, repeats: 12}}\n"
    board = table_board(table, columns="      - {title: A, key: a, index: 0}\n", extra=extra)
    assert "significantly better" in conclusions(board)
    certain, (_, new) = intervals(board), compare(board)
    assert isinstance(certain, Intervals) and certain.pairs.two and new.certainty
    assert new.certainty.p == certain.pairs.two.p
    assert not new.fault
    assert list(contradictions(board)) == []


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    found = context.new_page()
    with serving(ASSETS) as address:
        found.goto(f"{address}distances.js")
        yield found
    context.close()


@pytest.mark.browser
def test_compare_says_what_the_board_says(page: Page) -> None:
    questions: list[Any] = []
    expected = []
    for board in random_boards(40, seed=2):
        certain = confidence(board)
        if not isinstance(certain, Confidence):
            continue
        data = json.loads(confidence_files(certain, Missing("untested"))["confidence.json"])
        questions += data["comparisons"]
        for one in (certain.intervals, *certain.intervals.beside):
            expected += [[one.pairs.against(row) for row in range(len(one.rows))]]
    for found, lines in zip(page.evaluate(BETWEEN, questions), expected, strict=True):
        for row, (p, distance, _, _) in enumerate(lines):
            for other in range(len(p)):
                apart, far = found[row][other]
                assert apart == (p[other] <= ALPHA)
                assert far == pytest.approx(distance[other], rel=1e-6, abs=1e-9)
