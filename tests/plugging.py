"""Plugins of tests, as if they were installed."""

import pytest

from evaluator.core import plugins
from evaluator.core.plugins import Plugin


def plug_in(monkeypatch: pytest.MonkeyPatch, plugin: Plugin) -> None:
    """Add a plugin in this process until the test ends."""
    _install(monkeypatch, (*plugins.plugins(), plugin))


def leave_out(monkeypatch: pytest.MonkeyPatch, plugin: Plugin) -> None:
    """Do without a plugin in this process until the test ends."""
    _install(monkeypatch, tuple(one for one in plugins.plugins() if one is not plugin))


def _install(monkeypatch: pytest.MonkeyPatch, every: tuple[Plugin, ...]) -> None:
    monkeypatch.setattr(plugins, "plugins", lambda: every)
    plugins._offers.cache_clear()
    monkeypatch.setattr(plugins, "_offers", plugins._offers.__wrapped__)
