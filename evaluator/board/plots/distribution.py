"""Scores on each task: every submission a point, with their box."""

from collections import Counter
from collections.abc import Sequence

from evaluator.board.analysis.boxes import Box, make_box
from evaluator.board.analysis.figures.svg import MUTED, Drawing, number
from evaluator.board.plots.entries import BoardEntries
from evaluator.board.plots.figure import MAX_LINES, MAX_MARKS, Figure, Line
from evaluator.board.plots.frame import WIDTH, short_texts
from evaluator.board.plots.marks import GRID, OTHER, Kind, Mark, draw_marks, legend
from evaluator.board.plots.scales import Scale, make_scale
from evaluator.board.plots.wording import counted, label, outside_text, shown, text_width
from evaluator.formats.bundle import Task

ROW, TOP = 44.0, 34.0
LEFT, RIGHT = 156.0, 560.0
MAX_TASKS = 40
BIN = 4
"""Width of a step of the shading where points are too many."""
APART = 50
"""Ratio of the widest to the narrowest task from which each has an axis of its own."""


def distribution(board: BoardEntries) -> Figure | str:
    """Draw a row for each task, or say why there is nothing to draw."""
    kept = [(task, _values(board, task)) for task in board.tasks]
    kept = [(task, values) for task, values in kept if len(values) > 1]
    if not any(len(values) > 2 for _, values in kept):
        return "no task has scores of three submissions"
    rows = kept[:MAX_TASKS]
    scales, outside = _scales([[value for _, value in values] for _, values in rows])
    common = len(set(map(id, scales))) == 1
    count = sum(len(values) for _, values in rows)
    dense = count > MAX_MARKS
    boxes = [make_box([value for _, value in values]) for _, values in rows]
    said = _said(board, len(kept), count, common=common, dense=dense)
    drawing = Drawing(
        f"{board.compared.title} on each of {counted(len(rows), _parts(board))}",
        " ".join([*said, *_medians(board, rows, boxes)]), width=WIDTH, natural=True,
    )  # fmt: skip
    foot = TOP + ROW * len(rows)
    if common:
        for tick, text in short_texts(scales[0].ticks()):
            x = scales[0].at(tick)
            drawing.line(x, TOP, x, foot, stroke=GRID)
            drawing.text(x, foot + 14, text, anchor="middle", size=11, fill=MUTED)
    marks: list[Mark] = []
    for index, ((task, values), scale, box) in enumerate(zip(rows, scales, boxes, strict=True)):
        y = TOP + ROW * (index + 0.5)
        drawing.text(LEFT - 8, y + 4, label(task.name, 20), anchor="end")
        _counts(drawing, board, task, len(values), y)
        if box:
            _box(drawing, scale, box, y)
        if not common:
            _ends(drawing, scale, values, y)
        marks += _marks(drawing, board, task, values, scale, y, dense=dense)
    drawn = draw_marks(drawing, marks)
    kinds = {mark.kind for mark in drawn}
    names: list[tuple[Kind, str]] = [
        ("other", board.nouns), ("best", "best of the task"), ("baseline", "baseline"),
        ("reported", "reported, not reproduced"),
    ]  # fmt: skip
    legend(drawing, [(kind, name) for kind, name in names if kind in kinds], LEFT, 12)
    name = f"{board.compared.title} ({'lower' if _lower(board) else 'higher'} is better)"
    drawing.text((LEFT + RIGHT) / 2, foot + 32, name, anchor="middle", size=11, fill=MUTED)
    drawing.height = foot + 42
    return Figure(
        name="scores-per-task", heading=f"Scores on each {_parts(board)[:-1]}", board=board,
        drawing=drawing, caption=(*said, *outside_text(outside)),
        head=("submission", "Submission"), keys=tuple(task.slug for task in board.tasks),
        titles=tuple(task.name for task in board.tasks), lines=_lines(board), marks=drawn,
        rows=(TOP, ROW),
    )  # fmt: skip


def _lower(board: BoardEntries) -> bool:
    return board.compared.sorting == "asc"


def _parts(board: BoardEntries) -> str:
    return "methods" if board.transposed else "tasks"


def _values(board: BoardEntries, task: Task) -> list[tuple[int, float]]:
    """Return places of entries with their values, the least first."""
    found = [
        (place, entry.tasks[task.slug])
        for place, entry in enumerate(board.entries)
        if task.slug in entry.tasks
    ]
    return sorted(found, key=lambda item: (item[1], item[0]))


def _scales(rows: Sequence[Sequence[float]]) -> tuple[list[Scale], int]:
    """Return one scale for all rows, or one for each where they differ too much."""
    widths = [max(row) / 2 - min(row) / 2 for row in rows]
    wide = [width for width in widths if width > 0]
    everything = [value for row in rows for value in row]
    shares = all(0 <= value <= 1 for value in everything)
    if shares or not wide or max(wide) / min(wide) <= APART:
        scale, outside = make_scale(everything, LEFT, RIGHT)
        return [scale] * len(rows), outside
    found = [make_scale(row, LEFT, RIGHT) for row in rows]
    return [scale for scale, _ in found], sum(count for _, count in found)


