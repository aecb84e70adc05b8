"""The parts of the AutoML Benchmark's package ``amlb`` that its framework modules import.

Written anew from its documentation, so that framework modules run here as they stand.
"""
