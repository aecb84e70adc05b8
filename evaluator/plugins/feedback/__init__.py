"""Feedback for the entrant alone."""
