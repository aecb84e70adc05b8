"""Runs one cell in containers. The only zone in which participants' code runs."""
