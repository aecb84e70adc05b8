"""The one place that looks at the clock; everything else is told the time."""

import datetime as dt


def utc_now() -> dt.datetime:
    """Return the time in UTC."""
    return dt.datetime.now(dt.UTC)
