"""Ends at once; its child would rather stay."""

import subprocess
import sys

child = "import time; time.sleep(60) # an-orphan"
subprocess.Popen([sys.executable, "-c", child], start_new_session=True)
