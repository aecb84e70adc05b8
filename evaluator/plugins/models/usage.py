"""What an answer says that it used."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from evaluator.core.formats.json_reader import UnreadableError, read_json

MAX_ANSWER = 2**22
"""Bytes."""

_ENDS = (
    "[DONE]", '"message_stop"', '"response.completed"', '"response.incomplete"',
    '"response.failed"',
)  # fmt: skip
"""In the last event of a stream that was not cut."""
_INPUT = ("prompt_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_OUTPUT = ("completion_tokens", "output_tokens")


def read_usage(content: bytes, *, streams: bool) -> tuple[int, int] | None:
    """Tokens of request and answer; None if a provider does not say, or was cut off."""
    events = event_texts(content) if streams else [content.decode("utf-8", "replace")]
    if streams and (not events or not any(end in events[-1] for end in _ENDS)):
        return None
    numbers: dict[str, int] = {}
    for event in read_events(events):
        for one in (event, event.get("message"), event.get("response")):
            usage = one.get("usage") if isinstance(one, dict) else None
            for key, value in usage.items() if isinstance(usage, dict) else ():
                if type(value) is int and 0 <= value <= 10**12:
                    numbers[key] = max(value, numbers.get(key, 0))  # it grows along a stream
    if not any(key in numbers for key in _INPUT) or not any(key in numbers for key in _OUTPUT):
        return None
    return sum(numbers.get(key, 0) for key in _INPUT), sum(numbers.get(key, 0) for key in _OUTPUT)


def event_texts(content: bytes) -> list[str]:
    """The data of the events of a stream."""
    lines = content.decode("utf-8", "replace").splitlines()
    return [line[5:].strip() for line in lines if line.startswith("data:")]


def read_events(texts: list[str]) -> Iterator[dict[str, Any]]:
    """Yield those that are JSON objects."""
    for text in texts:
        data: Any = None
        with suppress(UnreadableError):
            data = read_json(text.encode(), max_bytes=MAX_ANSWER)
        if isinstance(data, dict):
            yield data
