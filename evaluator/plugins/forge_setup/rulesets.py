"""GitHub's rulesets: nobody rewrites a history, and who may change the branch how."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel

from evaluator.core.errors import UsageError
from evaluator.plugins.forge_setup.desired import (
    DesiredState,
    Identified,
    MissingSetting,
    Named,
    Reader,
)

HISTORY, MERGES = "pullbench: history", "pullbench: merges"
_READ, _WRITE = "Metadata: read", "Administration: write"
_REVIEWS = {
    "required_approving_review_count": 0, "dismiss_stale_reviews_on_push": False,
    "require_code_owner_review": False, "require_last_push_approval": False,
    "required_review_thread_resolution": False,
}  # fmt: skip
"""None but the status: who merges reads the pull request."""


class App(Identified):
    """A GitHub App."""

    client_id: str


Pusher = App | Identified
"""The app or account that may push records to the branch past its rules."""


class _Listed(Identified, Named):
    pass


class _Check(BaseModel):
    context: str


class _Parameters(BaseModel):
    required_status_checks: list[_Check] = []


class _Rule(BaseModel):
    type: str
    parameters: _Parameters = _Parameters()


class _Actor(BaseModel):
    actor_type: str


class _Names(BaseModel):
    include: list[str] = []
    exclude: list[str] = []


class _Conditions(BaseModel):
    ref_name: _Names = _Names()


def _like(shape: type[BaseModel]) -> AfterValidator:
    """Check what is used of an object, which stays as it is: it is sent back with all else."""
    return AfterValidator(lambda given: shape.model_validate(given) and given)


class _Ruleset(BaseModel):
    id: int
    enforcement: str
    bypass_actors: list[Annotated[dict[str, Any], _like(_Actor)]] = []
    conditions: Annotated[dict[str, Any], _like(_Conditions)] = {}
    rules: list[Annotated[dict[str, Any], _like(_Rule)]] = []


def find_pusher(reader: Reader, wanted: DesiredState) -> Pusher | None:
    """Find who may push. Raises UsageError, ForgeError, PlatformError."""
    name = wanted.app or wanted.account
    if not name:
        return None
    pusher: Pusher | None
    if wanted.app:
        pusher = reader.find_named("apps", name, App)
        hint = "Its name is the end of its address, https://github.com/apps/NAME."
    else:
        pusher = reader.find_named("users", name, Identified)
        hint = "Give its login."
    if pusher is None:
        raise UsageError(f"GitHub knows no '{name}', or does not show it to this token", hint=hint)
    return pusher


def history(reader: Reader, wanted: DesiredState) -> Iterator[MissingSetting]:
    rules = [{"type": "deletion"}, {"type": "non_fast_forward"}]
    branches = [wanted.branch, wanted.ledger]
    what = f"the protection of `{wanted.branch}` and `{wanted.ledger}` against force pushes"
    yield from _ruleset(reader, HISTORY, what, branches, rules, [])


def merges(reader: Reader, wanted: DesiredState, pusher: Pusher | None) -> Iterator[MissingSetting]:
    """Yield what is missing so that the status decides on merges, if somebody may push past it."""
    existing = _find(reader, MERGES)
    if pusher is None and existing is None:
        return
    if pusher is None and existing is not None and not existing.bypass_actors:
        yield MissingSetting(
            what=f"leave for *publish* to push records to `{wanted.branch}`",
            by_hand="Run this again with --app NAME, or --account LOGIN.",
        )
    checks = {"required_status_checks": [{"context": wanted.status}],
              "strict_required_status_checks_policy": False}  # fmt: skip
    rules = [
        {"type": "pull_request", "parameters": _REVIEWS},
        {"type": "required_status_checks", "parameters": checks},
    ]
    what = f"the rule that a pull request with a green `{wanted.status}` changes `{wanted.branch}`"
    actors = []
    if pusher is not None:
        kind = "Integration" if isinstance(pusher, App) else "User"
        actors = [{"actor_id": pusher.id, "actor_type": kind, "bypass_mode": "always"}]
    yield from _ruleset(reader, MERGES, what, [wanted.branch], rules, actors, existing)


def _find(reader: Reader, name: str) -> _Ruleset | None:
    query = {"includes_parents": "false", "per_page": "100"}
    for listed in reader.require("rulesets", list[_Listed], "the rulesets", _READ, query):
        if listed.name == name:
            path = f"rulesets/{listed.id}"
            return reader.require(path, _Ruleset, f"the ruleset '{name}'", _READ)
    return None


def _ruleset(
    reader: Reader,
    name: str,
    what: str,
    branches: list[str],
    rules: list[dict[str, Any]],
    actors: list[dict[str, Any]],
    existing: _Ruleset | None = None,
) -> Iterator[MissingSetting]:
    existing = existing or _find(reader, name)
    refs = [f"refs/heads/{branch}" for branch in branches]
    before = existing or _Ruleset(id=0, enforcement="")
    given = before.conditions.get("ref_name", {})
    body = {
        "name": name,
        "target": "branch",
        "enforcement": "active",
        "conditions": {
            "ref_name": {"include": list(dict.fromkeys([*given.get("include", []), *refs])),
                         "exclude": [ref for ref in given.get("exclude", []) if ref not in refs]},
        },
        "rules": _with_rules(before.rules, rules),
        "bypass_actors": _with_actors(before.bypass_actors, actors),
    }  # fmt: skip
    compared = ("enforcement", "conditions", "rules", "bypass_actors")
    if any(getattr(before, key) != body[key] for key in compared):
        call = reader.call(f"set the ruleset '{name}'", _WRITE)
        method, path = ("PUT", f"rulesets/{existing.id}") if existing else ("POST", "rulesets")
        yield reader.mend(what, method, path, body, call)


def _with_rules(given: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the rules that are missing; a rule of the organiser's stays, with the status added."""
    types = {rule["type"] for rule in given}
    of_type = {rule["type"]: rule for rule in wanted}
    rules = [_with_status(rule, of_type.get(rule["type"], {})) for rule in given]
    return [*rules, *(rule for rule in wanted if rule["type"] not in types)]


def _with_status(rule: dict[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    if rule["type"] != "required_status_checks" or not wanted:
        return rule
    parameters = rule.get("parameters", {})
    given = parameters.get("required_status_checks", [])
    names = {check["context"] for check in given}
    more = [check for check in wanted["parameters"]["required_status_checks"]
            if check["context"] not in names]  # fmt: skip
    return {**rule, "parameters": {**parameters, "required_status_checks": [*given, *more]}}


def _with_actors(given: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    known = {(actor.get("actor_id"), actor["actor_type"]) for actor in given}
    more = [one for one in wanted if (one["actor_id"], one["actor_type"]) not in known]
    return [*given, *more]
