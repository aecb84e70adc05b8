"""What the page of a large board costs a reader, in headless Chromium."""

import contextlib
import functools
import gzip
import http.server
import io
import statistics
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from playwright.sync_api import Browser, Page, Request, sync_playwright

from evaluator.site.build import build
from evaluator.site.build.serving import SiteHandler
from tests.bench.boards import TASKS, large_repository
from tests.bench.figures import Value
from tests.bench.sizes import SUBMISSIONS, size
from tests.browsers import chromium

ROUNDS = size(5, 1)
WEIGHED = size((918, 10), (SUBMISSIONS, TASKS))
TEXTS = (
    "text/", "application/json", "application/javascript", "application/xml", "image/svg+xml",
    "application/atom+xml",
)  # fmt: skip
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
READY = """new Promise(done => {
    const region = document.querySelector('[data-view]');
    const look = () => region.dataset.ready === undefined
        ? requestAnimationFrame(look) : done(performance.now());
    look();
})"""
PAINT = """new Promise(done => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0].startTime;
    const all = [...performance.getEntriesByType('navigation'),
                 ...performance.getEntriesByType('resource')];
    done([paint, all.filter(one => one.responseEnd <= paint)
        .reduce((sum, one) => sum + one.transferSize, 0)]);
})"""
WATCH = """() => {
    window.longest = 0;
    new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) {
            window.longest = Math.max(window.longest, duration);
        }
    }).observe({type: 'longtask', buffered: true});
}"""
SCROLL = """async () => {
    window.longest = 0;
    const region = document.querySelector('[data-view]');
    for (let step = 0; step < 60; step += 1) {
        region.scrollTop += region.scrollHeight / 60;
        region.scrollLeft += 20;
        await new Promise(requestAnimationFrame);
    }
    await new Promise(done => setTimeout(done, 200));
    return window.longest;
}"""
SORT = """async name => {
    window.longest = 0;
    const began = performance.now();
    document.querySelector(`th[data-column="${name}"] button`).click();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const took = performance.now() - began;
    await new Promise(done => setTimeout(done, 200));
    return [took, window.longest];
}"""


NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
"""Of a phone: milliseconds a round trip, bytes a second. 1.6 Mbit/s are 200,000 bytes a second."""


class QuietHandler(SiteHandler):
    """Sends text compressed, as static hosts do, and says nothing: a figure is a line."""

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        kind = self.guess_type(file)
        if not kind.startswith(TEXTS) or not file.is_file() or file.stat().st_size < 1000:
            return super().send_head()
        level = 1 if file.stat().st_size > 2**20 else 6
        content = gzip.compress(file.read_bytes(), compresslevel=level, mtime=0)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", self.date_time_string(int(file.stat().st_mtime)))
        self.end_headers()
        return io.BytesIO(content)

    def log_message(self, *_: object) -> None:
        """Drop it."""


def board_page() -> Iterator[Value]:
    """Open, scroll, sort and search one board of 5,000 rows x 20 tasks."""
    with _opened(SUBMISSIONS // 2, TASKS) as (browser, address):
        found = [_visit(browser, address) | _phone(browser, address) for _ in range(ROUNDS)]
    for name, unit in (
        ("board_first_paint_kb", "kB"), ("board_first_paint_ms", "ms"),
        ("board_interactive_ms", "ms"), ("board_scroll_longest_task_ms", "ms"),
        ("board_sort_ms", "ms"), ("board_sort_longest_task_ms", "ms"), ("board_search_ms", "ms"),
        ("board_rank_longest_task_ms", "ms"), ("board_phone_interactive_ms", "ms"),
        ("board_phone_scroll_longest_task_ms", "ms"),
    ):  # fmt: skip
        yield name, statistics.median(one[name] for one in found), unit


def page_weight() -> Iterator[Value]:
    """Count what a board of 918 rows x 43 columns sends until it can be arranged, and after that.

    As static hosts send it: text compressed with gzip. Scores are random in all their digits.
    """
    with _opened(*WEIGHED) as (browser, address):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        sent: list[Request] = []
        page.on("requestfinished", lambda request: sent.append(request))
        page.goto(address, wait_until="commit")
        page.wait_for_selector("[data-ready]", state="attached")
        before = len(sent)
        page.wait_for_load_state("networkidle")
        sizes = [one.sizes()["responseBodySize"] for one in sent]
    yield "page_weight_requests", before, "requests until a board is interactive"
    yield "page_weight_kb", sum(sizes[:before]) / 1000, "kB until then, text compressed"
    yield "page_weight_all_kb", sum(sizes) / 1000, "kB in all"


def first_search() -> Iterator[Value]:
    """Search 10,000 submissions for two words, in a browser that has nothing of the site yet."""
    with _opened(SUBMISSIONS, TASKS) as (browser, address):
        page = browser.new_page()
        sent: list[Request] = []
        page.on("requestfinished", lambda request: sent.append(request))
        page.goto(f"{address}../../search/?q=person{SUBMISSIONS // 10 - 1}+entry")
        page.wait_for_selector(".search-results li")
        page.wait_for_load_state("networkidle")
        sizes = [
            one.sizes()["responseBodySize"]
            for one in sent
            if "/pagefind/" in one.url or one.url.endswith("search.js")
        ]
    yield "first_search_kb", sum(sizes) / 1000, f"kB in {len(sizes)} files, text compressed"


@contextlib.contextmanager
def _opened(rows: int, tasks: int) -> Iterator[tuple[Browser, str]]:
    """Build and serve a board, as static hosts do; yield its address, and a browser."""
    root = large_repository(rows, tasks)
    folder = build.build_site(root).folder
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            yield browser, f"http://127.0.0.1:{server.server_port}/benchmarks/large/"
            browser.close()
        server.shutdown()


def _phone(browser: Browser, address: str) -> dict[str, float]:
    """Open and scroll the board with a quarter of the processor and the network of a phone."""
    context = browser.new_context(viewport={"width": 375, "height": 667})
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", NETWORK)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="domcontentloaded")
    interactive = page.evaluate(READY)
    page.wait_for_load_state("networkidle")
    scrolled = page.evaluate(SCROLL)
    context.close()
    return {
        "board_phone_interactive_ms": interactive, "board_phone_scroll_longest_task_ms": scrolled,
    }  # fmt: skip


def _visit(browser: Browser, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page: Page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    page.goto(address, wait_until="domcontentloaded")
    interactive = page.evaluate(READY)
    paint: Any = page.evaluate(PAINT)
    scrolled = page.evaluate(SCROLL)
    sort: Any = page.evaluate(SORT, "task-3.score")
    search: Any = page.evaluate(
        """async () => {
            const field = document.querySelector('.controls [type=search]');
            const began = performance.now();
            field.value = 'person12';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            return performance.now() - began;
        }"""
    )
    page.evaluate(
        """() => {
            document.querySelector('[data-clear]').click();
            window.longest = 0;
            const field = document.querySelector('[name=aggregate]');
            field.value = 'mean_rank';
            field.dispatchEvent(new Event('input', {bubbles: true}));
        }"""
    )
    page.wait_for_timeout(500)
    ranked = page.evaluate("window.longest")
    context.close()
    return {
        "board_first_paint_kb": paint[1] / 1000, "board_first_paint_ms": paint[0],
        "board_interactive_ms": interactive, "board_scroll_longest_task_ms": scrolled,
        "board_sort_ms": sort[0], "board_sort_longest_task_ms": sort[1],
        "board_search_ms": search, "board_rank_longest_task_ms": ranked,
    }  # fmt: skip
