"""Courses: class lists and gradebooks."""
