"""Answers of forges, as far as they are used here; other keys are ignored."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from evaluator.ci.forge.connection import Answer, Call, ForgeError

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
