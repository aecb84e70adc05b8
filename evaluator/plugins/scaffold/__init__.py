"""What begins: benchmarks and repositories from templates, and submissions."""
