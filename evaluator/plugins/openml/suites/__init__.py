"""Suites: collections of data sets that pass declared checks, as files in git."""
