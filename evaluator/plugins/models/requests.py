"""What a program may ask: read as the forms of its path, held against limits, and identified."""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec

from evaluator.core.formats.json_reader import UnreadableError, read_json
from evaluator.plugins.models.request_forms import ChatRequest, MessagesRequest, ResponsesRequest

CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"
MAX_BODY = 4 * 2**20
_MAX_VALUES = 100_000
_UNSEEN = ("user", "metadata", "safety_identifier")
"""Fields that change no answer."""
_BUDGET = 429
_FIELD = re.compile(r"unknown field `([^`]*)`|at `\$\.([^`]*)`")


class RequestRefusedError(Exception):
    """A request that does not go on; the message is for the program's author."""

    def __init__(self, message: str, param: str = "", status: int = 400) -> None:
        super().__init__(message)
        self.param, self.status = param, status

    def body(self, path: str) -> bytes:
        """As the provider of a path writes its errors."""
        if path == MESSAGES:
            kind = "rate_limit_error" if self.status == _BUDGET else "invalid_request_error"
            return _json({"type": "error", "error": {"type": kind, "message": str(self)}})
        kind = "insufficient_quota" if self.status == _BUDGET else "invalid_request_error"
        error = {"message": str(self), "type": kind, "param": self.param or None, "code": kind}
        return _json({"error": error})


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


_FORMS: dict[str, type[ChatRequest | MessagesRequest | ResponsesRequest]] = {
    CHAT: ChatRequest, MESSAGES: MessagesRequest, RESPONSES: ResponsesRequest,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Request:
    """What goes on: what was read, and nothing else of what came."""

    path: str
    model: str
    content: dict[str, Any]
    output: int
    """Tokens that the answer may have at most."""
    streams: bool

    @property
    def body(self) -> bytes:
        """As it is sent."""
        return _json(self.content)

    @property
    def digest(self) -> str:
        """Identifies requests that have the same answer."""
        content = {key: value for key, value in self.content.items() if key not in _UNSEEN}
        text = json.dumps([self.path, content], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def read_request(path: str, content: bytes, models: Collection[str]) -> Request:
    """Take the names of models that may be asked. Raises RequestRefusedError."""
    if path not in _FORMS:
        raise RequestRefusedError(f"there are {', '.join(_FORMS)}, and nothing else", status=404)
    try:
        data = read_json(content, max_bytes=MAX_BODY, max_values=_MAX_VALUES)
        form = msgspec.convert(data, _FORMS[path])
    except UnreadableError as error:
        raise RequestRefusedError(f"the request {error}") from None
    except msgspec.ValidationError as error:
        match = _FIELD.search(str(error))
        param = next(filter(None, match.groups()), "") if match else ""
        raise RequestRefusedError(f"this gateway does not pass that on: {error}", param) from None
    if form.model not in models:
        names = ", ".join(models)
        raise RequestRefusedError(f"there is no such model here; there are: {names}", "model")
    if form.output is None:
        raise RequestRefusedError(
            "say how long the answer may be, so that its cost has a bound",
            "max_output_tokens" if path == RESPONSES else "max_completion_tokens",
        )
    options = form.stream_options if isinstance(form, ChatRequest) else None
    if isinstance(form, ChatRequest) and form.stream and not (options and options.include_usage):
        raise RequestRefusedError(
            'a stream has to say what it used: add "stream_options": {"include_usage": true}',
            "stream_options",
        )
    return Request(
        path=path, model=form.model, output=form.output, streams=bool(form.stream),
        content=data,
    )  # fmt: skip
