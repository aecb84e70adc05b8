"""The only reader of JSON from strangers: bytes -> data, within bounds."""

import json
import math
from typing import Any

from evaluator.core.formats.paths import shown

MAX_DIGITS = 1000
"""Of a whole number; no float has more than 309 before its point."""


def read_json(content: bytes, *, max_bytes: int, nan: bool = False) -> Any:
    """Read bounded JSON without doubled keys; ``nan`` lets NaN pass. Raises ValueError."""
    if len(content) > max_bytes:
        raise ValueError(f"is {len(content):,} bytes; at most {max_bytes:,} are read")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            double = next(key for key in keys if keys.count(key) > 1)
            raise ValueError(f"holds the key '{shown(double)}' twice")
        return dict(pairs)

    def nonfinite(constant: str) -> float:
        if nan:
            return float(constant)
        raise ValueError(f"holds {constant}, which is no JSON number")

    def parse_digits(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise ValueError(
                f"holds a number of {len(digits)} digits; at most {MAX_DIGITS} are read"
            )
        return int(digits)

    try:
        return json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=unique, parse_constant=nonfinite,
            parse_int=parse_digits,
        )  # fmt: skip
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not valid JSON: {error}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def finite(value: object) -> float | None:
    """Return a number as float, or None for anything that cannot be a score."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
