"""Issues of a form, as GitHub's events tell of them, and what pullbench makes of each."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from evaluator.ci.ledger.form_notes import FormNote
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.edited_yaml import with_value
from evaluator.plugins.forms.entering import drop, enter
from evaluator.plugins.forms.issue_form import Field, fields_of, terms_of
from tests import fake_forge
from tests.ci.policy.test_entrants import BUNDLE, push
from tests.ci.steps.conftest import NOON, Forge
from tests.fake_forge import BOT, Reply

QUESTION = {"key": "method", "type": "select", "title": "Which method?", "is_required": True,
            "selection": ["sum", "guess"]}  # fmt: skip
FILE = "/user-attachments/files/11/mine.py"
STORAGE = "/storage/abc"
PROGRAM = b"print(1)\n"
BASE = PullRequestRef(base="main", head="", remote="origin")
ACCOUNTS = {"ada": 7, "mallory": 13}


def zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


@dataclass
class Desk:
    """A repository whose benchmark has a form, and a forge that keeps issues."""

    forge: Forge
    hosted: fake_forge.FakeForge

    def prepare(self) -> None:
        file = self.forge.ours.path / BUNDLE
        content = file.read_bytes()
        content = with_value(content, QUESTION, "fact_sheet", "method")
        content = with_value(content, True, "pullbench", "form")
        file.write_bytes(with_value(content, True, "pullbench", "accept_terms"))
        for entry in (self.forge.ours.path / "submissions/adding").glob("*/*/submission.yaml"):
            entry.write_text(entry.read_text() + "fact_sheet: {method: sum}\n")
        self.forge.ours.pullbench("forms")
        push(self.forge)
        self.put(PROGRAM)

    def put(self, content: bytes, name: str = "mine.py", **redirect: Any) -> str:
        """Drop a file, which the forge keeps in its storage; return the address."""
        path = f"/user-attachments/files/11/{name}"
        there = redirect.get("to", f"{self.hosted.url}{STORAGE}")
        self.hosted.attachments[path] = Reply(status=302, headers={"Location": there})
        self.hosted.attachments[STORAGE] = Reply(raw=content)
        return f"{self.hosted.url}{path}"

    @property
    def fields(self) -> list[Field]:
        snapshot = load_snapshot(self.forge.ours.path)
        benchmark = snapshot.benchmarks["adding"]
        return fields_of(benchmark, terms_of(snapshot, benchmark))

    def body(self, **answers: str) -> str:
        """The text of an issue, as the form makes it; ``answers`` are by label."""
        fine = {
            "Benchmark": "adding", "Name of your entry": "My first",
            "Your file": f"[mine.py]({self.hosted.url}{FILE})", "Which method?": "sum",
            "Terms": f"- [x] {self.fields[-1].options[0]}",
        }  # fmt: skip
        return "\n\n".join(f"### {label}\n\n{text}" for label, text in (fine | answers).items())

    def event(self, body: str | None, by: str = "ada", number: int = 0, **changed: Any) -> bytes:
        number = number or self.hosted.add_issue(by, "Entry", body or "")["number"]
        user = {"login": by, "id": ACCOUNTS.get(by, 99), "type": "User"}
        issue = {"number": number, "title": "Entry", "body": body, "user": user}
        issue |= changed.pop("issue", {})
        return json.dumps({"action": "opened", "issue": issue, "sender": user, **changed}).encode()

    def open(self, event: bytes, now: dt.datetime = NOON) -> str:
        """As the two jobs of the workflow; return what the job's log says."""
        place = self.forge.ours.path
        dropped = drop(place, BASE, event)
        return enter(place, BASE, event, dropped, now)

    def says(self, event: bytes, now: dt.datetime = NOON) -> str:
        """The new comment on the issue; empty if there is none."""
        self.hosted.comments.clear()
        self.open(event, now)
        assert all(one["user"]["login"] == BOT for one in self.hosted.comments)
        return "\n".join(one["body"] for one in self.hosted.comments)

    @property
    def branches(self) -> list[str]:
        out = self.forge.ours.git("ls-remote", "--heads", "origin", "form/*")
        return [line.partition("\t")[2] for line in out.splitlines()]

    @property
    def notes(self) -> list[FormNote]:
        ledger = self.forge.ledger
        paths = ledger.entries.below("forms/accounts")
        return [note for _, note in ledger.notes(paths, FormNote)]

    def asked(self, path: str) -> list[fake_forge.Asked]:
        return [one for one in self.hosted.asked if one.path == path]

    @property
    def started(self) -> list[Any]:
        return [one.data["inputs"] for one in self.hosted.made("POST")
                if one.path.endswith("dispatches")]  # fmt: skip


def make_desk(forge: Forge, hosted: fake_forge.FakeForge, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("GITHUB_SERVER_URL", hosted.url)
    hosted.pulls.clear()
    desk = Desk(forge, hosted)
    desk.prepare()
    return desk
