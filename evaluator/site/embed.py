"""A board as a small page of its own, for a frame of another site."""

from evaluator.site.content import BenchmarkContent, Deployment
from evaluator.site.insight import insight
from evaluator.site.sharing import EMBED, EMBEDDED_ROWS
from evaluator.site.templating import render

_MAX_COLUMNS = 6


def embed_file(content: BenchmarkContent, site: Deployment) -> tuple[str, bytes]:
    """Return path and content of the page: the first rows of the current board.

    It is complete without a script, asks for nothing but its styles, and has no state.
    """
    board = content.current
    primary = board.benchmark.leaderboard.primary
    columns = sorted(board.columns, key=lambda column: column != primary)
    text = render(
        "embed.html",
        content=content,
        site=site,
        sentence=insight().conclusions(board),
        columns=columns[:_MAX_COLUMNS],
        rows=board.rows[:EMBEDDED_ROWS],
        more=len(board.rows[EMBEDDED_ROWS:]),
    )
    return f"{content.benchmark.path}/{EMBED}/index.html", text.encode()
