"""What a ranking of a reader's own costs in headless Chromium, beside sorting the same numbers."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from evaluator.site.pages import benchmark_pages
from tests.bench.board_page import FLAGS, QuietHandler
from tests.bench.figures import Value
from tests.bench.sizes import size
from tests.browsers import chromium
from tests.core.leaderboard.ranking import AGGREGATIONS, large_case

ROWS, TASKS = size((5000, 20), (500, 5))
ASSETS = Path(benchmark_pages.__file__).parent / "assets"
BESIDE = """async (input) => {
  const { rank } = await import("/ranking.js");
  const best = [Infinity, Infinity];
  const works = [
    () => rank(input),
    () => input.values.forEach((column) => Float64Array.from(column).sort()),
  ];
  for (let round = 0; round < 9; round += 1) {
    works.forEach((work, index) => {
      const start = performance.now();
      work();
      best[index] = Math.min(best[index], performance.now() - start);
    });
  }
  // A browser's clock has steps, which the small form of the figure is shorter than.
  return best.map((time) => Math.max(time, 0.001));
}"""


def ranking_js() -> Iterator[Value]:
    """Rank 5,000 rows by 20 tasks, as a ratio to sorting the tasks' columns in the same page."""
    handler = functools.partial(QuietHandler, directory=str(ASSETS))
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/ranking.js")
        for aggregation in AGGREGATIONS:
            ranked, sorted_ = page.evaluate(BESIDE, large_case(ROWS, TASKS, aggregation))
            yield f"ranking_js_{aggregation}", ranked / sorted_, "x sorting"
        browser.close()
        server.shutdown()
