"""Entries that are opened to be scored, and for everybody at their date; and what stays closed."""

import datetime as dt
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.record import Reason, Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from evaluator.plugins.sealed.opening import commit_due, decrypt_due, due_names
from tests.plugins.sealed.conftest import CANARY, PREDICTIONS, UNTIL, Season
from tests.records import cells_of, failed, record_of

AFTER = UNTIL + dt.timedelta(hours=1)
FIXED = "the sealed file does not hold an entry of this participant to this phase"
Files = dict[str, tuple[bytes, bool]]


def statement(season: Season, **changes: object) -> bytes:
    return json.dumps({
        "type": "pullbench.seal.v1", "benchmark": "echo", "participant": "mallory",
        "phase": "main", "until": UNTIL.isoformat(), "to": season.public, "salt": "0" * 64,
        **changes,
    }).encode()  # fmt: skip


def seal_by_hand(season: Season, tmp_path: Path, files: Files, *, name: str = "") -> str:
    """Enter for mallory what no command of ours makes; return the path of the file."""
    folder = tmp_path / "made"
    for path, (content, _) in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    path = f"submissions/echo/mallory/one/{name or content_digest(folder)}.age"
    season.repo.write(path, encrypt(zip_bytes(files), [season.public]))
    season.repo.write("submissions/echo/mallory/one/submission.yaml", "kind: sealed\n")
    season.repo.commit()
    return path


def score(season: Season, tmp_path: Path, cells: str, secret: str | None = None) -> Record:
    """Do what the job *score* does; return the record of the one cell."""
    folder, output = tmp_path / "unlocked", tmp_path / "records"
    shutil.rmtree(output, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    job = {"PULLBENCH_CELLS": cells, UNLOCKED: str(folder)}
    key = season.secret if secret is None else secret
    code, said = season.call("unlock", "--base", "HEAD", variables={**job, DATA_IDENTITY: key})
    assert code == 0, said
    assert "0.7193" not in said
    code, said = season.call("run", "--at", "HEAD", "--output", str(output), variables=job)
    assert "Traceback" not in said
    assert "0.7193" not in said
    (path,) = output.rglob("main.json")
    assert b"0.7193" not in b"".join(one.read_bytes() for one in output.rglob("*.json"))
    (record,) = records_of(decode(path.read_bytes()))
    return record


@pytest.mark.docker
def test_an_entry_is_scored_as_if_it_were_plain_and_nothing_of_it_is_shown(
    season: Season, tmp_path: Path
) -> None:
    season.enter("alice", content=PREDICTIONS)
    season.repo.write("submissions/echo/bob/one/submission.yaml", "kind: results\n")
    season.repo.write("submissions/echo/bob/one/predictions.csv", PREDICTIONS)
    season.repo.commit()
    sealed = score(season, tmp_path, "echo/alice/one/main/echo")
    plain = score(season, tmp_path, "echo/bob/one/main/echo")
    assert sealed.error is None, sealed.error
    assert sealed.scores == plain.scores == {"agreement": 1}
    assert not [step.log for step in sealed.steps if step.log]
    season.enter("carol")
    assert score(season, tmp_path, "echo/carol/one/main/echo").scores == {"agreement": 0}


@pytest.mark.docker
@pytest.mark.parametrize("end", ["", "raise SystemExit(str(text))\n"])
def test_a_scoring_program_that_tells_what_it_reads_tells_nobody(
    season: Season, tmp_path: Path, end: str
) -> None:
    season.repo.replace(
        "benchmarks/echo/scoring_program/scoring.py", "same = ",
        f'text = (source / "res/predictions.csv").read_text()\nprint(text)\n{end}same = ',
    )  # fmt: skip
    season.repo.commit()
    season.enter("alice")
    record = score(season, tmp_path, "echo/alice/one/main/echo")
    assert bool(record.error) == bool(end)


@pytest.mark.docker
@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({"participant": "alice"}, ""),
        ({"benchmark": "adding"}, ""),
        ({"phase": "final"}, ""),
        ({"until": AFTER.isoformat()}, ""),
        ({"until": "2099-01-01T00:00:00"}, ""),
        ({"type": "pullbench.seal.v0"}, ""),
        ({"more": 1}, ""),
        ({"salt": [[]] * 1000}, ""),
        ({}, "seal.json"),
        ({}, "predictions/predictions.csv"),
    ],
    ids=["participant", "benchmark", "phase", "until", "zone", "type", "more", "salt",
         "no statement", "no predictions"],
)  # fmt: skip
def test_an_archive_that_is_not_its_participants_has_one_answer(
    season: Season, tmp_path: Path, changed: dict[str, object], missing: str
) -> None:
    files = {
        "seal.json": (statement(season, **changed), False),
        "predictions/predictions.csv": (PREDICTIONS.encode(), False),
    }
    seal_by_hand(season, tmp_path, {name: one for name, one in files.items() if name != missing})
    assert season.errors() == []
    refused(score(season, tmp_path, "echo/mallory/one/main/echo"))


