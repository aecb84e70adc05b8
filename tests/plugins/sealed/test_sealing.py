"""`pullbench submit --seal`: what it writes, what it refuses, and what `validate` says of it."""

import html
import json
from pathlib import Path

import pyrage
import pytest

from evaluator.core.clock import moment_text, utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.planning.rules import validate
from evaluator.importing.private_parts import encrypt
from evaluator.plugins.sealed.sealing import _padded
from evaluator.site.boards.ranking_note import phase_notes
from evaluator.site.pages import benchmark_pages
from tests.plugins.sealed.conftest import BUNDLE, PREDICTIONS, UNTIL, Season
from tests.records import cells_of, failed, record_of
from tests.site.conftest import site_of


def test_a_folder_becomes_one_file_and_a_receipt(season: Season) -> None:
    file = season.enter("alice")
    folder = file.parent
    assert sorted(path.name for path in folder.iterdir()) == [file.name, "submission.yaml"]
    assert "kind: sealed" in (folder / "submission.yaml").read_text()
    assert season.errors() == []
    (entry,) = season.repo.snapshot().submissions
    assert (entry.kind_name, entry.sealed and entry.sealed.sha256) == ("sealed", file.stem)
    # Neither a commit nor the remote has a word of it, and the clone's copy is not for git.
    assert season.repo.git("log", "--all", "--text", "--format=%s", "-S", "0.25")  # as data have
    assert not season.repo.git("log", "--all", "--text", "--format=%s", "-S", "0.7193")
    assert season.repo.status == ""
    receipt = season.receipt(file)
    assert receipt["entry"] == "echo/alice/one"
    opened = pyrage.decrypt(
        file.read_bytes(), [pyrage.x25519.Identity.from_str(receipt["identity"])]
    )
    assert b"seal.json" in opened
    assert opened == pyrage.decrypt(
        file.read_bytes(), [pyrage.x25519.Identity.from_str(season.secret)]
    )


def test_equal_predictions_have_different_names_and_lengths_that_tell_little(
    season: Season,
) -> None:
    first, second = season.enter("alice"), season.enter("alice", "two", PREDICTIONS)
    assert first.name != season.enter("bob").name
    # Only age's own header differs in length.
    assert abs(len(first.read_bytes()) - len(second.read_bytes())) < 300
    for length in (1, 4095, 4096, 4097, 100_000, 1_000_003):
        padded = _padded(b"x" * length)
        assert padded.endswith(b"x" * length)
        assert len(padded) % 4096 == 0
        assert len(padded) - length < max(4096, length / 7)
    assert len({len(_padded(b"x" * length)) for length in range(60_000, 70_000, 100)}) <= 4


@pytest.mark.parametrize(
    ("content", "sheet", "says"),
    [
        ("id,value\n1,0.5\n2,x\n", "kind: results\n", "row 2 has 'x' as value"),
        ("id,value\n1,0.5\n", "kind: results\n", "has 1 rows"),
        (PREDICTIONS, "kind: code\n", "this benchmark has no program that runs it"),
        (PREDICTIONS, "kind: results\nphase: final\n", "'final' is not there"),
    ],
)
def test_what_cannot_be_scored_is_refused_before_anybody_is_unable_to_say_so(
    season: Season, content: str, sheet: str, says: str
) -> None:
    code, said = season.submit("alice", "one", content, sheet)
    assert code != 0
    assert says in said
    assert not (season.repo.path / "build/receipts").exists()
    assert "submit/" not in season.repo.git("ls-remote", "origin")


def test_programs_are_not_sealed(season: Season) -> None:
    bundle = "benchmarks/adding/competition.yaml"
    text = (season.repo.path / bundle).read_text()
    assert "\n  phases:" not in text
    seal = (season.repo.path / BUNDLE).read_text().rpartition("  phases:")[2]
    season.repo.write(bundle, f"{text}  phases:{seal}")
    season.repo.commit()
    season.repo.git("push", "-q", "origin", "main")
    folder = season.folder()
    (folder / "submission.yaml").write_text("kind: code\n")
    (folder / "main.py").write_text("")
    code, said = season.call(
        "submit", str(folder), "--benchmark", "adding", "--participant", "alice", "--seal"
    )
    assert code == 2
    assert "only predictions can be sealed" in said
    assert "have no key" in said


def test_a_phase_without_a_date_takes_no_sealed_entries(season: Season) -> None:
    file = season.enter("alice")
    text = (season.repo.path / BUNDLE).read_text()
    season.repo.write(BUNDLE, text.rpartition("  phases:")[0])
    season.repo.commit()
    ((path, says),) = season.errors()
    assert path == f"{file.parent.relative_to(season.repo.path)}/submission.yaml"
    assert "takes no sealed entries" in says
    code, said = season.submit("bob")
    assert code == 2
    assert "takes no sealed entries" in said


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hide_output: true", "hide_output: false", "needs `hide_output`"),
        ("to: age1", "to: bge1", "should match pattern"),
        ('until: "', 'from: "', "until: is missing"),
    ],
)
def test_what_a_phase_lacks_is_named_to_the_organiser(
    season: Season, old: str, new: str, says: str
) -> None:
    season.repo.replace(BUNDLE, old, new)
    season.repo.commit()
    problems = [one for one in season.repo.problems() if one.severity == "error"]
    assert [(one.file, one.actor) for one in problems] == [(BUNDLE, "organiser")]
    assert says in str(problems[0])


