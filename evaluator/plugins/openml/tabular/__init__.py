"""The tabular fold format: importers of tables write it, and their bundles' programs read it."""
