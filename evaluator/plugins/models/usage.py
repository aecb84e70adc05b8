"""What an answer says that it used."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from evaluator.core.formats.json_reader import UnreadableError, read_json

MAX_ANSWER = 2**22
"""Bytes."""

_ENDS = ("[DONE]", '"message_stop"')
"""In the last event of a stream that was not cut."""
_INPUT = ("prompt_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_OUTPUT = ("completion_tokens", "output_tokens")


def read_usage(content: bytes, *, streams: bool) -> tuple[int, int] | None:
    """Tokens of request and answer; None if a provider does not say, or was cut off."""
    text = content.decode("utf-8", "replace")
    if streams:
        events = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
        if not events or not any(end in events[-1] for end in _ENDS):
            return None
    else:
        events = [text]
    numbers: dict[str, int] = {}
    for usage in _usages(events):
        for key, value in usage.items():
            if type(value) is int and 0 <= value <= 10**12:
                numbers[key] = max(value, numbers.get(key, 0))  # it grows along a stream
    if not any(key in numbers for key in _INPUT) or not any(key in numbers for key in _OUTPUT):
        return None
    return sum(numbers.get(key, 0) for key in _INPUT), sum(numbers.get(key, 0) for key in _OUTPUT)


def _usages(events: list[str]) -> Iterator[dict[str, Any]]:
    for event in events:
        data: Any = None
        with suppress(UnreadableError):
            data = read_json(event.encode(), max_bytes=MAX_ANSWER)
        if isinstance(data, dict):
            inner = data.get("message")
            for one in (data, inner):
                if isinstance(one, dict) and isinstance(one.get("usage"), dict):
                    yield one["usage"]
