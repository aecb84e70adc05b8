"""The page *Transcripts* of a benchmark: what programs asked models, and what these said."""

from collections.abc import Iterator, Sequence
from typing import Any

from evaluator.core.errors import printable
from evaluator.core.formats.json_reader import UnreadableError, read_json
from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.plugins.models.keys import models_of
from evaluator.plugins.models.transcript import SUFFIX, Exchange, unpack
from evaluator.plugins.models.usage import MAX_ANSWER
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
        files = attachments(board, SUFFIX)
        for row in board.rows:
            records = (one for result in row.tasks.values() for one in result.records)
            for record in records:
                if record.cell in files and len(tables) < MAX_TABLES:
                    tables += _tables(board, record, files[record.cell])
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


def _tables(board: PublicBoard, record: Record, content: bytes) -> Iterator[PageTable]:
    """Yield the table of a cell, whose file may be a stranger's."""
    try:
        _, exchanges = unpack(content)
    except ValueError:
        return
    cell, models = record.cell, models_of(board.benchmark)
    task = next(one.name for one in board.tasks if one.slug == cell.task)
    run = [] if cell.repeat is None else [f"run {cell.repeat}"]
    cost = sum(one.cost(models) for one in exchanges)
    yield PageTable(
        title=", ".join([f"{cell.participant}/{cell.submission}", board.phase.name, task, *run]),
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
    if exchange.refused:
        return "refused, since it did not fit the limits"
    messages = exchange.request.get("messages") if isinstance(exchange.request, dict) else None
    return _text(messages[-1]) if isinstance(messages, list) and messages else ""


def _said(exchange: Exchange) -> str:
    """The text of an answer in either form; what is no such answer, or a stream, as it came."""
    try:
        data = read_json(exchange.content, max_bytes=MAX_ANSWER)
    except UnreadableError:
        return exchange.answer
    if isinstance(data, dict) and isinstance(data.get("choices"), list) and data["choices"]:
        choice = data["choices"][0]
        return _text(choice.get("message")) if isinstance(choice, dict) else ""
    return _text(data) or exchange.answer


def _text(message: Any) -> str:
    if not isinstance(message, dict):
        return ""
    content = message.get("content")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        content = "\n".join(one for one in texts if isinstance(one, str))
    calls = message.get("tool_calls")
    return (content if isinstance(content, str) else "") + (f"\n{calls}" if calls else "")


def _shown(text: str) -> str:
    return printable(text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …", keep_newlines=True)
