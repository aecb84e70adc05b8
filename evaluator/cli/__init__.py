"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli import bundles, imports, pulls, records, robots, secrets, suites
from evaluator.cli.main import cli

__all__ = ["bundles", "cli", "imports", "pulls", "records", "robots", "secrets", "suites"]
