"""What GitHub tells a workflow about an event: the parts that ours read, as it sends them."""

import itertools
from typing import Any

from tests.workflows.forge import ADDRESS, REPOSITORY

Payload = dict[str, Any]
OWNER = "acme"


def _repository() -> Payload:
    return {
        "full_name": REPOSITORY,
        "name": REPOSITORY.split("/")[1],
        "owner": {"login": OWNER, "type": "Organization"},
        "default_branch": "main",
        "html_url": ADDRESS,
        "private": False,
        "fork": False,
    }


def pull_request(
    action: str,
    number: int,
    *,
    head: str,
    login: str,
    title: str,
    branch: str,
    sender: str | None = None,
    label: str | None = None,
    before: str | None = None,
) -> Payload:
    """A fork's pull request: opened, synchronize, labeled, ..."""
    payload: Payload = {
        "action": action,
        "number": number,
        "pull_request": {
            "number": number,
            "state": "open",
            "title": title,
            "body": title,
            "html_url": f"{ADDRESS}/pull/{number}",
            "user": {"login": login, "type": "User"},
            "head": {
                "ref": branch,
                "sha": head,
                "label": f"{login}:{branch}",
                "repo": {"full_name": f"{login}/bench", "fork": True},
            },
            "base": {"ref": "main", "label": f"{OWNER}:main", "repo": _repository()},
            "labels": [{"name": label}] if label else [],
            "author_association": "FIRST_TIME_CONTRIBUTOR",
        },
        "repository": _repository(),
        "sender": {"login": sender or login, "type": "User"},
    }
    if label:
        payload["label"] = {"name": label}
    if before:
        payload |= {"before": before, "after": head}
    return payload


def issue(number: int, body: str, *, login: str, account: int) -> Payload:
    """Somebody opens an issue."""
    user = {"login": login, "id": account, "type": "User"}
    return {
        "action": "opened",
        "issue": {"number": number, "title": "Entry", "body": body, "user": user, "state": "open"},
        "repository": _repository(),
        "sender": user,
    }


_COMMENTS = itertools.count(77)  # a command counts once for each id


def comment(number: int, body: str, *, sender: str, created: str) -> Payload:
    """Somebody comments on a pull request."""
    return {
        "action": "created",
        "issue": {"number": number, "pull_request": {"html_url": f"{ADDRESS}/pull/{number}"}},
        "comment": {
            "id": next(_COMMENTS),
            "body": body,
            "user": {"login": sender, "type": "User"},
            "created_at": created,
        },
        "repository": _repository(),
        "sender": {"login": sender, "type": "User"},
    }


def push(commit: str, *, before: str, sender: str) -> Payload:
    """A push to main, such as a merge."""
    return {
        "ref": "refs/heads/main",
        "before": before,
        "after": commit,
        "head_commit": {"id": commit, "message": "Merge pull request #1"},
        "repository": _repository(),
        "sender": {"login": sender, "type": "User"},
    }


def tag(name: str, commit: str, *, sender: str) -> Payload:
    """A push of a tag."""
    return {
        "ref": f"refs/tags/{name}",
        "before": "0" * 40,
        "after": commit,
        "created": True,
        "repository": _repository(),
        "sender": {"login": sender, "type": "User"},
    }


def schedule(cron: str) -> Payload:
    """The clock."""
    return {"schedule": cron, "repository": _repository()}


def dispatch(rerun: str = "", *, failed: bool = False, sender: str) -> Payload:
    """Started by hand."""
    return started({"rerun": rerun, "failed": "true" if failed else "false"}, sender=sender)


def started(inputs: dict[str, str], *, sender: str) -> Payload:
    return {
        "ref": "refs/heads/main",
        "inputs": inputs,
        "repository": _repository(),
        "sender": {"login": sender, "type": "User"},
    }
