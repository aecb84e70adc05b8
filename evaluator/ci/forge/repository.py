"""The requests of pullbench to one repository on a forge."""

import datetime as dt
import os
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Literal

from evaluator.ci.forge.client import (
    OPEN_OLDEST_FIRST,
    PAGE,
    Address,
    Client,
    ForgePullRequest,
    MergeCommit,
    PublicKey,
    SignedCommit,
    Text,
    WorkflowRun,
    WorkflowRuns,
    read,
)
from evaluator.ci.forge.connection import Call, Connection, ForgeError, refusal
from evaluator.ci.forge.sticky import Sticky
from evaluator.core.errors import Actor, PlatformError, printable
from evaluator.core.formats.cell import digest

StatusState = Literal["pending", "success", "failure", "error"]
STATUS_CONTEXT = "pullbench"
"""Name of the status by which it is seen whether a pull request may be merged."""
_MAX_DESCRIPTION = 140
_MAX_TITLE = 250
_MAX_COMMENTS = 1000
"""That are looked at for our answers: each costs somebody a command, so that more harm nobody."""
_MAX_RUNS = 100
_PULLS = "pull-requests: write"


def _answer_to(login: str) -> str:
    """What begins an answer; a login might end the comment of HTML."""
    return f"<!-- pullbench: answer {digest(login.casefold())[:16]} -->"


