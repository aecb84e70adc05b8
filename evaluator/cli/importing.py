"""``pullbench import`` with all its commands."""

from evaluator.cli import amlb
from evaluator.cli.imports import imports

__all__ = ["amlb", "imports"]
