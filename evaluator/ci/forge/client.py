"""Requests about one repository, lists that come in pages, and what of the answers is used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from evaluator.ci.forge.connection import Answer, Call, Connection, ForgeError
from evaluator.core.log import complain

_Data = TypeVar("_Data")


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A pull request as it stood when it was asked for. Its texts are a stranger's."""

    number: int
    head: str
    """Id of the commit that it asks to merge."""
    base: str
    """Branch that it goes to."""
    state: Literal["open", "closed"]
    merged: bool
    author: str
    """Login; empty where the account is gone."""
    labels: tuple[str, ...]
    title: str
    address: str
    created: str
    """ISO time."""
    updated: str
    """ISO time of the last thing that anybody did to it, comments included."""


class User(BaseModel):
    """An account."""

    login: str


class Label(BaseModel):
    """A label."""

    name: str


class _Head(BaseModel):
    sha: Annotated[str, Field(pattern="^([0-9a-f]{40}|[0-9a-f]{64})$")]


class _Base(BaseModel):
    ref: str


class PullData(BaseModel):
    """A pull request, alone or in a list."""

    number: int
    state: Literal["open", "closed"]
    title: str = ""
    html_url: str
    user: User | None = None
    labels: list[Label] = []
    head: _Head
    base: _Base
    merged: bool = False
    """Not there in lists."""
    merged_at: str | None = None
    created_at: str = ""
    updated_at: str = ""

    def parsed(self) -> PullRequest:
        """In the form that the rest of the program uses."""
        return PullRequest(
            number=self.number,
            head=self.head.sha,
            base=self.base.ref,
            state=self.state,
            merged=self.merged or self.merged_at is not None,
            author=self.user.login if self.user else "",
            labels=tuple(label.name for label in self.labels),
            title=self.title,
            address=self.html_url,
            created=self.created_at,
            updated=self.updated_at,
        )


class Text(BaseModel):
    """A comment or an issue."""

    id: int
    number: int | None = None
    """Of an issue."""
    title: str = ""
    """Of an issue."""
    body: str | None = None
    user: User | None = None
    html_url: str
    pull_request: Any = None
    """Forges list pull requests among the issues; they have this."""


class Address(BaseModel):
    """Anything that a person can open."""

    html_url: str


def read(kind: type[_Data], answer: Answer, call: Call) -> _Data:
    """Check the shape of an answer. Raises ForgeError."""
    try:
        return TypeAdapter(kind).validate_python(answer.data)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, detail["loc"]))
        raise ForgeError(
            f"could not {call.doing}: the forge answered {answer.status} with something else than "
            f"was asked for ({place or 'the whole'}: {detail['msg']})",
            hint=f"Is this a forge that speaks GitHub's interface? The token needs `{call.needs}`.",
            actor=call.actor,
        ) from None


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
