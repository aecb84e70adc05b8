import os
import sys

os.mkfifo(f"{sys.argv[2]}/pipe")