def refused(record: Record) -> None:
    assert record.error is not None
    assert (record.error.actor, record.error.reason) == (Actor.PARTICIPANT, Reason.BAD_INPUT)
    assert record.error.message == FIXED


def damaged(content: bytes, _: Season) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def beheaded(content: bytes, _: Season) -> bytes:
    return content[10:]


def to_somebody_else(_: bytes, __: Season) -> bytes:
    return encrypt(b"x", [make_keys()[0]])


def no_zip(_: bytes, season: Season) -> bytes:
    return encrypt(b"x" * 5000, [season.public])


def another_tree(_: bytes, season: Season) -> bytes:
    """Two contents for one commitment."""
    files = {
        "seal.json": (statement(season), False),
        "predictions/predictions.csv": (CANARY.encode(), False),
    }
    return encrypt(zip_bytes(files), [season.public])


def bomb(_: bytes, season: Season) -> bytes:
    """200 MB of zeros, which shrink by less than a thousand."""
    files = {f"predictions/{n}.csv": (bytes(2**20) + bytes([n]), False) for n in range(200)}
    return encrypt(zip_bytes(files), [season.public])


def out_of_its_folder(_: bytes, season: Season) -> bytes:
    files = {"seal.json": (statement(season), False), "../../out.csv": (b"x", False)}
    return encrypt(zip_bytes(files), [season.public])


@pytest.mark.docker
@pytest.mark.parametrize(
    "change", [damaged, beheaded, to_somebody_else, no_zip, another_tree, bomb, out_of_its_folder]
)
def test_what_does_not_open_has_the_same_answer(
    season: Season, tmp_path: Path, change: Callable[[bytes, Season], bytes]
) -> None:
    files = {
        "seal.json": (statement(season), False),
        "predictions/predictions.csv": (PREDICTIONS.encode(), False),
    }
    path = season.repo.path / seal_by_hand(season, tmp_path, files)
    path.write_bytes(change(path.read_bytes(), season))
    season.repo.commit()
    refused(score(season, tmp_path, "echo/mallory/one/main/echo"))
    assert not [*tmp_path.rglob("out.csv")]


@pytest.mark.docker
def test_a_file_in_place_of_an_archive_has_the_same_answer(season: Season, tmp_path: Path) -> None:
    content = statement(season)
    single = tmp_path / "single"
    single.write_bytes(content)
    path = f"submissions/echo/mallory/one/{content_digest(single)}.age"
    season.repo.write(path, encrypt(content, [season.public]))
    season.repo.write("submissions/echo/mallory/one/submission.yaml", "kind: sealed\n")
    season.repo.commit()
    refused(score(season, tmp_path, "echo/mallory/one/main/echo"))


@pytest.mark.docker
@pytest.mark.parametrize("secret", ["", "another's"])
def test_without_the_key_an_entry_waits_for_an_organiser(
    season: Season, tmp_path: Path, secret: str
) -> None:
    season.enter("alice")
    given = make_keys()[1] if secret else ""
    record = score(season, tmp_path, "echo/alice/one/main/echo", given)
    assert record.error is not None
    assert record.error.actor == Actor.PLATFORM
    assert DATA_IDENTITY in record.error.message


def test_a_machine_without_the_key_leaves_sealed_entries_out(season: Season) -> None:
    season.enter("alice")
    code, said = season.call("run", variables={"CI": ""})
    assert "this machine has no key for entries that are sealed" in said, (code, said)
    code, said = season.call("run", "--engine", "subprocess", key=True, variables={"CI": ""})
    assert (code, "are opened for containers alone; use Docker" in said) == (0, True), said


