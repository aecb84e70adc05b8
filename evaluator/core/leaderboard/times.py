"""Times as records write them, read with care: a record may come from anywhere."""

import datetime as dt


def read_moment(text: str) -> dt.datetime | None:
    """Return an ISO time in UTC, which it is where it names no zone; None where it is none."""
    try:
        moment = dt.datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
