import shutil
import subprocess
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
copy = Path("/tmp/id")
shutil.copy("/usr/bin/id", copy)
copy.chmod(0o6755)
try:
    said = subprocess.run([copy, "-u"], capture_output=True, text=True)
    if said.stdout.strip() == "0":
        answer.write_text("owned")
except OSError:
    pass
