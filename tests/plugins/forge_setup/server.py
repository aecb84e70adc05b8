"""A forge on loopback that takes and answers what its published description says, nothing else."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator

from tests.fake_forge import REPOSITORY, Asked, FakeForge, Reply

ACCOUNTS = {"ada": 11, "grace": 12, "bench-bot": 13}
APPS = {"bench-records": {"id": 900, "client_id": "Iv23abc", "name": "Bench records"}}
NOT_FOUND = Reply(status=404, data={"message": "Not Found"})


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One published request."""

    name: str
    """``METHOD path``, with names in braces."""
    query: frozenset[str]
    body: Any
    """JSON Schema; None where there is none."""
    answers: dict[str, Any]

    def match(self, asked: Asked, path: str) -> list[str] | None:
        method, template = self.name.split(" ")
        pattern = re.sub(r"\\\{\w+\\\}", "([^/]+)", re.escape(template))
        found = re.fullmatch(pattern, path) if method == asked.method else None
        return None if found is None else [unquote(group) for group in found.groups()]

    def violations(self, asked: Asked) -> list[str]:
        """What the description does not have."""
        said = [f"query {name}" for name in asked.query if name not in self.query]
        if self.body is None:
            return said + (["a body"] if asked.data is not None else [])
        errors = Draft202012Validator(self.body).iter_errors(asked.data)
        return said + [f"{error.json_path}: {error.message}" for error in errors]


def described(forge: str) -> list[Operation]:
    """What is published of a forge, as far as it is used."""
    content = json.loads(Path(__file__).with_name(f"{forge}.json").read_text())
    return [
        Operation(name=name, query=frozenset(one["query"]), body=one["body"],
                  answers=one["answers"])
        for name, one in content["operations"].items()
    ]  # fmt: skip


@dataclass(kw_only=True)
class DescribedForge(FakeForge):
    """One repository; what a request breaks of the description is kept in ``broken``."""

    forge: str
    """Whose description it is."""
    root: str = ""
    """Path of the interface's root."""
    broken: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    operations: list[Operation] = field(init=False)

    def __post_init__(self) -> None:
        self.operations = described(self.forge)

    @property
    def written(self) -> list[str]:
        """Requests that set something, without the repository's own path."""
        start = f"{self.root}{REPOSITORY}"
        return [f"{asked.method} {asked.path.removeprefix(start)}"
                for asked in self.asked if asked.method != "GET"]  # fmt: skip

    def _do(self, asked: Asked) -> Reply:
        path = asked.path.removeprefix(self.root)
        for operation in self.operations:
            groups = operation.match(asked, path)
            if groups is None:
                continue
            self.used.add(operation.name)
            violations = operation.violations(asked)
            if violations:
                self.broken += [f"{operation.name}: {one}" for one in violations]
                return Reply(status=422, data={"message": "Validation Failed"})
            name = operation.name.replace("/repos/{owner}/{repo}", "")
            names = groups[2:] if name != operation.name else groups
            reply = self.handle(name, asked.data, *names)
            if reply.status < 300:
                # This server must not answer what the forge would not.
                shape = operation.answers[str(reply.status)]
                assert (shape is None) == (reply.data is None), operation.name
                Draft202012Validator(shape or {}).validate(reply.data)
            return reply
        self.broken.append(f"{asked.method} {path} is not published")
        return NOT_FOUND

    def handle(self, name: str, data: Any, *names: str) -> Reply:
        """Answer one operation; its path is that below the repository's."""
        raise NotImplementedError


