"""Entries by an issue form, without git."""
