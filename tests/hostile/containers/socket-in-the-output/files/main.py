import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
server = socket.socket(socket.AF_UNIX)
server.bind(f"{sys.argv[2]}/socket")
