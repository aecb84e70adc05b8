"""The environments of GitHub that jobs name: who reviews, who may use them, what they hold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.plugins.forge_setup.desired import (
    DesiredState,
    Identified,
    MissingSetting,
    Named,
    Reader,
)
from evaluator.plugins.forge_setup.rulesets import App, Pusher

EVALUATION, PUBLISH, SCORING = "evaluation", "publish", "scoring"
IDENTITY, APP_KEY, TOKEN = "PULLBENCH_IDENTITY", "PULLBENCH_APP_KEY", "PULLBENCH_TOKEN"
APP_VARIABLE = "PULLBENCH_APP"
_MAX_REVIEWERS = 6
_READ, _WRITE = "Actions: read", "Administration: write"
_HELD = "Environments: write"


class _Reviewer(BaseModel):
    type: str
    reviewer: Identified


class _Rule(BaseModel):
    type: str
    wait_timer: int = 0
    prevent_self_review: bool = False
    reviewers: list[_Reviewer] = []


class _Policy(BaseModel):
    protected_branches: bool
    custom_branch_policies: bool


class _Environment(BaseModel):
    protection_rules: list[_Rule] = []
    deployment_branch_policy: _Policy | None = None


class _Branches(BaseModel):
    branch_policies: list[Named]


class _Secrets(BaseModel):
    secrets: list[Named]


class _Variable(BaseModel):
    value: str


@dataclass(frozen=True, kw_only=True)
class _Settings:
    """What one request sets of an environment, all of it: what it leaves out is lost."""

    wait_timer: int = 0
    prevent_self_review: bool = False
    reviewers: tuple[Mapping[str, Any], ...] = ()
    branches: Mapping[str, bool] | None = None


def evaluation(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    settings = _read(reader, EVALUATION)
    if not wanted.organisers:
        yield MissingSetting(
            what="an organiser, so that nobody may approve",
            by_hand='Set [tool.pullbench] organisers = ["YOU"] in pyproject.toml, and run this '
            "again.",
        )
        return
    reviewers: list[Mapping[str, Any]] = list(settings.reviewers) if settings else []
    for login in () if reviewers else wanted.organisers[:_MAX_REVIEWERS]:
        if account := reader.find_named("users", login, Identified):
            reviewers.append({"type": "User", "id": account.id})
        else:
            yield MissingSetting(
                what=f"the account {login}, which pyproject.toml names",
                by_hand="Correct [tool.pullbench] organisers.",
            )
    if reviewers:
        yield from _set_up(reader, EVALUATION, settings, wanted, tuple(reviewers))


def publish(
    reader: Reader, wanted: DesiredState, pusher: Pusher | None
) -> Iterator[MissingSetting]:
    settings = _read(reader, PUBLISH)
    reviewers = settings.reviewers if settings else ()
    yield from _set_up(reader, PUBLISH, settings, wanted, reviewers)
    if isinstance(pusher, App):
        yield from _variable(reader, pusher.client_id, settings is not None)
    needed = [IDENTITY] if wanted.is_sealed else []
    if pusher is not None:
        needed.append(APP_KEY if isinstance(pusher, App) else TOKEN)
    yield from _secrets(reader, PUBLISH, needed, settings is not None)


def scoring(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    settings = _read(reader, SCORING)
    yield from _set_up(reader, SCORING, settings, wanted, settings.reviewers if settings else ())
    yield from _secrets(reader, SCORING, [DATA_IDENTITY], settings is not None)


def _set_up(
    reader: Reader,
    name: str,
    old: _Settings | None,
    wanted: DesiredState,
    reviewers: tuple[Mapping[str, Any], ...],
) -> Iterator[MissingSetting]:
    """Let the branch alone use an environment: else a workflow on any branch reads its secrets.

    A limit to protected branches is none where no branch is protected by a rule of the old kind.
    """
    only = {"protected_branches": False, "custom_branch_policies": True}
    new = replace(old or _Settings(), branches=only, reviewers=reviewers)
    if new != old:
        added = reviewers != (old or _Settings()).reviewers
        what = "required reviewers" if added else "the limit to chosen branches"
        yield _put(reader, name, new, f"{what} of the environment")
    path = f"environments/{name}/deployment-branch-policies"
    listed = reader.require(path, _Branches, "its branches", _READ) if old else None
    names = {branch.name for branch in listed.branch_policies} if listed else set()
    if wanted.branch not in names:
        call = reader.call(f"let `{wanted.branch}` use the environment `{name}`", _WRITE, 303)
        what = f"`{wanted.branch}` among the branches of `{name}`"
        yield reader.mend(what, "POST", path, {"name": wanted.branch}, call)
    for other in sorted(names - {wanted.branch}):
        yield MissingSetting(
            what=f"the limit to `{wanted.branch}`: `{other}` may use `{name}`, too",
            by_hand=f"Settings → Environments → {name} → Deployment branches: remove `{other}`.",
        )


def _variable(reader: Reader, value: str, there: bool) -> Iterator[MissingSetting]:
    path, what = f"environments/{PUBLISH}/variables", f"the variable {APP_VARIABLE}"
    variable = None
    if there:
        variable = reader.find(f"{path}/{APP_VARIABLE}", _Variable, what, "Environments: read")
    if variable is None or variable.value != value:
        call = reader.call(f"set {what}", _HELD)
        method, place = ("POST", path) if variable is None else ("PATCH", f"{path}/{APP_VARIABLE}")
        yield reader.mend(what, method, place, {"name": APP_VARIABLE, "value": value}, call)


def _secrets(reader: Reader, name: str, needed: list[str], there: bool) -> Iterator[MissingSetting]:
    names: set[str] = set()
    if needed and there:
        path, query = f"environments/{name}/secrets", {"per_page": "100"}
        listed = reader.require(path, _Secrets, "the names of its secrets", "Environments: read",
                                query)  # fmt: skip
        names = {secret.name for secret in listed.secrets}
    for secret in needed:
        if secret not in names:
            yield MissingSetting(
                what=f"the secret {secret}",
                by_hand=f"gh secret set {secret} --env {name} --repo {reader.client.name}",
            )


def _read(reader: Reader, name: str) -> _Settings | None:
    path = f"environments/{name}"
    environment = reader.find(path, _Environment, f"the environment `{name}`", _READ)
    if environment is None:
        return None
    reviews = [rule for rule in environment.protection_rules if rule.type == "required_reviewers"]
    policy = environment.deployment_branch_policy
    return _Settings(
        wait_timer=max((rule.wait_timer for rule in environment.protection_rules), default=0),
        prevent_self_review=any(rule.prevent_self_review for rule in reviews),
        reviewers=tuple(
            {"type": one.type, "id": one.reviewer.id} for rule in reviews for one in rule.reviewers
        ),
        branches=policy.model_dump() if policy else None,
    )


def _put(reader: Reader, name: str, settings: _Settings, what: str) -> MissingSetting:
    call = reader.call(f"set up the environment `{name}`", _WRITE)
    body = {
        "wait_timer": settings.wait_timer,
        "prevent_self_review": settings.prevent_self_review,
        "reviewers": list(settings.reviewers) or None,
        "deployment_branch_policy": settings.branches,
    }
    return reader.mend(f"{what} `{name}`", "PUT", f"environments/{name}", body, call)
