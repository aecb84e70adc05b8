"""What is hidden changes no byte of what is published: neither numbers nor ranks nor pictures.

Two repositories differ in nothing but what their organisers hide. Whatever is ever added to the
site is compared, too, without anybody having to think of it.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.api import results
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Attachment, CellError, Earlier, Reason, Record, Step
from evaluator.core.planning.cells import Cell
from evaluator.site.build import build
from tests.records import cells_of, record_of
from tests.repository import Repository
from tests.site.conftest import ROOT

PHASE = "start: 2020-01-01,"
CHANGES: dict[str, tuple[str, str]] = {
    "hidden-board": ("    key: results\n", "    key: results\n    hidden: true\n"),
    "hidden-column": ("key: distance,", "key: distance, hidden: true,"),
    "hidden-phase": ("pullbench:\n", "pullbench:\n  phases: {0: {shows: status}}\n"),
    "hidden-output": (PHASE, f"{PHASE} hide_score_output: true,"),
    "hidden-logs": (PHASE, f"{PHASE} hide_output: true,"),
    "open": ("", ""),
}
"""Benchmark -> what hides something in its bundle."""
WHOLE = ("hidden-board", "hidden-phase", "open")
"""Those in which all scores and times are hidden, and the one that shows them."""
SHOWN = 3.140625
WHO = {"alice/right": 1, "alice/wrong": 2, "bob/right": 3, "carol/right": 4, "dan/right": 5}
DAYS = ("2026-03-01T10:00:00+00:00", "2026-03-02T10:00:00+00:00", "2026-03-03T10:00:00+00:00")


def hide(cell: Cell, record: Record, number: float) -> Record:
    """Put a number, and what it makes, into all that the benchmark hides of a record."""
    name = cell.benchmark.name
    place = WHO[f"{cell.id.participant}/{cell.id.submission}"]
    scores = {"right": float(place), "distance": 2.0}
    if name in WHOLE:
        scores = {"right": number, "distance": number}
    elif name == "hidden-column":
        scores["distance"] = number
    said = f"the score is {number}"
    page = f"<p>{said}</p>".encode()
    steps = [
        Step(step="ingestion", wall_seconds=number if name in WHOLE else 1.0,
             log=said if name in ("hidden-phase", "hidden-logs", "open") else "predicting"),
        Step(step="scoring", wall_seconds=number if name in WHOLE else 0.5, log=said),
    ]  # fmt: skip
    earlier = Earlier(score_key="1" * 64, finished=DAYS[0], scores=dict(scores))
    made = record.replace(
        scores=scores,
        extra={"more": number},
        earlier=[earlier],
        steps=steps,
        attachments={"html": Attachment.of(page)},
    )
    if cell.id.submission == "wrong" and cell.id.task == "two":
        error = CellError(
            actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, message=said, step="scoring"
        )
        made = made.replace(status="failed", scores={}, error=error)
    return made


def repository(folder: Path, number: Callable[[int, int], float]) -> Repository:
    """Return a repository with two days of records; ``number`` is hidden, by day and submission."""
    made = Repository(folder)
    made.copy_bundle("small")
    shutil.copytree(ROOT / "site", folder / "site")
    shutil.copy(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    text = (folder / "benchmarks/adding/competition.yaml").read_text()
    for name, (old, new) in CHANGES.items():
        assert old in text
        shutil.copytree(folder / "benchmarks/adding", folder / "benchmarks" / name)
        changed = text.replace(old, new, 1) + "enable_detailed_results: true\n"
        if name in WHOLE:
            changed = changed.replace("extra: [token]", "extra: [token, more]")
        made.write(f"benchmarks/{name}/competition.yaml", changed)
        for who in WHO:
            shutil.copytree(folder / "submissions/adding/alice/right",
                            folder / "submissions" / name / who)  # fmt: skip
    for part in ("benchmarks", "submissions"):
        for name in ("adding", "echo"):
            shutil.rmtree(folder / part / name, ignore_errors=True)
    for day, date in enumerate(DAYS):
        for cell in cells_of(made).values() if day else ():
            place = WHO[f"{cell.id.participant}/{cell.id.submission}"]
            value = SHOWN if cell.benchmark.name == "open" else number(day, place)
            record = hide(cell, record_of(cell), value)
            made.put(record)
            page = f"<p>the score is {value}</p>"
            made.write(cell.id.attachment_path("html"), page)
        with pytest.MonkeyPatch.context() as patch:
            for role in ("AUTHOR", "COMMITTER"):
                patch.setenv(f"GIT_{role}_DATE", date)
            made.commit(f"Day {day}")
            made.git("tag", f"v{day}")
    return made


def published(made: Repository) -> dict[str, bytes]:
    """All files of the site, and what is printed of boards; commits are named by their day."""
    site = build.build_site(made.path).folder
    files = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }
    for name in CHANGES:
        data = results(made.path, name)
        files[f"printed/{name}.json"] = json.dumps(data).encode()
        for form in ("table", "csv", "json"):
            done = made.pullbench("leaderboard", name, "--format", form)
            assert done.returncode == 0, done.stderr
            files[f"printed/{name}.{form}"] = done.stdout.encode()
    commits = made.git("log", "--format=%H").split()
    short = {commit[:length]: f"day-{day}" for day, commit in enumerate(commits)
             for length in (40, 12, 10, 7)}  # fmt: skip
    token = re.compile("|".join(sorted(short, key=len, reverse=True)).encode())
    return {
        path: token.sub(lambda found: short[found[0].decode()].encode(), content)
        for path, content in files.items()
    }


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """Two sites; in the second other numbers are hidden, in another order."""
    folder = tmp_path_factory.mktemp("interference")
    numbers: list[Callable[[int, int], float]] = [
        lambda day, place: 0.25 + day / 8 + place / 64,
        lambda day, place: 7316.2194 - 1000 * day * (place % 3) - place,
    ]
    return [published(repository(folder / f"{at}", one)) for at, one in enumerate(numbers)]


def test_what_is_hidden_changes_no_byte(sites: list[dict[str, bytes]]) -> None:
    one, other = sites
    assert one.keys() == other.keys()
    assert [path for path in one if one[path] != other[path]] == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("benchmarks/open/index.html", "3.14"),
        ("benchmarks/open/board.csv", "3.140625"),
        ("api/v1/open/main.json", "3.140625"),
        ("benchmarks/open/submissions/alice/right/index.html", "the score is 3.140625"),
        ("benchmarks/open/submissions/alice/right/index.html", "<dt>more</dt>"),
        ("benchmarks/open/submissions/alice/wrong/index.html", "malformed scores"),
        ("benchmarks/open/submissions/alice/right/details/main/one.html", "3.140625"),
        ("benchmarks/open/history/v2/board.json", "3.140625"),
        ("printed/open.table", "3.14"),
    ],
)
def test_where_nothing_is_hidden_it_is_there(
    sites: list[dict[str, bytes]], file: str, text: str
) -> None:
    """The test above would pass on a site of other records."""
    assert text in sites[0][file].decode()
