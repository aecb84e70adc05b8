"""Signed statements of scores, and what proves of each number of a board."""
