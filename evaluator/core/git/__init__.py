"""Reads a repository; ``ci.git`` alone writes one."""
