"""Definitions and results of the AutoML Benchmark, tasks and suites of OpenML, tables."""
