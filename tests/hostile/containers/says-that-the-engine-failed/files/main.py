import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
print("docker: Error response from daemon: Cannot connect to the Docker daemon.", file=sys.stderr)
print("OSError: [Errno 28] No space left on device", file=sys.stderr)
sys.exit(1)
