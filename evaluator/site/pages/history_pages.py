"""Pages and files of boards as they were.

``history/<point>/`` has the board of the phase that was open then, or was last; those of the other
phases that had begun are below it, in ``phases/<phase>/``.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np
from markupsafe import Markup, escape

from evaluator.core.formats.columns import Column
from evaluator.site.boards.board_columns import BoardColumn
from evaluator.site.boards.comparison import shown_number
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.past_boards import (
    FormerData,
    FormerRow,
    FormerTask,
    PastBoard,
    name_of,
    past_board_json,
)
from evaluator.site.pages.page import LazyPage, PageContent, make_page
from evaluator.site.pages.templating import render


def past_board_pages(content: BenchmarkContent, site: Deployment) -> Iterator[LazyPage]:
    present = content.row_ids | {dataset.submission.id for dataset in content.datasets}
    links = {
        depth: render("links.html", content=content, site=site, up="../" * depth, below="history")
        for depth in (2, 4)
    }
    for point in content.history.boards:
        boards = [point, *point.others]
        phases = repr([_phase(past) for past in boards])
        for past in boards:
            above = links[2 if past is point else 4]
            facts = f"{above}{phases}{_facts(past, present)}"
            for path in _folders(content, point, past):
                make = partial(_past_board_page, content, site, past, path, above, present, boards)
                yield LazyPage(path=path, facts=facts, render=make)


def _past_board_page(
    content: BenchmarkContent,
    site: Deployment,
    past: PastBoard,
    path: str,
    links: str,
    present: Collection[str],
    boards: Sequence[PastBoard],
) -> PageContent:
    """A phase's page at a point, whose first board is of the phase open then."""
    is_first = past is boards[0]
    title = f"{content.benchmark.title}, {past.point.at:%Y-%m-%d}"
    return make_page(
        path, title if is_first or not past.data else f"{title}: {past.data['phase_name']}",
        "past_board.html", links=links, content=content, past=past, site=site, known=present,
        columns=_columns(past.data, content.benchmark.leaderboard.primary.key) if past.data else [],
        task_cells=_task_cells,
        up="../../" if is_first else "../../../../",
        phases=[
            (*_phase(one), one is past, _way(one is boards[0], is_first, _phase(one)[0]))
            for one in boards
        ] if len(boards) > 1 else [],
    )  # fmt: skip


def _columns(data: FormerData, first: str) -> list[tuple[FormerTask | None, BoardColumn]]:
    """The columns in which somebody has a value: over all tasks, and one for each task."""
    columns = sorted(data["columns"], key=lambda one: one["key"] != first)
    tasks = data["tasks"] if len(data["tasks"]) > 1 else []
    of_tasks = [one for one in columns if not one["over_tasks"]][:1]
    pairs = [*product([None], columns), *product(tasks, of_tasks)]
    drawn = [
        (
            task,
            BoardColumn(
                column=Column(hidden=False, computation=None, operands=(), **column), task=None,
                values=np.array([_value(row, column["key"], task) for row in data["rows"]]),
                is_main=column is columns[0] and not task, is_shown=True, is_shaded=bool(task),
            ),
        )
        for task, column in pairs
    ]  # fmt: skip
    return [(task, one) for task, one in drawn if not np.isnan(one.values).all()]


def _task_cells(
    row: FormerRow, place: int, columns: Sequence[tuple[FormerTask | None, BoardColumn]]
) -> Markup:
    """A row's cells of single tasks: a page has thousands, and templates are slow."""
    text = ""
    for task, one in columns:
        if task is None:
            continue
        number, status = one.values[place], row["status"]
        text += f'<td class="num {one.shade(place)}" data-value="'
        if number == number:
            text += f'{number}">{shown_number(number, one.column.precision)}</td>\n'
            continue
        result = row["tasks"].get(task["slug"])
        status = result["status"] if result and result["status"] != "finished" else status
        status = escape("\N{EN DASH}" if status == "finished" else status)
        text += f'">{status}</td>\n'
    return Markup(text)  # noqa: S704 - states are escaped


def _value(row: FormerRow, key: str, task: FormerTask | None) -> float:
    if task is None:
        return row["overall"].get(key, np.nan)
    result = row["tasks"].get(task["slug"], {"status": "", "scores": {}})
    return result["scores"].get(key, np.nan) if result["status"] == "finished" else np.nan


def _way(to_first: bool, from_first: bool, phase: str) -> str:
    if from_first:
        return "./" if to_first else f"phases/{phase}/"
    return "../../" if to_first else f"../{phase}/"


def _phase(past: PastBoard) -> tuple[str, str]:
    return (past.data["phase"], past.data["phase_name"]) if past.data else ("", "")


def _folders(content: BenchmarkContent, point: PastBoard, past: PastBoard) -> Iterator[str]:
    below = "" if past is point else f"/phases/{_phase(past)[0]}"
    for folder in point.point.folders:
        yield f"{content.benchmark.path}/history/{folder}{below}"


def _facts(past: PastBoard, present: Collection[str]) -> str:
    """All that the page shows beside the present bundle and the names of phases."""
    boards = [data for data in (past.data, past.before) if data is not None]
    ids = [f"{data['benchmark']}/{name_of(row)}" for data in boards for row in data["rows"]]
    gone = [name for name in ids if name not in present]
    return repr((past.point, gone)) + "".join(past_board_json(one).decode() for one in boards)


def past_board_files(content: BenchmarkContent, _: Deployment) -> Iterator[tuple[str, bytes]]:
    for point in content.history.boards:
        for past in (point, *point.others):
            if past.data is not None:
                encoded = past_board_json(past.data)
                for path in _folders(content, point, past):
                    yield f"{path}/board.json", encoded
