import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
if [
    name
    for name in os.environ
    if "TOKEN" in name or "GIT" in name or "PULLBENCH" in name or "SECRET" in name
]:
    answer.write_text("owned")
