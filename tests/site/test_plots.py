"""The figures of the analysis, with and without JavaScript, in a real browser."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.core.formats.record import Step
from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import HOSTILE, ROOT, serving
from tests.site.test_browser import is_complaint

pytestmark = pytest.mark.browser
PLOTS = "benchmarks/adding/analysis/"
FILES = "benchmarks/adding/plots/"
PRICES = '[tool.pullbench]\ncurrency = "EUR"\n[tool.pullbench.price_per_hour]\ndefault = 3.6\n'
POINTS = {"carol/fast": (0.5, 1.0), "carol/slow": (0.9, 100.0), "dave/worse": (0.4, 50.0)}


@pytest.fixture(scope="module")
def plotted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with priced machines, five submissions and a name that would run if it could."""
    repo = Repository(tmp_path_factory.mktemp("plots") / "repo").with_bundle("small")
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repo.path / path)
    repo.write("pyproject.toml", PRICES)
    for name in POINTS:
        title = repr(HOSTILE[:90]) if name == "dave/worse" else name.split("/")[1]
        repo.write(f"submissions/adding/{name}/submission.yaml", f"kind: code\nname: {title}\n")
        repo.write(f"submissions/adding/{name}/main.py", f"# {name}")
    repo.commit("Entries")
    for item in repo.plan().missing:
        cell = item.cell.id
        score, seconds = POINTS.get(f"{cell.participant}/{cell.submission}", (0.2, 400.0))
        keys = item.cell.benchmark.leaderboard.score_keys
        step = Step(step="ingestion", wall_seconds=seconds, peak_memory=int(seconds * 2**20))
        record = record_of(item.cell, scores=dict.fromkeys(keys, score))
        repo.put(record.replace(steps=[step]))
    repo.commit("Records")
    return build.build_site(repo.path).folder


@pytest.fixture(scope="module")
def root(plotted: Path) -> Iterator[str]:
    with serving(plotted) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    complaints: list[str] = []
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda m: complaints.append(m.text) if is_complaint(m) else None)
    yield made
    assert complaints == []
    context.close()


def go(page: Page, root: str, query: str = "") -> None:
    page.set_viewport_size({"width": 1000, "height": 800})  # one column, wide figures
    page.goto(f"{root}{PLOTS}{query}", wait_until="networkidle")
    expect(page.get_by_label("Highlight a submission or a participant")).to_be_visible()


def test_files_have_what_the_pictures_show(plotted: Path) -> None:
    folder = plotted / FILES
    page = (plotted / PLOTS / "index.html").read_text()
    for name in ("score-over-time", "score-against-time", "score-against-memory",
                 "score-against-cost", "scores-per-task", "ranks-across-tasks"):  # fmt: skip
        assert f'id="{name}-title"' in page
        for ending in ("csv", "json", "svg"):
            assert f'href="../plots/{name}.{ending}"' in page
            assert (folder / f"{name}.{ending}").stat().st_size > 0
    data = json.loads((folder / "score-against-cost.json").read_text())
    rows = {row[1]: dict(zip(data["columns"], row, strict=True)) for row in data["rows"]}
    assert rows["slow"]["cost_eur"] == pytest.approx(0.1)
    assert (rows["fast"]["on_front"], rows["worse"]["on_front"]) == (True, False)
    content = page.split('<article class="md-content__inner', 1)[1].split("</article>")[0]
    assert not re.search(r"<[^>]* (style|on[a-z]+)=|<style|<script>", content)
    for former in ("plots", "confidence"):
        moved = (plotted / f"benchmarks/adding/{former}/index.html").read_text()
        assert 'href="../analysis/"' in moved


def test_a_mark_says_whose_it_is_by_keyboard_and_leads_there(page: Page, root: str) -> None:
    go(page, root)
    svg = page.locator('[data-plot="score-against-time"] svg.wide')
    stops = svg.locator('.marks > [tabindex="0"]')
    expect(stops).to_have_count(1)
    # One stop of the Tab key: after the table before it, and before its own data.
    page.get_by_role("region", name="Who beats whom").get_by_role("link").last.focus()
    page.keyboard.press("Tab")
    tip = page.locator(".plot-tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("fast")
    expect(tip).to_contain_text("1 s")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("slow")
    expect(stops).to_have_count(1)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("slow, ")
    page.keyboard.press("Home")
    expect(tip).to_contain_text("fast")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{root}benchmarks/adding/submissions/carol/fast/")


def test_arrow_keys_follow_the_rows_of_a_map(page: Page, root: str) -> None:
    go(page, root)
    marks = page.locator('[data-plot="ranks-across-tasks"] .wide .marks > *')
    marks.first.focus()
    tip = page.locator(".plot-tip")
    expect(tip).to_contain_text("slow")
    page.keyboard.press("ArrowDown")
    expect(tip).to_contain_text("fast")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("fast")
    page.keyboard.press("ArrowUp")
    expect(tip).to_contain_text("slow")


@pytest.mark.parametrize(("square", "other"), [(0, "grace/support-vectors"), (5, None)])
def test_a_square_of_the_map_opens_its_samples(
    page: Page, own_address: str, square: int, other: str | None
) -> None:
    """Beside those of the first; of the first beside those of the second."""
    page.set_viewport_size({"width": 1000, "height": 800})  # one column, wide figures
    page.goto(f"{own_address}benchmarks/tabular-classics/analysis/")
    marks = page.locator('[data-plot="ranks-across-tasks"] .wide .marks > *')
    marks.nth(square).focus()
    page.keyboard.press("Enter")
    pair = [other or "carol/logistic-regression", "carol/logistic-regression"]
    if other is None:
        pair[1] = "grace/support-vectors"
    expect(page).to_have_url(
        re.compile("&".join(f"with={one.replace('/', '%2F')}" for one in pair))
    )
    task = "Wine" if square else "Iris"
    expect(page.get_by_role("heading", name=f"Sample by sample: {task}")).to_be_in_viewport()


def test_pointing_shows_and_a_click_leads_there(page: Page, root: str) -> None:
    go(page, root)
    svg = page.locator('[data-plot="score-over-time"] svg.wide')
    mark = svg.locator(".marks.best > *").first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2)
    expect(page.locator(".plot-tip")).to_contain_text("slow")
    page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2)
    expect(page).to_have_url(f"{root}benchmarks/adding/submissions/carol/slow/")


