"""What a benchmark of ours needs before hostile submissions to it can run: shorter, and open."""

from collections.abc import Callable

from tests.repository import Repository

PREPARED: dict[str, Callable[[Repository], None]] = {}
"""Folder of benchmarks/ -> what is changed in a copy of it; nothing where it is not listed."""
