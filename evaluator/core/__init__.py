"""From a git tree to a ranked board."""
