"""The page *Records* and its file."""

import datetime as dt
import json
from pathlib import Path

import jsonschema
import pytest

from evaluator.plugins.races import page as records_page_module
from evaluator.plugins.races.page import records_page
from evaluator.site.build.build import build_site
from tests.plugins.races.conftest import Race

ROOT = Path(__file__).parents[3]
FOLDER = "build/site/benchmarks/adding"


def at(day: int) -> str:
    return dt.datetime(2026, 3, day, 12, tzinfo=dt.UTC).isoformat()


def raced(race: Race) -> Race:
    race.rule("{beats: record, by: 0.005, p: 0.01}", "  repeats: 4\n")
    race.enter("alice/one", at(1), *[0.90, 0.91] * 4)
    race.enter("bob/one", at(2), *[0.92] * 4, *[0.90] * 4)
    race.enter("carol/one", at(3), *[0.960, 0.961] * 4)
    return race


def test_who_held_the_record_and_who_tried(race: Race) -> None:
    shown = records_page([raced(race).board])
    assert shown is not None
    held, attempts = shown.tables
    lines = [[one if isinstance(one, str) else one.submission.id for one in line]
             for line in (*held.lines, *attempts.lines)]  # fmt: skip
    assert [line[:4] for line in lines] == [
        ["adding/carol/one", "2026-03-03 12:00 UTC", "now", "0.96"],
        ["adding/alice/one", "2026-03-01 12:00 UTC", "2026-03-03 12:00 UTC", "0.91"],
        ["adding/bob/one", "2026-03-02 12:00 UTC", "0.910", "0.005"],
    ]
    assert lines[2][-2:] == ["adding/alice/one", "the margin must exceed 0.005"]
    assert "by more than 0.005, with p of at most 0.004" in shown.sentences[0]


def test_a_race_that_nobody_entered_has_the_page(race: Race) -> None:
    race.rule("{beats: record}")
    shown = records_page([race.board])
    assert shown is not None
    assert shown.tables[0].sentences == ["No entry has a value yet."]
    assert shown.tables[0].lines == []


def test_of_many_attempts_the_page_shows_the_latest(
    race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records_page_module, "MAX_ATTEMPTS", 1)
    raced(race)
    race.enter("dave/one", at(4), *[0.1] * 8)
    shown = records_page([race.board])
    assert shown is not None
    _, attempts = shown.tables
    assert len(attempts.lines) == 1
    assert attempts.sentences == [
        "No records: 2 submissions, the latest first. The file has 1 more."
    ]
    assert len(json.loads(shown.files["records.json"])["phases"][0]["entries"]) == 4


def test_without_the_rule_there_is_no_page(race: Race) -> None:
    race.enter("alice/one", at(1), 0.9, 0.9)
    assert records_page([race.board]) is None


@pytest.mark.slow
def test_on_the_site(race: Race) -> None:
    raced(race)
    race.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    race.write("site/index.md", "# Boards\n")
    race.commit("A site")
    build_site(race.path)
    html = (race.path / FOLDER / "records/index.html").read_text()
    assert ">Records of Adding</h1>" in html
    assert 'href="../submissions/carol/one/"' in html
    assert 'href="../records/"' in (race.path / FOLDER / "history/index.html").read_text()
    data = json.loads((race.path / FOLDER / "records/records.json").read_text())
    schema = json.loads((race.path / "build/site/schemas/records.json").read_text())
    jsonschema.validate(data, schema)
    entries = data["phases"][0]["entries"]
    assert [(one["submission"], one["record"]) for one in entries] == [
        ("alice/one", True), ("bob/one", False), ("carol/one", True),
    ]  # fmt: skip
    assert entries[2]["p"] < 0.01
