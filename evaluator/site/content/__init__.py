"""What is read of the repository for the site: benchmarks, boards, their history, settings."""
