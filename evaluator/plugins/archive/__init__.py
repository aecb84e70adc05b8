"""Submissions of ended phases, moved to another repository or a bundle."""