@dataclass(frozen=True, kw_only=True)
class Forge:
    """One repository on a forge. Each method raises ForgeError or PlatformError."""

    address: str
    """Of the repository, as people open it."""
    client: Client
    bot: str
    """Login that the token writes under, where the forge does not return it."""

    def open_pull_request(
        self, *, head: str, base: str, title: str, body: str, head_repo: str = ""
    ) -> str:
        """Its address, or that of an open one; ``head`` may be a fork's ``owner:branch``.

        ``head_repo`` is needed for a fork that has the same owner.
        """
        call = Call(doing="open the pull request", needs=_PULLS, actor=Actor.PARTICIPANT,
                    accepts=frozenset({422}))  # fmt: skip
        data = {
            "head": head, "base": base, "title": title, "body": body,
            # By default it is true, which GitHub refuses for a fork of an organisation's.
            "maintainer_can_modify": False, **({"head_repo": head_repo} if head_repo else {}),
        }  # fmt: skip
        answer = self.client.ask("POST", "pulls", call, data=data)
        if answer.status != 422:
            return read(Address, answer, call).html_url
        if "already exists" not in answer.message:
            hint = (
                "Are both branches there, do they differ, and is the one in a fork of the other's "
                f"repository? The token needs `{call.needs}`."
            )
            raise refusal(answer, call, hint)
        with suppress(ForgeError, PlatformError):
            there = self.find_pull_request(head, base)
            if there:
                return there.html_url
        return compare_address(self.address, head=head, base=base)

    def find_pull_request(self, head: str, base: str) -> ForgePullRequest | None:
        """The open pull request of a branch; None where the forge finds none, or several."""
        named = head if ":" in head else f"{self.client.name.partition('/')[0]}:{head}"
        query = {"state": "open", "head": named, "base": base}
        call = Call(doing="find the pull request", needs=_PULLS, actor=Actor.PARTICIPANT)
        answer = self.client.ask("GET", "pulls", call, query=query)
        pulls = read(list[ForgePullRequest], answer, call)
        # Forges that do not know this filter list all of them.
        return pulls[0] if len(pulls) == 1 else None

    def pull_request(self, number: int) -> ForgePullRequest:
        call = Call(doing=f"read pull request {number}", needs="pull-requests: read")
        return read(ForgePullRequest, self.client.ask("GET", f"pulls/{number}", call), call)

    def signer(self, sha: str) -> tuple[str, str] | None:
        """Login and address of a commit's committer, if the forge verified the signature.

        A forge verifies a signature for the committer alone: an author's address is anybody's
        claim. A list of one commit comes without its files.
        """
        call = Call(doing=f"read commit {sha[:10]}", needs="contents: read")
        query = {"sha": sha, "per_page": "1", "limit": "1"}
        answer = self.client.ask("GET", "commits", call, query=query)
        for commit in read(list[SignedCommit], answer, call)[:1]:
            if commit.sha == sha and commit.verified:
                return commit.login, commit.email
        return None

    def ssh_keys(self, login: str) -> list[str]:
        """The first public keys of an account, which a forge has verified."""
        call = Call(doing=f"read the public keys of {login}", needs="contents: read")
        url = f"{self.client.root}/users/{urllib.parse.quote(login, safe='')}/keys"
        size = str(PAGE)
        query = {"per_page": size, "limit": size}
        answer = self.client.connection.ask("GET", url, call, query=query)
        return [item.key for item in read(list[PublicKey], answer, call)[:PAGE]]

    def open_pull_requests(self) -> Iterator[ForgePullRequest]:
        call = Call(doing="list the pull requests", needs="pull-requests: read")
        return self.client.pages("pulls", ForgePullRequest, call)

    def merge(self, number: int, head: str) -> str:
        """Merge a pull request whose head is still ``head``; return the id of the merge commit.

        It is empty where the answer was lost and the pull request is merged, by whomever.
        Its message has no words of a stranger's: forges and workflows act on some, as `[skip ci]`.
        """
        call = Call(
            doing=f"merge pull request {number}", needs="contents: write and pull-requests: write",
            done=lambda: MergeCommit(sha="") if self.pull_request(number).merged else None,
        )  # fmt: skip
        data = {
            "sha": head, "merge_method": "merge",
            "commit_title": merge_title(number, head),
            "commit_message": "By the policy of the benchmark.",
        }  # fmt: skip
        answer = self.client.ask("PUT", f"pulls/{number}/merge", call, data=data)
        return read(MergeCommit, answer, call).sha

    def remove_label(self, number: int, name: str) -> bool:
        """Take a label off; whether it was there."""

        def is_gone() -> bool:
            return not self.pull_request(number).has_label(name)

        if is_gone():
            return False
        call = Call(doing=f"take the label '{name}' off pull request {number}", needs=_PULLS,
                    accepts=frozenset({404}), done=lambda: is_gone() or None)  # fmt: skip
        path = f"issues/{number}/labels/{urllib.parse.quote(name, safe='')}"
        answer = self.client.ask("DELETE", path, call)
        # 404 also means "may not": a label that gives an approval must be known to be gone.
        if answer.status == 404 and not is_gone():
            hint = f"May the token do this? In a workflow the job needs `{call.needs}`."
            raise refusal(answer, call, hint)
        return answer.status != 404

    def set_status(self, sha: str, state: StatusState, description: str) -> None:
        call = Call(doing=f"set the status of commit {sha[:10]}", needs="statuses: write")
        data = {
            "state": state, "description": _cut(description, _MAX_DESCRIPTION),
            "context": STATUS_CONTEXT,
        }  # fmt: skip
        self.client.ask("POST", f"statuses/{urllib.parse.quote(sha, safe='')}", call, data=data)

    def dispatch(self, workflow: str, ref: str, inputs: Mapping[str, str], title: str = "") -> None:
        """Start a workflow; without the ``title`` of its run, a lost answer is a failure."""

        def done() -> WorkflowRun | None:
            return next(self._titled(workflow, title), None)

        call = Call(doing=f"start the workflow {workflow}", needs="actions: write",
                    done=done if title else None)  # fmt: skip
        path = f"actions/workflows/{urllib.parse.quote(workflow, safe='')}/dispatches"
        self.client.ask("POST", path, call, data={"ref": ref, "inputs": dict(inputs)})

    def comment_sticky(
        self, number: int, body: str, *, known: int | None = None,
        is_first: bool = False,
    ) -> Text:  # fmt: skip
        """Write or replace our comment; all are listed unless ours is ``known`` or ``is_first``."""
        return self._comments(number).write({"body": body}, known=known, is_first=is_first)

    def _comments(self, number: int) -> Sticky:
        call = Call(doing=f"comment on pull request {number}", needs=_PULLS)
        path = f"issues/{number}/comments"
        return Sticky(
            client=self.client, bot=self.bot, call=call, path=path,
            list_all=lambda: self.client.pages(path, Text, call),
            path_of=lambda text: f"issues/comments/{text.id}",
        )  # fmt: skip

    def answer(self, number: int, login: str, body: str) -> None:
        """Write one more comment, to somebody's; no two have the same ``body``."""
        ours, body = self._comments(number), f"{_answer_to(login)}\n{body}"
        call = replace(ours.call, done=lambda: ours.find(ours.login(), body))
        self.client.ask("POST", ours.path, call, data={"body": body})

    def answers(self, number: int, login: str, since: dt.datetime) -> list[str]:
        """Our answers to the comments of one author."""
        ours = self._comments(number)
        query = {**OPEN_OLDEST_FIRST, "since": f"{since.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}"}
        texts = islice(self.client.pages(ours.path, Text, ours.call, query), _MAX_COMMENTS)
        bot = ours.login().lower()
        bodies = [t.body or "" for t in texts if t.user and t.user.login.lower() == bot]
        return [body for body in bodies if body.startswith(_answer_to(login))]

    def react(self, comment: int) -> bool:
        """Put a thumb under a comment; returns False where the forge has none."""
        call = Call(doing="react to a comment", needs=_PULLS, accepts=frozenset({403, 404, 422}))
        path = f"issues/comments/{comment}/reactions"
        return self.client.ask("POST", path, call, data={"content": "+1"}).status in (200, 201)

    def close(self, number: int) -> None:
        call = Call(doing=f"close pull request {number}", needs=_PULLS)
        self.client.ask("PATCH", f"pulls/{number}", call, data={"state": "closed"})

    def cancel_runs(self, workflow: str, title: str) -> None:
        """Cancel the runs of a workflow that have a title and have not ended."""
        call = Call(doing=f"cancel runs of {workflow}", needs="actions: write",
                    accepts=frozenset({404, 409}))  # fmt: skip
        for run in self._titled(workflow, title):
            self.client.ask("POST", f"actions/runs/{run.id}/cancel", call)

    def running(self, workflow: str, begin: str) -> set[int] | None:
        """The numbers that follow ``begin`` in titles of runs that have not ended.

        None if the forge does not say it of all.
        """
        pages = list(self._runs(workflow))
        if any(runs is None or len(runs) >= _MAX_RUNS for runs in pages):
            return None
        titles = (run.display_title for runs in pages for run in runs or ())
        ends = (title.removeprefix(begin) for title in titles if title.startswith(begin))
        return {int(end) for end in ends if end.isdecimal()}

    def _titled(self, workflow: str, title: str) -> Iterator[WorkflowRun]:
        runs = chain.from_iterable(runs or () for runs in self._runs(workflow))
        return (run for run in runs if run.display_title == title)

    def _runs(self, workflow: str) -> Iterator[list[WorkflowRun] | None]:
        """Yield runs that have not ended, by status, in the order that they go through."""
        call = Call(doing=f"list runs of {workflow}", needs="actions: read",
                    accepts=frozenset({404}))  # fmt: skip
        path = f"actions/workflows/{urllib.parse.quote(workflow, safe='')}/runs"
        for status in ("pending", "waiting", "queued", "in_progress"):
            query = {"status": status, "per_page": str(_MAX_RUNS)}
            answer = self.client.ask("GET", path, call, query=query)
            yield read(WorkflowRuns, answer, call).workflow_runs if answer.status == 200 else None

    def sticky_issue(self, title: str, body: str | None) -> str | None:
        """Write one issue, or close it without a body; return its address, if there is one."""
        call = Call(doing="write the issue", needs="issues: write")

        def issues() -> Iterator[Text]:
            texts = self.client.pages("issues", Text, call)
            return (text for text in texts if text.pull_request is None)

        sticky = Sticky(
            client=self.client, bot=self.bot, call=call, path="issues",
            list_all=issues, path_of=lambda text: f"issues/{text.number}",
        )  # fmt: skip
        if body is not None:
            return sticky.write({"title": _cut(title, _MAX_TITLE), "body": body}).html_url
        existing = sticky.find(sticky.login())
        if existing is None:
            return None
        closed = self.client.ask("PATCH", sticky.path_of(existing), call, data={"state": "closed"})
        return read(Address, closed, call).html_url


