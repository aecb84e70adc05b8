"""Parallel mode: an agent plays while it is scored."""
