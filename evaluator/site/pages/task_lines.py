"""What a submission's page says of each task, as HTML: scores, and where its records come from.

A page has hundreds of these parts and a site thousands of pages; templates took five times as long.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Task
from evaluator.core.formats.record import Record, Step
from evaluator.core.formats.repository_status import MergedPullRequest
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import mean_prediction_seconds
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import TaskResult
from evaluator.site.boards.comparison import shown_number
from evaluator.site.boards.wording import best_method, moment, seconds, size
from evaluator.site.content.content import Deployment
from evaluator.site.content.forge import ForgeAddress

_NONE = "\N{EN DASH}"
Best = Mapping[tuple[str | None, str], float] | None


def score_lines(
    row: Row,
    board: PublicBoard,
    columns: Sequence[Column],
    best: Best,
    times: Mapping[str, float],
    memory: Sequence[float],
    *,
    folds: bool,
) -> Markup:
    """A line over all tasks, if there are several, and one for each.

    ``best`` are the best values of the board, None where no column shows them; ``times`` (by task)
    and ``memory`` are empty without such columns. With ``folds`` a task's name leads to its part
    of the page.
    """
    lines = []
    if columns and (len(board.tasks) > 1 or any(column.derived for column in columns)):
        cells = [_over_tasks(row, column, best) for column in columns]
        if times:
            cells.append(f"<td>{seconds(mean_prediction_seconds(row, board))}</td>")
        if memory:
            cells.append(f"<td>{size(max(memory))}</td>")
        lines.append(_line(f"All {board.benchmark.task_noun}s", cells))
    for task in board.tasks:
        result = row.tasks[task.slug]
        cells = [_on_task(row, task, result, column, best, board) for column in columns]
        cells = cells or [_state(result)]
        if times:
            took = times.get(task.slug)
            cells.append(f"<td>{_NONE if took is None else seconds(took)}</td>")
        if memory:
            peak = result.peak_memory
            cells.append(f"<td>{_NONE if peak is None else size(peak)}</td>")
        lines.append(_line(_task_name(row, task, folds=folds), cells))
    return Markup("".join(lines))  # noqa: S704 - strangers' texts in it are escaped


def _line(head: str, cells: Iterable[str]) -> str:
    return f"<tr><th>{head}</th>{''.join(cells)}</tr>\n"


def _task_name(row: Row, task: Task, *, folds: bool) -> str:
    name = str(escape(task.heading))
    if folds:
        name = f'<a href="#task-{task.slug}">{name}</a>'
    if task.retired:
        return f'{name} <span class="reported">retired</span>'
    if task.slug not in row.counted:
        return f'{name} <span class="reported">own data, not counted</span>'
    return name


def _state(result: TaskResult) -> str:
    look = "" if result.state == "finished" else f' class="state {result.state}"'
    error = result.error
    reason = f'<span class="reason">{escape(error.reason)}</span>' if error else ""
    return f"<td{look}>{result.state}{reason}</td>"


def _over_tasks(row: Row, column: Column, best: Best) -> str:
    own = row.overall.get(column.key)
    top = best.get((None, column.key)) if best and column.key != "coverage" else None
    cell = _cell(column, own, None, row.state, is_best=row.counts and own == top)
    return cell if best is None else cell + _best_cell(column, top)


def _on_task(
    row: Row, task: Task, result: TaskResult, column: Column, best: Best, board: PublicBoard
) -> str:
    if column.over_tasks:
        return "<td></td>" if best is None else '<td></td><td class="other"></td>'
    own = result.values.get(column.key) if result.state == "finished" else None
    if board.benchmark.ranks_datasets:
        top = best_method(row, column)
        is_best = own == top
    else:
        top = None if best is None else best.get((task.slug, column.key))
        is_best = own == top and row.counts and task.slug in row.counted
    cell = _cell(column, own, result.deviations.get(column.key), result.state, is_best=is_best)
    return cell if best is None else cell + _best_cell(column, top)


def _cell(
    column: Column, own: float | None, deviation: float | None, state: str, *, is_best: bool
) -> str:
    if own is None and state == "finished":
        return f"<td>{_NONE}</td>"
    if own is None:
        return f'<td class="state {state}">{state}</td>'
    text = '<td class="best">' if is_best else "<td>"
    text += shown_number(own, column.precision)
    if deviation is not None:
        text += f' <span class="dev">± {shown_number(deviation, column.precision)}</span>'
    return f"{text}</td>"


def _best_cell(column: Column, top: float | None) -> str:
    text = _NONE if top is None else shown_number(top, column.precision)
    return f'<td class="other">{text}</td>'


class SharedItems(NamedTuple):
    """Items of lists as HTML: those of all lists, and the others of each."""

    shared: Markup
    others: list[Markup]


def record_chains(
    records: Sequence[Record],
    row: Row,
    site: Deployment,
    pull_requests: Sequence[MergedPullRequest],
    *,
    hidden: bool,
) -> SharedItems | None:
    """Where records come from, link by link: what is the same of all stands once."""
    forms, path = site.forms, row.submission.path
    requests = [_requests(pull_requests, forms)] if pull_requests else []

    def linked(commit: str | None, path: str, text: str) -> str:
        code = f"<code>{escape(text)}</code>"
        at = forms and commit and forms.source(commit, path)
        return f'<a href="{escape(at)}">{code}</a>' if at else code

    page = "files that were not committed"
    if site.commit:
        changes = " and changes that are not committed" if site.modified else ""
        page = f"commit <code>{site.commit}</code>{changes}"
    items = []
    for record in records:
        p, scores = record.provenance, record.cell.scores_path
        evaluated = linked(p.commit, "", p.commit) if p.commit else "files that were not committed"
        image = f"<code>{escape(p.image)}</code>"
        image += f", mapped to <code>{escape(p.image_used)}</code>" if p.image_used else ""
        image += f", ran as <code>{escape(p.image_id)}</code>" if p.image_id else ""
        isolation = "none: run on the host, trusted" if p.isolation == "none" else p.isolation
        machine = f"{p.cpus} cores, {escape(p.cpu)}, {size(p.memory)}"
        again = ", stored predictions scored again" if p.reused_predictions else ""
        since = "" if hidden else f"{escape(moment(p.started))} to "
        links = (
            ("Submission", f"{linked(p.commit, path, path)}, added {escape(moment(p.submitted))}"),
            ("Content</strong>, digest of its files", f"<code>{escape(p.submission_tree)}</code>"),
            ("Commit evaluated", evaluated),
            ("Image", f"{image}. Isolation {isolation}"),
            ("Evaluator", f"pullbench {escape(p.evaluator)}{again}"),
            ("Runner", f"queue {escape(p.queue)}; {machine}"),
            ("Time", f"{since}{escape(moment(p.finished))}"),
            ("Scores", linked(site.commit, scores, scores)),
            ("Score key", f"<code>{escape(record.keys.score)}</code>"),
            ("This page", page),
        )
        items.append([*requests, *(_item(*link) for link in links)])
    return shared_items(items) if items else None


def _item(title: str, text: str) -> str:
    end = "" if "</strong>" in title else "</strong>"
    return f"<li><strong>{title}{end}: {text}</li>"


def _requests(requests: Sequence[MergedPullRequest], forms: ForgeAddress | None) -> str:
    texts = []
    for one in requests:
        number, commit = f"#{one.number}", f"<code>{one.commit[:12]}</code>"
        if forms:
            number = f'<a href="{escape(forms.pull_request(one.number))}">{number}</a>'
            commit = f'<a href="{escape(forms.source(one.commit, ""))}">{commit}</a>'
        texts.append(f"{number} ({commit}, {moment(one.at.isoformat())})")
    named = "Pull request</strong>, as commits name it"
    return _item(named, ", then ".join(texts))


def shared_items(lists: Sequence[Sequence[str]]) -> SharedItems:
    shared = [item for item in lists[0] if all(item in other for other in lists)]
    others = ["\n".join(one for one in items if one not in shared) for items in lists]
    return SharedItems(Markup("\n".join(shared)), [Markup(one) for one in others])  # noqa: S704


def granted(step: Step) -> Markup:
    """Say what a step was given, and what its machine did not have; empty where nobody knows."""
    text, given = "", step.granted
    if given:
        text = f"{given.cpus:g} core{'s' if given.cpus != 1 else ''}, {size(given.memory)}"
        if given.gpus:
            text += f", {given.gpus} GPU{'s' if given.gpus != 1 else ''}"
    less = f' <span class="reported">{escape(step.less)}</span>' if step.less else ""
    return Markup(text + less)  # noqa: S704


def grants(records: Sequence[Record]) -> Markup:
    """Say what steps were given, each thing once."""
    texts = dict.fromkeys(granted(step) for record in records for step in record.steps)
    return Markup("; ").join(filter(None, texts))
