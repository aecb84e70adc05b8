"""Statements, and what they prove."""
