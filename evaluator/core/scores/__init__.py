"""Scores of cells: run, written, chosen, opened, redacted."""
