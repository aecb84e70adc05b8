"""The file of an event, in which a forge tells a workflow what happened."""

from typing import TypeVar

from pydantic import BaseModel

from evaluator.core.errors import UsageError
from evaluator.core.formats.json_reader import read_json

_MAX_EVENT = 2**20
_Event = TypeVar("_Event", bound=BaseModel)


def read_event(kind: type[_Event], content: bytes, *, name: str, what: str) -> _Event:
    """Read the event ``name``, which is that of ``what``. Raises UsageError."""
    try:
        return kind.model_validate(read_json(content, max_bytes=_MAX_EVENT))
    except ValueError:
        raise UsageError(
            f"the event is not that of {what}",
            hint=f"Give --event or GITHUB_EVENT_PATH the file of an `{name}` event.",
        ) from None