def test_a_search_lights_a_submission_in_all_plots_and_stands_in_the_address(
    page: Page, root: str
) -> None:
    go(page, root)
    field = page.get_by_label("Highlight a submission or a participant")
    field.fill("carol/fast")
    expect(page).to_have_url(f"{root}{PLOTS}?highlight=carol%2Ffast")
    expect(page.locator('[data-plot="score-against-time"] .wide .lit')).to_have_count(1)
    expect(page.locator(".plot-search output")).to_contain_text("1 match, in ")
    field.fill("carol")
    expect(page.locator('[data-plot="score-against-time"] .wide .lit')).to_have_count(2)
    field.fill("")
    expect(page).to_have_url(f"{root}{PLOTS}")
    expect(page.locator(".lit")).to_have_count(0)
    go(page, root, "?highlight=dave%2Fworse")
    expect(page.locator('[data-plot="score-against-cost"] .wide .lit')).to_have_count(1)
    assert field.input_value() == "dave/worse"


def test_hostile_names_are_text(page: Page, root: str) -> None:
    go(page, root, f"?highlight={quote(HOSTILE[:40])}")
    lit = page.locator('[data-plot="score-against-time"] .wide .lit')
    expect(lit).to_have_count(1)
    lit.focus()
    expect(page.locator(".plot-tip strong")).to_have_text(HOSTILE[:90].strip())
    assert page.locator(".plot-tip img").count() == 0
    assert page.locator("figure.plot img, figure.plot script").count() == 0
    assert page.title() != "owned"


def test_without_javascript_there_are_pictures_tables_and_files(
    browser: Browser, root: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{root}{PLOTS}")
    figure = page.locator('[data-plot="score-over-time"]')
    picture = figure.get_by_role("img")
    expect(picture).to_be_visible()
    assert figure.locator("svg title").first.inner_html().endswith("over time")
    assert page.locator(".plot-search").is_hidden()
    figure.locator("~ details summary").first.click()
    table = page.get_by_role("region", name="Data of Score over time")
    expect(table.get_by_role("link", name="slow")).to_be_visible()
    context.close()


def test_a_phone_has_figures_that_fit_it(browser: Browser, root: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    page.goto(f"{root}{PLOTS}", wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    field = page.locator(".plot-field").first
    widths = field.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert widths[0] == widths[1] < 320
    expect(field.locator("svg.narrow")).to_be_visible()
    expect(field.locator("svg.wide")).to_be_hidden()
    context.close()


def test_without_results_there_is_no_page(plotted: Path, sealed_site: Path) -> None:
    assert not (sealed_site / FILES).exists()
    assert all('plots/"' not in page.read_text() for page in sealed_site.rglob("adding/*.html"))
    assert "data-plot" not in (sealed_site / PLOTS / "index.html").read_text()
    assert (plotted / FILES).exists()


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const back = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll("svg.wide .marks:not(.ranks)")].map((group) => {
    const style = getComputedStyle(group);
    const own = light(group.classList.contains("other") ? style.stroke : style.fill);
    return (Math.max(own, back) + 0.05) / (Math.min(own, back) + 0.05);
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_stand_out_in_both_palettes(browser: Browser, root: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{root}{PLOTS}", wait_until="networkidle")
    page.locator("article").first.screenshot(path=ROOT / f"build/screenshots/plots-{scheme}.png")
    found = page.evaluate(CONTRAST)
    context.close()
    assert len(found) > 5
    assert min(found) > 3


LAID_OUT = """() => {
  const width = document.documentElement.clientWidth;
  const shown = [...document.querySelectorAll(".plot-field svg")]
    .filter((svg) => svg.getBoundingClientRect().width);
  const within = (box) => box.left >= 0 && box.right <= width + 1;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const faults = [];
  for (const svg of shown) {
    const texts = [...svg.querySelectorAll("text:not(.marks text, [transform])")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const marks = [...svg.querySelectorAll(".marks:not(.ranks) > *")]
      .map((mark) => mark.getBoundingClientRect());
    [...boxes, ...marks].filter((box) => !within(box)).forEach(() => faults.push("outside"));
    texts.forEach((text, index) => {
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      const box = boxes[index];
      const name = text.textContent;
      if (parseFloat(getComputedStyle(text).fontSize) * scale < 12) faults.push(`small: ${name}`);
      if (boxes.slice(index + 1).some((other) => meet(box, other))) faults.push(`meets: ${name}`);
      const isOver = text.matches(".name") && marks.some((one) => meet(box, one));
      if (isOver) faults.push(`over: ${name}`);
    });
  }
  return [shown.length, faults];
}"""


@pytest.mark.parametrize("width", [375, 1280])
def test_names_are_readable_and_marks_are_on_the_screen(
    browser: Browser, root: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{root}{PLOTS}", wait_until="networkidle")
    shown, faults = page.evaluate(LAID_OUT)
    context.close()
    assert shown == 8
    assert faults == []
