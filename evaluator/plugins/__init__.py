"""What can be left out: each folder can be deleted, and the rest works without it."""
