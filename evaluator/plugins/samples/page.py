"""The page *Samples* of a benchmark: which samples are hard, and on which rows differ."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from evaluator.core.errors import printable
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.core.leaderboard.table import Flags, Floats
from evaluator.core.leaderboard.tables import Cells, csv_parts
from evaluator.plugins.samples.blocks import SUFFIX, BoardScores, task_scores
from evaluator.plugins.samples.format import Sample, unpack
from evaluator.site.insight import BoardPage, PageTable
from evaluator.site.leaderboard.wording import percent

MAX_LINES = 200
"""Of a table; those of the hardest samples and of labels have a tenth."""
MAX_SECTIONS = 20
MAX_VALUES = 1_000_000
"""Of a file."""
GOOD = 3
"""Rows that have to be wrong in the same way: so many at least, and the better half at most."""
_SIDE_BY_SIDE = 5
Places = npt.NDArray[np.intp]


def samples_page(boards: Sequence[PublicBoard], _file: object = None) -> BoardPage | None:
    if not boards[0].benchmark.of_plugins.get("samples"):
        return None
    tables: list[PageTable] = []
    files: dict[str, bytes] = {}
    by_sample: dict[str, dict[str, str]] = {board.phase.slug: {} for board in boards}
    several = len(boards) > 1 or len(boards[0].tasks) > 1
    for board in boards:
        rules = board.benchmark.leaderboard
        column = rules.ranked_by or rules.primary
        contents = attachments(board, SUFFIX)
        for task in board.tasks if contents else ():
            scores = task_scores(board, task.slug, column, contents)
            if len(files) == MAX_SECTIONS or isinstance(scores, str):
                continue
            of = f" of {task.name}, {board.phase.name}" if several else ""
            name = f"samples-{board.phase.slug}-{task.slug}.csv"
            files[name] = _csv(board, scores)
            by_sample[board.phase.slug][task.name] = name
            tables += _tables(board, task.slug, column, scores, contents, of)
    if not tables:
        return None
    return BoardPage(
        name="Samples",
        sentences=[
            "What became of single samples of the test data. Only rows whose value is the mean of "
            "the same samples take part.",
            f"Tables show at most {MAX_LINES} samples. The files have more: those on which rows "
            f"differ most come first, up to {MAX_VALUES:,} values.",
        ],
        tables=tables,
        files=files,
        search="Search samples",
        group="Analysis",
        by_sample=by_sample,
    )


def _tables(
    board: PublicBoard, task: str, column: Column, scores: BoardScores,
    contents: Mapping[CellId, bytes], of: str,
) -> Iterator[PageTable]:  # fmt: skip
    """Yield the tables of one task."""
    known = np.asarray(~np.isnan(scores.values).any(axis=0))
    rows = [row for row, is_known in zip(board.ranked, known, strict=True) if is_known]
    values = scores.values[:, known]
    sign = -1 if column.sorting == "asc" else 1
    means = values.mean(axis=1)
    hardest = np.argsort(sign * means, kind="stable")[: MAX_LINES // 10]
    group = [("Group", False)] if scores.groups else []
    yield PageTable(
        title=f"Hardest samples{of}",
        sentences=list(_summary(values, sign)),
        heads=[("Sample", False), *group, (f"Mean {column.title}", True), ("Best", True)],
        lines=[
            [*_names(scores, place), f"{means[place]:.3f}", f"{sign * best:.3f}"]
            for place, best in zip(
                hardest.tolist(), (sign * values[hardest]).max(axis=1).tolist(), strict=True
            )
        ],
    )
    if _are_outcomes(values):
        yield _alike(rows, task, scores, values == (sign < 0), contents, of)
    first = values[:, :_SIDE_BY_SIDE]
    spread = first.max(axis=1) - first.min(axis=1)
    differ = np.argsort(-spread, kind="stable")[: min(MAX_LINES, np.count_nonzero(spread))]
    yield PageTable(
        title=f"Where the first rows differ{of}",
        sentences=[f"{np.count_nonzero(spread):,} of {len(values):,} samples."],
        heads=[
            ("Sample", False), *group,
            *(
                (f"{row.submission.participant}/{row.submission.name}", True)
                for row in rows[:_SIDE_BY_SIDE]
            ),
        ],
        lines=[
            [*_names(scores, place), *(f"{one:.4g}" for one in first[place].tolist())]
            for place in differ.tolist()
        ],
    )  # fmt: skip


def _summary(values: Floats, sign: int) -> Iterator[str]:
    count, rows = values.shape
    yield f"{count:,} samples and {rows:,} rows."
    if not _are_outcomes(values):
        return
    right = (values == (sign > 0)).sum(axis=1)
    pairs = right * (right - 1) + (rows - right) * (rows - right - 1)
    yield (
        f"Everybody solves {np.count_nonzero(right == rows):,}, nobody "
        f"{np.count_nonzero(right == 0):,}. Two rows agree on "
        f"{percent(float(pairs.mean()) / (rows * (rows - 1)))} of the samples, on average."
    )


def _alike(
    rows: Sequence[Row], task: str, scores: BoardScores, wrong: Flags,
    contents: Mapping[CellId, bytes], of: str,
) -> PageTable:  # fmt: skip
    """List samples on which all good rows are wrong, and say the same."""
    good = max(GOOD, min(len(rows) // 2, 2 * _SIDE_BY_SIDE))
    places = np.flatnonzero(wrong[:, :good].all(axis=1)) if len(rows) >= good else np.array([], int)
    said = [_texts(contents[row.tasks[task].records[0].cell], places) for row in rows[:good]]
    same = [
        (place, texts[0])
        for place, *texts in zip(places.tolist(), *said, strict=True)
        if texts[0] and all(one == texts[0] for one in texts)
    ]
    shown = same[: MAX_LINES // 10]
    return PageTable(
        title=f"Labels to look at{of}",
        sentences=[
            f"The first {good} rows are all wrong on {len(same):,} samples and say the same. "
            "Perhaps the reference answer is wrong there."
        ],
        heads=[
            ("Sample", False), *([("Group", False)] if scores.groups else []),
            ("What they say", False),
        ],
        lines=[
            [*_names(scores, place), "; ".join(f"{key}: {text}" for key, text in texts.items())]
            for place, texts in shown
        ],
    )  # fmt: skip


def _texts(content: bytes, places: Places) -> list[dict[str, str]]:
    decoder = msgspec.json.Decoder(Sample)
    lines = unpack(content).splitlines() if len(places) else []
    samples = (decoder.decode(lines[place]) for place in places.tolist())
    return [
        {key: printable(text) for key, text in sorted(sample.texts.items())} for sample in samples
    ]


def _are_outcomes(values: Floats) -> bool:
    return bool(np.isin(values, (0, 1)).all())


def _names(scores: BoardScores, place: int) -> list[str]:
    return [printable(one[place]).strip() for one in (scores.ids, scores.groups) if one]


def _csv(board: PublicBoard, scores: BoardScores) -> bytes:
    """Write a sample a line and a column for each row; the most different samples first."""
    known = np.flatnonzero(~np.isnan(scores.values).all(axis=0))
    values = scores.values[:, known]
    count = max(1, MAX_VALUES // len(known))
    order = np.argsort(np.nanmin(values, axis=1) - np.nanmax(values, axis=1), kind="stable")[:count]
    columns: dict[str, Cells] = {"sample": [scores.ids[place] for place in order.tolist()]}
    if scores.groups:
        columns["group"] = [scores.groups[place].strip() for place in order.tolist()]
    for place, column in zip(known.tolist(), values[order].T, strict=True):
        item = board.ranked[place].submission
        columns[f"{item.participant}/{item.name}"] = column
    return "".join(csv_parts([*columns], [*columns.values()])).encode("utf-8", "replace")
