"""The page *Samples* of a benchmark: which samples are hard, and on which rows differ."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from evaluator.core.errors import printable
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.json_reader import UnreadableError
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.core.leaderboard.table import Flags, Floats
from evaluator.core.leaderboard.tables import Cells, csv_parts
from evaluator.core.ranking.proportion import pass_chances, proportion
from evaluator.plugins.samples.blocks import SUFFIX, TaskScores, are_outcomes, scores_by_task
from evaluator.plugins.samples.format import lines_of, read_sample, unpack
from evaluator.site.boards.wording import percent
from evaluator.site.content.insight import BoardPage, PageTable

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
    tables: list[PageTable] = []
    files: dict[str, bytes] = {}
    by_sample: dict[str, dict[str, str]] = {board.phase.slug: {} for board in boards}
    for board in boards:
        by_task = scores_by_task(board)
        contents = attachments(board, SUFFIX) if by_task else {}
        for task in board.tasks:
            if task.slug not in by_task or len(files) == MAX_SECTIONS:
                continue
            scores = by_task[task.slug]
            names = [task.name for _ in board.tasks[1:2]] + [board.phase.name for _ in boards[1:2]]
            of = f": {', '.join(names)}" if names else ""
            name = f"samples-{board.phase.slug}-{task.slug}.csv"
            files[name] = _csv(board, scores)
            by_sample[board.phase.slug][task.name] = name
            tables += _tables(board, task.slug, scores, contents, of)
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
    board: PublicBoard, task: str, scores: TaskScores, contents: Mapping[CellId, bytes], of: str
) -> Iterator[PageTable]:
    """Yield the tables of one task."""
    known = np.asarray(~np.isnan(scores.values).any(axis=0))
    rows = [row for row, is_known in zip(board.ranked, known, strict=True) if is_known]
    values = scores.values[:, known]
    sign = -1 if scores.column.sorting == "asc" else 1
    means = values.mean(axis=1)
    hardest = np.argsort(sign * means, kind="stable")[: MAX_LINES // 10]
    group = [("Group", False)] if scores.groups else []
    yield PageTable(
        title=f"Hardest samples{of}",
        sentences=list(_summary(values, sign)),
        heads=[("Sample", False), *group, (f"Mean {scores.column.title}", True), ("Best", True)],
        lines=[
            [*_names(scores, place), f"{means[place]:.3f}", f"{sign * best:.3f}"]
            for place, best in zip(
                hardest.tolist(), (sign * values[hardest]).max(axis=1).tolist(), strict=True
            )
        ],
    )
    if are_outcomes(values):
        yield _alike(rows, task, scores, values == (sign < 0), contents, of)
    if scores.passed:
        yield _passes(board.ranked, scores, sign, of)
    first = values[:, :_SIDE_BY_SIDE]
    spread = first.max(axis=1) - first.min(axis=1)
    differ = np.argsort(-spread, kind="stable")[: min(MAX_LINES, np.count_nonzero(spread))]
    yield PageTable(
        title=f"Where the first rows differ{of}",
        sentences=[f"{np.count_nonzero(spread):,} of {len(values):,} samples."],
        heads=[
            ("Sample", False), *group,
            *((row.submission.short_name, True) for row in rows[:_SIDE_BY_SIDE]),
        ],
        lines=[
            [*_names(scores, place), *(f"{one:.4g}" for one in first[place].tolist())]
            for place in differ.tolist()
        ],
    )  # fmt: skip


def _passes(rows: Sequence[Row], scores: TaskScores, sign: int, of: str) -> PageTable:
    """List how often k repeats of a sample hold a pass, or are all passed (unbiased estimates)."""
    most = max(scores.passed.values())
    ks = [2**power for power in range(most.bit_length())]
    return PageTable(
        title=f"Passes of k repeats{of}",
        sentences=[
            "pass@k is the chance that one of k repeats of a sample passes, pass^k that all do, "
            "with its 95% interval for other samples of this task."
        ],
        heads=[
            ("Entry", False), ("Repeats", True),
            *((f"pass@{k}", True) for k in ks), *((f"pass^{k}", True) for k in ks[1:]),
        ],
        lines=[
            [rows[place], str(n), *(
                pass_text(scores.values[:, place] * n, k, scores, n=n, sign=sign, every=every)
                for every, each in ((False, ks), (True, ks[1:])) for k in each
            )]
            for place, n in scores.passed.items()
        ],
    )  # fmt: skip


def pass_text(ones: Floats, k: int, scores: TaskScores, *, n: int, sign: int, every: bool) -> str:
    """Write an estimate of one row with its 95% interval; ``ones`` are sums over ``n`` repeats."""
    if k > n:
        return ""
    passed = np.rint(ones if sign > 0 else n - ones).astype(np.intp)
    rates = pass_chances(n, k, every=every)[passed]
    groups = scores.group_of if scores.groups else None
    most = len(rates) * (n if k == 1 else 1)
    return "{:.3f} ({:.3f} to {:.3f})".format(*proportion(rates, scores.weights, groups, most))


def _summary(values: Floats, sign: int) -> Iterator[str]:
    count, rows = values.shape
    yield f"{count:,} samples and {rows:,} rows."
    if not are_outcomes(values):
        return
    right = (values == (sign > 0)).sum(axis=1)
    pairs = right * (right - 1) + (rows - right) * (rows - right - 1)
    yield (
        f"Everybody solves {np.count_nonzero(right == rows):,}, nobody "
        f"{np.count_nonzero(right == 0):,}. Two rows agree on "
        f"{percent(float(pairs.mean()) / (rows * (rows - 1)))} of the samples, on average."
    )


def _alike(
    rows: Sequence[Row], task: str, scores: TaskScores, wrong: Flags,
    contents: Mapping[CellId, bytes], of: str,
) -> PageTable:  # fmt: skip
    """List samples on which all good rows are wrong, and say the same."""
    good = max(GOOD, min(len(rows) // 2, 2 * _SIDE_BY_SIDE))
    places = np.flatnonzero(wrong[:, :good].all(axis=1)) if len(rows) >= good else np.array([], int)
    said = [
        _texts([contents[record.cell] for record in row.tasks[task].records], places)
        for row in rows[:good]
    ]
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


def _texts(contents: Sequence[bytes], places: Places) -> list[dict[str, str]]:
    """Texts of samples: of the first repeat, or of all folds."""
    wanted = contents if len(places) else []
    lines = [line for content in wanted for line in lines_of(unpack(content))]
    samples = (read_sample(lines[place]) for place in places.tolist())
    with suppress(UnreadableError):  # the scores of its samples count all the same
        return [
            {key: printable(text) for key, text in sorted(one.texts.items())} for one in samples
        ]
    return [{} for _ in places]


def _names(scores: TaskScores, place: int) -> list[str]:
    return [printable(one[place]).strip() for one in (scores.ids, scores.groups) if one]


def _csv(board: PublicBoard, scores: TaskScores) -> bytes:
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
        columns[item.short_name] = column
    return "".join(csv_parts([*columns], [*columns.values()])).encode("utf-8", "replace")
