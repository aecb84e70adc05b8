"""Verbs that bring bundles in, out, and into being."""
