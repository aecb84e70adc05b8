"""Hostile texts in every place that participants write, in a real browser and in our files."""

import csv
import html
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    ViewportSize,
)

from evaluator.ci.steps.comment import CellLine, to_markdown
from evaluator.ci.steps.receive import report_of
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.schema import dump_yaml
from evaluator.site.build import build
from tests.ci.steps.conftest import NOON, Files, make_forge
from tests.hostile.cases import Case, TextAttack, cases, name_of
from tests.hostile.text_site import OWNERS, TEXTS, corpus, owner, title
from tests.repository import Repository
from tests.site.conftest import serving
from tests.site.waiting import wait_until
from tests.steps import Judged, judge

BOARD = "benchmarks/adding/"
MINE = "submissions/adding/mallory"
ROWS = len(TEXTS) + 4
VIEWS = (
    "search=script", "group=family", "group=sheet.__proto__&search=a", "heat=1",
    "sort=one.right", "sort=title&order=desc", "hide=sheet&hide=task.two",
    "aggregate=mean_rank", "aggregate=geometric_mean&metric=right", "aggregate=normalised",
    "family=__proto__", "show=all&group=participant",
)  # fmt: skip
PAGES = (
    "", "status/", BOARD, *(f"{BOARD}?{view}" for view in VIEWS), f"{BOARD}phases/main/",
    f"{BOARD}phases/early/", f"{BOARD}tasks/", f"{BOARD}analysis/", f"{BOARD}confidence/",
    f"{BOARD}plots/", f"{BOARD}history/", f"{BOARD}share/", f"{BOARD}submit/",
    f"{BOARD}submissions/", f"{BOARD}embed/", "benchmarks/growing/", "benchmarks/growing/datasets/",
    "benchmarks/growing/datasets/?group=source",
    *(f"{BOARD}compare/?with={owner(one)}/{one}&with={owner(two)}/{two}&with=reporter/{three}"
      for one, two, three in (("script", "override", "word"), ("zalgo", "isolates", "image"),
                              ("attribute", "template", "zalgo"))),
    *(f"people/p{number}/" for number in range(OWNERS)), "people/reporter/", "people/dan/",
    *(f"{BOARD}submissions/reporter/{name}/" for name in ("image", "override", "zalgo", "word")),
    *(f"benchmarks/growing/submissions/dan/{name}/"
      for name in ("script", "override", "zalgo", "word", "controls")),
)  # fmt: skip
"""Pages but those of the corpus's submissions."""
FAULTS = r"""() => {
    const faults = [];
    const fault = (...said) => faults.push(said.join(" "));
    const name = (one) => `<${one.localName} class="${one.className}"> in ${
        one.closest("[id]")?.id} ${JSON.stringify(one.textContent.slice(0, 60))}`;
    if (window.__owned !== undefined) fault("a script ran");
    for (const one of document.querySelectorAll("[data-owned], [data-owned] *")) {
        fault("markup:", name(one));
    }
    const scrolled = "table.many, table.many col, table.many tr.space"; // our script's own styles
    for (const one of document.querySelectorAll(`article *:not(${scrolled})`)) {
        const found = one.getAttributeNames().filter((key) => /^on|^style$/.test(key));
        if (found.length) fault("attributes:", found, name(one));
    }
    const alien = "script:not([src]), style, object, embed, base, meta, form:not(.plot-search)";
    for (const one of document.querySelectorAll(
        `article :is(${alien}, iframe:not(.detailed))`)) fault("alien:", name(one));
    for (const one of document.querySelectorAll("[href], [src], [action]")) {
        const to = one.href?.baseVal ?? one.href ?? one.src ?? one.action;
        const { protocol } = new URL(to, document.baseURI);
        if (!["http:", "https:", "mailto:"].includes(protocol) && !one.closest("svg")) {
            fault("address:", to, name(one));
        }
    }
    for (const table of document.querySelectorAll("article table.pullbench")) {
        const head = table.tHead.rows[table.tHead.rows.length - 1];
        const width = (row) => Array.from(row.cells, (one) => one.colSpan).reduce((a, b) => a + b);
        for (const row of table.querySelectorAll("tbody > tr:not(.space)")) {
            if (width(row) !== width(head)) fault("columns:", width(row), width(head), name(row));
        }
        const columns = Array.from(head.cells, (one) => one.getBoundingClientRect());
        for (const row of table.querySelectorAll("tbody > tr:not(.group, .space)")) {
            if (!row.checkVisibility()) continue;
            Array.from(row.cells).forEach((cell, index) => {
                if (cell.colSpan > 1) return;
                const box = cell.getBoundingClientRect();
                if (Math.abs(box.left - columns[index].left) > 1.5 && cell.localName === "td") {
                    fault("beside its column:", name(cell));
                }
                const clips = getComputedStyle(cell).overflowX !== "visible";
                const wide = Math.max(700, table.parentElement.clientWidth);
                if (!clips && cell.scrollWidth > cell.clientWidth + 1) fault("out:", name(cell));
                if (box.width > wide) fault("wide:", Math.round(box.width), name(cell));
                if (box.height > 400) fault("high:", Math.round(box.height), name(cell));
            });
        }
    }
    const control = /[\u202a-\u202e\u2066-\u2069]/;
    const words = document.createTreeWalker(
        document.querySelector("article") ?? document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const around = words.currentNode.parentElement;
        if (around.closest("svg, template, select")) continue;
        if (!control.test(words.currentNode.data)) continue;
        const style = getComputedStyle(around);
        const beside = Array.from(around.childNodes).some((one) =>
            one !== words.currentNode && one.textContent.trim() && getComputedStyle(
                one.nodeType === 1 ? one : around).display.startsWith("inline"));
        const own = style.unicodeBidi.startsWith("isolate") || style.unicodeBidi === "plaintext";
        const apart = !style.display.startsWith("inline") && !beside;
        if (!own && !apart) fault("turns its neighbours round:", name(around));
    }
    return faults;
}"""
WIDE = r"""() => {
    const found = document.documentElement.scrollWidth;
    if (found <= innerWidth) return [];
    const inside = (one) => { for (let up = one.parentElement; up; up = up.parentElement) {
        if (getComputedStyle(up).overflowX !== "visible" && up !== document.body) return true; }
        return false; };
    const wide = Array.from(document.querySelectorAll("main *")).filter(
        (one) => one.getBoundingClientRect().right > innerWidth + 1 && !inside(one));
    return [`the page is ${found} wide at ${innerWidth}: ` + wide.slice(0, 4).map(
        (one) => `<${one.localName}> ${one.textContent.slice(0, 40)}`)];
}"""
DESK: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 320, "height": 640}
OPENED = "document.querySelectorAll('article details').forEach(one => { one.open = true; })"