def test_plain_entries_are_still_taken(season: Season) -> None:
    season.repo.write("submissions/echo/carol/one/submission.yaml", "kind: results\n")
    season.repo.write("submissions/echo/carol/one/predictions.csv", PREDICTIONS)
    season.repo.commit()
    assert season.errors() == []


@pytest.mark.parametrize("changed", ["name", "content", "neither"])
@pytest.mark.parametrize("who", ["mallory", "alice"])
def test_a_copy_of_a_sealed_entry_is_refused_by_name(
    season: Season, changed: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = season.enter("alice")
    later = UNTIL.isoformat()
    monkeypatch.setenv("GIT_COMMITTER_DATE", later)
    folder = f"submissions/echo/{who}/copy"
    name = "0" * 64 + ".age" if changed == "name" else file.name
    content = encrypt(b"else", [season.public]) if changed == "content" else file.read_bytes()
    season.repo.write(f"{folder}/submission.yaml", "kind: sealed\n")
    season.repo.write(f"{folder}/{name}", content)
    season.repo.commit()
    problems = [one for one in season.repo.problems() if one.severity == "error"]
    assert [(one.file, one.actor) for one in problems] == [(f"{folder}/{name}", "participant")]
    assert "is the sealed entry submissions/echo/alice/one" in problems[0].message
    # Nor is it taken after alice withdrew hers, as long as that is there.
    season.repo.write(f"{file.parent}/submission.yaml", "kind: sealed\ncancelled: true\n")
    season.repo.commit()
    assert [path for path, _ in season.errors()] == [f"{folder}/{name}"]


def test_who_copies_an_open_pull_request_first_does_not_keep_its_author_out(season: Season) -> None:
    """The copy was scored as a failure: its statement names another participant."""
    file = season.enter("mallory")
    season.submit("alice")
    season.repo.git("fetch", "-q", "origin")
    season.repo.git("merge", "-q", "origin/submit/echo/alice/one")
    (hers,) = (season.repo.path / "submissions/echo/alice/one").glob("*.age")
    (file.parent / hers.name).write_bytes(hers.read_bytes())
    file.unlink()
    season.repo.commit()
    within = ["submissions/echo/alice"]
    assert [one.message for one in validate(season.repo.snapshot(), within)]
    (cell,) = (one for name, one in cells_of(season.repo).items() if "mallory" in name)
    season.repo.put(failed(record_of(cell), Actor.PARTICIPANT, Reason.BAD_INPUT))
    assert not list(validate(season.repo.snapshot(), within))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"predictions.csv": PREDICTIONS}, "needs one file beside it"),
        ({"a.age": "x"}, "needs one file beside it"),
        ({f"{1:064x}.age": "x", f"{2:064x}.age": "y"}, "needs one file beside it"),
        ({f"{1:064x}.age": "x", "scores/opened/seal.json": "{}"}, ""),
    ],
)
def test_a_folder_that_is_no_sealed_entry_is_named(
    season: Season, files: dict[str, str], says: str
) -> None:
    for name, content in {"submission.yaml": "kind: sealed\n", **files}.items():
        season.repo.write(f"submissions/echo/mallory/one/{name}", content)
    season.repo.commit()
    assert [says for _, said in season.errors() if says not in said] == []
    assert bool(season.errors()) == bool(says)


def test_a_sealed_file_says_itself_what_it_is(season: Season) -> None:
    folder = season.enter("alice").parent
    (folder / "submission.yaml").write_text("")
    assert season.errors() == []
    assert season.repo.snapshot().submissions[0].kind_name == "sealed"
    (folder / "submission.yaml").write_text("kind: results\n")
    assert any("but its file is sealed" in said for _, said in season.errors())


def test_json_is_alone_on_stdout(season: Season) -> None:
    folder = season.folder()
    done = season.repo.pullbench(
        "submit", str(folder), "--benchmark", "echo", "--participant", "alice", "--seal", "--json"
    )
    assert json.loads(done.stdout)["branch"] == "submit/echo/alice/work"
    assert Path(done.stderr.split()[2]).name.endswith(".json")


def test_enter_and_the_board_say_that_entries_may_be_sealed(season: Season) -> None:
    code, said = season.call("enter", "echo", "--as", "alice/one")
    assert code == 0, said
    assert "pullbench submit submissions/echo/alice/one --benchmark echo" in said
    assert "--participant alice --seal" in said
    (line,) = (line for line in said.splitlines() if "--seal" in line)
    season.repo.write("submissions/echo/alice/one/predictions.csv", PREDICTIONS)
    verb, folder, *options = line.split()[1:]
    code, said = season.call(verb, str(season.repo.path / folder), *options)
    assert code == 0, said
    board = leaderboard_at(season.repo.path, "echo", phase=None, task=None, at=None)
    notes = phase_notes([board], board, utc_now())
    assert notes == [
        "Entries may be sealed, with `pullbench submit --seal`: nobody but the organisers reads "
        f"them before {moment_text(UNTIL)}, when they are opened for everybody. What you upload in "
        "the browser is not sealed."
    ]
    contents, site = site_of(season.repo.path)
    (content,) = (one for one in contents if one.benchmark.name == "echo")
    pages = {page.path: page.html for page in benchmark_pages.benchmark_pages(content, site)}
    assert html.escape(notes[0]) in pages["benchmarks/echo/submit"]
    assert phase_notes([board], board, UNTIL) == [
        f"Entries could be sealed until {moment_text(UNTIL)}."
    ]
