"""Scores that a paper or another board states."""
