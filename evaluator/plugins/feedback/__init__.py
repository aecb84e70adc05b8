"""Private feedback: scores and logs that only the author of an entry can read."""