def test_a_copy_that_is_damaged_does_not_harm_what_it_copies(
    season: Season, tmp_path: Path
) -> None:
    file = season.enter("zoe", content=PREDICTIONS)
    for who in ("mallory", "zz"):  # before and after it
        season.repo.write(f"submissions/echo/{who}/one/submission.yaml", "kind: sealed\n")
        season.repo.write(f"submissions/echo/{who}/one/{file.name}", b"junk")
    season.repo.commit()
    folder = tmp_path / "unlocked"
    cells = " ".join(f"echo/{who}/one/main/echo" for who in ("mallory", "zoe", "zz"))
    code, _ = season.call(
        "unlock",
        "--base",
        "HEAD",
        key=True,
        variables={"PULLBENCH_CELLS": cells, UNLOCKED: str(folder)},
    )
    assert code == 0
    assert [path.name for path in folder.iterdir()] == [file.stem]
    assert (folder / file.stem / "predictions/predictions.csv").read_text() == PREDICTIONS


@pytest.fixture
def scored(season: Season) -> Season:
    """Alice's and bob's entries with scores; carol's was withdrawn, and dora's failed."""
    for who in ("alice", "bob", "carol", "dora"):
        season.enter(who)
    for name, cell in cells_of(season.repo).items():
        record = record_of(cell)
        is_failed = "dora" in name
        season.repo.put(
            failed(record, Actor.PARTICIPANT, Reason.BAD_INPUT) if is_failed else record
        )
    season.repo.write(
        "submissions/echo/carol/one/submission.yaml", "kind: sealed\ncancelled: true\n"
    )
    season.repo.commit("Scores")
    season.repo.git("push", "-q", "origin", "main")
    return season


