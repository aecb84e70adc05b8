"""The one place that looks at the clock, and reads times that others wrote."""

import datetime as dt
import time


def _running() -> float:
    """Seconds by a clock that nobody sets, and that a machine's sleep does not stop."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class _Clock:
    """The time when this process asked first, and what has passed since.

    So if the clock is set while this runs, nothing ends before it began, nor lasts for a year.
    """

    def __init__(self) -> None:
        self._began: tuple[dt.datetime, float] | None = None

    def __call__(self) -> dt.datetime:
        if self._began is None:
            self._began = dt.datetime.now(dt.UTC), _running()
        began, running = self._began
        return began + dt.timedelta(seconds=_running() - running)


_clock = _Clock()


def utc_now() -> dt.datetime:
    return _clock()


def read_moment(text: str) -> dt.datetime | None:
    """Return an ISO time, which is UTC if it names no zone, in UTC; None if it is none."""
    try:
        moment = dt.datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
