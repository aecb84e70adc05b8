"""The page that a scoring program may write for the participant: detailed_results.html."""

from pathlib import Path

from evaluator.core.compute.engine.output import read_regular
from evaluator.core.formats.record_limits import MAX_PAGE_BYTES

_NAME = "detailed_results.html"
TOO_LARGE = (
    f"<!doctype html><title>Not kept</title><p>The scoring program wrote detailed results of more "
    f"than {MAX_PAGE_BYTES // 2**20} MiB; they were not kept.</p>\n"
).encode()


def find_page(output: Path) -> bytes | None:
    """Return detailed_results.html, else the one page at the top of the output, else None.

    It is a stranger's: never to be shown but in a sandboxed frame. Follows no link.
    """
    pages = [path for path in output.glob("*.html") if path.is_file() and not path.is_symlink()]
    named = [path for path in pages if path.name == _NAME]
    if len(named or pages) != 1:
        return None
    page = read_regular((named or pages)[0], MAX_PAGE_BYTES)
    return TOO_LARGE if page is None else page
