"""The page *Transcripts* of a benchmark: what programs asked models, and what these said."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from evaluator.core.errors import printable
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.json_reader import UnreadableError, read_json
from evaluator.core.formats.phases import Task
from evaluator.core.formats.record import Record, StepName
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.plugins.models.keys import models_of
from evaluator.plugins.models.transcript import SUFFIXES, Exchange, unpack
from evaluator.plugins.models.usage import MAX_ANSWER, event_texts, read_events
from evaluator.site.content.insight import BoardPage, PageTable

MAX_LINES = 100
"""Exchanges of one cell."""
MAX_TABLES = 50
MAX_BESIDE = 5
"""Entries in a table side by side."""
MAX_END = 200
"""Characters of an answer there: its end."""
MAX_TEXT = 1000
"""Characters of a request or of an answer."""
_HEADS = [("#", True), ("Request", False), ("Answer", False), ("Tokens", True), ("Cost", True)]


def transcripts_page(boards: Sequence[PublicBoard], _file: object = None) -> BoardPage | None:
    if not models_of(boards[0].benchmark):
        return None
    beside: list[PageTable] = []
    tables: list[PageTable] = []
    for board in boards:
        files = {step: attachments(board, suffix) for step, suffix in SUFFIXES.items()}
        for row in board.rows:
            records = (one for result in row.tasks.values() for one in result.records[:1])
            for record, step in product(records, SUFFIXES):
                if record.cell in files[step] and len(tables) < MAX_TABLES:
                    tables += _tables(board, record, files[step][record.cell], step)
        for task in board.tasks[: MAX_TABLES - len(beside)]:
            beside += _side_by_side(board, task, files["ingestion"])
    if not tables:
        return None
    return BoardPage(
        name="Transcripts",
        sentences=[
            "What programs asked models, and what the models said. The texts are strangers'.",
            f"Of each request the last message is shown, and {MAX_TEXT} characters of a text. A "
            f"table has {MAX_LINES} exchanges at most, of the first run where a task has several. "
            "The files beside the scores have all.",
        ],
        tables=[*beside, *tables],
        search="Search transcripts",
        group="Analysis",
        compares="What models said to entries, side by side" if beside else "",
    )


def _tables(
    board: PublicBoard, record: Record, content: bytes, step: StepName
) -> Iterator[PageTable]:
    """Yield the table of a cell, whose file may be a stranger's."""
    try:
        _, exchanges = unpack(content)
    except ValueError:
        return
    cell, models = record.cell, models_of(board.benchmark)
    task = next(one.name for one in board.tasks if one.slug == cell.task)
    names = [f"{cell.participant}/{cell.submission}", board.phase.name, task]
    names += [] if cell.repeat is None else [f"run {cell.repeat}"]
    names += ["judges"] if step == "scoring" else []
    cost = sum(one.cost(models) for one in exchanges)
    yield PageTable(
        title=", ".join(names),
        sentences=[f"{len(exchanges):,} exchanges, which cost {cost:.4f}."],
        heads=_HEADS,
        lines=[
            [
                str(place), _shown(_asked(one)), _shown(_said(one)),
                f"{one.input} + {one.output}", f"{one.cost(models):.4f}",
            ]
            for place, one in enumerate(exchanges[:MAX_LINES], start=1)
        ],
    )  # fmt: skip


def _side_by_side(
    board: PublicBoard, task: Task, files: Mapping[CellId, bytes]
) -> Iterator[PageTable]:
    """Yield a table of what began alike in several entries, of the first run of each."""
    said: dict[str, dict[str, list[str]]] = {}
    names: list[str] = []
    for row in board.rows:
        records = row.tasks[task.slug].records[:1] if task.slug in row.tasks else ()
        cell = next((one.cell for one in records if one.cell in files), None)
        if cell is None or len(names) == MAX_BESIDE:
            continue
        with suppress(ValueError):
            exchanges = unpack(files[cell])[1]
            names.append(f"{cell.participant}/{cell.submission}")
            for one in exchanges:
                if opening := _opening(one):
                    said.setdefault(opening, {}).setdefault(names[-1], []).append(_end(_said(one)))
    shared = [(asked, by_name) for asked, by_name in said.items() if len(by_name) > 1]
    if shared:
        yield PageTable(
            title=f"{board.phase.name}, {task.name}: side by side",
            sentences=[
                "The ends of what models said, where several entries began with the same message."
            ],
            heads=[("First message", False), *((name, False) for name in names)],
            lines=[
                [_shown(asked), *(_shown("\n".join(by_name.get(name, ()))) for name in names)]
                for asked, by_name in shared[:MAX_LINES]
            ],
        )


def _turns(exchange: Exchange) -> list[Any]:
    """The messages, or items, of a request."""
    asked = exchange.request if isinstance(exchange.request, dict) else {}
    turns = asked.get("messages", asked.get("input"))
    if isinstance(turns, str):
        return [{"content": turns}]
    return turns if isinstance(turns, list) else []


def _asked(exchange: Exchange) -> str:
    """The last message, or item, of a request."""
    if exchange.refused:
        return "refused, since it did not fit the limits"
    turns = _turns(exchange)
    return _text(turns[-1]) if turns else ""


def _opening(exchange: Exchange) -> str:
    """The first message of who asks, which the others of a conversation follow."""
    of_user = (
        turn for turn in _turns(exchange)
        if isinstance(turn, dict) and turn.get("role", "user") == "user"
    )  # fmt: skip
    return _text(next(of_user, None))


def _said(exchange: Exchange) -> str:
    """The text of an answer in each form; what is no such answer as it came."""
    if exchange.content_type == "text/event-stream":
        events = read_events(event_texts(exchange.content))
        return "".join(map(_piece, events)) or exchange.answer
    try:
        data = read_json(exchange.content, max_bytes=MAX_ANSWER)
    except UnreadableError:
        return exchange.answer
    if isinstance(data, dict) and isinstance(data.get("choices"), list) and data["choices"]:
        choice = data["choices"][0]
        return _text(choice.get("message")) if isinstance(choice, dict) else ""
    if isinstance(data, dict) and isinstance(data.get("output"), list):
        return "\n".join(filter(None, map(_text, data["output"])))
    return _text(data) or exchange.answer


def _piece(event: Mapping[str, Any]) -> str:
    """What an event of a stream adds to the text or to the arguments of a call."""
    choices = event.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return _text(choices[0].get("delta"))
    delta = event.get("delta")
    if isinstance(delta, dict):
        delta = delta.get("text", delta.get("partial_json"))
    return delta if isinstance(delta, str) else ""


def _text(message: Any) -> str:
    """The text of a message, a tool's call or what came of it."""
    if not isinstance(message, dict):
        return ""
    content, calls = message.get("content"), message.get("tool_calls")
    texts = [content]
    if isinstance(content, list):
        texts = ["\n".join(filter(None, (_part(one) for one in content)))]
    for call in calls if isinstance(calls, list) else [message] if content is None else []:
        table = call.get("function", call) if isinstance(call, dict) else None
        if isinstance(table, dict):
            texts += [table.get(key) for key in ("name", "arguments", "input", "output")]
    return " ".join(one for one in texts if isinstance(one, str) and one)


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return ""
    text = part.get("text", part.get("content"))
    if not isinstance(text, str):
        text = f"{part['name']} {part.get('input')}" if "name" in part else ""
    return text


def _end(text: str) -> str:
    return text if len(text) <= MAX_END else f"… {text[-MAX_END:]}"


def _shown(text: str) -> str:
    return printable(text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …", keep_newlines=True)
