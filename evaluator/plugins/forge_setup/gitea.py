"""What a repository on Gitea or Forgejo is to have: the label, and two protected branches."""

import urllib.parse
from collections.abc import Iterator
from functools import partial
from typing import Any

from pydantic import BaseModel

from evaluator.ci.forge.client import PAGE
from evaluator.ci.forge.repository import Forge
from evaluator.plugins.forge_setup.desired import (
    LABEL_COLOUR,
    LABEL_TEXT,
    DesiredState,
    MissingSetting,
    Named,
    Parts,
    Reader,
)

_HINT = (
    "The token needs the scope '{needs}': make one under Settings → Applications. "
    "Whose token it is must be an administrator of the repository."
)


class _Repository(BaseModel):
    default_branch: str


class _Protection(BaseModel):
    rule_name: str = ""
    enable_push: bool = False
    enable_push_whitelist: bool = False
    push_whitelist_usernames: list[str] | None = None
    enable_status_check: bool = False
    status_check_contexts: list[str] | None = None
    enable_force_push: bool = False


def reader(forge: Forge) -> Reader:
    return Reader(client=forge.client, hint=_HINT)


def parts(reader: Reader, wanted: DesiredState) -> Parts:
    reader.require("", _Repository, "the repository", "read:repository")
    yield f"the label `{wanted.label}`", partial(_label, reader, wanted)
    for branch in (wanted.ledger, wanted.branch):
        yield f"the branch `{branch}`", partial(_protection, reader, wanted, branch)


def _label(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    call = reader.call("list the labels", "read:issue")
    listed = reader.client.pages("labels", Named, call, {"limit": str(PAGE)})
    names = {label.name for label in listed}
    if wanted.label not in names:
        body = {"name": wanted.label, "color": f"#{LABEL_COLOUR}", "description": LABEL_TEXT}
        call = reader.call(f"create the label `{wanted.label}`", "write:issue")
        yield reader.mend(f"the label `{wanted.label}`", "POST", "labels", body, call)


def _protection(reader: Reader, wanted: DesiredState, branch: str) -> Iterator[MissingSetting]:
    path = f"branch_protections/{urllib.parse.quote(branch, safe='')}"
    what = f"the protection of `{branch}`"
    protection = reader.find(path, _Protection, what, "read:repository")
    given = protection or _Protection()
    body: dict[str, Any] = {}
    if not given.enable_push:
        body["enable_push"] = True
    if given.enable_force_push:
        body["enable_force_push"] = False
    if branch == wanted.branch and wanted.account:
        body |= _merges(given, wanted)
    if protection is not None and not body:
        return
    call = reader.call(f"set {what}", "write:repository")
    if protection is None:
        body = {"rule_name": branch, **body}
        yield reader.mend(what, "POST", "branch_protections", body, call)
    else:
        yield reader.mend(what, "PATCH", path, body, call)


def _merges(given: _Protection, wanted: DesiredState) -> dict[str, Any]:
    """What must change so that one account pushes, and others merge with a status."""
    pushers, statuses = given.push_whitelist_usernames or [], given.status_check_contexts or []
    changes: dict[str, Any] = {}
    if not given.enable_push_whitelist or wanted.account not in pushers:
        changes["enable_push_whitelist"] = True
        changes["push_whitelist_usernames"] = sorted({*pushers, wanted.account})
    if not given.enable_status_check or wanted.status not in statuses:
        changes["enable_status_check"] = True
        changes["status_check_contexts"] = sorted({*statuses, wanted.status})
    return changes
