"""Bundles of Codabench and CodaLab: brought in, and written for Codabench."""
