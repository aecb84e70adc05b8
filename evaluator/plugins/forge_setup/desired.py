"""The state that a repository should have, what is missing, and how the forge is asked."""

import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from evaluator.ci.forge.client import Client, read
from evaluator.ci.forge.connection import Answer, Call
from evaluator.core.errors import Actor

_Data = TypeVar("_Data")
LABEL_COLOUR = "0e8a16"
LABEL_TEXT = "An organiser approves this pull request for evaluation"


@dataclass(frozen=True, kw_only=True)
class DesiredState:
    """What the workflows of one repository count on."""

    branch: str
    """That submissions go to."""
    ledger: str
    """Branch of the ledger."""
    label: str
    """With which organisers approve."""
    status: str
    """Without which nothing is merged, where ``app`` or ``account`` is given."""
    organisers: tuple[str, ...]
    """Their logins."""
    is_sealed: bool
    """Whether ``seal`` is set, so that a secret key has to be there."""
    has_encrypted_data: bool
    """In a bundle, so that the job *score* needs another."""
    has_forms: bool
    """Of entries, so that a workflow opens pull requests."""
    app: str = ""
    """Name of a GitHub App that may push to the branch past the rules, as in its address."""
    account: str = ""
    """Login of a machine account that may."""


@dataclass(frozen=True, kw_only=True)
class SettingRequest:
    """A request that sets something."""

    method: str
    path: str
    """Below that of the repository."""
    body: Mapping[str, Any]
    call: Call


@dataclass(frozen=True, kw_only=True)
class MissingSetting:
    """One thing that is not as it should be."""

    what: str
    """Such as ``the label `evaluate` ``; completes "... is missing"."""
    request: SettingRequest | None = None
    """That sets it."""
    by_hand: str = ""
    """What a person does about it, where no request can."""


Parts = Iterator[tuple[str, Callable[[], Iterator[MissingSetting]]]]
"""Each part of the set-up, with what yields the things that are missing of it."""


class Named(BaseModel):
    """An object of which the name is read."""

    name: str


class Identified(BaseModel):
    """An object of which the id is read."""

    id: int


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Asks a forge what a repository has. Each method raises ForgeError or PlatformError."""

    client: Client
    hint: str
    """Where a person gives a token a permission; ``{needs}`` stands for its name."""

    def call(self, doing: str, needs: str, *accepts: int) -> Call:
        return Call(
            doing=doing, needs=needs, actor=Actor.ORGANISER, accepts=frozenset(accepts),
            hint=self.hint.format(needs=needs),
        )  # fmt: skip

    def find(self, path: str, kind: type[_Data], what: str, needs: str) -> _Data | None:
        call = self.call(f"read {what}", needs, 404)
        answer = self.client.ask("GET", path, call)
        return None if answer.status == 404 else read(kind, answer, call)

    def require(
        self, path: str, kind: type[_Data], what: str, needs: str, query: Mapping[str, str] = {}
    ) -> _Data:
        call = self.call(f"read {what}", needs)
        return read(kind, self.client.ask("GET", path, call, query=query), call)

    def find_named(self, folder: str, name: str, kind: type[_Data]) -> _Data | None:
        call = self.call(f"look up {name} among the {folder}", "Metadata: read", 404)
        url = f"{self.client.root}/{folder}/{urllib.parse.quote(name, safe='')}"
        answer = self.client.connection.ask("GET", url, call)
        return None if answer.status == 404 else read(kind, answer, call)

    def mend(
        self, what: str, method: str, path: str, body: Mapping[str, Any], call: Call
    ) -> MissingSetting:
        request = SettingRequest(method=method, path=path, body=body, call=call)
        return MissingSetting(what=what, request=request)

    def send(self, request: SettingRequest) -> Answer:
        return self.client.ask(request.method, request.path, request.call, data=request.body)
