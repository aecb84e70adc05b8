"""Runs one container (or, for trusted local use, one process tree) and says how it ended."""
