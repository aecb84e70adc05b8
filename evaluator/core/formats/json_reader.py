"""The only reader of JSON from outside: bytes -> data, within bounds, or an UnreadableError."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

import msgspec

from evaluator.core.formats.paths import shown

MAX_DIGITS = 1000
"""Of a whole number; no float has more than 309 before its point."""
MAX_DEPTH = 100
MAX_VALUES = 2_000_000
"""Values of one file: a value of two bytes takes up to a hundred times its size in memory."""
_TEXT_OR_SIGN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)|([,\[{])', re.DOTALL)
_REASONS: dict[type[Exception], str] = {
    UnicodeDecodeError: "is not UTF-8", RecursionError: "is nested too deeply",
    MemoryError: "needs more memory than there is",
}  # fmt: skip
_Form = TypeVar("_Form")


class UnreadableError(ValueError):
    """Content from outside cannot be read. The message says why, to be read after its name."""


def check_size(content: bytes, *, max_bytes: int, max_values: int = MAX_VALUES) -> None:
    """Raise UnreadableError for JSON of too many bytes or values."""
    if len(content) > max_bytes:
        raise UnreadableError(f"is {len(content):,} bytes; at most {max_bytes:,} are read")
    if len(content) <= max_values or sum(map(content.count, (b",", b"[", b"{"))) <= max_values:
        return
    signs = (one for one in _TEXT_OR_SIGN.finditer(content) if one[1])  # those in texts say nothing
    if next(islice(signs, max_values, None), None):
        raise UnreadableError(f"holds more than {max_values:,} values")


def form_reader(
    form: type[_Form], *, max_bytes: int, max_values: int = MAX_VALUES
) -> Callable[[bytes], _Form]:
    """A function that reads JSON of one form. It raises UnreadableError for all else."""
    decode = msgspec.json.Decoder(form).decode

    def read(content: bytes) -> _Form:
        check_size(content, max_bytes=max_bytes, max_values=max_values)
        try:
            return decode(content)
        except (ValueError, RecursionError, MemoryError) as error:
            raise UnreadableError(_REASONS.get(type(error), f"has another form: {error}")) from None

    return read


def read_json(
    content: bytes, *, max_bytes: int, max_values: int = MAX_VALUES, nan: bool = False
) -> Any:
    """Read JSON without doubled keys; ``nan`` lets NaN pass. Raises UnreadableError."""
    check_size(content, max_bytes=max_bytes, max_values=max_values)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            double = Counter(keys).most_common(1)[0][0]
            raise UnreadableError(f"holds the key '{shown(double)}' twice")
        return dict(pairs)

    def nonfinite(constant: str) -> float:
        if nan:
            return float(constant)
        raise UnreadableError(f"holds {constant}, which is no JSON number")

    def parse_digits(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise UnreadableError(
                f"holds a number of {len(digits)} digits; at most {MAX_DIGITS} are read"
            )
        return int(digits)

    try:
        data = json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=unique, parse_constant=nonfinite,
            parse_int=parse_digits,
        )  # fmt: skip
    except UnreadableError:
        raise
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(_REASONS.get(type(error), f"is not valid JSON: {error}")) from None
    level: list[Any] = [[data]]
    for _ in range(MAX_DEPTH + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return data
    raise UnreadableError("is nested too deeply")


def finite(value: object) -> float | None:
    """A number as float, or None for anything that cannot be a score."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
