"""Importers: other platforms' competitions -> bundles below benchmarks/, and the way back.

They write bundles and nothing else; from there on there is one kind of thing.
"""