def open_at(season: Season, tmp_path: Path, now: dt.datetime) -> list[str]:
    """Decrypt and commit, with the key of the season alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA_IDENTITY, season.secret)
        closed = decrypt_due(season.repo.snapshot("HEAD"), now, tmp_path / "opened")
    commit_due(season.repo.path, tmp_path / "opened", now, "main", "origin")
    season.repo.git("pull", "-q", "origin", "main")
    return closed


def board(season: Season) -> Any:
    done = season.repo.pullbench("leaderboard", "echo", "--format", "json")
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "commit": ""}


def test_at_the_date_entries_are_opened_in_one_commit_and_nothing_else_changes(
    scored: Season, tmp_path: Path
) -> None:
    repo = scored.repo
    before, plan, head = board(scored), repo.reasons(), repo.git("rev-parse", "HEAD")
    assert open_at(scored, tmp_path, UNTIL - dt.timedelta(seconds=1)) == []
    assert repo.git("rev-parse", "HEAD") == head
    _, said = scored.call("verify", "echo")
    assert said.count(": sealed until") == 3
    assert "echo/carol/one: withdrawn, and stays closed" in said
    assert "opened" not in said
    assert open_at(scored, tmp_path, AFTER) == []
    assert repo.git("rev-list", "--count", f"{head}..HEAD") == "1"
    changed = repo.git("diff", "--name-only", head, "HEAD").splitlines()
    assert changed == [
        f"submissions/echo/{who}/one/scores/opened/{file}"
        for who in ("alice", "bob")
        for file in ("predictions/predictions.csv", "seal.json")
    ]
    opened = repo.path / "submissions/echo/alice/one/scores/opened"
    assert (opened / "predictions/predictions.csv").read_text() == CANARY
    assert board(scored) == before
    assert repo.reasons() == plan
    assert scored.errors() == []
    _, said = scored.call("verify", "echo")
    at = repo.git("rev-parse", "--short", "HEAD")
    for who in ("alice", "bob"):
        assert f"echo/{who}/one: sealed until" in said
    assert said.count(f"opened at {at}, fits") == 2
    # Once more there is nothing to do, whoever starts it.
    assert due_names(repo.snapshot(), AFTER) == []
    assert open_at(scored, tmp_path, AFTER) == []
    assert repo.git("rev-list", "--count", f"{head}..HEAD") == "1"
    # What was opened is what a run is given, where nobody has a key.
    (repo.path / "submissions/echo/alice/one/scores/main.json").unlink()
    _, said = scored.call(
        "run", "echo/alice/one/main/echo", "--engine", "subprocess", variables={"CI": ""}
    )
    assert "no key for entries that are sealed" not in said


def test_what_was_changed_after_it_was_opened_does_not_fit(scored: Season, tmp_path: Path) -> None:
    open_at(scored, tmp_path, AFTER)
    file = "submissions/echo/alice/one/scores/opened/predictions/predictions.csv"
    scored.repo.replace(file, "0.7193", "0.25")
    scored.repo.commit()
    code, said = scored.call("verify", "echo")
    assert code == 1
    assert "does not fit: its content is not what its name says" in said
    assert said.count(", fits") == 1


def test_a_job_between_cannot_put_in_something_else(scored: Season, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA_IDENTITY, scored.secret)
        decrypt_due(scored.repo.snapshot("HEAD"), AFTER, tmp_path / "opened")
    alice, bob = (
        next((scored.repo.path / f"submissions/echo/{who}/one").glob("*.age")).stem
        for who in ("alice", "bob")
    )
    shutil.rmtree(tmp_path / "opened" / alice)
    shutil.copytree(tmp_path / "opened" / bob, tmp_path / "opened" / alice)
    (tmp_path / "opened" / bob / "link").symlink_to("/etc/passwd")
    done = commit_due(scored.repo.path, tmp_path / "opened", AFTER, "main", "origin")
    assert done.commit is None
    # Nor does it come before its date, whoever says that it is open.
    done = commit_due(scored.repo.path, tmp_path / "opened", utc_now(), "main", "origin")
    assert done.commit is None


def test_a_date_that_is_put_off_keeps_entries_closed_and_one_brought_forward_as_well(
    scored: Season, tmp_path: Path
) -> None:
    head = scored.repo.git("rev-parse", "HEAD")
    scored.set_until(AFTER + dt.timedelta(days=1))
    assert due_names(scored.repo.snapshot(), AFTER) == []
    scored.set_until(utc_now() - dt.timedelta(days=1))
    assert open_at(scored, tmp_path, utc_now()) == []
    assert (
        scored.repo.git("diff", "--name-only", head, "HEAD") == "benchmarks/echo/competition.yaml"
    )


def test_a_lost_key_is_named_with_what_is_lost_and_a_receipt_opens(
    scored: Season, tmp_path: Path
) -> None:
    alice = next((scored.repo.path / "submissions/echo/alice/one").glob("*.age"))
    lost = scored.secret
    scored.secret = make_keys()[1]
    first, second = open_at(scored, tmp_path, AFTER)
    assert f"does not open '{alice.name}'" in first
    assert f"Without the key of {scored.public} its content is lost" in first
    assert "echo/bob/one" in second
    scored.secret = f"{scored.secret}\n{scored.receipt(alice)['identity']}"
    (closed,) = open_at(scored, tmp_path, AFTER)
    assert closed.startswith("echo/bob/one")
    assert (scored.repo.path / "submissions/echo/alice/one/scores/opened/seal.json").exists()
    scored.secret = lost
    assert open_at(scored, tmp_path, AFTER) == []
    assert (scored.repo.path / "submissions/echo/bob/one/scores/opened/seal.json").exists()


def test_the_verb_opens_what_is_due_and_says_so(scored: Season, tmp_path: Path) -> None:
    assert scored.call("unseal", key=True) == (0, "nothing to open\n")
    code, said = scored.call("unseal", "--from", str(tmp_path / "nothing"))
    assert (code, said) == (0, "nothing to open\n")
    code, said = scored.call("collect", "--remote", "")
    assert code == 0, said


@pytest.mark.slow
def test_many_entries_open_in_one_commit(season: Season, tmp_path: Path) -> None:
    """And the board is equal."""
    for n in range(500):
        files = {
            "seal.json": (statement(season, participant=f"p{n}", salt=f"{n:064x}"), False),
            "predictions/predictions.csv": (f"id,value\n1,{n}\n2,{n}\n".encode(), False),
        }
        folder = tmp_path / "entry"
        for name, (content, _) in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        path = f"submissions/echo/p{n}/one"
        season.repo.write(f"{path}/submission.yaml", "kind: sealed\n")
        season.repo.write(
            f"{path}/{content_digest(folder)}.age", encrypt(zip_bytes(files), [season.public])
        )
        shutil.rmtree(folder)
    season.repo.commit()
    for cell in cells_of(season.repo).values():
        season.repo.put(record_of(cell))
    season.repo.commit("Scores")
    season.repo.git("push", "-q", "origin", "main")
    before, head = board(season), season.repo.git("rev-parse", "HEAD")
    assert open_at(season, tmp_path, AFTER) == []
    assert season.repo.git("rev-list", "--count", f"{head}..HEAD") == "1"
    assert board(season) == before
    _, said = season.call("verify", "echo")
    assert said.count(", fits") == 500
