"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli import (
    amlb,
    analysis,
    bundles,
    exchange,
    imports,
    pulls,
    records,
    robots,
    secrets,
    suites,
)
from evaluator.cli.main import cli

__all__ = [
    "amlb",
    "analysis",
    "bundles",
    "cli",
    "exchange",
    "imports",
    "pulls",
    "records",
    "robots",
    "secrets",
    "suites",
]
