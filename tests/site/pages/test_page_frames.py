"""What stands around a page does not grow with the number of benchmarks."""

import re
import shutil
from pathlib import Path

import pytest

from evaluator.site.build import build
from evaluator.site.pages.overview import MAX_OPEN
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
MAX_FRAME, MAX_SLIM = 25_000, 5600
_ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)


def frame_of(page: Path) -> str:
    text = page.read_text()
    assert len(_ARTICLE.findall(text)) == 1
    return _ARTICLE.sub("", text)


@pytest.mark.slow
def test_a_frame_is_small_and_the_same_beside_many_benchmarks(small: Repository) -> None:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path)
    small.commit()
    paths = (
        "benchmarks/adding", "benchmarks/adding/tasks", "benchmarks/adding/submissions/alice/right",
        "people/alice", "status",
    )  # fmt: skip

    def frames() -> dict[str, str]:
        folder = build.build_site(small.path).folder
        return {path: frame_of(folder / path / "index.html") for path in paths}

    few = frames()
    assert max(len(frame.encode()) for frame in few.values()) <= MAX_FRAME
    names = [f"echo-{number}" for number in range(MAX_OPEN)]
    for name in names:
        shutil.copytree(small.path / "benchmarks/echo", small.path / "benchmarks" / name)
    small.commit()
    assert frames() == few

    site = small.path / "build/site"
    listed = (site / "benchmarks/index.html").read_text()
    for name in ("adding", "echo", *names):
        assert f'href="../benchmarks/{name}/"' in listed
    home = (site / "index.html").read_text()
    assert home.count('aria-label="Submit to ') == MAX_OPEN
    assert f"All {MAX_OPEN + 2} benchmarks" in home


def test_the_list_of_benchmarks_is_marked_where_a_benchmark_is_open(site: Path) -> None:
    marked = re.compile(r'<a href="([^"]*)" aria-current="(?:page|true)">(?:Bench|People|Docs)')
    assert marked.findall((site / "benchmarks/adding/index.html").read_text()) == ["../"]
    assert marked.findall((site / "benchmarks/index.html").read_text()) == ["./"]
    assert marked.findall((site / "people/index.html").read_text()) == ["./"]
    assert marked.findall((site / "readers/index.html").read_text()) == ["../docs/"]


def test_a_page_of_a_submission_needs_no_script_of_the_theme(site: Path) -> None:
    """Of which there may be thousands: around it is no menu, no search and nothing inline."""
    for path in ("benchmarks/adding/submissions/alice/right", "people/alice"):
        frame = frame_of(site / path / "index.html")
        assert len(frame.encode()) <= MAX_SLIM
        assert "bundle." not in frame
        assert "<script>" not in frame
        assert not re.search(r"sha256-|__md_|md-(?:toggle|overlay|top|dialog)", frame)
        assert all(f">{name}</a>" in frame for name in ("Benchmarks", "People", "Docs"))
