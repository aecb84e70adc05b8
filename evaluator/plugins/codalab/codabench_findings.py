"""A bundle on its way to Codabench, and what is found in it that Codabench would refuse."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from evaluator.core.formats.schema import Key


@dataclass(kw_only=True)
class Bundle:
    """A bundle on its way to Codabench; mending changes it."""

    data: dict[str, Any]
    files: dict[str, tuple[bytes, bool]]

    def entries(self, section: str) -> Iterator[tuple[Key, dict[str, Any]]]:
        for position, entry in enumerate(self.data.get(section) or ()):
            yield (section, position), entry

    @property
    def phases(self) -> list[tuple[Key, dict[str, Any]]]:
        """The phases in their order, as v2.py:186 sorts them."""
        return sorted(self.entries("phases"), key=lambda item: item[1].get("index", 0))

    def holds(self, path: str) -> bool:
        path = plain_path(path)
        return path in self.files or any(name.startswith(f"{path}/") for name in self.files)


def plain_path(written: str) -> str:
    return written.removeprefix("./").rstrip("/")


@dataclass(frozen=True)
class Finding:
    """One thing that Codabench would refuse, or does otherwise."""

    at: Key
    message: str
    hint: str = ""
    mend: Callable[[], str] | None = None
    """Makes it right, and says what it did; None if only a person can."""


def to_replace(
    at: Key, entry: dict[str, Any], key: str, message: str, value: object, words: str = ""
) -> Finding:
    """A finding that another value of a key mends."""

    def mend() -> str:
        entry[key] = value
        return words or (
            f"'{value}' is written" if isinstance(value, str) else f"{value} is written"
        )

    return Finding((*at, key), message, mend=mend)


def to_leave_out(at: Key, entry: dict[str, Any], key: str, message: str) -> Finding:
    def mend() -> str:
        del entry[key]
        return "it is left out"

    return Finding((*at, key), message, mend=mend)
