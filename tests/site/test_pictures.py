"""Pictures of the README and of tutorials, of our own site; ``make pictures`` puts them there."""

import re
import shutil
from pathlib import Path

import markdown_it
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from evaluator.ci.steps.board_changes import compare_boards
from evaluator.ci.steps.comment import cell_line, to_markdown
from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.snapshot import load_snapshot
from tests.ci.steps.test_comment import report
from tests.repository import Repository
from tests.site.conftest import ROOT

SUITE = "benchmarks/openml-mini-suite/"
PICTURES = {
    "leaderboard": (SUITE, "no significant difference", 520),
    "compare": (
        f"{SUITE}compare/?with=dave/small-automl&with=bob/random-forest", "At a glance",
        760,
    ),
    "board": ("benchmarks/tabular-classics/", "no significant difference", 640),
    "submission": (
        "benchmarks/tabular-classics/submissions/carol/logistic-regression/", "Reproduce", 640,
    ),
}  # fmt: skip
"""Name -> its page, what has to be on the picture, and its height: nothing but what fills it."""
SHOTS = ROOT / "build/screenshots/readme"
COMMENT, COMMENT_HEIGHT = "comment", 660
BENCHMARK, ENTRY = "tabular-classics", "grace/support-vectors"
AS_A_FORGE_SHOWS_IT = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 24px; background: #fff; color: #1f2328; font: 15px/1.5 sans-serif; }
article { border: 1px solid #d1d9e0; border-radius: 6px; }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; }
div { padding: 0 16px 8px; } h3, h4 { margin: 16px 0 8px; } p { margin: 8px 0; }
table { border-collapse: collapse; font-size: 14px; }
th, td { border: 1px solid #d1d9e0; padding: 5px 13px; } tr:nth-child(even) { background: #f6f8fa; }
code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font-size: 13px; }
</style><article><header><b>github-actions</b> bot commented</header><div>%s</div></article>"""


@pytest.mark.browser
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture(browser: Browser, own_address: str, name: str) -> None:
    path, words, height = PICTURES[name]
    SHOTS.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": 1280, "height": height},
        color_scheme="light", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(own_address + path, wait_until="networkidle")
    expect(page.get_by_text(words).first).to_be_in_viewport()
    # Shaded, compared or best.
    expect(page.locator("td[class*='heat-'], td .worse, td.best").first).to_be_in_viewport()
    file = SHOTS / f"{name}.png"
    page.screenshot(path=file)
    context.close()
    with Image.open(file) as taken:
        assert taken.size == (1280, height)
        assert len(taken.convert("RGB").getcolors(maxcolors=2**20) or ()) > 50


def board_of(root: Path) -> PublicBoard:
    snapshot = load_snapshot(root)
    return publish(leaderboard(snapshot, BENCHMARK, phase=None, task=None, now=utc_now()))


@pytest.mark.browser
def test_a_picture_of_the_comment_on_a_pull_request(browser: Browser, tmp_path: Path) -> None:
    """A committed entry, as if it came last."""
    before = Repository(tmp_path / "before")
    for folder in ("benchmarks", "submissions"):
        shutil.copytree(ROOT / folder / BENCHMARK, before.path / folder / BENCHMARK)
    head = before.commit()
    before.git("rm", "-rq", f"submissions/{BENCHMARK}/{ENTRY}")
    before.commit()
    snapshot = load_snapshot(ROOT)
    records = [
        record for cell, record in snapshot.record_files.records(BENCHMARK).items()
        if f"{cell.participant}/{cell.submission}" == ENTRY
    ]  # fmt: skip
    assert records
    text = to_markdown(report(
        head=head, tree=before.git("rev-parse", f"{head}^{{tree}}"), at=utc_now(),
        state="scored", reason="All cells are finished.", next_steps=("An organiser merges it.",),
        cells=[cell_line(one, snapshot.benchmarks[BENCHMARK]) for one in records],
        boards=[compare_boards(board_of(before.path), board_of(ROOT))],
    ))  # fmt: skip
    shown = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(text)
    page = browser.new_page(viewport={"width": 1280, "height": COMMENT_HEIGHT})
    page.set_content(AS_A_FORGE_SHOWS_IT % shown)
    expect(page.get_by_role("row").filter(has_text="new")).to_be_in_viewport()
    expect(page.get_by_text("enters at rank 2 of 7")).to_be_in_viewport()
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{COMMENT}.png")
    page.close()


def test_pages_show_these_and_no_other() -> None:
    pages = [ROOT / "README.md", *(ROOT / "site").glob("*/*.md")]
    shown = {
        name for page in pages
        for name in re.findall(r"!\[[^\]]+\]\([^)]*assets/(\w+)\.png\)", page.read_text())
    }  # fmt: skip
    heights = {name: height for name, (_, _, height) in PICTURES.items()}
    heights[COMMENT] = COMMENT_HEIGHT
    assert shown == {*heights}
    assert {file.stem for file in (ROOT / "site/assets").iterdir()} == shown
    for name, height in heights.items():
        with Image.open(ROOT / f"site/assets/{name}.png") as picture:
            assert picture.size == (1280, height)
