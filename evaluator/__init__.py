"""pullbench: benchmarks you enter with a pull request."""

__version__ = "0.1.0"

# Part of every record. Raise it when the meaning of a record changes, never for a release.
EVALUATOR_VERSION = __version__
