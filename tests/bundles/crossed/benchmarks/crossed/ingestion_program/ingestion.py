"""Runs the participant's main.py, which finds the data and the folder for its output in argv."""

import runpy
import sys

submission, *sys.argv[1:] = sys.argv[1:]
runpy.run_path(f"{submission}/main.py", run_name="__main__")
