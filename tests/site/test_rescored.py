"""No score changes silently: what it was stands on the board, the submission and in the data."""

import json
import re
from pathlib import Path

BOARD = "benchmarks/adding"


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_the_board_says_it_and_shows_both(site: Path) -> None:
    page = (site / BOARD / "index.html").read_text()
    said = "2 submissions were scored again since the benchmark changed on 2026-01-02 00:00 UTC"
    assert said in plain(page)
    section = plain(page[page.index('<h2 id="before">') :].partition("</table>")[0])
    # Over two tasks of which one changed: the mean of 0.125 and 0.75, and 0.75 now.
    assert "right alice 0.44 0.75 " in section
    assert re.search(r"right alice .* 2 2 \W", section)  # it did not move
    assert "mallory 1.35 0.95 " in section
    assert "bob" not in section


def test_the_page_of_a_submission_has_every_version(site: Path) -> None:
    page = plain((site / BOARD / "submissions/alice/right/index.html").read_text())
    rows = page[page.index("Scored again") :]
    assert "2025-12-02 00:00 UTC 222222222222 0.06 1.00" in rows
    assert "2025-12-01 00:00 UTC 111111111111 0.12 2.00" in rows
    assert "2026-01-02 00:00 UTC now" in rows
    other = (site / BOARD / "submissions/bob/wrong/index.html").read_text()
    assert "scored again" not in other.lower()


def test_programs_read_it_too(site: Path) -> None:
    data = json.loads((site / "api/v1/adding/main.json").read_text())
    row = next(row for row in data["rows"] if row["participant"] == "alice")
    assert [item["scores"] for item in row["tasks"]["one"]["earlier"]] == [
        {"right": 0.0625, "distance": 1.0},
        {"right": 0.125, "distance": 2.0},
    ]
    assert row["tasks"]["two"]["earlier"] == []


def test_a_board_that_did_not_change_says_nothing(site: Path) -> None:
    assert "Before the change" not in (site / "benchmarks/echo/index.html").read_text()
