"""`pullbench github setup` against a server that answers what no forge would."""

from collections.abc import Callable
from typing import Any

import pytest

from evaluator.ci.forge.client import MAX_PAGES
from evaluator.ci.forge.connection import MAX_BYTES
from evaluator.core.errors import PullbenchError
from evaluator.plugins.forge_setup.inspection import inspect_forge
from tests.fake_forge import REPOSITORY, Reply
from tests.plugins.forge_setup.server import Gitea, GitHub
from tests.plugins.forge_setup.test_setup import SETTINGS, Scene, scene

__all__ = ["scene"]

LISTED = [{"id": 7, "name": "pullbench: history"}, {"id": 8, "name": "pullbench: merges"}]
ODD: list[Any] = [None, 7, "x", [], {}, [None], [{}], [[]], {"a": None}, True]
PARTS: dict[str, list[Any]] = {
    "conditions": [*ODD, *({"ref_name": odd} for odd in ODD),
                   *({"ref_name": {"include": odd, "exclude": odd}} for odd in ODD)],
    "bypass_actors": [*ODD, [{"actor_id": 1}]],
    "rules": [*ODD, *([{"type": "required_status_checks", "parameters": odd}] for odd in ODD),
              *([{"type": "required_status_checks", "parameters": {"required_status_checks": odd}}]
                for odd in ODD)],
}  # fmt: skip


HEADERS = [
    {"Link": '<http://[>; rel="next"'}, {"Link": '<?page=2>; rel="next"'}, {"Link": "<;,;=<>"},
    {"Retry-After": "9" * 400}, {"Location": "https://evil.example/"},
]  # fmt: skip


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scene, str], str]:
    """Return what says what a set-up comes to: any other exception is a defect of pullbench."""

    def judge(here: Scene, app: str) -> str:
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret-token")
        monkeypatch.setenv("PULLBENCH_FORGE_API", f"{here.forge.url}{here.forge.root}")
        said = []
        try:
            for part in inspect_forge(here.repo.path, app=app, account="", send=False):
                said += [part.part, *(one.what for one in part.missing), str(part.error)]
        except PullbenchError as error:
            said.append(str(error))
        assert "secret-token" not in "".join(said)
        return "\n".join(said)

    return judge


@pytest.mark.parametrize("part", PARTS)
def test_a_ruleset_of_another_shape_is_named(
    scene: Callable[..., Scene], judged: Callable[[Scene, str], str], part: str
) -> None:
    server = GitHub()
    here = scene(server)
    whole = {"id": 7, "name": "x", "enforcement": "active"}
    said = []
    for value in PARTS[part]:
        server.replies.clear()
        server.reply(f"GET {REPOSITORY}/rulesets", *[Reply(data=LISTED)] * 2)
        for number in (7, 8):
            server.reply(f"GET {REPOSITORY}/rulesets/{number}", Reply(data={**whole, part: value}))
        said.append(judged(here, "bench-records"))
    assert any(f"something else than was asked for ({part}" in text for text in said)


@pytest.mark.slow
def test_answers_of_another_shape_are_named(
    scene: Callable[..., Scene], judged: Callable[[Scene, str], str]
) -> None:
    server = GitHub()
    here = scene(server)
    judged(here, "bench-records")
    questions = list(dict.fromkeys(f"GET {one.path}" for one in server.made("GET")))
    assert len(questions) > 8
    answers = [Reply(data=odd) for odd in ODD]
    answers += [Reply(data=[], headers=headers) for headers in HEADERS]
    answers += [Reply(status=307, headers=HEADERS[-1]), Reply(raw=b"[" * 10**5), Reply(raw=b"\xff"),
                Reply(raw=b"9" * 5000), Reply(data={"message": "\x1b[2Jsecret-token"}, status=400),
                Reply(raw=b" " * (MAX_BYTES + 1))]  # fmt: skip
    for question in questions:
        for answer in answers:
            server.replies.clear()
            server.reply(question, answer)
            judged(here, "bench-records")
    assert all("evil.example" not in one.path for one in server.asked)


def test_pages_without_end_come_to_an_end(
    scene: Callable[..., Scene], judged: Callable[[Scene, str], str]
) -> None:
    server = Gitea("gitea")
    here = scene(server, SETTINGS.replace("github.com", "gitea.example"))
    page = Reply(data=[{"name": "x"}], headers={"Link": '<?page=2>; rel="next"'})
    server.reply(f"GET {server.root}{REPOSITORY}/labels", *[page] * (MAX_PAGES + 50))
    assert "evaluate" in judged(here, "")
    assert len([one for one in server.asked if one.path.endswith("/labels")]) == MAX_PAGES
