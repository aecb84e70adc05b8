"""Requests about one repository, and lists that come in pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from evaluator.ci.forge.answers import read
from evaluator.ci.forge.connection import Answer, Call, Connection
from evaluator.core.log import complain

PAGE = 20
"""Items; so few, since each may hold 65,536 characters that a stranger wrote."""
MAX_PAGES = 100
OPEN_OLDEST_FIRST = {
    "state": "open", "sort": "created", "direction": "asc",
    "per_page": str(PAGE), "limit": str(PAGE),
}  # fmt: skip
"""Gitea calls the size of a page ``limit``."""
_Item = TypeVar("_Item")


@dataclass(frozen=True, kw_only=True)
class Client:
    """The interface of a forge, as far as it is about one repository."""

    root: str
    """Address of the interface, without a slash at its end."""
    name: str
    """``owner/repository``."""
    connection: Connection

    @property
    def api(self) -> str:
        """Address of the repository in the interface."""
        return f"{self.root}/repos/{self.name}"

    def ask(
        self,
        method: str,
        path: str,
        call: Call,
        *,
        data: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request about the repository. Raises ForgeError, PlatformError."""
        url = f"{self.api}/{path}".rstrip("/")
        return self.connection.ask(method, url, call, data=data, query=query)

    def pages(
        self,
        path: str,
        kind: type[_Item],
        call: Call,
        chosen: Mapping[str, str] = OPEN_OLDEST_FIRST,
    ) -> Iterator[_Item]:
        """Items of a list, page by page; by default the open ones, the oldest first.

        So what strangers add meanwhile moves nothing from one page to another.
        """
        query: Mapping[str, str] | None = chosen
        for _ in range(MAX_PAGES):
            answer = self.ask("GET", path, call, query=query)
            yield from read(list[kind], answer, call)  # type: ignore[valid-type]
            query = answer.following
            if query is None:
                return
        complain(f"To {call.doing}, only the first {MAX_PAGES} pages were read.")
