"""All verbs but those that load themselves."""

from evaluator.cli import (
    amlb,
    analysis,
    bundles,
    imports,
    logs,
    main,
    pulls,
    records,
    robots,
    secrets,
    suites,
)

__all__ = [
    "amlb",
    "analysis",
    "bundles",
    "imports",
    "logs",
    "main",
    "pulls",
    "records",
    "robots",
    "secrets",
    "suites",
]
