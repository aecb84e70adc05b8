"""The page *Transcripts* of a benchmark: what programs asked models, and what these said."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from evaluator.core.errors import printable
from evaluator.core.formats.json_reader import UnreadableError, read_json
from evaluator.core.formats.record import Record, StepName
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.plugins.models.keys import models_of
from evaluator.plugins.models.transcript import SUFFIXES, Exchange, unpack
from evaluator.plugins.models.usage import MAX_ANSWER, event_texts, read_events
from evaluator.site.content.insight import BoardPage, PageTable

MAX_LINES = 100
"""Exchanges of one cell."""
MAX_TABLES = 50
MAX_TEXT = 1000
"""Characters of a request or of an answer."""
_HEADS = [("#", True), ("Request", False), ("Answer", False), ("Tokens", True), ("Cost", True)]


def transcripts_page(boards: Sequence[PublicBoard], _file: object = None) -> BoardPage | None:
    if not models_of(boards[0].benchmark):
        return None
    tables: list[PageTable] = []
    for board in boards:
        files = {step: attachments(board, suffix) for step, suffix in SUFFIXES.items()}
        for row in board.rows:
            records = (one for result in row.tasks.values() for one in result.records)
            for record, step in product(records, SUFFIXES):
                if record.cell in files[step] and len(tables) < MAX_TABLES:
                    tables += _tables(board, record, files[step][record.cell], step)
    if not tables:
        return None
    return BoardPage(
        name="Transcripts",
        sentences=[
            "What programs asked models, and what the models said. The texts are strangers'.",
            f"Of each request the last message is shown, and {MAX_TEXT} characters of a text. A "
            f"table has {MAX_LINES} exchanges at most. The files beside the scores have all.",
        ],
        tables=tables,
        search="Search transcripts",
        group="Analysis",
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


def _asked(exchange: Exchange) -> str:
    """The last message, or item, of a request."""
    if exchange.refused:
        return "refused, since it did not fit the limits"
    asked = exchange.request if isinstance(exchange.request, dict) else {}
    messages = asked.get("messages", asked.get("input"))
    if isinstance(messages, list):
        return _text(messages[-1]) if messages else ""
    return messages if isinstance(messages, str) else ""


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


def _shown(text: str) -> str:
    return printable(text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …", keep_newlines=True)
