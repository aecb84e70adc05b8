"""What a repository on GitHub is to have, but for its environments and rulesets."""

from collections.abc import Iterator
from functools import partial
from typing import Literal

from pydantic import BaseModel

from evaluator.ci.forge.repository import Forge
from evaluator.plugins.forge_setup import environments, rulesets
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
    "The token needs the repository permission '{{needs}}': open it at {server}/settings/"
    "personal-access-tokens, tick that under *Repository permissions*, and let it be for {name}. "
    "Whose token it is must be an administrator of the repository. For a private one, GitHub asks "
    "for a paid plan for environments, rulesets and Pages, and for Enterprise for reviewers."
)
_DEFAULT_BRANCH = "main"
"""Branch that the workflows name."""
_WEAKEST_APPROVAL = "first_time_contributors_new_to_github"
_SAFER_APPROVAL = "first_time_contributors"
_ADMINISTRATION = "Administration: write"


class _Repository(BaseModel):
    default_branch: str
    private: bool
    has_issues: bool


class _Pages(BaseModel):
    build_type: str | None = None


class _Actions(BaseModel):
    enabled: bool
    allowed_actions: str = "all"


class _Workflows(BaseModel):
    default_workflow_permissions: Literal["read", "write"]
    can_approve_pull_request_reviews: bool


class _Contributors(BaseModel):
    approval_policy: str


def reader(forge: Forge) -> Reader:
    server = forge.address.removesuffix(forge.client.name).rstrip("/")
    return Reader(client=forge.client, hint=_HINT.format(server=server, name=forge.client.name))


def parts(reader: Reader, wanted: DesiredState) -> Parts:
    repository = reader.require("", _Repository, "the repository", "Metadata: read")
    pusher = rulesets.find_pusher(reader, wanted)
    yield "the branch and its issues", partial(_basics, reader, repository)
    yield f"the label `{wanted.label}`", partial(_label, reader, wanted)
    yield "GitHub Actions", partial(_actions, reader)
    yield "the default rights of workflows", partial(_workflows, reader, wanted)
    if not repository.private:
        yield "the approval of first-time contributors", partial(_contributors, reader)
    yield "the environment `evaluation`", partial(environments.evaluation, reader, wanted)
    yield "the environment `publish`", partial(environments.publish, reader, wanted, pusher)
    if wanted.has_encrypted_data:
        yield "the environment `scoring`", partial(environments.scoring, reader, wanted)
    yield "Pages", partial(_pages, reader)
    yield (
        f"the history of `{wanted.branch}` and `{wanted.ledger}`",
        partial(rulesets.history, reader, wanted),
    )
    yield f"merges to `{wanted.branch}`", partial(rulesets.merges, reader, wanted, pusher)


def _basics(reader: Reader, repository: _Repository) -> Iterator[MissingSetting]:
    if repository.default_branch != _DEFAULT_BRANCH:
        yield MissingSetting(
            what=f"the default branch `{_DEFAULT_BRANCH}` (it is `{repository.default_branch}`)",
            by_hand="The workflows name that branch: Settings → General → Default branch.",
        )
    if not repository.has_issues:
        call = reader.call("turn the issues on", _ADMINISTRATION)
        what = "the tab *Issues*, where what makes no progress is listed"
        yield reader.mend(what, "PATCH", "", {"has_issues": True}, call)


def _label(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    name = f"the label `{wanted.label}`"
    if reader.find(f"labels/{wanted.label}", Named, name, "Issues: read") is None:
        body = {"name": wanted.label, "color": LABEL_COLOUR, "description": LABEL_TEXT}
        call = reader.call(f"create {name}", "Issues: write")
        yield reader.mend(name, "POST", "labels", body, call)


def _actions(reader: Reader) -> Iterator[MissingSetting]:
    path, what = "actions/permissions", "whether workflows run"
    actions = reader.require(path, _Actions, what, "Administration: read")
    if not actions.enabled:
        call = reader.call("turn GitHub Actions on", _ADMINISTRATION)
        yield reader.mend(
            "GitHub Actions (they are turned off)", "PUT", path, {"enabled": True}, call
        )
    elif actions.allowed_actions == "local_only":
        yield MissingSetting(
            what="leave for the workflows to use GitHub's own actions",
            by_hand="Settings → Actions → General → Actions permissions: allow those created by "
            "GitHub.",
        )


def _workflows(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    path, what = "actions/permissions/workflow", "the default rights of workflows"
    rights = reader.require(path, _Workflows, what, "Administration: read")
    # GitHub's one setting lets workflows open pull requests, and approve them.
    body = {
        "default_workflow_permissions": "read",
        "can_approve_pull_request_reviews": wanted.has_forms,
    }
    if rights.model_dump() != body:
        call = reader.call(f"set {what}", _ADMINISTRATION)
        limit = "the limit of workflows to reading, where a job asks for no more"
        limit += ", and their right to open pull requests" if wanted.has_forms else ""
        yield reader.mend(limit, "PUT", path, body, call)


def _contributors(reader: Reader) -> Iterator[MissingSetting]:
    path = "actions/permissions/fork-pr-contributor-approval"
    what = "who needs an approval"
    policy = reader.require(path, _Contributors, what, "Administration: read").approval_policy
    if policy == _WEAKEST_APPROVAL:
        call = reader.call(f"set {what}", _ADMINISTRATION)
        approval = "the approval that first-time contributors need before their workflows run"
        yield reader.mend(approval, "PUT", path, {"approval_policy": _SAFER_APPROVAL}, call)


def _pages(reader: Reader) -> Iterator[MissingSetting]:
    pages = reader.find("pages", _Pages, "the settings of Pages", "Pages: read")
    if pages is None or pages.build_type != "workflow":
        call = reader.call("set up Pages", "Administration: write and Pages: write")
        method = "POST" if pages is None else "PUT"
        yield reader.mend(
            "Pages from a workflow", method, "pages", {"build_type": "workflow"}, call
        )
