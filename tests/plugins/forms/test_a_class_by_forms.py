"""A class of sixty enters by forms, in an hour: all are graded, and nobody reads a score."""

import csv
import datetime as dt
import io
import subprocess
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.cells import cells
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from tests import fake_forge
from tests.ci.policy.test_entrants import BUNDLE
from tests.ci.steps.conftest import NOON, ORGANISER, Forge
from tests.fake_forge import BOT
from tests.plugins.forms.desk import ACCOUNTS, make_desk
from tests.plugins.forms.test_entering import take_a_table
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import approve, finish, proposed, receive

RECIPIENT, IDENTITY = make_keys()
CLASS = {f"student{number:02}": (number + 32) / 128 + 1 / 1024 for number in range(60)}
"""Login -> score, whose digits are nowhere else."""
HOUR = dt.timedelta(hours=1)


@pytest.mark.slow
def test_a_class_of_sixty_enters_by_forms(
    forge: Forge, hosted: fake_forge.FakeForge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    for number, who in enumerate(CLASS):
        monkeypatch.setitem(ACCOUNTS, who, 1000 + number)
    ours = forge.ours
    ours.replace(BUNDLE, "\npullbench:\n", "\npullbench:\n  phases: {0: {shows: status}}\n")
    ours.replace(
        "pyproject.toml", "[tool.pullbench]\n", f'[tool.pullbench]\nseal = "{RECIPIENT}"\n'
    )
    desk = make_desk(forge, hosted, monkeypatch)
    take_a_table(desk)
    said = []
    for number, (who, score) in enumerate(CLASS.items(), 1):
        at = NOON + number * HOUR / 60
        table = f"id,value\n1,{number}\n2,3"
        body = desk.body(**{"Your file": table, "Name of your entry": "Mine"})
        said.append(desk.says(desk.event(body, by=who), at))
        note = next(note for note in desk.notes if note.login == who)
        ours.git("fetch", "--quiet", "origin", note.commit)
        forge.theirs.git("fetch", "--quiet", "origin", note.commit)
        pull = hosted.pulls[-1]
        pull["labels"].append({"name": "evaluate"})
        source = forge.push(pull["number"], note.commit)
        came = receive(ours.path, source, BOT, at)
        assert came.ok, came.report.problems
        assert approve(ours.path, source, BOT, ORGANISER, at).ok
        for cell in cells(proposed(ours.path, source, at), at):
            if cell.id.participant == who:
                whole = record_of(cell, scores={"right": score, "distance": 0.0})
                forge.hand_in(withheld(encrypt_hidden(whole, cell.benchmark, RECIPIENT)))
        finished = finish(ours.path, source, forge.folder, at)
        assert finished.ok
        said.append(to_markdown(finished.report))
        forge.merge(source, at)
    collect(ours.path, NOON + 2 * HOUR, branch=BRANCH, remote="origin")
    ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    roster = tmp_path / "roster.csv"
    lines = (f"{number},{who}" for number, who in enumerate(CLASS))
    roster.write_text("\n".join(["number,login", *lines, ""]))
    done = ours.pullbench("grades", "adding", "--roster", str(roster))
    assert done.returncode == 0, done.stderr
    rows = {row["login"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert {who: float(rows[who]["score"]) for who in CLASS} == pytest.approx(CLASS)
    assert {rows[who]["attempts"] for who in CLASS} == {"1"}
    # No comment, no object of any branch and no board has one.
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=forge.origin, check=True,
        capture_output=True,
    ).stdout.decode("utf-8", "replace")  # fmt: skip
    monkeypatch.delenv(SEAL_IDENTITY)
    board = ours.pullbench("leaderboard", "adding", "--format", "json").stdout
    for text in (objects, board):
        assert "student59" in text
    shown = "\n".join([*said, objects, board])
    assert not [who for who, score in CLASS.items() if str(score) in shown]
