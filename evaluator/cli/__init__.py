"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli import bundles, pulls, records, robots
from evaluator.cli.main import cli

__all__ = ["bundles", "cli", "pulls", "records", "robots"]
