import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    socket.create_connection(("169.254.169.254", 80), timeout=1)
except OSError:
    pass
else:
    answer.write_text("owned")
