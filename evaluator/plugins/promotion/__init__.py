"""Phases that take only the best of an earlier phase."""
