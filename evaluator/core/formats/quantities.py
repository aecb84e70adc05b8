"""Sizes, dates and names as people write them in YAML."""

import datetime as dt
import re
import unicodedata
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

_UNITS = {
    "": 1, "b": 1,
    "k": 2**10, "kb": 10**3, "kib": 2**10,
    "m": 2**20, "mb": 10**6, "mib": 2**20,
    "g": 2**30, "gb": 10**9, "gib": 2**30,
    "t": 2**40, "tb": 10**12, "tib": 2**40,
}  # fmt: skip
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]{0,3})")
UTC = dt.UTC


def to_bytes(value: object) -> int:
    """``"1.5 GiB"`` -> bytes. Single letters are binary, as in Docker. Raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match or match[2].lower() not in _UNITS:
        raise ValueError("must be a size such as '512 MiB' or '2 GB'")
    size = int(float(match[1]) * _UNITS[match[2].lower()])
    if size <= 0:
        raise ValueError("must be more than zero")
    return size


def to_datetime(value: object, *, day_first: bool = False) -> dt.datetime:
    """Read a date as Codabench does, month first or ``day_first``, and UTC without a zone."""
    if isinstance(value, dt.datetime):
        moment = value
    elif isinstance(value, dt.date):
        moment = dt.datetime(value.year, value.month, value.day)
    elif isinstance(value, str):
        from dateutil import parser as dateparser  # most dates are YAML's own

        try:
            day_first = day_first and not value.strip()[:4].isdigit()  # 2026-03-04
            moment = dateparser.parse(value, default=dt.datetime(2000, 1, 1), dayfirst=day_first)
        except (ValueError, OverflowError):
            raise ValueError("must be a date such as 2026-01-31 or '2026-01-31 12:00'") from None
    else:
        raise ValueError("must be a date such as 2026-01-31 or '2026-01-31 12:00'")  # noqa: TRY004
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is out of the range of dates") from None


def slug(text: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")[:60].strip("-")


def unique_slugs(titles: list[str], fallback: str) -> list[str]:
    """Slugs in order, each different: an empty or doubled one gets its position."""
    result: list[str] = []
    for position, title in enumerate(titles):
        name = slug(title) or f"{fallback}-{position}"
        while name in result:
            name = f"{name}-{position}"
        result.append(name)
    return result


Bytes = Annotated[int, BeforeValidator(to_bytes, json_schema_input_type=int | str)]
Moment = Annotated[
    dt.datetime,
    BeforeValidator(to_datetime, json_schema_input_type=str),
    PlainSerializer(lambda moment: moment.isoformat(), return_type=str),
]
