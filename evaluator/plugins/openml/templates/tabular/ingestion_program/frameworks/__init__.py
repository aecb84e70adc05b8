"""The package below which framework modules of the AutoML Benchmark stand."""
