"""A build after a change: the bytes of a clean one, and nothing else is written.

Pages that others' results alone would change stay: they say of which commit those are.
"""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from evaluator.site.boards.exports import badges
from evaluator.site.build import build, writing
from evaluator.site.pages import submission_pages
from evaluator.site.pages.frames import DEPTHS
from evaluator.site.pages.page import PageContent
from evaluator.site.pages.submission_pages import submission_page
from tests.records import write_records
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
MINE = "benchmarks/adding/submissions/alice/right/index.html"
THEIRS = "benchmarks/adding/submissions/bob/wrong/index.html"
CELL = "adding/alice/right/main/one"
STATED = (
    '<(span|p)[^>]* data-as-of>.*?</[sp]|<td class="other">.*?</td>| class="best"'
    '|(?<=data-form="of">)[^<]*|(?<=data-best-rank>)[^<]*|data-value="[0-9]*"(?= data-rank)'
)
"""What pages state of others' results."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo").with_bundle("small")
    made.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    made.write("site/index.md", '# Home\n\n<div data-pullbench="home"></div>\n')
    write_records(made)
    made.commit()
    return made


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages of submissions that were rendered, by their paths."""
    found: list[str] = []
    render = submission_page

    def noted(*arguments: object, **more: object) -> PageContent:
        page = render(*arguments, **more)  # type: ignore[arg-type]
        found.append(page.path)
        return page

    monkeypatch.setattr(submission_pages, "submission_page", noted)
    return found


def contents(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def times(site: Path) -> dict[str, int]:
    return {path: (site / path).stat().st_mtime_ns for path in contents(site)}


def clean(repository: Repository) -> dict[str, bytes]:
    shutil.rmtree(repository.path / "build")
    return contents(build.build_site(repository.path).folder)


def new_score(repository: Repository) -> None:
    record = repository.records()[CELL]
    scores = {key: value + 1 for key, value in record.scores.items()}
    repository.put(record.replace(scores=scores))
    repository.commit()


def new_title(repository: Repository) -> None:
    repository.write("submissions/adding/alice/right/submission.yaml", "kind: code\nname: New\n")
    repository.commit()


def no_submission(repository: Repository) -> None:
    shutil.rmtree(repository.path / "submissions/adding/bob")
    repository.commit()


def new_address(repository: Repository) -> None:
    text = (repository.path / "mkdocs.yml").read_text()
    repository.write("mkdocs.yml", f"{text}site_url: https://bench.example/\n")


def new_bundle(repository: Repository) -> None:
    repository.replace("benchmarks/adding/competition.yaml", "title: Adding", "title: Summing")
    repository.commit()


def new_text(repository: Repository) -> None:
    repository.write("site/index.md", "# Another home\n")
    repository.write("site/more.md", "# More\n")


def harm(repository: Repository) -> None:
    site = repository.path / "build/site"
    (site / MINE).unlink()
    (site / THEIRS).write_text("nonsense")
    (site / "index.html").unlink()
    (site / "stray.html").write_text("what nobody made")


def assert_as_clean(
    after: dict[str, bytes], before: dict[str, bytes], clean: dict[str, bytes], *commits: str
) -> list[str]:
    """Compare a site with a clean build of it, and return the pages of an earlier commit.

    They are as they were, and differ in what they state of others alone.
    """
    assert after.keys() == clean.keys()
    earlier = [path for path, content in after.items() if content != clean[path]]
    for path in earlier:
        assert path.startswith("people/") or "/submissions/" in path
        assert after[path] == before[path]
        assert lasting(after[path], commits) == lasting(clean[path], commits), path
    return earlier


def lasting(page: bytes, commits: Iterable[str]) -> str:
    """Return a page without what it states of others' results, and of which commit those are."""
    text = page.decode()
    for commit in commits:
        text = text.replace(commit, "").replace(commit[:12], "")
    text = re.sub(STATED, "", text)
    if " data-relative" in text or " data-overall" in text:
        values = "(<td>|data-overall=.*?>)[0-9.]+(?=</(td|dd|span)>)|, their best"
        text = re.sub(values, "", text)
    return text


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [new_score, new_title, no_submission, new_address, new_bundle, new_text, harm]
)
def test_a_build_after_a_change_is_a_clean_one(
    repository: Repository, change: Callable[[Repository], None]
) -> None:
    site = build.build_site(repository.path).folder
    before, commit = contents(site), repository.git("rev-parse", "HEAD")
    change(repository)
    build.build_site(repository.path)
    after, now = contents(site), repository.git("rev-parse", "HEAD")
    assert (before == after) == (change is harm)
    earlier = assert_as_clean(after, before, clean(repository), commit, now)
    assert bool(earlier) == (change in (new_score, new_title, no_submission))


