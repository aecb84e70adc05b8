"""What the results of a benchmark say, and what they do not."""
