import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for folder in ("/", "/etc", "/usr/local/bin", "/var/tmp", "/app", "/run", "/home", "/root", "/opt"):
    try:
        Path(folder, "written").write_text("x")
    except OSError:
        continue
    answer.write_text("owned")
