"""Entries that are encrypted to the organisers until a date."""