@pytest.mark.slow
@pytest.mark.parametrize("bundle", ["small", "ranks", "staged", "growing", "transposed"])
def test_others_results_change_no_page_but_what_it_states_of_them(
    tmp_path: Path, rendered: list[str], bundle: str
) -> None:
    """Whatever a benchmark ranks by, whether it has stages, and whoever brings its data."""
    repository = Repository(tmp_path / "repo")
    repository.with_bundle("small" if bundle == "ranks" else bundle)
    repository.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    repository.write("site/index.md", "# Home\n")
    if bundle == "ranks":
        place = "benchmarks/adding/competition.yaml"
        repository.replace(place, "  extra: [token]", "  aggregate: mean_rank")
    write_records(repository)
    commit = repository.commit()
    # What others gain by their stages is against the organiser's.
    some = (one for one in repository.records().values() if one.scores and not one.extra)
    record = next(one for one in some if one.cell.participant != "organiser")
    site = build.build_site(repository.path).folder
    before = contents(site)
    rendered.clear()
    scores = {key: value * 2 + 1 for key, value in record.scores.items()}
    repository.put(record.replace(scores=scores))
    now = repository.commit()
    build.build_site(repository.path)
    mine = f"{record.cell.participant}/{record.cell.submission}"
    assert [path for path in rendered if path.endswith(f"/submissions/{mine}")] == rendered
    assert assert_as_clean(contents(site), before, clean(repository), commit, now)


def test_a_record_changes_the_pages_that_show_it(
    repository: Repository, rendered: list[str]
) -> None:
    site = build.build_site(repository.path).folder
    assert len(rendered) == len({*rendered}) > 2
    before, was = times(site), contents(site)
    rendered.clear()
    new_score(repository)
    build.build_site(repository.path)
    assert rendered == [MINE.removesuffix("/index.html")]
    after, now = times(site), contents(site)
    assert before.keys() == after.keys()
    assert {path for path in before if before[path] != after[path]} == {
        path for path in was if was[path] != now[path]
    }
    assert before[MINE] < after[MINE]
    assert before[THEIRS] == after[THEIRS]


@pytest.mark.slow
def test_nothing_is_written_where_nothing_changed(
    repository: Repository, rendered: list[str]
) -> None:
    before = times(build.build_site(repository.path).folder)
    rendered.clear()
    assert times(build.build_site(repository.path).folder) == before
    assert not rendered


@pytest.mark.slow
def test_other_programs_render_everything(
    repository: Repository, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build.build_site(repository.path)
    every = sorted(rendered)
    rendered.clear()
    for module in (build, writing):
        monkeypatch.setattr(module, "digest_of_programs", lambda: "others")
    build.build_site(repository.path)
    assert sorted(rendered) == every


def test_no_frame_is_left(repository: Repository) -> None:
    site = build.build_site(repository.path).folder
    assert not [path for path in contents(site) if "_" in path.split("/")]
    assert len(DEPTHS) > 1
    for path, content in contents(site).items():
        if path.endswith(".html"):
            assert b'data-pullbench="' not in content.replace(b'data-pullbench="board"', b""), path
            assert b"pullbench-title" not in content, path


def test_pages_of_older_submissions_to_a_benchmark_of_many_are_short(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say who, which scores and why it failed, and where the rest stands."""
    for name in ("MAX_WHOLE", "NEWEST"):
        monkeypatch.setattr(submission_pages, name, 1)
    monkeypatch.setattr(badges, "MAX_BADGES", 0)
    site = build.build_site(repository.path).folder
    names = ("alice/right", "bob/wrong")
    pages = [
        (site / f"benchmarks/adding/submissions/{name}/index.html").read_text() for name in names
    ]
    brief, whole = pages if len(pages[0]) < len(pages[1]) else reversed(pages)
    for words in ('id="provenance"', 'id="resources"'):
        assert words in whole
        assert words not in brief
    for words in ('class="pullbench scores"', "scores/main.json", "pullbench reproduce adding/"):
        assert words in brief
