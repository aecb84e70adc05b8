"""Submission kinds: an object for each, and the registry that names them."""
