import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
import subprocess

program = Path(sys.argv[2], "program")
program.write_text("#!/bin/sh\necho owned\n")
program.chmod(0o755)
try:
    answer.write_bytes(subprocess.run([program], stdout=subprocess.PIPE).stdout)
except OSError:
    pass
