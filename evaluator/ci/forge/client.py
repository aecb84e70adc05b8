"""Requests about one repository, lists that come in pages, and what of the answers is used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import AliasPath, BaseModel, Field, TypeAdapter, ValidationError

from evaluator.ci.forge.connection import Answer, Call, Connection, ForgeError
from evaluator.core.log import complain

_Data = TypeVar("_Data")


class User(BaseModel):
    """An account."""

    login: str


class Label(BaseModel):
    """A label."""

    name: str


class Commit(BaseModel):
    """One end of a pull request."""

    sha: str
    ref: str


class ForgePullRequest(BaseModel):
    """A pull request, alone or in a list."""

    number: int
    html_url: str
    head: Commit
    base: Commit
    labels: list[Label] = []
    title: str = ""
    body: str | None = None
    state: str = "open"
    merged: bool = False
    """Only where it comes alone."""
    user: User | None = None
    """Who opened it; None if the account is gone."""

    def has_label(self, name: str) -> bool:
        """Whether it has a label, in any case, which forges ignore."""
        return name.casefold() in {label.name.casefold() for label in self.labels}


class SignedCommit(BaseModel):
    """A commit in a list. Forges answer with null or an empty object where they know nothing."""

    sha: str
    login: str = Field("", validation_alias=AliasPath("committer", "login"))
    """Of the account that has the committer's address among its verified ones."""
    email: str = Field("", validation_alias=AliasPath("commit", "committer", "email"))
    verified: bool = Field(False, validation_alias=AliasPath("commit", "verification", "verified"))


class PublicKey(BaseModel):
    """An SSH key of an account."""

    key: str


class Text(BaseModel):
    """A comment or an issue."""

    id: int
    number: int | None = None
    title: str = ""
    body: str | None = None
    user: User | None = None
    html_url: str
    pull_request: Any = None
    """Forges list pull requests among the issues; they have this."""


class WorkflowRun(BaseModel):
    """One run of a workflow."""

    id: int
    display_title: str


class WorkflowRuns(BaseModel):
    """A page of runs, the newest first."""

    workflow_runs: list[WorkflowRun]


class Address(BaseModel):
    """Anything that a person can open."""

    html_url: str


class MergeCommit(BaseModel):
    """The commit that a merge made."""

    sha: str


def read(kind: type[_Data], answer: Answer, call: Call) -> _Data:
    """Check the shape of an answer. Raises ForgeError."""
    try:
        return TypeAdapter(kind).validate_python(answer.data)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(map(str, detail["loc"]))
        raise ForgeError(
            f"could not {call.doing}: the forge answered {answer.status} with something else than "
            f"was asked for ({key or 'the whole'}: {detail['msg']})",
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
        url = f"{self.api}/{path}".rstrip("/")
        return self.connection.ask(method, url, call, data=data, query=query)

    def pages(
        self,
        path: str,
        kind: type[_Item],
        call: Call,
        chosen: Mapping[str, str] = OPEN_OLDEST_FIRST,
    ) -> Iterator[_Item]:
        """Items page by page, the oldest first: so what is added meanwhile moves none of them."""
        query: Mapping[str, str] | None = chosen
        for _ in range(MAX_PAGES):
            answer = self.ask("GET", path, call, query=query)
            yield from read(list[kind], answer, call)  # type: ignore[valid-type]
            query = answer.following
            if query is None:
                return
        complain(f"To {call.doing}, only the first {MAX_PAGES} pages were read.")
