"""Suites and tasks of a server, as people write them: s/271, t/3, openml/s/271, an alias."""

import re
from dataclasses import dataclass
from typing import Literal

from evaluator.errors import UsageError
from evaluator.importers.openml.client import SERVER

TEST_SERVER = "https://test.openml.org/api/v1/xml"
_NUMBERED = re.compile(r"(?:(?P<host>openml|test\.openml)/)?(?P<kind>[st])/(?P<number>\d+)")
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True, kw_only=True)
class Source:
    """A suite or a task."""

    kind: Literal["suite", "task"]
    key: int | str
    """Number, or a suite's alias."""
    server: str | None = None
    """Where the text names one."""

    def __str__(self) -> str:
        """``s/271``, or the alias."""
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
    if not _ALIAS.fullmatch(text) or text.isdecimal():
        raise UsageError(
            f"'{text}' is neither a suite nor a task",
            hint="Write s/271 for a suite, t/3 for a task, or a suite's alias.",
        )
    return Source(kind="suite", key=text)
