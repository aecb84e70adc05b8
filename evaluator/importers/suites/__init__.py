"""Suites: collections of data sets that pass declared checks, kept as files in git."""