def _said(
    board: BoardEntries, tasks: int, count: int, *, common: bool, dense: bool
) -> tuple[str, ...]:
    failed, missing = sum(board.failures.values()), sum(board.missing.values())
    found = [f"{counted(count, 'results')} in {board.compared.title}. The box holds the middle "
             "half, its line is the median, whiskers reach 1.5 boxes."]  # fmt: skip
    if not common:
        found.append("Ranges differ so much that each row has an axis of its own.")
    if dense:
        found.append(f"More than {MAX_MARKS:,} results are drawn as shading; points are the best "
                     "and the baseline.")  # fmt: skip
    if tasks > MAX_TASKS:
        found.append(f"The first {MAX_TASKS} of {tasks} {_parts(board)} are drawn.")
    if failed or missing:
        found.append(f"{counted(failed, 'results')} failed, {missing:,} are missing or stale: "
                     "they have no point.")  # fmt: skip
    return tuple(found)


def _medians(
    board: BoardEntries,
    rows: Sequence[tuple[Task, Sequence[tuple[int, float]]]],
    boxes: Sequence[Box | None],
) -> list[str]:
    return [
        f"{task.name}: median {shown(box.median, board.compared)}."
        for (task, _), box in zip(rows, boxes, strict=True) if box
    ]  # fmt: skip


def _counts(drawing: Drawing, board: BoardEntries, task: Task, count: int, y: float) -> None:
    failed, missing = board.failures[task.slug], board.missing[task.slug]
    second = [f"{failed:,} failed"] if failed else []
    second += [f"{missing:,} missing"] if missing else []
    drawing.text(RIGHT + 12, y + (-2 if second else 4), f"n = {count:,}", size=11, fill=MUTED)
    for index, text in enumerate(second):
        drawing.text(RIGHT + 12, y + 11 + 12 * index, text, size=10, fill=MUTED)


def _box(drawing: Drawing, scale: Scale, box: Box, y: float) -> None:
    low, q1, middle, q3, high = (
        scale.at(v) for v in (box.low, box.q1, box.median, box.q3, box.high)
    )
    drawing.line(low, y, q1, y, stroke=MUTED)
    drawing.line(q3, y, high, y, stroke=MUTED)
    drawing.box(q1, y - 11, max(q3 - q1, 1), 22, stroke=MUTED)
    drawing.line(middle, y - 11, middle, y + 11, width=2.5)


def _ends(drawing: Drawing, scale: Scale, values: Sequence[tuple[int, float]], y: float) -> None:
    last = -1e9
    for value in dict.fromkeys((values[0][1], values[-1][1])):
        text = f"{value:.3g}"
        x = scale.at(value)
        if x - text_width(text, 10) / 2 > last + 4:
            drawing.text(x, y + 20, text, anchor="middle", size=10, fill=MUTED)
            last = x + text_width(text, 10) / 2


def _marks(
    drawing: Drawing,
    board: BoardEntries,
    task: Task,
    values: Sequence[tuple[int, float]],
    scale: Scale,
    y: float,
    *,
    dense: bool,
) -> list[Mark]:
    """Return a task's points; where they are too many the best and the baseline, over shading."""
    top = values[0][1] if _lower(board) else values[-1][1]
    found: list[Mark] = []
    taken: Counter[int] = Counter()
    for place, value in values:
        entry = board.entries[place]
        kind: Kind = "other" if entry.group == "submission" else entry.group
        kind = "best" if value == top and entry.group != "baseline" else kind
        x = scale.at(value)
        if dense and (kind in ("other", "reported") or taken[-1] >= MAX_TASKS):
            continue
        taken[-1] += 1
        # Neighbours that would hide one another stand above and below the line in turn.
        near = taken[int(x // 8)]
        taken[int(x // 8)] += 1
        off = 0.0 if dense else (near + 1) // 2 * 5.0 * (1 if near % 2 else -1)
        says = f"{task.name}: {shown(value, board.compared)}"
        found.append(Mark(entry=place, kind=kind, x=x, y=y + max(-18.0, min(18.0, off)), says=says))
    if dense:
        _shade(drawing, [scale.at(value) for _, value in values], y)
    return found


def _shade(drawing: Drawing, places: Sequence[float], y: float) -> None:
    bins = Counter(int(x // BIN) for x in places)
    most = max(bins.values())
    bars = "".join(
        f"M{b * BIN} {number(y - 14 * n / most)}h{BIN}V{number(y + 14 * n / most)}h-{BIN}z"
        for b, n in sorted(bins.items())
    )
    drawing.path(bars, fill=OTHER, opacity=0.45)


def _lines(board: BoardEntries) -> list[Line]:
    slugs = [task.slug for task in board.tasks]
    found: list[Line] = []
    for entry in board.entries:
        values = tuple(entry.tasks.get(slug) for slug in slugs)
        texts = tuple(shown(v, board.compared) for v in values) if len(found) < MAX_LINES else ()
        found.append(Line(head=entry, values=values, texts=texts))
    return found
