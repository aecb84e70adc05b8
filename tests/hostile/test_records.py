"""Hostile records, handed in each way there is, with what must become of them."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import ValidationError, convert, to_builtins

from evaluator.ci.ledger.assignments import COLLECT, read_assignment
from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.commit import commit
from evaluator.ci.scores.hand_in import ARTIFACT, hand_in_folder
from evaluator.core.errors import UsageError
from evaluator.core.formats.cell import CellId, place_of
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import to_json
from evaluator.core.formats.scores_file import Run, run_name
from tests.ci.steps.conftest import NOON, Forge, entry
from tests.hostile.cases import Case, RecordAttack, cases, name_of
from tests.records import cells_of, record_of
from tests.repository import BRANCH

MINE = "adding/mallory/one/main/one"
HONEST = "adding/alice/right/main/one"
WAYS = ("artifact", "inbox", "commit")


def merged(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7386)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def holds(whole: Any, part: Any) -> bool:
    """Whether all that ``part`` says is in ``whole``."""
    return bool(merged(whole, part) == whole)


@pytest.fixture
def entered(forge: Forge) -> Forge:
    """Mallory's submission is on the base branch, and nothing is evaluated."""
    for path, content in entry("mallory").items():
        assert isinstance(content, str)
        forge.ours.write(path, content)
    forge.ours.commit("Enter")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    return forge


def handed_in(forge: Forge, case: Case[RecordAttack]) -> dict[str, bytes]:
    """Return the files by path: mallory's record, and the honest one of somebody else."""
    attack, cells = case.attack, cells_of(forge.ours)
    honest, cell = record_of(cells[HONEST]), cells[MINE]
    files = {honest.cell.scores_path: to_json(honest)}
    if case.program:
        written: dict[str, bytes] = case.program(forge, cell)
        return {**files, **written}
    if attack.content is not None:
        content = attack.content.encode()
    else:
        text = json.dumps(changed(json.loads(to_json(record_of(cell))), attack))
        for old, new in attack.replace.items():
            assert old in text
            text = text.replace(old, new)
        content = text.encode()
    files[attack.path or cell.id.scores_path] = content
    return {**files, **{path: text.encode() for path, text in attack.beside.items()}}


def changed(data: dict[str, Any], attack: RecordAttack) -> dict[str, Any]:
    """Return a scores file of one line with the changes of an attack, and its run's true name."""
    ((name, run),) = data["runs"].items()
    run = merged(run, attack.run)
    with contextlib.suppress(ValidationError):
        name = run_name(convert(run, Run))
    line = merged({**data["cells"][0], "run": name}, attack.changes)
    return {**merged(data, attack.file), "runs": {name: run}, "cells": [line]}


def collected(forge: Forge, folder: Path, way: str) -> tuple[list[str], list[str]]:
    """Hand in a folder; return what is said to be left out, and to be malformed."""
    place = forge.ours.path
    if way == "commit":
        try:
            commit(place, NOON, remote="origin", source=folder)
        except UsageError as error:
            return [], error.message.splitlines()
        return [], []
    if way == "inbox":
        hand_in_folder(place, folder, "origin")
    done = collect(
        place, NOON, branch=BRANCH, remote="origin", inbox=way == "inbox",
        source=folder if way == "artifact" else None,
    )  # fmt: skip
    return list(done.left_out), list(done.malformed)


def job_of(forge: Forge, path: str, way: str) -> str:
    """Folder of the job that the file's cell was handed out to; mallory's, where it is no cell."""
    given = read_assignment(forge.ledger, COLLECT)
    if way != "artifact" or given is None:
        return "job"
    place = place_of(path)
    near = "" if place is None else f"{'/'.join(place)}/"
    jobs = [
        name for name, cells in given.jobs.items()
        if any(near and cell.startswith(near) for cell in cells)
    ]  # fmt: skip
    mine = [name for name, cells in given.jobs.items() if MINE in cells]
    return ARTIFACT + (jobs or mine)[0]


def on_branch(forge: Forge, cell: CellId) -> Record | None:
    forge.ours.git("fetch", "--quiet", "origin", BRANCH)
    return forge.ours.snapshot("FETCH_HEAD").record_files.get(cell)


def handed_in_ways() -> Iterator[Any]:
    """Yield each attack in each way: one of them, and all of one attack, in `make test`."""
    for case in cases(RecordAttack):
        for number, way in enumerate(case.attack.handed_in):
            slow = number and case.name != "unknown-key"
            yield pytest.param(case, way, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize(
    ("case", "way"),
    list(handed_in_ways()),
    ids=lambda one: one if isinstance(one, str) else name_of(one),
)
def test_record(
    case: Case[RecordAttack], way: str, entered: Forge, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    attack = case.attack
    assert (attack.outcome == "harmless") == bool(attack.record)
    if way == "artifact":
        collect(entered.ours.path, NOON, branch=BRANCH, remote="origin")
    folder = tmp_path / "handed in"
    for name, content in handed_in(entered, case).items():
        path = folder / job_of(entered, name, way) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    cells = cells_of(entered.ours)
    left_out, malformed = collected(entered, folder, way)
    if way == "commit":
        left_out = [" ".join("".join(capsys.readouterr()).split())]
    if attack.left_out:
        assert any(attack.left_out in line for line in left_out), (left_out, malformed)
    if attack.malformed:
        assert any(attack.malformed in line for line in malformed), (left_out, malformed)
    honest = on_branch(entered, cells[HONEST].id)
    # A commit takes all or nothing.
    assert honest is not None or (way == "commit" and attack.malformed)
    mine = on_branch(entered, cells[MINE].id)
    if attack.outcome == "harmless":
        assert mine is not None
        assert holds(to_builtins(mine), attack.record)
    else:
        assert mine is None