def title_of(path: Path) -> str:
    """Return the title that a page's file has."""
    found = re.search(r"<title>(.*?)</title>", path.read_text(encoding="utf-8"), re.DOTALL)
    return " ".join(html.unescape(found[1] if found else "").split())


def listen(context: BrowserContext, page: Page, address: str, events: list[str]) -> None:
    """Note what a page must not do. A frame's own policy reports what it stopped in the frame."""

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and "/details/" not in message.location["url"]:
            events.append(f"console: {message.text} {message.location}")

    def opened(dialog: Dialog) -> None:
        events.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def asked(request: Request) -> None:
        # Of what a policy stops the browser reports a request that fails.
        if not request.url.startswith((address, "data:", "blob:")):
            events.append(f"asked {request.url}")

    page.on("console", said)
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("dialog", opened)
    page.on("popup", lambda other: events.append(f"opened {other.url}"))
    context.on("requestfinished", asked)


def faults_of(browser: Browser, address: str, site: Path, paths: Sequence[str]) -> Iterator[str]:
    """Open pages, wide and narrow, and yield what is wrong with them."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    events: list[str] = []

    listen(context, page, address, events)
    for path in paths:
        events.clear()
        yield from (f"/{path}: {fault}" for fault in _page(page, address, site, path))
        yield from (f"/{path}: {event}" for event in events)
    context.close()


def _page(page: Page, address: str, site: Path, path: str) -> Iterator[str]:
    answer = page.goto(address + path, wait_until="domcontentloaded")
    if answer is None or not answer.ok:
        yield "is not there"
        return
    if page.locator(".board[data-view]").count() and page.locator(".controls").count():
        page.wait_for_selector("[data-ready]", state="attached")
    page.evaluate(OPENED)
    yield from page.evaluate(FAULTS)
    yield from page.evaluate(WIDE)
    page.set_viewport_size(PHONE)
    yield from page.evaluate(WIDE)
    # Back before the next page: the theme's drawer slides for a while where a page grows.
    page.set_viewport_size(DESK)
    file = site / urlsplit(path).path / "index.html"
    if " ".join(page.title().split()) != title_of(file).replace("\0", "\ufffd"):
        yield f"title {page.title()!r} of {title_of(file)!r}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = corpus(tmp_path_factory.mktemp("corpus") / "repo")
    assert [str(problem) for problem in repository.problems()] == []
    assert [item.reason for item in repository.plan().missing] == []
    return build.build_site(repository.path).folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site) as found:
        yield found


@pytest.mark.browser
def test_nothing_runs_and_nothing_leaves_its_place(
    browser: Browser, address: str, site: Path
) -> None:
    """On the pages that show all texts, or many."""
    assert list(faults_of(browser, address, site, PAGES)) == []


@pytest.mark.browser
@pytest.mark.parametrize("case", cases(TextAttack), ids=name_of)
def test_text(case: Case[TextAttack], browser: Browser, address: str, site: Path) -> None:
    """On the page of the submission in which it stands everywhere."""
    page = f"{BOARD}submissions/{owner(case.name)}/{case.name}/"
    assert list(faults_of(browser, address, site, [page])) == []


@pytest.mark.browser
def test_files_that_are_opened_as_documents_do_nothing(
    browser: Browser, address: str, site: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    events: list[str] = []
    listen(context, page, address, events)
    names = [name for name in TEXTS if name not in {"controls", "lines"}][::3]
    paths = [
        *(f"{BOARD}submissions/{owner(name)}/{name}/details/main/one.html" for name in names),
        *(path.relative_to(site).as_posix() for path in (site / BOARD / "plots").glob("*.svg")),
        *(f"{BOARD}badge/{owner(name)}/{name}/score.svg" for name in names[:5]),
        f"{BOARD}badge/leader.svg", "feed.xml", f"{BOARD}feed.xml",
    ]  # fmt: skip
    for path in paths:
        page.goto(address + path, wait_until="commit")
        wait_until(page, "document.readyState === 'complete'")
        assert page.evaluate("window.__owned") is None, path
        assert "owned" not in page.title()
        assert page.url == address + path
        if "/details/" not in path:
            assert page.locator("[data-owned], script, foreignObject").count() == 0
            assert page.locator("parsererror").count() == 0
    context.close()
    assert [event for event in events if "favicon.ico" not in event] == []


@pytest.mark.browser
def test_rows_keep_their_places_and_directions(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(address + BOARD)
    page.wait_for_selector("[data-ready]", state="attached")
    rows = page.locator("[data-ready] table > tbody > tr:not(.space)")
    assert rows.count() == ROWS
    shown = rows.locator("th > a:not(.details)")
    expected = [" ".join(title(name).split()) for name in TEXTS if name != "blanks"]
    found = [" ".join(text.split()) for text in shown.all_text_contents()]
    assert sorted(found) == sorted([
        *expected, "blanks",
        *(" ".join(title(name).split()) for name in ("image", "override", "zalgo", "word")),
    ])  # fmt: skip
    for name in ("override", "isolates", "pops", "hebrew"):
        row = rows.filter(has=page.locator(f"a[href*='/{owner(name)}/{name}/']"))
        # The participant's name reads from left to right, whatever the title before it turns round.
        places = row.locator(".who a").evaluate(
            """one => {
                const text = one.firstChild;
                return Array.from(text.data, (_, index) => {
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + 1);
                    return range.getBoundingClientRect().left;
                });
            }"""
        )
        assert len(places) == 2
        assert places == sorted(set(places))
    # Marks that climb over a line stay in their cell: the row above looks as without them.
    zalgo = rows.filter(has=page.locator(f"a[href*='/{owner('zalgo')}/zalgo/']"))
    zalgo.scroll_into_view_if_needed()
    above = zalgo.locator("xpath=preceding-sibling::tr[1]").locator("th")
    page.mouse.move(0, 0)
    before = above.screenshot()
    zalgo.evaluate(
        """one => {
            one.style.height = `${one.getBoundingClientRect().height}px`;
            one.querySelector('th > a').textContent = 'Zalgo';
            one.querySelector('td.answer').textContent = 'Zalgo';
        }"""
    )
    assert above.screenshot() == before
    long = rows.filter(has=page.locator(f"a[href*='/{owner('word')}/word/']")).locator("td.answer")
    assert long.first.get_attribute("title") == TEXTS["word"]
    long.first.focus()
    assert page.locator(".cell-tip").inner_text() == TEXTS["word"]
    context.close()


def test_files_for_programs_hold_the_texts_unharmed(site: Path) -> None:
    for file in site.rglob("*.json"):
        json.loads(file.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    for file in (*site.rglob("*.xml"), *site.rglob("*.svg")):
        ElementTree.fromstring(file.read_bytes())  # noqa: S314 - the site's own
    data = json.loads((site / "api/v1/adding/main.json").read_text(encoding="utf-8"))
    rows = {row["submission"]: row for row in data["rows"] if row["kind"] == "code"}
    assert rows.keys() == TEXTS.keys()
    view = json.loads((site / BOARD / "view.json").read_text(encoding="utf-8"))
    place = {key: index for index, key in enumerate(
        zip(view["rows"]["participant"], view["rows"]["submission"], strict=True))}  # fmt: skip
    with (site / BOARD / "board.csv").open(encoding="utf-8", newline="") as table:
        lines = {(line["participant"], line["submission"]): line for line in csv.DictReader(table)}
    for name, text in TEXTS.items():
        if name != "blanks":
            assert rows[name]["title"] == title(name)
        assert rows[name]["fact_sheet"]["method"] == text
        assert view["sheet"]["method"][place[owner(name), name]] == text
        line = lines[owner(name), name]
        assert all(value[:1] not in "=+@\t\r" for value in line.values() if value), name


def test_ranks_of_numbers_at_the_ends_of_floats(site: Path) -> None:
    data = json.loads((site / "api/v1/adding/main.json").read_text(encoding="utf-8"))
    ranked = [row for row in data["rows"] if row["rank"] is not None]
    values = [row["overall"]["right"] for row in ranked]
    assert values == sorted(values, reverse=True)
    assert values[0] == sys.float_info.max
    assert values[-1] == -sys.float_info.max
    assert [row["rank"] for row in ranked] == [
        1 + sum(other > value for other in values) for value in values
    ]


OURS = {
    "blockquote", "br", "code", "details", "em", "h3", "h4", "hr", "li", "p", "pre", "strong",
    "sub", "summary", "table", "tbody", "thead", "tr", "ul",
    *(f"{cell}{place}" for cell in ("td", "th")
      for place in ("", " style=text-align:left", " style=text-align:right")),
}  # fmt: skip
"""Elements of the comment, and attributes."""


class Elements(HTMLParser):
    """Notes which elements and attributes there are."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(f"{tag} {key}={value}" for key, value in attrs)}


