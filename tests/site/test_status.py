"""The page of all that waits: a function of a commit and a clock."""

import datetime as dt
import json
import re
from dataclasses import replace

import pytest

from evaluator.ci.scores.status import unfinished
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.repository_status import Waiting, read_report
from evaluator.site.content.content import Deployment
from evaluator.site.pages import benchmark_pages, overview
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository
from tests.site.conftest import site_of


@pytest.fixture
def full(repo: Repository) -> Repository:
    """Return a repository in which nothing waits."""
    repo.with_bundle("small")
    write_records(repo)
    repo.commit("Records")
    return repo


def found(repo: Repository, now: dt.datetime | None = None) -> dict[str, Waiting]:
    return {item.submission: item for item in unfinished(repo.snapshot(), now or utc_now())}


def committed(repo: Repository) -> dt.datetime:
    return dt.datetime.fromisoformat(repo.git("log", "-1", "--format=%cI"))


def status(repo: Repository) -> str:
    _, site = site_of(repo.path)
    page = benchmark_pages.status_page(site)
    assert page.path == "status"
    return re.sub(r"\s+", " ", page.html)


def test_nothing_waits(full: Repository) -> None:
    assert found(full) == {}
    assert "Nothing waits." in status(full)
    assert "Nothing waits:" in overview.home(*site_of(full.path))


def test_what_has_no_record_is_missing_since_it_came(repo: Repository) -> None:
    repo.with_bundle("small")
    item = found(repo)["adding/alice/right"]
    assert (item.state, item.cells, item.phase) == ("missing", 2, "Main")
    assert item.since == committed(repo)
    assert (item.reason, item.actor) == ("no record yet", Actor.PLATFORM)
    page = status(repo)
    assert "3 submissions wait." in page
    assert 'href="../benchmarks/adding/submissions/alice/right/"' in page


def test_a_changed_scorer_makes_stale_since_the_change(full: Repository) -> None:
    full.replace("benchmarks/adding/scoring_program/metadata.yaml", "command: ", "command:  ")
    full.git("add", "--all")
    full.git("commit", "--quiet", "--message", "A scorer", "--date", "2030-01-01T00:00:00Z")
    change = committed(full)
    full.write("benchmarks/adding/overview.md", "# Another text\n")
    full.commit("A page makes nothing stale")
    item = found(full)["adding/alice/right"]
    assert (item.state, item.since) == ("stale", change)
    assert item.reason.startswith("scoring program changed in ")
    assert "echo" not in {name.split("/")[0] for name in found(full)}


def test_a_changed_submission_is_stale_since_it_changed(full: Repository) -> None:
    full.write("submissions/adding/alice/right/more.py", "")
    full.commit()
    item = found(full)["adding/alice/right"]
    assert (item.state, item.since) == ("stale", committed(full))
    assert item.reason.startswith("submission changed")


def test_a_platform_fault_is_tried_again(full: Repository) -> None:
    cell = cells_of(full)["adding/alice/right/main/one"]
    record = failed(record_of(cell), Actor.PLATFORM)
    full.put(record)
    full.commit()
    item = found(full)["adding/alice/right"]
    assert (item.state, item.cells, item.reason) == ("retry", 1, "platform fault: it broke")
    assert item.since == dt.datetime(2026, 1, 2, 0, 0, 1, tzinfo=dt.UTC)


def test_what_comes_after_the_end_of_its_phase_is_refused(repo: Repository) -> None:
    repo.copy_bundle("small")
    repo.replace("benchmarks/adding/competition.yaml", "start: 2020-01-01,",
                 "start: 2020-01-01, end: 2020-02-01,")  # fmt: skip
    repo.commit()
    item = found(repo)["adding/alice/right"]
    assert (item.state, item.actor) == ("refused", Actor.PARTICIPANT)
    assert "after phase 'Main' had ended" in item.reason
    assert item.since == committed(repo)
    assert item.hint in status(repo)


def test_what_waits_for_its_phase(repo: Repository) -> None:
    repo.with_bundle("small")
    item = found(repo, dt.datetime(2019, 1, 1, tzinfo=dt.UTC))["adding/alice/right"]
    assert (item.state, item.cells, item.actor) == ("waiting", 2, None)
    assert item.reason == "the phase begins on 2020-01-01 00:00 UTC"


def test_what_cannot_be_read_is_not_forgotten(full: Repository) -> None:
    full.write("submissions/adding/carol/torn/submission.yaml", "kind: <b>cod</b>\n")
    full.write("submissions/adding/carol/torn/main.py", "")
    full.commit()
    item = found(full)["adding/carol/torn"]
    assert (item.state, item.actor, item.page) == ("unreadable", Actor.PARTICIPANT, "")
    assert item.reason.startswith("kind: ")
    page = status(full)
    assert "carol/torn" in page
    assert "<b>" not in page


def test_the_same_commit_and_clock_say_the_same(repo: Repository) -> None:
    repo.with_bundle("small")
    now = utc_now()
    assert unfinished(repo.snapshot(), now) == unfinished(repo.snapshot(), now)
    later = now + dt.timedelta(days=9)
    assert unfinished(repo.snapshot(), now) == unfinished(repo.snapshot(), later)


def test_a_long_list_is_cut(full: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    item = Waiting(submission="b/p/s", phase="Main", state="missing", cells=1, since=None,
                   reason="no record yet", actor=Actor.PLATFORM)  # fmt: skip
    site = Deployment(
        forge="", commit=None, modified=False, now=utc_now(),
        waiting=[item] * (benchmark_pages.MAX_WAITING + 3),
    )  # fmt: skip
    page = benchmark_pages.status_page(site).html
    assert "3 more are left out." in page
    assert page.count("not known") == benchmark_pages.MAX_WAITING


def test_what_policies_did_is_shown_if_the_queue_is_given(full: Repository) -> None:
    _, site = site_of(full.path)
    assert "Waits for a person" not in benchmark_pages.status_page(site).html
    said = {
        "at": "2026-03-10T12:00:00Z", "stopped": "", "more": 2, "approved": 5, "merged": 4,
        "refused": 1, "waiting": 3,
        "people": [{"pull_request": 7, "since": "2026-03-09T12:00:00Z", "why": "person",
                    "actor": "organiser", "reason": "<b>first</b> entry"}],
        "budgets": [{"benchmark": "adding", "minutes": 12.5, "minutes_limit": 60.0}],
    }  # fmt: skip
    report = read_report(json.dumps(said).encode())
    page = benchmark_pages.status_page(replace(site, queue=report)).html
    assert "#7" in page
    assert "&lt;b&gt;first&lt;/b&gt; entry" in page
    assert "2 more are left out" in page
    assert "47.5" in page
    assert "What the policy did today" in page
    for wrong in ({**said, "people": said["people"] * 201}, {**said, "html": "x"}, {"at": 1}):  # type: ignore[operator]
        with pytest.raises(UsageError, match="cannot be read"):
            read_report(json.dumps(wrong).encode())
