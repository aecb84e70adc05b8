"""Data sets and how hard they are, for pages."""
