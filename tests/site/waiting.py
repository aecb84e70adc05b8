"""Waiting for what a page does, under any Content-Security-Policy."""

import time

from playwright.sync_api import Page

PATIENCE = 60
"""Seconds: how busy the machine is must not decide a test."""

_DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression or function of JavaScript is true.

    ``page.wait_for_function`` looks again from within the page, where a policy without
    ``unsafe-eval`` stops it; the first look alone is exempt. Here each look is a first one.

    :raises TimeoutError: it is not true after ``PATIENCE`` seconds
    """
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(f"{page.url}: still not true: {expression}")
        time.sleep(0.02)


def wait_until_drawn(page: Page) -> None:
    """Wait until what has been asked of the page until now is on the screen."""
    page.evaluate(_DRAWN)
