"""What the site has for machines: the built files, with and without an address of the site."""

import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import check_jsonschema
import feedparser
import jsonschema
import pyarrow.parquet as pq
import pytest
import yaml
from bibtexparser.entrypoint import parse_string
from PIL import Image
from playwright.sync_api import Browser, expect

from evaluator.site.build import build
from tests.repository import Repository
from tests.site.boards.exports.test_feeds import check_atom
from tests.site.conftest import serving

BASE = "benchmarks/adding"
ADDRESS = "https://site.test/x/"
SUBMISSION = f"{BASE}/submissions/mallory/hostile"
SCHEMAS = {
    r"api/v1/index\.json": "index",
    r"api/v1/[^/]+/[^/]+\.json": "board",
    r"benchmarks/[^/]+/(phases/[^/]+/)?board\.json": "board",
    r"benchmarks/[^/]+/(phases/[^/]+/)?view\.json": "view",
    r"benchmarks/[^/]+/history/[^/]+/(phases/[^/]+/)?board\.json": "former",
    r"benchmarks/[^/]+/badge/.+\.json": "badge",
    r"benchmarks/[^/]+/records/records\.json": "records",
    r"benchmarks/[^/]+/analysis/analysis\.json": "analysis",
    r"benchmarks/[^/]+/(phases/[^/]+/)?confidence/confidence\.json": "confidence",
    r"benchmarks/[^/]+/(phases/[^/]+/)?plots/marks\.json": "plots",
    r"benchmarks/[^/]+/(phases/[^/]+/)?plots/[^/]+\.json": "plot",
}
OTHERS = re.compile(r"pagefind/.*|search/.*|schemas/.*|assets/.*")