@dataclass(frozen=True)
class Refused:
    """A pull request in which every text stands where its key is wrong, refused in CI."""

    judged: Judged
    log: str
    terminal: str


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Refused:
    folder = tmp_path_factory.mktemp("refused")
    forge = make_forge(folder, Repository(folder / "repo").with_bundle("small"))
    files: Files = {}
    for name, text in TEXTS.items():
        written = {"kind": text, "name": text, "phase": text, text: text}
        files[f"{MINE}/{name}/submission.yaml"] = dump_yaml(written)
    source = forge.open(1, files)
    outputs = {"GITHUB_OUTPUT": folder / "output", "GITHUB_STEP_SUMMARY": folder / "summary"}
    arguments = ("validate", "--base", "main", "--head", source.head, "--actor", "mallory",
                 "--pull-request", "1")  # fmt: skip
    in_ci = {"GITHUB_ACTIONS": "true", **{key: str(path) for key, path in outputs.items()}}
    log = forge.ours.pullbench(*arguments, environment=in_ci)
    terminal = forge.ours.pullbench(*arguments)
    assert log.returncode == terminal.returncode == 1, log.stderr
    assert not outputs["GITHUB_OUTPUT"].exists()
    return Refused(
        judge(forge.ours.path, source, "mallory", NOON),
        log.stdout + log.stderr, terminal.stdout + terminal.stderr,
    )  # fmt: skip


