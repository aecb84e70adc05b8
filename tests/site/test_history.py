"""Boards as they were: real commits on chosen days, tags, removed and rescored submissions."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from evaluator.core.formats.record import Earlier
from evaluator.core.git.tree import open_repository
from evaluator.site.build import build
from evaluator.site.content import history
from evaluator.site.content.history import moments
from evaluator.site.content.past_boards import History
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import HOSTILE, ROOT, serving, site_of
from tests.site.test_accessibility import violations
from tests.site.test_people import text

EVIL_TAG = '"><img/src=x/onerror=document.title=1>'
ADDING = "benchmarks/adding/history"


def evaluate(repo: Repository, *scores: tuple[str, float], again: bool = False) -> None:
    """Write records of whole submissions, by the beginning of their ids."""
    known = {str(item.cell.id): item.cell for item in repo.plan().missing}
    for start, score in scores:
        for name, cell in known.items():
            if name.startswith(f"adding/{start}/"):
                record = record_of(cell, scores=dict.fromkeys(("right", "distance"), score))
                repo.put(record)
    if again:
        for name, record in repo.records().items():
            if not name.startswith("adding/bob/wrong/"):
                continue
            earlier = Earlier(score_key="1" * 64, scores=record.scores, finished="2026-01-01T00:00")
            changed = {"scores": dict.fromkeys(record.scores, 0.9), "earlier": [earlier]}
            repo.put(record.replace(**changed))


@contextmanager
def dated_commits() -> Iterator[Callable[[str], None]]:
    """Yield what sets the time of the commits that follow."""
    with pytest.MonkeyPatch.context() as patch:

        def dates(when: str) -> None:
            for role in ("AUTHOR", "COMMITTER"):
                patch.setenv(f"GIT_{role}_DATE", when)

        yield dates


def told(path: Path, dates: Callable[[str], None]) -> Repository:
    """Make a repository with a history of five days."""
    repo = Repository(path)
    repo.copy_bundle("small")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    dates("2026-03-01T10:00:00+00:00")
    repo.commit("Begin")
    evaluate(repo, ("alice/right", 0.5), ("bob/wrong", 0.25))
    repo.commit("Records")
    repo.git("tag", "v1.0")
    dates("2026-03-02T09:00:00+00:00")
    entry = "submissions/adding/mallory/hostile"
    repo.write(f"{entry}/main.py", "")
    repo.write(f"{entry}/submission.yaml", f"kind: code\nname: {HOSTILE[:90]!r}\n")
    evaluate(repo, ("mallory/hostile", 0.75))
    repo.commit("Mallory")
    repo.git("tag", EVIL_TAG)
    dates("2026-03-02T15:00:00+00:00")
    repo.write("README.md", "Nothing of a benchmark")
    repo.commit("Words")
    dates("2026-03-03T10:00:00+00:00")
    repo.write("README.md", "Nothing of a benchmark again")
    repo.commit("More words")
    dates("2026-03-04T10:00:00+00:00")
    evaluate(repo, again=True)
    repo.commit("Scored again")
    dates("2026-03-05T10:00:00+00:00")
    shutil.rmtree(repo.path / entry)
    repo.commit("Mallory leaves")
    repo.git("tag", "2026-03-02")
    return repo


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    with dated_commits() as dates:
        yield told(tmp_path_factory.mktemp("history") / "repo", dates)


@pytest.fixture(scope="module")
def site(repo: Repository) -> Path:
    return build.build_site(repo.path).folder


def history_of(root: Path, name: str = "adding") -> History:
    contents, _ = site_of(root)
    return next(item.history for item in contents if item.benchmark.name == name)


def ranks(found: History) -> list[list[tuple[str, int | None, int | None, bool]]]:
    return [
        [(line.row["participant"], line.row["rank"], line.moved, line.new) for line in one.rows]
        for one in found.boards
    ]


def test_points_are_tags_and_the_ends_of_days_of_change(repo: Repository) -> None:
    head = repo.git("rev-parse", "HEAD")
    found = moments(open_repository(repo.path), head, ["adding", "echo"])
    assert [one.folders for one in found["adding"]] == [
        ("2026-03-01", "v1.0"),
        ("2026-03-02", f"tag-{repo.git('rev-parse', EVIL_TAG)[:12]}"),
        ("2026-03-04",),
        ("2026-03-05", f"tag-{head[:12]}"),
    ]
    assert [one.tags for one in found["adding"]] == [("v1.0",), (EVIL_TAG,), (), ("2026-03-02",)]
    # Nothing of the other benchmark changed after its first day.
    assert [one.folders[0] for one in found["echo"]] == ["2026-03-01"]


def test_each_board_is_that_of_its_commit_with_moves(repo: Repository) -> None:
    found = history_of(repo.path)
    assert ranks(found)[::-1] == [
        [("alice", 1, None, False), ("bob", 2, None, False)],
        [("mallory", 1, None, True), ("alice", 2, -1, False), ("bob", 3, -1, False)],
        [("bob", 1, 2, False), ("mallory", 2, -1, False), ("alice", 3, -1, False)],
        [("bob", 1, 0, False), ("alice", 2, 1, False)],
    ]
    assert [row["participant"] for row in found.boards[0].gone] == ["mallory"]
    for former in found.boards:
        done = repo.pullbench("leaderboard", "adding", "--at", former.point.commit,
                              "--format", "json")  # fmt: skip
        there = json.loads(done.stdout)
        assert former.data is not None
        assert [(row["rank"], row["overall"]) for row in there["rows"]] == [
            (row["rank"], row["overall"]) for row in former.data["rows"]
        ]


def cached(repo: Repository) -> list[Path]:
    return [*(repo.path / "build/cache/site/computed").iterdir()]


def test_what_was_computed_is_not_computed_again(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ranks(history_of(repo.path))
    assert len(cached(repo)) == 4 + 1 + 1 + 3, "boards, what submissions say, lines of three phases"
    monkeypatch.setattr(history, "_boards_at", lambda *_: pytest.fail("computed again"))
    assert ranks(history_of(repo.path)) == before


def test_a_kept_file_that_is_broken_is_made_again(repo: Repository) -> None:
    before = ranks(history_of(repo.path))
    for file in cached(repo):
        file.write_text("{")
    assert ranks(history_of(repo.path)) == before


def test_the_pages_and_files(site: Path, repo: Repository) -> None:
    evil = f"tag-{repo.git('rev-parse', EVIL_TAG)[:12]}"
    names = {path.name for path in (site / ADDING).iterdir() if path.is_dir()}
    assert names == {
        "2026-03-01", "v1.0", "2026-03-02", evil, "2026-03-04", "2026-03-05",
        f"tag-{repo.git('rev-parse', 'HEAD')[:12]}",
    }  # fmt: skip
    page = (site / ADDING / "2026-03-05/index.html").read_text()
    assert "No longer listed since then" in page
    assert "gone since" in page
    assert "/submissions/mallory/" not in page
    assert (site / ADDING / "v1.0/board.json").read_bytes() == (
        site / ADDING / "2026-03-01/board.json"
    ).read_bytes()
    rows = json.loads((site / ADDING / "2026-03-04/board.json").read_bytes())["rows"]
    assert [row["participant"] for row in rows] == ["bob", "mallory", "alice"]
    page_of_points = (site / ADDING / "index.html").read_text()
    listed = text((site / ADDING / "index.html").read_text())
    (line,) = re.findall(r'<tr><th[^>]*><a href="2026-03-02/.*?</tr>', page_of_points, re.DOTALL)
    assert "<bdi>mallory</bdi>" in line.partition("reason")[2].partition("reason")[2]
    assert listed.index("2026-03-05") < listed.index("2026-03-01")
    for file in (site / ADDING).rglob("*.html"):
        assert "<img" not in re.sub(r"<img[^>]*(logo|alt=)[^>]*>", "", file.read_text())
        assert EVIL_TAG not in file.read_text()


def test_changes_that_are_not_committed_are_on_no_former_board(
    repo: Repository, tmp_path: Path
) -> None:
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "copy"))
    shutil.rmtree(tmp_path / "copy/submissions/adding/bob")
    found = history_of(tmp_path / "copy")
    assert ranks(found)[0] == [("bob", 1, 0, False), ("alice", 2, 1, False)]


@pytest.mark.slow
def test_a_shallow_clone_has_what_it_has_and_says_so(repo: Repository, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "2", repo.path.as_uri(), str(tmp_path / "clone")],
        check=True,
    )
    found = history_of(tmp_path / "clone")
    assert found.shallow
    assert [one.point.folders[0] for one in found.boards] == ["2026-03-05", "2026-03-04"]
    page = (build.build_site(tmp_path / "clone").folder / ADDING / "index.html").read_text()
    assert "shallow clone" in page


def test_a_repository_without_commits_has_no_history(tmp_path: Path) -> None:
    fresh = Repository(tmp_path / "fresh")
    fresh.copy_bundle("small")
    assert history_of(fresh.path).boards == ()


def test_what_is_hidden_today_is_hidden_in_former_boards(repo: Repository, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", str(repo.path), str(copy)], check=True)
    file = copy / "benchmarks/adding/competition.yaml"
    content = file.read_text()
    hidden = content.replace("key: distance,", "key: distance, hidden: true,")
    hidden = hidden.replace("key: distance\n", "key: distance\n        hidden: true\n")
    assert hidden != content
    file.write_text(hidden)
    for former in history_of(copy).boards:
        assert former.data is not None
        assert [column["key"] for column in former.data["columns"]] == ["right"]
        assert "distance" not in json.dumps(former.data["rows"])
    file.write_text(content.replace("    key: results\n", "    key: results\n    hidden: true\n"))
    assert history_of(copy).boards == ()


def test_a_commit_that_cannot_be_read_is_said_to_be_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Repository(tmp_path / "broken")
    broken.copy_bundle("small")
    good = (broken.path / "benchmarks/adding/competition.yaml").read_text()
    broken.write("benchmarks/adding/competition.yaml", "version: [")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-01T10:00:00+00:00")
    broken.commit()
    broken.write("benchmarks/adding/competition.yaml", good)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-02T10:00:00+00:00")
    broken.commit()
    found = history_of(broken.path)
    assert [one.data is None for one in found.boards] == [False, True]


def test_a_commit_before_scores_files_has_no_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its scores stood in one file per cell; a board without them would be false."""
    older = Repository(tmp_path / "older")
    older.copy_bundle("small")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-01T10:00:00+00:00")
    file = "submissions/adding/alice/right/scores/main/one.json"
    older.write(file, '{"version": 1}')
    commit = older.commit()
    (older.path / file).unlink()
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-02T10:00:00+00:00")
    older.commit()
    assert [one.data is None for one in history_of(older.path).boards] == [False, True]
    done = older.pullbench("leaderboard", "adding", "--at", commit)
    assert done.returncode == 2
    assert f"this version cannot read {file}" in done.stderr


