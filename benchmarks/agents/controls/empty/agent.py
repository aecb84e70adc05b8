"""Writes nothing."""
