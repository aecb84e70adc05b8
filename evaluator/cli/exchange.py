"""Verbs that exchange results with the AutoML Benchmark and OpenML."""
