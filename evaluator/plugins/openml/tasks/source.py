"""Suites and tasks of a server, as people write them: s/271, t/3, an alias, tasks:rows=500.."""

import re
from dataclasses import dataclass
from typing import Literal

from evaluator.core.errors import UsageError
from evaluator.plugins.openml.tasks.client import SERVER
from evaluator.plugins.openml.tasks.task_filter import PREFIX, parse_filter

TEST_SERVER = "https://test.openml.org/api/v1/xml"
_NUMBERED = re.compile(r"(?:(?P<host>openml|test\.openml)/)?(?P<kind>[st])/(?P<number>\d+)")
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True, kw_only=True)
class Source:
    """A suite, a task, or tasks by their properties."""

    kind: Literal["suite", "task", "filter"]
    key: int | str
    """Number, a suite's alias, or a filter as it is written."""
    server: str | None = None
    """Where the text names one."""

    def __str__(self) -> str:
        """``s/271``, the alias or the filter."""
        if isinstance(self.key, str):
            return self.key
        return f"{self.kind[0]}/{self.key}"


def parse_source(text: str) -> Source:
    """Read what stands on the command line. Raises UsageError."""
    match = _NUMBERED.fullmatch(text)
    if match:
        hosts = {"openml": SERVER, "test.openml": TEST_SERVER, None: None}
        return Source(
            kind="suite" if match["kind"] == "s" else "task",
            key=int(match["number"]),
            server=hosts[match["host"]],
        )
    if text.startswith(PREFIX):
        parse_filter(text)
        return Source(kind="filter", key=text)
    if not _ALIAS.fullmatch(text) or text.isdecimal():
        raise UsageError(
            f"'{text}' is neither a suite nor a task",
            hint="Write s/271 for a suite, t/3 for a task, a suite's alias, or tasks:KEY=VALUE,… "
            "for tasks by their properties.",
        )
    return Source(kind="suite", key=text)