class GitHub(DescribedForge):
    """A repository as GitHub makes it."""

    def __init__(self) -> None:
        super().__init__(forge="github")
        self.repository: dict[str, Any] = {
            "id": 1, "name": "bench", "private": False, "default_branch": "main",
            "has_issues": True,
        }  # fmt: skip
        self.labels: dict[str, Any] = {"bug": {"id": 1, "name": "bug", "color": "ff0000"}}
        self.environments: dict[str, Any] = {}
        self.branches: dict[str, list[str]] = {"evaluation": [], "publish": []}
        """That may use an environment."""
        self.secrets: list[str] = []
        self.variables: dict[str, str] = {}
        self.pages: dict[str, Any] | None = None
        self.rulesets: list[dict[str, Any]] = []
        self.actions: dict[str, Any] = {"enabled": True, "allowed_actions": "all"}
        self.rights: dict[str, Any] = {
            "default_workflow_permissions": "write", "can_approve_pull_request_reviews": True,
        }  # fmt: skip
        self.approval: dict[str, Any] = {"approval_policy": "first_time_contributors_new_to_github"}

    def handle(self, name: str, data: Any, *names: str) -> Reply:
        one = names[0] if names else ""
        settings: dict[str, dict[str, Any]] = {
            "": self.repository, "/actions/permissions": self.actions,
            "/actions/permissions/workflow": self.rights,
            "/actions/permissions/fork-pr-contributor-approval": self.approval,
        }  # fmt: skip
        method, path = name.split(" ")
        if path in settings:
            settings[path].update(data or {})
            return Reply(status=204) if method == "PUT" else Reply(data=settings[path])
        if path.startswith("/environments"):
            return self._environment(method, path.partition("}")[2], one, data, names[-1])
        if path.startswith("/rulesets"):
            return self._ruleset(method, one, data)
        if name == "POST /labels":
            self.labels[data["name"]] = {"id": 2, **data}
            return Reply(status=201, data=self.labels[data["name"]])
        if name == "GET /labels/{name}":
            return Reply(data=self.labels[one]) if one in self.labels else NOT_FOUND
        if path == "/pages":
            return self._pages(method, data)
        if name == "GET /users/{username}":
            account = {"id": ACCOUNTS.get(one), "login": one, "type": "User", "name": None}
            return Reply(data=account) if one in ACCOUNTS else NOT_FOUND
        return Reply(data=APPS[one]) if one in APPS else NOT_FOUND

    def _environment(self, method: str, path: str, one: str, data: Any, last: str) -> Reply:
        if path == "/secrets":
            listed: list[dict[str, Any]] = [{"name": name} for name in self.secrets]
            return Reply(data={"total_count": len(listed), "secrets": listed})
        if path.startswith("/variables"):
            if method == "GET":
                found = self.variables.get(last)
                return NOT_FOUND if found is None else Reply(data={"name": last, "value": found})
            self.variables[data["name"]] = data["value"]
            return Reply(status=201, data={}) if method == "POST" else Reply(status=204)
        if path == "/deployment-branch-policies":
            if method == "POST":
                self.branches.setdefault(one, []).append(data["name"])
                return Reply(data={"id": 1, "name": data["name"]})
            listed = [{"id": 1, "name": name} for name in self.branches.get(one, ())]
            return Reply(data={"total_count": len(listed), "branch_policies": listed})
        if method == "PUT":
            self.environments[one] = _environment(one, data)
        there = self.environments.get(one)
        return NOT_FOUND if there is None else Reply(data=there)

    def _ruleset(self, method: str, one: str, data: Any) -> Reply:
        if method == "POST":
            self.rulesets.append({"id": len(self.rulesets) + 1, **data})
            return Reply(status=201, data=self.rulesets[-1])
        if not one:
            keys = ("id", "name", "enforcement")
            return Reply(data=[{key: rule[key] for key in keys} for rule in self.rulesets])
        found = next(rule for rule in self.rulesets if rule["id"] == int(one))
        found.update(data or {})
        return Reply(data=found)

    def _pages(self, method: str, data: Any) -> Reply:
        if method == "GET":
            return NOT_FOUND if self.pages is None else Reply(data=self.pages)
        if (method == "POST") != (self.pages is None):
            return Reply(status=409, data={"message": "GitHub Pages is already enabled."})
        self.pages = {**(self.pages or {}), **data}
        return Reply(status=201, data=self.pages) if method == "POST" else Reply(status=204)


def _environment(name: str, data: Any) -> dict[str, Any]:
    """An environment as it is shown after a request: what that leaves out is gone."""
    names = {number: login for login, number in ACCOUNTS.items()}
    rules: list[dict[str, Any]] = []
    if data.get("wait_timer"):
        rules.append({"id": 1, "type": "wait_timer", "wait_timer": data["wait_timer"]})
    if data.get("reviewers"):
        rules.append({
            "id": 2, "type": "required_reviewers",
            "prevent_self_review": data.get("prevent_self_review", False),
            "reviewers": [
                {"type": one["type"],
                 "reviewer": {"id": one["id"], "login": names[one["id"]], "type": one["type"]}}
                for one in data["reviewers"]
            ],
        })  # fmt: skip
    return {"id": 5, "name": name, "protection_rules": rules,
            "deployment_branch_policy": data.get("deployment_branch_policy")}  # fmt: skip


class Gitea(DescribedForge):
    """A repository as Gitea and Forgejo make it."""

    def __init__(self, forge: str) -> None:
        super().__init__(forge=forge, root="/api/v1")
        self.labels: list[dict[str, Any]] = [
            {"name": f"label {number}", "color": "ff0000"} for number in range(3)
        ]
        self.protections: dict[str, dict[str, Any]] = {}

    def handle(self, name: str, data: Any, *names: str) -> Reply:
        if name == "GET ":
            return Reply(data={"default_branch": "main"})
        if name == "GET /labels":
            return Reply(data=self.labels)
        if name == "POST /labels":
            self.labels.append({**data, "color": data["color"].removeprefix("#")})
            return Reply(status=201, data=self.labels[-1])
        if name == "POST /branch_protections":
            self.protections[data["rule_name"]] = data
            return Reply(status=201, data=data)
        (one,) = names
        if one not in self.protections:
            return NOT_FOUND
        self.protections[one].update(data or {})
        return Reply(data=self.protections[one])
