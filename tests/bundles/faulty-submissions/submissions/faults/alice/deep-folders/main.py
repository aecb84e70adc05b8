"""Folders within folders, deeper than a path can name."""

# ruff: noqa: PTH102

import os
import sys

os.chdir(sys.argv[2])
for _ in range(3000):
    os.mkdir("folder")
    os.chdir("folder")
