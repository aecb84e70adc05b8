"""The one place that looks at the clock."""

import datetime as dt
import time
from functools import cache


def _running() -> float:
    """Seconds by a clock that nobody sets, and that a machine's sleep does not stop."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@cache
def began() -> tuple[dt.datetime, float]:
    """When this process asked first: if the clock is set later, nothing lasts a year."""
    return dt.datetime.now(dt.UTC), _running()


def moment_text(moment: dt.datetime) -> str:
    """Write it as people read it: ``2026-03-31 23:59 UTC``."""
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def utc_now() -> dt.datetime:
    moment, running = began()
    return moment + dt.timedelta(seconds=_running() - running)
