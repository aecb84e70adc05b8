import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
except OSError:
    pass
else:
    answer.write_text("owned")
