"""Verbs for programs: submitting and reading results without a browser."""
