"""What is written in files: bundles, submissions, records, settings. Reads bytes, never a disk."""
