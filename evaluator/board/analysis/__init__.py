"""What the results of a benchmark with several tasks or folds say, and what they do not.

Pure functions on plain data: ``outcomes`` is what they begin with, ``study`` puts them together.
Everywhere but in ``outcomes`` itself a greater value is a better one.
"""
