"""Runs the participant's main.py, which finds the folder for its output in argv."""

import runpy
import sys

runpy.run_path(f"{sys.argv[1]}/main.py", run_name="__main__")
