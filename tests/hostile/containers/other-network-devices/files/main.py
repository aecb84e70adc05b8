import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
if [name for _, name in socket.if_nameindex()] != ["lo"]:
    answer.write_text("owned")