def test_large_boards_have_few_points(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_CELLS", 1)
    found = history_of(repo.path)
    assert len(found.boards) == history.MIN_POINTS
    assert found.omitted == 1


def test_many_days_cost_little(tmp_path: Path) -> None:
    """Days on which nothing of a benchmark changed are told apart by git's ids alone."""
    many = Repository(tmp_path / "many")
    many.copy_bundle("small")
    many.commit()
    tree = many.git("rev-parse", "HEAD^{tree}")
    parent = many.git("rev-parse", "HEAD")
    stream = "".join(
        f"commit refs/heads/main\ncommitter T <t@localhost> {1_700_000_000 + 86_400 * day} +0000\n"
        f'data 1\nx\n{f"from {parent}" + chr(10) if day == 0 else ""}M 040000 {tree} ""\n\n'
        for day in range(1500)
    )
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"], cwd=many.path, input=stream, text=True,
        check=True, env=dict(os.environ),
    )  # fmt: skip
    head = many.git("rev-parse", "HEAD")
    found = moments(open_repository(many.path), head, ["adding", "echo"])
    assert [len(one) for one in found.values()] == [1, 1]


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_from_the_board_to_a_former_one(browser: Browser, site: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    with serving(site) as address:
        page.goto(address + "benchmarks/adding/")
        page.get_by_role("link", name="History", exact=True).click()
        expect(page.get_by_role("heading", name="History of Adding")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_role("link", name="2026-03-04").click()
        board = page.get_by_role("region", name="Board of 2026-03-04")
        expect(board.get_by_role("row").nth(1)).to_contain_text("▲ 2")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.title().startswith("Adding, 2026-03-04")
        # Colours are the theme's; test_accessibility has them.
        assert [one for one in violations(page) if not one.startswith("color-contrast")] == []
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_what_changed_between_two_dates(browser: Browser, site: Path, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    with serving(site) as address:
        page.goto(address)
        page.locator("article").get_by_role("link", name="Adding", exact=True).first.click()
        page.get_by_role("link", name="History", exact=True).click()
        page.locator("[name=from]").select_option("2026-03-01")
        expect(page.get_by_role("status")).to_have_text(
            "0 new, 0 no longer listed, 2 with another rank, 1 with other values; 0 as before."
        )
        rows = page.get_by_role("region", name="What changed").locator("tbody tr")
        expect(rows).to_have_count(2)
        expect(rows.nth(0)).to_contain_text("2 → 1▲ 1")
        expect(rows.nth(0)).to_contain_text("0.25 → 0.90")
        expect(rows.nth(1)).to_contain_text("1 → 2▼ 1")
        expect(page).to_have_url(re.compile(r"\?from=2026-03-01&to=2026-03-05$"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [one for one in violations(page) if not one.startswith("color-contrast")] == []
        # A tag, and a day without a point of its own: the last before it.
        page.goto(f"{address}{ADDING}/?from=v1.0&to=2026-03-03")
        expect(page.get_by_role("status")).to_contain_text("1 new, 0 no longer listed, 2 with")
        expect(page.get_by_role("region", name="What changed")).to_contain_text("new")
        page.goto(f"{address}{ADDING}/?from=2026-03-04&to=2026-03-05")
        expect(page.get_by_role("region", name="What changed")).to_contain_text("no longer listed")
        page.locator("[name=from]").select_option("2026-03-05")
        expect(page.get_by_role("status")).to_have_text("Nothing changed.")
        page.go_back()
        expect(page.get_by_role("status")).to_contain_text("1 no longer listed")
        page.route("**/board.json", lambda route: route.fulfill(status=404))
        page.locator("[name=to]").select_option("2026-03-04")
        expect(page.get_by_role("status")).to_contain_text("cannot be read (404)")
    page.context.close()


def two_phases(path: Path, dates: Callable[[str], None]) -> Repository:
    """Make a repository whose second phase begins on the second day."""
    repo = Repository(path)
    repo.copy_bundle("small")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    file = "benchmarks/adding/competition.yaml"
    content = (repo.path / file).read_text()
    (first,) = re.findall(r"(?m)^  - \{index: 0, name: Main, .*\n", content)
    second = first.replace("index: 0, name: Main", "index: 1, name: Final <b>round</b>")
    second = second.replace("2020-01-01", "2026-03-02")
    ended = first.replace("2020-01-01", "2020-01-01, end: 2026-03-02")
    repo.write(file, content.replace(first, f"{ended}{second}"))
    for entry in ("alice/right", "bob/wrong"):
        repo.write(f"submissions/adding/{entry}/submission.yaml", "kind: code\nphase: main\n")
    dates("2026-03-01T10:00:00+00:00")
    evaluate(repo, ("alice/right", 0.5), ("bob/wrong", 0.25))
    repo.commit("Begin")
    dates("2026-03-02T10:00:00+00:00")
    for name, score in (("carol", 0.5), ("dave", 0.75)):
        entry = f"submissions/adding/{name}/late"
        repo.write(f"{entry}/main.py", "")
        repo.write(f"{entry}/submission.yaml", "kind: code\nphase: final-b-round-b\n")
        evaluate(repo, (f"{name}/late", score))
    repo.commit("Two in the final")
    repo.git("tag", "final")
    dates("2026-03-03T10:00:00+00:00")
    evaluate(repo, again=True)
    repo.commit("One of the first phase is scored again")
    return repo


@pytest.fixture(scope="module")
def phased(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    with dated_commits() as dates:
        yield two_phases(tmp_path_factory.mktemp("phased") / "repo", dates)


def test_every_phase_that_had_begun_stands_at_a_point(phased: Repository) -> None:
    formers = history_of(phased.path).boards
    found = [
        [
            (
                one.data["phase"],
                [("{participant}/{submission}".format(**row), moved) for row, moved, _ in one.rows],
            )
            for one in (former, *former.others)
            if one.data
        ]
        for former in formers
    ]
    final = "final-b-round-b"
    assert found[::-1] == [
        [("main", [("alice/right", None), ("bob/wrong", None)])],
        [
            (final, [("dave/late", None), ("carol/late", None)]),
            ("main", [("alice/right", 0), ("bob/wrong", 0)]),
        ],
        [
            (final, [("dave/late", 0), ("carol/late", 0)]),
            ("main", [("bob/wrong", 1), ("alice/right", -1)]),
        ],
    ]
    for former in formers:
        for one in (former, *former.others):
            assert one.data is not None
            done = phased.pullbench("leaderboard", "adding", "--at", former.point.commit,
                                    "--phase", one.data["phase"], "--format", "json")  # fmt: skip
            rows = json.loads(done.stdout)["rows"]
            assert [(row["rank"], row["overall"]) for row in rows] == [
                (row["rank"], row["overall"]) for row in one.data["rows"]
            ]


def test_benchmarks_of_many_phases_have_few_points(
    phased: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MIN_POINTS", 1)
    monkeypatch.setattr(history, "MAX_BOARDS", 4)
    found = history_of(phased.path)
    assert (len(found.boards), found.omitted) == (2, 1)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_slider_moves_the_rows_to_their_former_places(
    browser: Browser, site: Path, motion: Literal["no-preference", "reduce"]
) -> None:
    page = browser.new_context(reduced_motion=motion).new_page()
    with serving(site) as address:
        page.goto(f"{address}{ADDING}/")
        rows = page.get_by_role("list", name="Board at that moment").get_by_role("listitem")
        board = json.loads((site / ADDING / "2026-03-05/board.json").read_text())
        titles = [row["title"] for row in board["rows"] if row["rank"]]
        expect(rows).to_contain_text(titles)
        slider = page.get_by_role("slider", name="Moment")
        slider.press("Home")
        expect(page.locator("[data-came]")).to_be_empty()
        slider.press("ArrowRight")
        expect(page.locator("[data-came]")).to_contain_text("New: ")
        slider.press("Home")
        first = json.loads((site / ADDING / "2026-03-01/board.json").read_text())
        former = [row["title"] for row in first["rows"] if row["rank"]]
        assert former != titles
        expect(rows).to_contain_text(former)
        assert "2026-03-01" in (slider.get_attribute("aria-valuetext") or "")
        slider.press("End")
        expect(rows).to_contain_text(titles)
    page.context.close()


@pytest.mark.browser
def test_from_one_phase_of_a_day_to_another(browser: Browser, phased: Repository) -> None:
    site = build.build_site(phased.path).folder
    below = "phases/main"
    assert (site / ADDING / "final" / below / "board.json").read_bytes() == (
        site / ADDING / "2026-03-02" / below / "board.json"
    ).read_bytes()
    assert not (site / ADDING / "2026-03-01/phases").exists()
    context = browser.new_context(viewport={"width": 320, "height": 800})
    page = context.new_page()
    with serving(site) as address:
        page.goto(f"{address}{ADDING}/")
        page.locator("[name=phase]").select_option("main")
        expect(page.get_by_role("region", name="What changed")).to_contain_text("2 → 1")
        page.locator("[name=from]").select_option("2026-03-01")
        page.locator("[name=phase]").select_option("final-b-round-b")
        expect(page.get_by_role("status")).to_contain_text("had not begun on 2026-03-01")
        page.get_by_role("row", name="2026-03-03").get_by_role("link", name="Main").click()
        board = page.get_by_role("region", name="Board of 2026-03-03")
        expect(board.get_by_role("row").nth(1)).to_contain_text("▲ 1")
        expect(page.get_by_text("Phases that had begun: Final")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert [one for one in violations(page) if not one.startswith("color-contrast")] == []
        page.get_by_role("link", name="Final <b>round</b>").click()
        expect(board.get_by_role("row").nth(1)).to_contain_text("dave")
        page.get_by_text("Phases that had begun").get_by_role("link", name="Main").click()
        plain = browser.new_context(
            viewport={"width": 320, "height": 800}, java_script_enabled=False
        ).new_page()
        plain.goto(page.url)
        assert plain.evaluate("document.documentElement.scrollWidth") <= 320
        plain.context.close()
        board.get_by_role("link").first.click()
        expect(page).to_have_url(re.compile("/submissions/bob/wrong/$"))
        page.go_back()
        page.get_by_role("link", name="All points in time").click()
        expect(page.get_by_role("heading", name="History of Adding")).to_be_visible()
    context.close()
