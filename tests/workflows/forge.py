"""A forge on a loopback address: answers as GitHub does, and records what it was asked."""

import http.server
import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

REPOSITORY = "acme/bench"
ADDRESS = f"https://forge.example/{REPOSITORY}"
BOT = "github-actions[bot]"

Answer = tuple[int, Any]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    method: str
    path: str
    data: Any
    token: str


@dataclass(kw_only=True)
class LoopbackForge:
    """Pull requests, issues, comments, labels and statuses of one repository."""

    api: str = ""
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    issues: dict[int, dict[str, Any]] = field(default_factory=dict)
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    comments: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Comment id -> comment, with the number of its issue under ``number``."""
    dispatched: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Workflows that were started, and their inputs; a test lets them run."""

    files: dict[str, bytes | str] = field(default_factory=dict)
    """Path of what somebody dropped into an issue -> its bytes, or where they are."""
    show_head: Callable[[str, int], str] = lambda _, __: "0" * 40
    """Makes the head of a pull request of a branch; returns the commit."""
    in_progress: Callable[[], list[str]] = list
    """Returns the titles of runs that have not ended."""

    fault: Callable[[Asked], str] = lambda _: ""
    """What happens to a request: nothing, ``limit``, or ``reset`` or ``500``, before the deed or,
    with ``lost`` before it, after."""
    merge_branches: Callable[[dict[str, Any]], str] = lambda _: "c" * 40
    """Merges a pull request in its git repository; returns the commit."""

    def open_pull(self, number: int, *, head: str, login: str, title: str, branch: str) -> None:
        self.pulls[number] = {
            "number": number,
            "state": "open",
            "title": title,
            "html_url": f"{ADDRESS}/pull/{number}",
            "user": {"login": login},
            "labels": [],
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "head": {"ref": branch, "sha": head, "repo": {"full_name": f"{login}/bench"}},
            "base": {"ref": "main", "sha": "b" * 40, "repo": {"full_name": REPOSITORY}},
        }

    def label(self, number: int, name: str) -> None:
        self.pulls[number]["labels"].append({"name": name})

    def labels(self, number: int) -> list[str]:
        return [label["name"] for label in self.pulls[number]["labels"]]

    def comments_of(self, number: int) -> list[str]:
        return [c["body"] for c in self.comments.values() if c["number"] == number]

    def states(self, sha: str) -> list[str]:
        """States that a commit was given, in their order."""
        return [status["state"] for status in self.statuses.get(sha, [])]

    def answer(self, asked: Asked) -> Answer:
        path = urlsplit(asked.path).path
        if path == "/user":  # a workflow's own token may not ask
            return 403, {"message": "Resource not accessible by integration"}
        for method, pattern, handle in self._routes():
            found = re.fullmatch(f"/repos/{REPOSITORY}/{pattern}", path)
            if method == asked.method and found:
                return handle(asked, *map(unquote, found.groups()))
        return 404, {"message": "Not Found"}

    def _routes(self) -> Iterator[tuple[str, str, Callable[..., Answer]]]:
        yield "POST", "pulls", self._open
        yield "GET", r"pulls/(\d+)", lambda _, n: self._one(self.pulls, n)
        yield "PUT", r"pulls/(\d+)/merge", self._merge
        yield "GET", "pulls", lambda asked: (200, _page(asked, self._open_pulls()))
        yield "GET", r"issues/(\d+)/comments", self._list_comments
        yield "POST", r"issues/(\d+)/comments", self._comment
        yield "PATCH", r"issues/comments/(\d+)", self._edit
        yield "POST", r"issues/comments/(\d+)/reactions", lambda _, __: (201, {"id": 1})
        yield "PATCH", r"pulls/(\d+)", self._edit_pull
        yield "GET", r"issues/(\d+)/labels", lambda _, n: (200, self._item(n)["labels"])
        yield "POST", r"issues/(\d+)/labels", self._add_labels
        yield "DELETE", r"issues/(\d+)/labels/([^/]+)", self._remove_label
        yield "POST", "statuses/([0-9a-f]{40})", self._status
        yield "GET", "commits/([0-9a-f]{40})/statuses", lambda _, sha: (
            200, self.statuses.get(sha, [])[::-1])  # fmt: skip
        yield "GET", "issues", lambda asked: (200, _page(asked, list(self.issues.values())))
        yield "POST", "issues", self._open_issue
        yield "PATCH", r"issues/(\d+)", self._edit_issue
        yield "POST", r"actions/workflows/([^/]+)/dispatches", self._dispatch
        yield "GET", r"actions/workflows/([^/]+)/runs", self._runs

    def _open(self, asked: Asked) -> Answer:
        number = max(self.pulls, default=0) + 1
        given = asked.data
        head = self.show_head(given["head"], number)
        self.open_pull(number, head=head, login=BOT, title=given["title"], branch=given["head"])
        self.pulls[number]["body"] = given["body"]
        return 201, self.pulls[number]

    def _merge(self, asked: Asked, number: str) -> Answer:
        pull = self.pulls.get(int(number))
        if pull is None:
            return 404, {"message": "Not Found"}
        if pull["state"] != "open":
            return 405, {"message": "Pull Request is not mergeable"}
        if asked.data.get("sha", pull["head"]["sha"]) != pull["head"]["sha"]:
            return 409, {"message": "Head branch was modified. Review and try the merge again."}
        commit = self.merge_branches(pull)
        pull |= {"state": "closed", "merged": True, "merge_commit_sha": commit}
        return 200, {
            "sha": commit, "merged": True, "message": "Pull Request successfully merged",
        }  # fmt: skip

    def _open_pulls(self) -> list[dict[str, Any]]:
        return [pull for pull in list(self.pulls.values()) if pull["state"] == "open"]

    def _item(self, number: str) -> dict[str, Any]:
        return self.pulls.get(int(number)) or self.issues[int(number)]

    def _one(self, items: dict[int, dict[str, Any]], number: str) -> Answer:
        found = items.get(int(number))
        return (200, found) if found else (404, {"message": "Not Found"})

    def _list_comments(self, asked: Asked, number: str) -> Answer:
        return 200, _page(asked, [c for c in self.comments.values() if c["number"] == int(number)])

    def _comment(self, asked: Asked, number: str) -> Answer:
        made = {
            "id": 1000 + len(self.comments),
            "number": int(number),
            "body": asked.data["body"],
            "user": {"login": BOT, "type": "Bot"},
            "html_url": f"{ADDRESS}/pull/{number}#issuecomment-{1000 + len(self.comments)}",
        }
        self.comments[made["id"]] = made
        return 201, made

    def _edit(self, asked: Asked, number: str) -> Answer:
        self.comments[int(number)]["body"] = asked.data["body"]
        return 200, self.comments[int(number)]

    def _add_labels(self, asked: Asked, number: str) -> Answer:
        labels = self._item(number)["labels"]
        labels += [{"name": name} for name in asked.data["labels"]]
        return 200, labels

    def _remove_label(self, _: Asked, number: str, name: str) -> Answer:
        labels = self._item(number)["labels"]
        if not any(label["name"] == name for label in labels):
            return 404, {"message": "Label does not exist"}
        labels[:] = [label for label in labels if label["name"] != name]
        return 200, labels

    def _status(self, asked: Asked, sha: str) -> Answer:
        made = {"id": len(self.asked), "creator": {"login": BOT}, **asked.data}
        self.statuses.setdefault(sha, []).append(made)
        return 201, made

    def _open_issue(self, asked: Asked) -> Answer:
        number = 100 + len(self.issues)
        made = {
            "number": number,
            "state": "open",
            "html_url": f"{ADDRESS}/issues/{number}",
            "user": {"login": BOT},
            **asked.data,
            "labels": [{"name": name} for name in asked.data.get("labels", [])],
        }
        self.issues[number] = made
        return 201, made

    def _edit_pull(self, asked: Asked, number: str) -> Answer:
        self.pulls[int(number)].update(asked.data)
        return 200, self.pulls[int(number)]

    def _dispatch(self, asked: Asked, workflow: str) -> Answer:
        self.dispatched.append((workflow, asked.data["inputs"]))
        return 204, None

    def _runs(self, asked: Asked, _: str) -> Answer:
        titles = self.in_progress() if "status=in_progress" in asked.path else []
        return 200, {"workflow_runs": [{"id": 1, "display_title": title} for title in titles]}

    def _edit_issue(self, asked: Asked, number: str) -> Answer:
        self.issues[int(number)].update(asked.data)
        return 200, self.issues[int(number)]


