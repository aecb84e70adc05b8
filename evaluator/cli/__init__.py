"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli import amlb, bundles, imports, pulls, records, robots, secrets
from evaluator.cli.main import cli

__all__ = ["amlb", "bundles", "cli", "imports", "pulls", "records", "robots", "secrets"]
