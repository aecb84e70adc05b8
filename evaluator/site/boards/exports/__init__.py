"""Boards and results for other programs."""
