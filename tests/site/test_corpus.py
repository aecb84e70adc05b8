"""A corpus of hostile texts in every place that participants write, in a real browser."""

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.site.corpus import OWNERS, TEXTS, owner

BOARD = "benchmarks/adding/"
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
    for (const one of document.querySelectorAll("article *")) {
        const found = one.getAttributeNames().filter((key) => /^on|^style$/.test(key));
        if (found.length) fault("attributes:", found, name(one));
    }
    const alien = "script:not([src]), style, object, embed, base, meta, form:not(.plot-search), iframe:not(.detailed)";
    for (const one of document.querySelectorAll(`article :is(${alien})`)) fault("alien:", name(one));
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
                if (!clips && cell.scrollWidth > cell.clientWidth + 1) fault("out of its cell:", name(cell));
                if (box.width > 900) fault("wide:", Math.round(box.width), name(cell));
                if (box.height > 400) fault("high:", Math.round(box.height), name(cell));
            });
        }
    }
    const control = /[\u202a-\u202e\u2066-\u2069]/;
    const words = document.createTreeWalker(document.querySelector("article") ?? document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const around = words.currentNode.parentElement;
        if (!control.test(words.currentNode.data) || around.closest("svg, template, select")) continue;
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
        (one) => `<${one.localName} class="${one.className?.baseVal ?? one.className}"> ${one.textContent.slice(0, 40)}`)];
}"""
OPENED = "document.querySelectorAll('article details').forEach(one => { one.open = true; })"


def title_of(path: Path) -> str:
    """Return the title that a page's file has."""
    found = re.search(r"<title>(.*?)</title>", path.read_text(encoding="utf-8"), re.DOTALL)
    return " ".join(html.unescape(found[1] if found else "").split())


def faults_of(
    browser: Browser, address: str, site: Path, paths: Sequence[str] | None = None
) -> Iterator[str]:
    """Open pages, wide and narrow, and yield what is wrong with them."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    events: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            events.append(f"console: {message.text} {message.location}")

    page.on("console", said)
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
    context.on(
        "request",
        lambda one: (
            one.url.startswith((address, "data:", "blob:")) or events.append(f"asked {one.url}")
        ),
    )
    own = [f"{BOARD}submissions/{owner(name)}/{name}/" for name in TEXTS]
    for path in paths or (*PAGES, *own):
        events.clear()
        yield from (f"/{path}: {fault}" for fault in _page(page, address, site, path))
        yield from (f"/{path}: {event}" for event in events)
    context.close()


def _page(page: Page, address: str, site: Path, path: str) -> Iterator[str]:
    answer = page.goto(address + path)
    if answer is None or not answer.ok:
        yield "is not there"
        return
    if page.locator(".board[data-view]").count() and page.locator(".controls").count():
        page.wait_for_selector("[data-ready]", state="attached", timeout=10_000)
    page.evaluate(OPENED)
    yield from page.evaluate(FAULTS)
    yield from page.evaluate(WIDE)
    page.set_viewport_size({"width": 320, "height": 640})
    yield from page.evaluate(WIDE)
    page.set_viewport_size({"width": 1280, "height": 900})
    file = site / urlsplit(path).path / "index.html"
    if " ".join(page.title().split()) != title_of(file):
        yield f"title {page.title()!r} of {title_of(file)!r}"
