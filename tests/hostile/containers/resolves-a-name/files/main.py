import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    socket.getaddrinfo("canary.example.org", 80)
except OSError:
    pass
else:
    answer.write_text("owned")
