import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for name in ("json", "pathlib", "sitecustomize", "usercustomize"):
    Path(sys.argv[2], f"{name}.py").write_text("raise SystemExit('owned')")
