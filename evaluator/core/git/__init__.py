"""Reads a repository; ``git.write`` alone writes one."""
