"""The contract of importers: a source -> a bundle below benchmarks/, checked or refused whole."""
