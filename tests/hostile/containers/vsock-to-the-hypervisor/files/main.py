import contextlib
import socket
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_VSOCK, kind)
        answer.write_text("owned")