_LIMIT = 403, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}


def _page(asked: Asked, items: list[Any]) -> list[Any]:
    given = parse_qs(urlsplit(asked.path).query)
    size, page = (
        int(given.get(key, [default])[0]) for key, default in (("per_page", "30"), ("page", "1"))
    )
    return items[(page - 1) * size : page * size]


@contextmanager
def loopback_forge() -> Iterator[LoopbackForge]:
    """Serve a forge for as long as the context lasts."""
    forge = LoopbackForge()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing: tests do not log requests."""

        def _any(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            asked = Asked(
                method=self.command,
                path=self.path,
                data=json.loads(self.rfile.read(size)) if size else None,
                token=self.headers.get("Authorization", "").removeprefix("Bearer "),
            )
            forge.asked.append(asked)
            fault = forge.fault(asked)
            code, data = forge.answer(asked) if not fault or "lost" in fault else (500, None)
            if "reset" in fault:
                linger = struct.pack("ii", 1, 0)  # so that the end is a reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return
            if fault:
                code, data = (500, {"message": "Server Error"}) if "500" in fault else _LIMIT
            body = b"" if data is None else json.dumps(data).encode()
            if (file := forge.files.get(self.path)) is not None:
                code, body = (200, file) if isinstance(file, bytes) else (302, b"")
            self.send_response(code)
            if isinstance(file, str):
                self.send_header("Location", file)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _any  # noqa: N815 - the library's names

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        forge.api = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield forge
        server.shutdown()