def test_no_text_commands_a_runner(refused: Refused) -> None:
    commands = [line for line in refused.log.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) >= len(TEXTS)
    for line in commands:
        assert re.match(rf"::(error|warning) file={MINE}/[a-z-]+/submission\.yaml,", line), line
    # Nor one of another service, and nobody says which one reads what is printed elsewhere.
    for log in (refused.log, refused.terminal):
        assert not re.search(r"##\w*\[|[\r\x1b]", log)
    assert not [line for line in refused.terminal.splitlines() if line.lstrip().startswith("::")]


def test_no_text_acts_on_a_terminal(refused: Refused) -> None:
    lines = refused.terminal.split("\n")
    assert [line for line in lines if not line.isprintable()] == []
    # Each line is ours: no text begins one.
    assert all(not line or re.match(r"[a-z0-9 ]+", line) for line in lines)


@pytest.mark.parametrize("case", cases(TextAttack), ids=name_of)
def test_text_in_the_comment(case: Case[TextAttack], refused: Refused) -> None:
    """As the reason of a refusal, and as the message and the log of a cell that failed."""
    place = f"{MINE}/{case.name}/"
    problems = [item for item in refused.judged.errors if item.file.startswith(place)]
    assert problems
    text = case.attack.text
    cell = CellLine(
        cell=CellId(benchmark="adding", participant="mallory", submission=case.name, phase="main",
                    task="one"),
        queue="default", status="failed", reason=text, message=text, hint=text,
        actor=Actor.PARTICIPANT, log=text,
    )  # fmt: skip
    report = replace(
        report_of(refused.judged.pull, refused.judged.problems), problems=problems, cells=[cell]
    )
    comment = to_markdown(report)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(comment)
    elements = Elements()
    elements.feed(page)
    assert elements.seen <= OURS
    outside = re.sub(r"<(code|pre)>.*?</\1>", "", page, flags=re.DOTALL)
    for word in ("@", "://", " #", "GH-"):
        assert word not in outside
    assert comment.count("<!-- pullbench -->") == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("name: " + "n" * 10_000, "name"),
        ("description: " + "d" * 10_000, "description"),
        ("fact_sheet: {method: " + "m" * 10_000 + "}", "is longer than 2000 characters"),
        ('name: "\\ud800"', "is not valid YAML"),
    ],
)
def test_what_is_too_long_is_refused_by_name(small: Repository, written: str, said: str) -> None:
    bundle = "benchmarks/adding/competition.yaml"
    sheet = "fact_sheet: {method: {key: method, type: text, title: Method}}\n"
    small.write(bundle, (small.path / bundle).read_text() + sheet)
    small.write("submissions/adding/alice/right/submission.yaml", f"kind: code\n{written}\n")
    small.commit()
    problems = [problem for problem in small.problems() if problem.severity == "error"]
    assert len(problems) == 1
    assert problems[0].actor == Actor.PARTICIPANT
    assert said in f"{problems[0].key} {problems[0].message}"
    assert len(str(problems[0])) < 1000
