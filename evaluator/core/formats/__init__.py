"""The formats of files: bundles, submissions, scores, settings. Reads bytes, never a disk."""
