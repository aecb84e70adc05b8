import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
PUBLIC = {"PULLBENCH_CPUS", "PULLBENCH_MEMORY", "PULLBENCH_GPUS"}  # what every program is told
if [
    name
    for name in set(os.environ) - PUBLIC
    if "TOKEN" in name or "GIT" in name or "PULLBENCH" in name or "SECRET" in name
]:
    answer.write_text("owned")
