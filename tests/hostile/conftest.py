"""Attacks that begin with a pull request share the forge of tests/pulls."""

from tests.pulls.conftest import forge

__all__ = ["forge"]
