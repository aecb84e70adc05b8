"""`pullbench github setup` on repositories that lack everything, something and nothing."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.commands import pullbench
from tests.fake_forge import REPOSITORY, Asked, Reply, running
from tests.plugins.forge_setup.server import DescribedForge, Gitea, GitHub
from tests.repository import Repository

ADDRESS = "https://github.com/org/bench"
SETTINGS = f'[tool.pullbench]\nforge = "{ADDRESS}"\norganisers = ["ada", "grace"]\n'
SEALED = 'seal = "age1lcl0zfqhf0dfkv0yw7yqn52r4yxkhy6mgcvnlff8vrd0dmpml3tqd2nzrj"\n'
APP = ("--app", "bench-records")
NO_RIGHT = Reply(
    status=403, data={"message": "Resource not accessible by personal access token"}
)  # fmt: skip
CHOSEN_BRANCHES = {"protected_branches": False, "custom_branch_policies": True}


@dataclass
class Scene:
    """An organiser's clone and its forge."""

    repo: Repository
    forge: Any

    def setup(self, *options: str, code: int = 0) -> str:
        variables = {"PULLBENCH_TOKEN": "the-organiser's",
                     "PULLBENCH_FORGE_API": f"{self.forge.url}{self.forge.root}"}  # fmt: skip
        done = pullbench(
            ["-C", str(self.repo.path), "github", "setup", *options], {**os.environ, **variables}
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert self.forge.broken == []
        assert "the-organiser's" not in done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def scene(repo: Repository) -> Iterator[Callable[..., Scene]]:
    servers = []

    def make(forge: DescribedForge, settings: str = SETTINGS) -> Scene:
        repo.write("pyproject.toml", settings)
        server = running(forge)
        server.__enter__()
        servers.append(server)
        return Scene(repo, forge)

    yield make
    for server in servers:
        server.__exit__(None, None, None)


def test_a_new_repository_on_github(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge)
    missing = here.setup("--check", code=1)
    assert "missing: the label `evaluate`" in missing
    assert "missing: Pages from a workflow" in missing
    assert forge.written == []
    said = here.setup()
    assert "missing" not in said
    assert list(forge.labels) == ["bug", "evaluate"]
    (review,) = forge.environments["evaluation"]["protection_rules"]
    assert [one["reviewer"]["login"] for one in review["reviewers"]] == ["ada", "grace"]
    for environment in forge.environments.values():
        assert environment["deployment_branch_policy"] == CHOSEN_BRANCHES
    assert forge.branches == {"evaluation": ["main"], "publish": ["main"]}
    assert forge.pages == {"build_type": "workflow"}
    assert forge.rights["default_workflow_permissions"] == "read"
    assert forge.approval["approval_policy"] == "first_time_contributors"
    (history,) = forge.rulesets
    assert history["conditions"]["ref_name"]["include"] == [
        "refs/heads/main", "refs/heads/pullbench-ledger",
    ]  # fmt: skip
    assert [rule["type"] for rule in history["rules"]] == ["deletion", "non_fast_forward"]
    assert history["bypass_actors"] == []
    before = len(forge.written)
    here.setup()
    assert "missing" not in here.setup("--check")
    assert len(forge.written) == before


def test_encrypted_data_have_an_environment_of_their_own(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge)
    here.repo.with_bundle("small")
    bundle = "benchmarks/echo/competition.yaml"
    pin = f"{{task: 0, file: reference_data, encrypted: truth.age, sha256: {'a' * 64}}}"
    here.repo.write("benchmarks/echo/truth.age", b"age-encryption.org/v1")
    before = (here.repo.path / bundle).read_text()
    here.repo.write(bundle, f"{before}  private: [{pin}]\n")
    here.repo.write("pyproject.toml", SETTINGS)
    said = here.setup(code=1)
    assert "gh secret set PULLBENCH_DATA_IDENTITY --env scoring --repo org/bench" in said
    assert forge.branches["scoring"] == ["main"]
    forge.secrets.append("PULLBENCH_DATA_IDENTITY")
    here.setup()
    assert "missing" not in here.setup("--check")


@pytest.mark.parametrize("form", [True, False])
def test_workflows_open_pull_requests_where_there_are_forms(
    scene: Callable[..., Scene], form: bool
) -> None:
    """GitHub refuses them else; and the same setting lets workflows approve, so that it is off."""
    forge = GitHub()
    here = scene(forge)
    here.repo.with_bundle("small")
    if form:
        bundle = "benchmarks/adding/competition.yaml"
        here.repo.replace(bundle, "\npullbench:\n", "\npullbench:\n  form: true\n")
    here.setup()
    assert forge.rights["can_approve_pull_request_reviews"] is form
    assert "their right to open pull requests" not in here.setup("--check")
    forge.rights["can_approve_pull_request_reviews"] = not form
    said = here.setup("--check", code=1)
    assert ("their right to open pull requests" in said) == form


def test_an_app_pushes_and_everybody_else_needs_the_status(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge, SETTINGS + SEALED)
    said = here.setup(*APP, code=1)
    assert "gh secret set PULLBENCH_APP_KEY --env publish --repo org/bench" in said
    assert "gh secret set PULLBENCH_IDENTITY --env publish --repo org/bench" in said
    assert forge.variables == {"PULLBENCH_APP": "Iv23abc"}
    merges = forge.rulesets[1]
    assert merges["bypass_actors"] == [
        {"actor_id": 900, "actor_type": "Integration", "bypass_mode": "always"}
    ]
    status = merges["rules"][1]["parameters"]["required_status_checks"]
    assert status == [{"context": "pullbench"}]
    forge.secrets += ["PULLBENCH_APP_KEY", "PULLBENCH_IDENTITY"]
    forge.variables["PULLBENCH_APP"] = "of another app"
    before = len(forge.written)
    assert "set: the variable PULLBENCH_APP" in here.setup(*APP)
    assert forge.written[before:] == ["PATCH /environments/publish/variables/PULLBENCH_APP"]
    here.setup("--check", *APP)
    # Without the name, what is there is judged all the same.
    here.setup("--check")
    merges["bypass_actors"] = []
    assert "--app NAME" in here.setup("--check", code=1)


def test_a_machine_account_in_place_of_an_app(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge)
    said = here.setup("--account", "bench-bot", code=1)
    assert "gh secret set PULLBENCH_TOKEN --env publish" in said
    assert forge.rulesets[1]["bypass_actors"][0]["actor_type"] == "User"
    assert "knows no 'nobody'" in here.setup("--account", "nobody", code=2)
    here.setup("--account", "bench-bot", *APP, code=2)


def test_what_an_organiser_set_stays(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge)
    here.setup(*APP, code=1)
    forge.secrets.append("PULLBENCH_APP_KEY")
    team = {"type": "Team", "reviewer": {"id": 3, "name": "Chairs", "type": "organization"}}
    forge.environments["evaluation"]["protection_rules"] = [
        {"id": 2, "type": "required_reviewers", "prevent_self_review": True, "reviewers": [team]},
    ]  # fmt: skip
    publish = forge.environments["publish"]
    publish["protection_rules"] = [{"id": 1, "type": "wait_timer", "wait_timer": 5}]
    publish["deployment_branch_policy"] = None
    history, merges = forge.rulesets
    history["enforcement"] = "disabled"
    history["rules"] = [{"type": "non_fast_forward"}]
    merges["rules"][1]["parameters"]["required_status_checks"] = [{"context": "spelling"}]
    merges["bypass_actors"].insert(
        0, {"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "pull_request"}
    )
    forge.approval["approval_policy"] = "all_external_contributors"
    forge.pages = {"build_type": "legacy"}
    before = len(forge.written)
    here.setup(*APP)
    assert sorted(forge.written[before:]) == [
        "PUT /environments/publish", "PUT /pages", "PUT /rulesets/1", "PUT /rulesets/2",
    ]  # fmt: skip
    assert forge.environments["publish"]["protection_rules"][0]["wait_timer"] == 5
    assert history["enforcement"] == "active"
    assert [rule["type"] for rule in history["rules"]] == ["non_fast_forward", "deletion"]
    checks = merges["rules"][1]["parameters"]["required_status_checks"]
    assert [check["context"] for check in checks] == ["spelling", "pullbench"]
    assert [actor["actor_id"] for actor in merges["bypass_actors"]] == [5, 900]
    assert forge.approval["approval_policy"] == "all_external_contributors"
    # A branch more that may read the secrets is no request's to take away.
    forge.branches["publish"].append("dev")
    assert "remove `dev`" in here.setup("--check", code=1)
    assert forge.branches["publish"] == ["main", "dev"]


@pytest.mark.parametrize("name", ["evaluation", "publish"])
def test_a_limit_to_protected_branches_is_no_limit(scene: Callable[..., Scene], name: str) -> None:
    """Where none is protected, every branch may use the environment, and read its secrets."""
    forge = GitHub()
    here = scene(forge)
    here.setup()
    environment, branches = forge.environments[name], forge.branches[name]
    environment["deployment_branch_policy"] = {
        "protected_branches": True, "custom_branch_policies": False,
    }  # fmt: skip
    branches.clear()
    said = here.setup("--check", code=1)
    assert f"missing: the limit to chosen branches of the environment `{name}`" in said
    before = len(forge.written)
    here.setup()
    assert forge.written[before:] == [
        f"PUT /environments/{name}", f"POST /environments/{name}/deployment-branch-policies",
    ]  # fmt: skip
    assert forge.environments[name]["deployment_branch_policy"] == CHOSEN_BRANCHES
    if name == "evaluation":
        (review,) = forge.environments[name]["protection_rules"]
        assert [one["reviewer"]["login"] for one in review["reviewers"]] == ["ada", "grace"]


def test_what_a_person_has_to_mend(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    forge.repository |= {"default_branch": "master", "has_issues": False, "private": True}
    forge.actions |= {"enabled": False}
    here = scene(forge, SETTINGS.replace('"ada", "grace"', '"ada", "nobody"'))
    said = here.setup(code=1)
    assert "the default branch `main` (it is `master`)" in said
    assert "the account nobody, which pyproject.toml names" in said
    assert forge.repository["has_issues"] is True
    assert forge.actions["enabled"] is True
    assert forge.approval["approval_policy"] == "first_time_contributors_new_to_github"
    forge.actions["allowed_actions"] = "local_only"
    assert "Actions permissions" in here.setup("--check", code=1)
    here.repo.write("pyproject.toml", f'[tool.pullbench]\nforge = "{ADDRESS}"\n')
    assert "so that nobody may approve" in here.setup("--check", code=1)


def test_a_token_without_a_right(scene: Callable[..., Scene]) -> None:
    forge = GitHub()
    here = scene(forge)
    forge.reply(f"PUT {REPOSITORY}/environments/evaluation", NO_RIGHT)
    forge.reply(f"POST {REPOSITORY}/pages", NO_RIGHT)
    said = here.setup(code=1)
    assert "could not set up the environment `evaluation`: the forge answered 403" in said
    assert "repository permission 'Administration: write'" in said
    assert "'Administration: write and Pages: write'" in said
    assert "https://github.com/settings/personal-access-tokens" in said
    # The rest was done.
    assert "evaluate" in forge.labels
    assert len(forge.rulesets) == 1
    assert "set: required reviewers" in here.setup()
    forge.reply(f"GET {REPOSITORY}", Reply(status=404, data={"message": "Not Found"}))
    assert "'Metadata: read'" in here.setup("--check", code=1)


def test_without_a_token_the_address_that_makes_one(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    repo.write("pyproject.toml", SETTINGS)
    done = repo.pullbench("github", "setup")
    assert done.returncode == 2
    assert (
        "https://github.com/settings/personal-access-tokens/new?name=pullbench+setup"
        "&target_name=org&expires_in=1&administration=write" in done.stderr
    )
    repo.write("pyproject.toml", SETTINGS.replace("github.com", "git.example"))
    assert (
        "https://git.example/user/settings/applications" in repo.pullbench("github", "setup").stderr
    )
    repo.write("pyproject.toml", "")
    assert "is not the address of a repository" in repo.pullbench("github", "setup").stderr


@pytest.mark.parametrize("kind", ["gitea", "forgejo"])
def test_gitea_and_forgejo(scene: Callable[..., Scene], kind: str) -> None:
    forge = Gitea(kind)
    here = scene(forge)
    here.setup("--check", code=1)
    assert forge.written == []
    here.setup("--account", "bench-bot")
    assert forge.labels[-1]["name"] == "evaluate"
    assert forge.protections["pullbench-ledger"] == {
        "rule_name": "pullbench-ledger", "enable_push": True,
    }  # fmt: skip
    assert forge.protections["main"] == {
        "rule_name": "main", "enable_push": True, "enable_push_whitelist": True,
        "push_whitelist_usernames": ["bench-bot"], "enable_status_check": True,
        "status_check_contexts": ["pullbench"],
    }  # fmt: skip
    before = len(forge.written)
    here.setup("--account", "bench-bot")
    here.setup("--check", "--account", "bench-bot")
    assert len(forge.written) == before
    forge.protections["main"]["push_whitelist_usernames"] = ["ada"]
    here.setup("--account", "bench-bot")
    assert forge.written[before:] == ["PATCH /branch_protections/main"]
    assert forge.protections["main"]["push_whitelist_usernames"] == ["ada", "bench-bot"]
    forge.reply(f"GET /api/v1{REPOSITORY}", NO_RIGHT)
    assert "scope 'read:repository'" in here.setup("--check", code=1)


@pytest.mark.parametrize(
    ("method", "query", "data", "said"),
    [
        ("POST", {}, {"name": "x", "colour": "0"}, "'colour' was unexpected"),
        ("POST", {}, {"color": "0"}, "'name' is a required property"),
        ("POST", {"page": "1"}, {"name": "x"}, "query page"),
        ("PUT", {}, {}, "is not published"),
    ],
)
def test_the_server_holds_requests_to_the_description(
    method: str, query: dict[str, str], data: dict[str, str], said: str
) -> None:
    forge = GitHub()
    forge.answer(
        Asked(method=method, path=f"{REPOSITORY}/labels", query=query, data=data, token="")
    )
    (broken,) = forge.broken
    assert said in broken
