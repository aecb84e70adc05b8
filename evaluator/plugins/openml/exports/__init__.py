"""Boards as results and predictions of the AutoML Benchmark and of OpenML."""
