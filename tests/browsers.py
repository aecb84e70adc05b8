"""Which Chromium the tests open pages in."""

import os
import shutil


def chromium() -> str | None:
    """Return the path of a browser, None where there is none.

    The environment variable CHROMIUM names one. Otherwise the one without its own windows is taken
    where it is there, for it opens a page in half the time.
    """
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
