"""From a folder to a pull request: a real bare remote, and a forge on loopback."""

import http.server
import json
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluator.api import results
from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import API_VARIABLE, TOKEN_VARIABLES, find_forge
from evaluator.ci.git.remote import repository_at
from evaluator.ci.steps.submit import Submitted, submit
from evaluator.core.errors import InvalidInputError, PlatformError, UsageError
from evaluator.core.git.tree import open_repository
from tests import fake_forge, git_server
from tests.records import write_records
from tests.repository import Repository

BRANCH = "submit/adding/ada/entry"


class FakeForge(http.server.BaseHTTPRequestHandler):
    """Answers as GitHub's interface does; keeps what it was asked."""

    asked: list[dict[str, Any]] = []
    status = 201
    answer: dict[str, Any] = {"html_url": "https://forge.example/org/repo/pull/7"}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        FakeForge.asked.append(
            {"path": self.path, "token": self.headers["Authorization"], **json.loads(body)}
        )
        self.send_response(FakeForge.status)
        self.end_headers()
        self.wfile.write(json.dumps(FakeForge.answer).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeForge]]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeForge) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv(API_VARIABLE, f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret-token")
        FakeForge.asked.clear()
        FakeForge.status = 201
        yield FakeForge
        server.shutdown()


@pytest.fixture
def clone(small: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone with a bare remote that names its forge."""
    for name in TOKEN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    small.write("pyproject.toml", '[tool.pullbench]\nforge = "https://forge.example/org/repo"\n')
    small.commit()
    small.git("init", "--quiet", "--bare", str(tmp_path / "remote.git"))
    small.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    small.git("push", "--quiet", "origin", "main")
    return small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A submission, outside the repository."""
    folder = tmp_path / "entry"
    (folder / "scores").mkdir(parents=True)
    (folder / "submission.yaml").write_text("kind: code\nname: Mine\n")
    (folder / "main.py").write_text("print(1)\n")
    (folder / "scores" / "forged.json").write_text("{}")
    return folder


def go(clone: Repository, folder: Path, benchmark: str = "adding") -> Any:
    return submit(
        clone.path, folder, benchmark=benchmark, participant="ada", name=None, remote="origin",
    )  # fmt: skip


def test_a_branch_and_the_address_to_open(clone: Repository, folder: Path) -> None:
    clone.write("benchmarks/adding/overview.md", "somebody's unfinished work\n")
    done = go(clone, folder)
    assert (done.branch, done.opened) == (BRANCH, False)
    assert done.address == f"https://forge.example/org/repo/compare/main...{BRANCH}?expand=1"
    changed = clone.git("diff", "--name-only", f"main..{done.commit}").splitlines()
    base = "submissions/adding/ada/entry"
    assert changed == [f"{base}/main.py", f"{base}/submission.yaml"]
    assert clone.git("ls-remote", "origin", f"refs/heads/{BRANCH}").startswith(done.commit)
    assert clone.status.strip() == "M benchmarks/adding/overview.md"


def test_a_pull_request_is_opened(clone: Repository, folder: Path, forge: type[FakeForge]) -> None:
    done = go(clone, folder)
    assert done.opened
    assert done.address == "https://forge.example/org/repo/pull/7"
    asked = forge.asked[0]
    assert asked["path"] == "/repos/org/repo/pulls"
    assert asked["token"] == "Bearer secret-token"
    assert (asked["head"], asked["base"]) == (BRANCH, "main")


@dataclass
class Forked:
    """An upstream and forks of it at a forge, and the clone of a participant."""

    small: Repository
    folder: Path
    server: fake_forge.FakeForge
    homes: dict[str, Path]
    root: str
    """Address of the forge, for git."""

    def address(self, owner: str) -> str:
        return f"{self.root}/{owner if '/' in owner else f'{owner}/bench'}.git"

    def go(self, remote: str = "origin") -> Submitted:
        return submit(
            self.small.path, self.folder, benchmark="adding", participant="ada", name=None,
            remote=remote,
        )  # fmt: skip

    def parent(self, owner: str) -> str:
        line = ["git", "-C", str(self.homes[owner]), "rev-parse", f"{BRANCH}^"]
        return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def forked(
    small: Repository, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Forked]:
    owners = ("org", "ada", "lab", "org/mine")
    homes = {o: tmp_path / f"{o if '/' in o else f'{o}/bench'}.git" for o in owners}
    upstream = fake_forge.FakeForge(login="ada", repositories=homes)
    beside = tmp_path / "beside.git"
    small.git("init", "--quiet", "--bare", str(beside))
    with fake_forge.running(upstream), git_server.serve(beside) as served:
        root = served.url.removesuffix(f"/{beside.name}")
        monkeypatch.setenv(API_VARIABLE, upstream.url)
        monkeypatch.setenv("PULLBENCH_TOKEN", "secret-token")
        small.write("pyproject.toml", f'[tool.pullbench]\nforge = "{root}/org/bench"\n')
        small.commit("The upstream")
        for home in homes.values():
            small.git("clone", "--quiet", "--bare", ".", str(home))
            small.git("-C", str(home), "config", "http.receivepack", "true")
        yield Forked(small, folder, upstream, homes, root)


@pytest.mark.parametrize("way", ["a remote", "its pushes", "an address"])
def test_from_a_fork_it_is_opened_at_the_upstream(
    forked: Forked, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The head names the fork's owner: else a forge looks for the branch in the upstream."""
    fork = forked.address("ada")
    if way == "its pushes":
        forked.small.git("remote", "add", "origin", forked.address("org"))
        forked.small.git("remote", "set-url", "--push", "origin", fork)
    else:
        forked.small.git("remote", "add", "origin", fork)
    done = forked.go(fork if way == "an address" else "origin")
    (asked,) = forked.server.made("POST")
    monkeypatch.delenv("PULLBENCH_TOKEN")
    by_hand = forked.go()
    assert done.opened
    assert done.address == "https://forge.example/org/bench/pull/7"
    assert asked.path == "/repos/org/bench/pulls"
    assert (asked.data["head"], asked.data["base"]) == (f"ada:{BRANCH}", "main")
    assert by_hand.address == f"{forked.root}/org/bench/compare/main...ada:{BRANCH}?expand=1"


def test_submitting_again_updates_the_pull_request_that_is_open(forked: Forked) -> None:
    forked.small.git("remote", "add", "origin", forked.address("ada"))
    first = forked.go()
    (forked.folder / "main.py").write_text("print(2)\n")
    forked.server.add_pull(3, head={"label": "bob:other", "ref": "other", "sha": "a" * 40})
    second = forked.go()
    assert second.commit != first.commit
    assert second.address == first.address


def test_the_branch_begins_at_the_upstream_not_at_the_fork(forked: Forked) -> None:
    """A fork may be behind, and what its own main has besides would not be the participant's."""
    small = forked.small
    small.git("remote", "add", "origin", forked.address("ada"))
    small.write("benchmarks/adding/overview.md", "of the fork's own\n")
    small.git("push", "--quiet", "origin", f"{small.commit('A change of a fork')}:main")
    small.git("reset", "--quiet", "--hard", "HEAD~1")
    small.write("benchmarks/adding/overview.md", "newer\n")
    newest = small.commit("The upstream moves on")
    small.git("push", "--quiet", forked.address("org"), f"{newest}:main")
    small.git("reset", "--quiet", "--hard", "HEAD~1")
    forked.go()
    assert forked.parent("ada") == newest
    # Where the upstream cannot be read, the fork's has to do.
    forked.homes["org"].rename(forked.homes["org"].with_name("away.git"))
    forked.go()
    assert forked.parent("ada") == small.git("ls-remote", "origin", "refs/heads/main").split()[0]


def test_forks_of_an_organisation(forked: Forked, monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub lets nobody grant what is the organisation's; the upstream's own must be named."""
    forked.small.git("remote", "add", "lab", forked.address("lab"))
    forked.small.git("remote", "add", "mine", forked.address("org/mine"))
    assert forked.go("lab").opened
    assert forked.go("mine").opened
    lab, mine = forked.server.made("POST")
    assert lab.data["head"] == f"lab:{BRANCH}" and "head_repo" not in lab.data
    assert (mine.data["head"], mine.data["head_repo"]) == (f"org:{BRANCH}", "org/mine")
    monkeypatch.delenv("PULLBENCH_TOKEN")
    by_hand = forked.go("mine").address
    assert by_hand.endswith(f"/org/bench/compare/main...org:mine:{BRANCH}?expand=1")


@pytest.mark.parametrize("fork", ["there is none", "no right to push"])
def test_without_a_fork_of_ones_own(forked: Forked, fork: str) -> None:
    owner = "nobody" if fork == "there is none" else "org"
    forked.small.git("-C", str(forked.homes["org"]), "config", "http.receivepack", "false")
    forked.small.git("remote", "add", "origin", forked.address(owner))
    with pytest.raises(PlatformError, match="cannot be pushed to 'origin'") as caught:
        forked.go()
    assert "Fork the repository and name your fork's remote with --remote" in caught.value.hint
    assert not forked.server.made("POST")


def test_a_pull_request_that_the_forge_refuses_can_be_opened_by_hand(forked: Forked) -> None:
    """A token for one's own fork alone may not open it at the upstream."""
    forked.small.git("remote", "add", "origin", forked.address("ada"))
    said = {"message": "Resource not accessible by personal access token"}
    forked.server.reply("POST /repos/org/bench/pulls", fake_forge.Reply(status=403, data=said))
    with pytest.raises(ForgeError, match="403, Resource not accessible") as caught:
        forked.go()
    assert f"/org/bench/compare/main...ada:{BRANCH}?expand=1" in caught.value.hint


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("https://github.com/ada/bench.git", "ada/bench"),
        ("git@github.com:ada/bench", "ada/bench"),
        ("ssh://git@host:22/ada/bench.git/", "ada/bench"), ("work:ada/bench", "ada/bench"),
        ("https://host/gitea/ada/bench", "ada/bench"), ("/srv/git/bench.git", ""),
        ("file:///srv/git/bench.git", ""), ("../bench.git", ""),
    ],
)  # fmt: skip
def test_whose_repository_an_address_is(small: Repository, address: str, repository: str) -> None:
    small.git("remote", "add", "origin", address)
    repo = open_repository(small.path)
    assert repository_at(repo, "origin") == repository_at(repo, address) == repository


def test_a_refusal_of_the_forge_is_told_without_the_token(
    clone: Repository, folder: Path, forge: type[FakeForge], monkeypatch: pytest.MonkeyPatch
) -> None:
    forge.status = 403
    monkeypatch.setattr(forge, "answer", {"message": "Resource not accessible \x1b[31m"})
    with pytest.raises(ForgeError, match="403, Resource not accessible") as caught:
        go(clone, folder)
    assert "secret" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_submitting_again_replaces_the_branch(clone: Repository, folder: Path) -> None:
    first = go(clone, folder)
    (folder / "main.py").write_text("print(2)\n")
    second = go(clone, folder)
    assert first.commit != second.commit
    assert clone.git("ls-remote", "origin", f"refs/heads/{BRANCH}").startswith(second.commit)


def test_what_validate_would_refuse_is_not_pushed(clone: Repository, folder: Path) -> None:
    (folder / "submission.yaml").write_text("knd: code\n")
    with pytest.raises(InvalidInputError, match="Did you mean 'kind'"):
        go(clone, folder)
    assert clone.git("ls-remote", "origin", f"refs/heads/{BRANCH}") == ""


@pytest.mark.parametrize("fault", ["link", "no submission.yaml", "benchmark"])
def test_other_refusals(clone: Repository, folder: Path, fault: str) -> None:
    benchmark = "adding"
    if fault == "link":
        (folder / "etc").symlink_to("/etc")
        (folder / "passwd").symlink_to("/etc/passwd")
    elif fault == "benchmark":
        benchmark = "ading"
    else:
        (folder / "submission.yaml").unlink()
    with pytest.raises(UsageError):
        go(clone, folder, benchmark)


def test_forges_other_than_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(API_VARIABLE, raising=False)
    monkeypatch.setenv("PULLBENCH_TOKEN", "t")
    found = find_forge("https://git.example.org/team/bench")
    assert found is not None
    assert found.client.api == "https://git.example.org/api/v1/repos/team/bench"
    github = find_forge("https://github.com/a/b")
    assert github is not None
    assert github.client.api == "https://api.github.com/repos/a/b"
    assert find_forge("") is None


def test_results_as_data(small: Repository) -> None:
    write_records(small)
    board = results(small.path, "adding")
    assert {row["participant"] for row in board["rows"]} == {"alice", "bob"}
    printed = small.pullbench("results", "adding", "--json")
    assert json.loads(printed.stdout) == board
    assert "alice" in small.pullbench("results", "adding").stdout


def test_the_command(clone: Repository, folder: Path) -> None:
    done = clone.pullbench(
        "submit", str(folder), "--benchmark", "adding", "--participant", "ada", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["branch"] == BRANCH
