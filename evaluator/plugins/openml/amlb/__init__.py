"""Definitions of the AutoML Benchmark: benchmarks, constraints, data sets, frameworks."""
