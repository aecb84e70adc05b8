"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli import analysis, bundles, pulls, records, robots, secrets
from evaluator.cli.main import cli

__all__ = ["analysis", "bundles", "cli", "pulls", "records", "robots", "secrets"]
