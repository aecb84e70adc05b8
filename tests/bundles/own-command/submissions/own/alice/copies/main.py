import shutil
import sys

shutil.copy(f"{sys.argv[1]}/value.txt", sys.argv[2])
