"""Cells evaluated again, and compared with their records."""