@pytest.fixture(scope="module")
def addressed(site_repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same site where its address is known."""
    copy = tmp_path_factory.mktemp("addressed") / "copy"
    site_repository.git("worktree", "add", "--quiet", "--detach", str(copy))
    file = copy / "mkdocs.yml"
    kept = [line for line in file.read_text().splitlines() if not line.startswith("site_url:")]
    file.write_text("\n".join([*kept, f"site_url: {ADDRESS}\n"]))
    return build.build_site(copy).folder


def schema_of(path: str) -> str:
    return next((name for form, name in SCHEMAS.items() if re.fullmatch(form, path)), "")


def test_every_json_file_is_what_its_schema_says(site: Path) -> None:
    schemas = {path.stem: json.loads(path.read_text()) for path in site.glob("schemas/*.json")}
    used = set()
    for file in site.rglob("*.json"):
        path = file.relative_to(site).as_posix()
        if OTHERS.fullmatch(path):
            continue
        name = schema_of(path)
        assert name, path
        used.add(name)
        data = json.loads(file.read_text())
        jsonschema.validate(data, schemas[name])
        assert data.keys() == schemas[name]["properties"].keys(), path
    assert {"index", "board", "view", "badge"} <= used


def test_a_board_is_there_in_every_form(site: Path) -> None:
    board = json.loads((site / "api/v1/adding/main.json").read_text())
    table = pq.read_table(io.BytesIO((site / BASE / "board.parquet").read_bytes()))
    rows = table.to_pylist()
    assert {row["submission"] for row in rows if row["listed"]} == {
        row["submission"] for row in board["rows"]
    }
    for row in board["rows"]:
        found = {
            (line["task"], line["column"]): line["value"]
            for line in rows
            if line["submission"] == row["submission"] and line["value"] is not None
        }
        assert {key: found.get((None, key)) for key in row["overall"]} == row["overall"]
        for task, result in row["tasks"].items():
            if result["status"] == "finished":
                assert {key: found[task, key] for key in result["scores"]} == result["scores"]


def test_feeds_are_valid_and_lead_to_pages(site: Path, addressed: Path) -> None:
    for path in ("feed.xml", f"{BASE}/feed.xml"):
        for folder in (site, addressed):
            content = (folder / path).read_bytes()
            check_atom(content)
            parsed = feedparser.parse(content)
            assert not parsed.bozo
            assert parsed.entries
            for entry in (*parsed.entries, parsed.feed):
                link = entry.link
                if folder is addressed:
                    assert link.startswith(ADDRESS)
                    target = folder / link.removeprefix(ADDRESS)
                else:
                    target = (folder / path).parent / link
                assert (target / "index.html").is_file(), link


def test_pages_name_their_feeds(site: Path) -> None:
    for path, count in (("", 1), (BASE, 2), (SUBMISSION, 2), (f"{BASE}/share", 2), ("status", 1)):
        page = site / path / "index.html"
        links = re.findall(
            r'<link rel="alternate feed" type="application/atom\+xml" href="([^"]+)"',
            page.read_text(),
        )
        assert len(links) == count
        for link in links:
            assert (page.parent / link).is_file()


def tags(page: str) -> dict[str, list[str]]:
    """Content of a page's tags by name; what a link to it shows elsewhere."""
    head = page.partition("</head>")[0]
    found: dict[str, list[str]] = {}
    for name, content in re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', head):
        found.setdefault(name, []).append(html.unescape(content))
    found["canonical"] = re.findall(r'<link rel="canonical" href="([^"]+)"', head)
    return found


@pytest.mark.parametrize("path", ["", "readers", BASE, f"{BASE}/tasks", SUBMISSION])
def test_a_link_shows_what_it_leads_to(addressed: Path, site: Path, path: str) -> None:
    found = tags((addressed / path / "index.html").read_text())
    assert found["canonical"] == found["og:url"] == [f"{ADDRESS}{path}/" if path else ADDRESS]
    assert len(found["og:title"]) == 1
    assert len(found["twitter:card"]) == 1
    if path.startswith(BASE):
        assert found["og:image"] == [f"{ADDRESS}{BASE}/card.png"]
        assert found["description"] == found["og:description"]
        assert len(found["description"]) == 1
        assert len(found["description"][0]) <= 280
        assert "\u202e" not in found["og:title"][0] + found["description"][0]
    without = tags((site / path / "index.html").read_text())
    assert without["canonical"] == []
    assert not {"og:url", "og:image"} & without.keys()
    assert without["og:title"] == found["og:title"]


def test_the_picture_is_as_large_as_it_says(addressed: Path) -> None:
    with Image.open(addressed / BASE / "card.png") as picture:
        assert picture.size == (1200, 630)


def test_the_sitemap_names_every_page_once(addressed: Path, site: Path) -> None:
    root = ElementTree.fromstring((addressed / "sitemap.xml").read_bytes())  # noqa: S314
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [loc.text for loc in root.iter(f"{space}loc")]
    pages = {
        ADDRESS + path.parent.relative_to(addressed).as_posix().removeprefix(".") + "/"
        for path in addressed.rglob("index.html")
        if path.parent.name != "embed"
    }
    assert len(found) == len(set(found))
    assert set(found) == {page.replace("x//", "x/") for page in pages}
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (addressed / "robots.txt").read_text()
    assert "<loc>" not in (site / "sitemap.xml").read_text()


def test_citations_are_valid(addressed: Path) -> None:
    schema = Path(check_jsonschema.__file__).parent.joinpath(
        "builtin_schemas/vendor/citation-file-format.json"
    )
    for file in addressed.glob("benchmarks/*/CITATION.cff"):
        data = yaml.safe_load(file.read_bytes())
        jsonschema.validate(data, json.loads(schema.read_text()))
        assert data["url"] == f"{ADDRESS}benchmarks/{file.parent.name}/"
    keys = []
    for file in addressed.rglob("citation.bib"):
        library = parse_string(file.read_text())
        assert not library.failed_blocks
        keys += [entry.key for entry in library.entries]
    assert len(keys) == len(set(keys)) > 3


def test_a_submissions_page_shows_its_badges_and_its_citation(addressed: Path) -> None:
    page = html.unescape((addressed / SUBMISSION / "index.html").read_text())
    badge = f"{ADDRESS}{BASE}/badge/mallory/hostile"
    for name in ("rank", "score"):
        assert f"[![{name}]({badge}/{name}.svg)]({ADDRESS}{SUBMISSION}/)" in page
        assert (addressed / BASE / f"badge/mallory/hostile/{name}.svg").is_file()
    assert (addressed / SUBMISSION / "citation.bib").read_text().strip() in page


def test_what_is_hidden_is_in_no_file(sealed_site: Path) -> None:
    folder = sealed_site / BASE
    assert not list(folder.glob("board.*"))
    assert not (folder / "feed.xml").exists()
    assert not (folder / "embed").exists()
    assert not (folder / "badge").exists()
    assert (folder / "CITATION.cff").is_file()
    assert (folder / "card.png").is_file()
    page = (folder / "index.html").read_text()
    assert "The organiser hides this leaderboard" in tags(page)["description"][0]
    assert "The organiser hides this leaderboard" in (folder / "share/index.html").read_text()


HOST = '<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>{frame}'


@pytest.fixture(scope="module")
def elsewhere(addressed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of another origin that embeds the board with the snippet of the page Share."""
    share = (addressed / BASE / "share/index.html").read_text()
    frame = html.unescape(re.findall(r"&lt;iframe.*?&lt;/iframe&gt;", share, re.DOTALL)[0])
    with serving(addressed) as site:
        folder = tmp_path_factory.mktemp("elsewhere")
        frame = frame.replace(ADDRESS, site.replace("127.0.0.1", "localhost"))
        (folder / "index.html").write_text(HOST.format(frame=frame))
        with serving(folder) as address:
            yield address


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_is_shown_in_a_frame_of_another_site(
    browser: Browser, elsewhere: str, scheme: str
) -> None:
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": 320, "height": 700},
    )
    page = context.new_page()
    messages: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(elsewhere)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("row")).to_have_count(4)
    expect(frame.get_by_role("link", name="board")).to_have_attribute("target", "_blank")
    back = frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert back == ("rgb(17, 24, 23)" if scheme == "dark" else "rgb(255, 255, 255)")
    inner = page.frames[1]
    assert inner.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert inner.evaluate("document.title") != "owned"
    assert page.title() == "Elsewhere"
    assert messages == []
    hosts = {url.split("/")[2].split(":")[0] for url in requests}
    assert hosts == {"localhost", "127.0.0.1"}
    assert sum(url.startswith("http://localhost") for url in requests) == 2
    context.close()


@pytest.mark.browser
def test_the_page_share_has_all_of_it(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}{BASE}/")
    page.locator("summary", has_text="Share").click()
    page.get_by_role("link", name="Embed, badges, feed and citation").click()
    badge = page.get_by_role("img", name=re.compile("Adding|adding"))
    expect(badge.first).to_be_visible()
    assert badge.first.evaluate("image => image.complete && image.naturalWidth > 50")
    expect(page.get_by_text("site_url")).to_be_visible()
    expect(page.get_by_role("link", name="Parquet")).to_have_count(1)
    page.get_by_role("link", name="look at it").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.close()
