"""The command ``pullbench``: reads arguments, calls the pipeline, prints. No logic of its own."""

from evaluator.cli.group import cli

__all__ = ["cli"]