def merge_title(number: int, head: str) -> str:
    """The subject of our merges; a person's names a branch."""
    return f"Merge pull request #{number} from {head[:12]}"


def compare_address(address: str, *, head: str, base: str) -> str:
    span = f"{urllib.parse.quote(base)}...{urllib.parse.quote(head, safe=':/')}"
    return f"{address.rstrip('/')}/compare/{span}?expand=1"


def _cut(text: str, limit: int) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 1] + "…"


TOKEN_VARIABLES = ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
MERGE_VARIABLES = ("PULLBENCH_MERGE_TOKEN",)
"""Token that may merge; no step that reads what strangers wrote has it, but the one that merges."""
API_VARIABLE = "PULLBENCH_FORGE_API"
"""Address of the interface's root, where it does not follow from the repository's."""
BOT_VARIABLE = "PULLBENCH_BOT"
"""Login under which the token writes, where the forge does not return it: a GitHub App's."""
_ACTIONS_BOT = "github-actions[bot]"


def find_forge(address: str, *, tokens: Sequence[str] = TOKEN_VARIABLES) -> Forge | None:
    """The forge of an address, or of the running workflow; None without a token."""
    server = os.environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    if not address and server and os.environ.get("GITHUB_REPOSITORY"):
        address = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    token = next((os.environ[name] for name in tokens if os.environ.get(name)), "")
    parts = urllib.parse.urlsplit(address)
    name = parts.path.strip("/").removesuffix(".git")
    if not token or not parts.netloc or name.count("/") != 1:
        return None
    return Forge(
        address=address.rstrip("/"),
        client=Client(
            root=_root(parts, server).rstrip("/"), name=name, connection=Connection(token=token)
        ),
        bot=bot_login(),
    )


def bot_login() -> str:
    """Login under which a workflow's token writes."""
    return os.environ.get(BOT_VARIABLE) or _ACTIONS_BOT


def _root(parts: urllib.parse.SplitResult, server: str) -> str:
    named = os.environ.get(API_VARIABLE)
    if named:
        return named
    runner = os.environ.get("GITHUB_API_URL")
    # Every job on GitHub has this; one that works on another forge must not send its token there.
    if runner and (not server or urllib.parse.urlsplit(server).netloc == parts.netloc):
        return runner
    if parts.netloc == "github.com":
        return "https://api.github.com"
    return f"{parts.scheme}://{parts.netloc}/api/v1"
