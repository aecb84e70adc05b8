"""A transposed benchmark on the site, and its board in a dashboard of another origin."""

import functools
import http.client
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.site.build import build
from evaluator.site.build.serving import SiteHandler
from tests.records import cells_of, failed, record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, Silent

HOSTILE = "<img src=x onerror=document.title='owned'>"
DASHBOARD = ROOT / "benchmarks/cometh/dashboard"
FOLDER = "submissions/transposed"
BASE = "benchmarks/transposed"


class SilentSite(SiteHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing: tests do not log requests."""


@contextmanager
def serving(folder: Path, handler: type[http.server.SimpleHTTPRequestHandler]) -> Iterator[str]:
    made = functools.partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def transposed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two data sets that are accepted, one retired, one refused, one not checked yet."""
    repo = Repository(tmp_path_factory.mktemp("transposed") / "repo").with_bundle("transposed")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    repo.write(
        f"{FOLDER}/alice/ones/submission.yaml",
        f'kind: dataset\nname: "{HOSTILE}"\nfact_sheet: {{source: my <b>head</b>}}\n',
    )
    words = cells_of(repo)["transposed/bob/words/main/dataset-check"]
    refused = failed(record_of(words), Actor.PARTICIPANT, Reason.REJECTED)
    repo.put(refused)
    for name in ("alice/ones", "carol/many", "carol/thirteen"):
        check = cells_of(repo)[f"transposed/{name}/main/dataset-check"]
        record = record_of(check).replace(scores={}, extra={"numbers": 3.0})
        repo.put(record)
        for task, distance in (("sum", 0.1), ("first-number", 0.3)):
            cell = cells_of(repo)[f"transposed/{name}/main/{task}"]
            record = record_of(cell, scores={"distance": distance})
            repo.put(record)
    repo.write(
        f"{FOLDER}/carol/many/submission.yaml",
        "kind: dataset\nname: Many\nretired: <i>it</i> was a joke\nfact_sheet: {source: dice}\n",
    )
    repo.write(f"{FOLDER}/dora/new/submission.yaml", "kind: dataset\nfact_sheet: {source: x}\n")
    repo.write(f"{FOLDER}/dora/new/numbers.txt", "1\n")
    repo.commit("Records")
    assert list(repo.reasons()) == ["transposed/dora/new/main/dataset-check"]
    return build.build_site(repo.path).folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_pages_of_a_transposed_benchmark(transposed: Path) -> None:
    board = (transposed / BASE / "index.html").read_text()
    about = (transposed / BASE / "about/index.html").read_text()
    assert "4 data sets, ranked by" in about
    assert "the mean over 2 methods of Distance" in about
    assert "lower is first: whoever brings a data set wins nothing by it" in about
    # Of the methods on a data set, not of the data sets under a method.
    assert "The best method on each data set is marked." in about
    assert board.count('class="num best" data-value="0.1"') == 2
    assert board.count('class="num best uncounted"') == 1
    assert 'title="&lt;i&gt;it&lt;/i&gt; was a joke">retired</span>' in board
    assert "bob/words" not in board
    entered = (transposed / BASE / "submissions/index.html").read_text()
    assert "Data sets that were refused" in entered
    assert "it broke" in entered
    refused = (transposed / BASE / "submissions/bob/words/index.html").read_text()
    assert "Refused" in refused
    assert "it broke" in refused
    accepted = (transposed / BASE / "submissions/alice/ones/index.html").read_text()
    assert "What the check found" in accepted
    assert "<dt>numbers</dt><dd>3</dd>" in accepted
    assert "Every method on it" in accepted
    assert "my &lt;b&gt;head&lt;/b&gt;" in accepted
    retired = (transposed / BASE / "submissions/carol/many/index.html").read_text()
    assert "retired: &lt;i&gt;it&lt;/i&gt; was a joke" in retired
    submit = (transposed / BASE / "submit/index.html").read_text()
    assert "kind: dataset  # is checked, then every method is tried on it" in submit
    assert "fact_sheet:  # the datasheet" in submit
    assert "<td>data sets</td>" in submit


def test_the_board_as_data(transposed: Path) -> None:
    data = json.loads((transposed / "api/v1/transposed/main.json").read_text())
    rows = {f"{row['participant']}/{row['submission']}": row for row in data["rows"]}
    assert set(rows) == {"alice/ones", "carol/many", "carol/thirteen", "dora/new"}
    assert [task["name"] for task in data["tasks"]] == ["Sum", "First number"]
    assert {row["kind"] for row in data["rows"]} == {"dataset"}
    assert rows["carol/many"]["retired"] == "<i>it</i> was a joke"
    assert (rows["carol/many"]["rank"], rows["alice/ones"]["rank"]) == (None, 1)
    assert rows["dora/new"]["tasks"]["sum"]["status"] == "missing"


def head(address: str, path: str) -> http.client.HTTPMessage:
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.request("HEAD", path)
    answer = connection.getresponse()
    assert answer.status == 200
    connection.close()
    return answer.headers


def test_other_origins_may_read_what_is_for_machines(transposed: Path) -> None:
    name = "Access-Control-Allow-Origin"
    with serving(transposed, SilentSite) as site:
        assert head(site, "/api/v1/transposed/main.json")[name] == "*"
        assert head(site, "/api/v1/index.json")[name] == "*"
        assert head(site, f"/{BASE}/")[name] is None


def test_the_example_names_nobody() -> None:
    page = (DASHBOARD / "index.html").read_text()
    assert [path.name for path in DASHBOARD.iterdir()] == ["index.html"]
    assert "innerHTML" not in page
    assert "src=" not in page
    assert page.count("<script") == 1


@pytest.mark.browser
def test_a_dashboard_of_another_origin_draws_the_board(transposed: Path, page: Page) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    with serving(transposed, SilentSite) as site, serving(DASHBOARD, Silent) as other:
        board = f"{site}api/v1/transposed/main.json"
        page.goto(f"{other}index.html?board={quote(board)}")
        expect(page.locator("table caption")).to_contain_text("Transposed: Distance")
        assert page.locator("thead th").all_inner_texts() == [
            "Data set", "Sum", "First number", "Mean",
        ]  # fmt: skip
        names = page.locator("tbody th").all_inner_texts()
        assert names[0].startswith(HOSTILE)
        assert any(name == "Many carol, retired" for name in names)
        cells = page.locator("tbody tr").first.locator("td").all_inner_texts()
        assert cells == ["0.10", "0.30", "0.20"]
        assert page.locator("td", has_text="missing").count() == 2
        colour = page.locator("tbody tr").first.locator("td").first.evaluate(
            "cell => getComputedStyle(cell).backgroundColor"
        )  # fmt: skip
        assert colour.startswith("rgb")
        assert page.locator("img").count() == 0
        assert page.title() == "Data sets and methods"
    assert complaints == []


@pytest.mark.browser
def test_a_dashboard_says_what_it_cannot_read(transposed: Path, page: Page) -> None:
    with serving(transposed, Silent) as closed, serving(DASHBOARD, Silent) as other:
        page.goto(f"{other}index.html")
        page.get_by_label("Board").fill(f"{closed}api/v1/transposed/main.json")
        page.get_by_role("button", name="Show").click()
        # This host lets nobody else read it.
        expect(page.locator("#message")).to_contain_text("The board cannot be shown")
    with serving(transposed, SilentSite) as site, serving(DASHBOARD, Silent) as other:
        page.goto(f"{other}index.html?board={quote(site + 'api/v1/none.json')}")
        expect(page.locator("#message")).to_contain_text("the host answers 404")
        expect(page.locator("#board")).to_be_hidden()
