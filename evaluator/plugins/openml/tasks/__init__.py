"""OpenML's suites and tasks -> bundles.

The package `openml` runs in a process of its own (`child`), with a configuration and a cache that
are made for it: it deletes its cache on errors, unpickles what lies there, and waits for ever.
"""
