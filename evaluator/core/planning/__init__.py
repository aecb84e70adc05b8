"""From a git tree to the cells that are missing. Needs git and a clock, never a Docker engine."""
