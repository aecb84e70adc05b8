"""A forge on loopback: answers in the shapes that GitHub documents, and keeps what it was asked."""

import datetime as dt
import http.server
import json
import re
import socket
import struct
import subprocess
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

BOT = "github-actions[bot]"
REPOSITORY = "/repos/org/bench"


@dataclass(kw_only=True)
class Reply:
    """One answer, good or bad."""

    status: int = 200
    """0 breaks the connection off."""
    data: Any = None
    raw: bytes | None = None
    """In place of data."""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0
    """Bytes that are announced and never sent."""
    after_the_deed: bool = False
    """Whether the request is carried out all the same, as behind a failing gateway."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    method: str
    path: str
    query: Mapping[str, str]
    data: Any
    token: str


@dataclass(kw_only=True)
class FakeForge:
    """State of the forge; a test changes it as people would."""

    url: str = ""
    login: str | None = None
    """Of the token's user; None for a workflow's token, which may not ask."""
    asked: list[Asked] = field(default_factory=list)
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    """``METHOD path`` -> what is answered first, in place of what would be."""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    commits: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Id -> what a list of commits that begins there has first."""
    runs: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    """Login -> public SSH keys."""
    repositories: Mapping[str, Path] = field(default_factory=dict)
    """Owner, or owner/name of another fork -> bare repository, of the upstream and its forks. Where
    there are any, a pull request needs a head that is there; a name without an owner is a branch of
    the upstream's."""

    attachments: dict[str, Reply] = field(default_factory=dict)
    """Path of what somebody dropped into an issue, or of its storage -> the answer."""
    merge_branches: Callable[[dict[str, Any]], str] | None = None
    """Merges a pull request in its git repository; returns the commit."""

    def reply(self, call: str, *replies: Reply) -> None:
        self.replies.setdefault(call, []).extend(replies)

    def made(self, method: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.method == method]

    def add_comment(self, author: str | None, body: str) -> dict[str, Any]:
        number = len(self.comments) + 1
        user = {"login": author, "id": 7, "type": "User"} if author else None
        made = {
            "id": number, "body": body, "user": user,
            "html_url": f"https://forge.example/org/bench/pull/1#issuecomment-{number}",
            "updated_at": f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ}",
        }  # fmt: skip
        self.comments.append(made)
        return made

    def add_issue(self, author: str, title: str, body: str, **more: Any) -> dict[str, Any]:
        number = 100 + len(self.issues)
        made = {
            "id": 9000 + number, "number": number, "title": title, "body": body, "state": "open",
            "user": {"login": author}, "html_url": f"https://forge.example/org/bench/issues/{number}",
            **more,
        }  # fmt: skip
        self.issues.append(made)
        return made

    def add_pull(self, number: int, *labels: str, **more: Any) -> dict[str, Any]:
        made = {
            "id": number, "number": number, "state": "open", "title": f"Title {number}",
            "html_url": f"https://forge.example/org/bench/pull/{number}",
            "user": {"login": "alice", "id": 3}, "labels": [{"id": 1, "name": n} for n in labels],
            "head": {"ref": "mine", "sha": f"{number:040x}", "repo": None},
            "base": {"ref": "main", "sha": "b" * 40}, "merged_at": None,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-02T00:00:00Z", **more,
        }  # fmt: skip
        self.pulls.append(made)
        return made

    def answer(self, asked: Asked) -> Reply:
        waiting = self.replies.get(f"{asked.method} {asked.path}", [])
        if waiting:
            reply = waiting.pop(0)
            if reply.after_the_deed:
                self._do(asked)
            return reply
        return self._do(asked)

    def _do(self, asked: Asked) -> Reply:
        if asked.path in self.attachments:
            return self.attachments[asked.path]
        if asked.path == "/user":
            if self.login is None:
                return Reply(status=403, data={"message": "Resource not accessible by integration"})
            return Reply(data={"login": self.login, "id": 5})
        account = re.fullmatch(r"/users/([^/]+)/keys", asked.path)
        if account:
            keys = self.keys.get(urllib.parse.unquote(account[1]), [])
            return self._page(asked, [{"id": n, "key": key} for n, key in enumerate(keys)])
        path = asked.path.removeprefix(REPOSITORY)
        what = f"{asked.method} {path}"
        if what == "GET /commits":
            return Reply(data=[self.commits[asked.query["sha"]]])
        if what == "GET /pulls":
            label = asked.query.get("head", "")
            labels = (label, label.partition(":")[2], None)
            return self._page(asked, [
                pull for pull in self.pulls
                if pull["state"] == "open" and pull["head"].get("label", label) in labels
            ])  # fmt: skip
        if what == "POST /pulls":
            fault = self._fault(asked.data) if self.repositories else None
            if fault:
                data = {"message": "Validation Failed", "errors": [fault]}
                return Reply(status=422, data=data)
            number = max(7, *(pull["number"] + 1 for pull in self.pulls), 0)
            label = asked.data["head"]
            head = {"ref": label.rpartition(":")[2], "sha": f"{7:040x}", "label": label,
                    "repo": None}  # fmt: skip
            return Reply(status=201, data=self.add_pull(number, head=head))
        if what == "GET /issues":
            return self._page(asked, [issue for issue in self.issues if issue["state"] == "open"])
        if what == "POST /issues":
            made = self.add_issue(self.login or BOT, asked.data["title"], asked.data["body"])
            return Reply(status=201, data=made)
        if re.fullmatch(r"GET /issues/\d+/comments", what):
            since = asked.query.get("since", "")
            return self._page(asked, [one for one in self.comments if one["updated_at"] >= since])
        if re.fullmatch(r"POST /issues/\d+/comments", what):
            return Reply(
                status=201, data=self.add_comment(self.login or BOT, asked.data["body"])
            )  # fmt: skip
        for pattern, items, key in (
            (r"PATCH /issues/comments/(\d+)", self.comments, "id"),
            (r"PATCH /issues/(\d+)", self.issues, "number"),
            (r"GET /pulls/(\d+)", self.pulls, "number"),
            (r"PATCH /pulls/(\d+)", self.pulls, "number"),
        ):
            match = re.fullmatch(pattern, what)
            found = [item for item in items if match and item[key] == int(match[1])]
            if found:
                found[0].update(asked.data or {})
                return Reply(data=found[0])
        merged = re.fullmatch(r"PUT /pulls/(\d+)/merge", what)
        if merged:
            return self._merge(asked, int(merged[1]))
        return self._do_little(asked, what)

    def _merge(self, asked: Asked, number: int) -> Reply:
        pull = next((pull for pull in self.pulls if pull["number"] == number), None)
        if pull is None:
            return Reply(status=404, data={"message": "Not Found"})
        if pull["state"] != "open" or pull.get("draft"):
            return Reply(status=405, data={"message": "Pull Request is not mergeable"})
        if asked.data.get("sha", pull["head"]["sha"]) != pull["head"]["sha"]:
            return Reply(status=409, data={
                "message": "Head branch was modified. Review and try the merge again."
            })  # fmt: skip
        pull["merge_title"] = asked.data.get("commit_title", "")
        commit = self.merge_branches(pull) if self.merge_branches else "c" * 40
        pull.update(state="closed", merged=True, merge_commit_sha=commit)
        return Reply(data={
            "sha": commit, "merged": True, "message": "Pull Request successfully merged",
        })  # fmt: skip

    def _fault(self, data: dict[str, Any]) -> dict[str, str] | None:
        """Say as GitHub does why no pull request is opened."""
        upstream = REPOSITORY.split("/")[2]
        owner, _, branch = data["head"].rpartition(":")
        owner = owner or upstream
        place = self.repositories.get(data.get("head_repo") or owner)
        line = ["git", "-C", str(place), "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}"]
        found = place and subprocess.run(line, check=False, capture_output=True).returncode == 0
        fault = {"resource": "PullRequest", "code": "custom"}
        if not found:
            return {**fault, "field": "head", "code": "invalid"}
        if data.get("maintainer_can_modify", True) and owner not in (upstream, self.login):
            said = "Fork collab can't be granted by someone without permission"
            return {**fault, "field": "fork_collab", "message": f"fork_collab {said}"}
        labels = [pull["head"].get("label") for pull in self.pulls if pull["state"] == "open"]
        if data["head"] in labels:
            return {**fault, "message": f"A pull request already exists for {data['head']}."}
        return None

    def _do_little(self, asked: Asked, what: str) -> Reply:
        match = re.fullmatch(r"DELETE /issues/(\d+)/labels/(.+)", what)
        if match:
            name = urllib.parse.unquote(match[2])
            labels = next(p["labels"] for p in self.pulls if p["number"] == int(match[1]))
            there = [label for label in labels if label["name"] == name]
            if not there:
                return Reply(status=404, data={"message": "Label does not exist"})
            labels.remove(there[0])
            return Reply(data=labels)
        if what.startswith("POST /statuses/"):
            return Reply(status=201, data={"id": 1, **asked.data})
        if re.fullmatch(r"POST /issues/comments/\d+/reactions", what):
            return Reply(status=201, data={"id": 1, **asked.data})
        if re.fullmatch(r"GET /actions/workflows/[^/]+/runs", what):
            runs = [run for run in self.runs if run["status"] == asked.query["status"]]
            return Reply(data={"total_count": len(runs), "workflow_runs": runs})
        if re.fullmatch(r"POST /actions/runs/\d+/cancel", what):
            return Reply(status=202, data={})
        if re.fullmatch(r"POST /actions/workflows/[^/]+/dispatches", what):
            return Reply(status=204)
        return Reply(status=404, data={"message": "Not Found", "documentation_url": "https://x"})

    def _page(self, asked: Asked, items: list[dict[str, Any]]) -> Reply:
        size, page = int(asked.query.get("per_page", 30)), int(asked.query.get("page", 1))
        headers = {}
        if page * size < len(items):
            # GitHub's own next address names the repository by number.
            query = urllib.parse.urlencode({**asked.query, "page": page + 1})
            headers["Link"] = (
                f'<https://elsewhere.example/repositories/1/x?{query}>; rel="next", '
                f'<https://elsewhere.example/repositories/1/x?page=99>; rel="last"'
            )
        return Reply(data=items[(page - 1) * size : page * size], headers=headers)


_Forge = TypeVar("_Forge", bound=FakeForge)


@contextmanager
def running(forge: _Forge) -> Iterator[_Forge]:
    """Serve a forge."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            parts = urllib.parse.urlsplit(self.path)
            asked = Asked(
                method=self.command,
                path=parts.path,
                query=dict(urllib.parse.parse_qsl(parts.query)),
                data=json.loads(body) if body else None,
                token=self.headers.get("Authorization", ""),
            )
            forge.asked.append(asked)
            reply = forge.answer(asked)
            if not reply.status:
                linger = struct.pack("ii", 1, 0)  # so that the end is a reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True
                return
            content = reply.raw
            if content is None:
                content = b"" if reply.data is None else json.dumps(reply.data).encode()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 204:
                self.send_header("Content-Length", str(len(content) + reply.cut))
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for start in range(0, len(content), 2**16):
                    self.wfile.write(content[start : start + 2**16])
            except OSError:
                pass  # it was told enough
            self.close_connection = True

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        forge.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield forge
        finally:
            server.shutdown()
            thread.join()
