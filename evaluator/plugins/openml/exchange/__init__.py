"""Results of the AutoML Benchmark and of OpenML as files: reading them, and writing AMLB's."""
