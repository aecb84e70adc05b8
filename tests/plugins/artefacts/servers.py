"""A server on loopback that sends whatever bytes a test wants, for each path its own."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Mapping

Reply = bytes | Callable[[socket.socket], None]


class Server:
    """Serves each connection in a thread; ``asked`` lists the paths in order."""

    def __init__(self, replies: Mapping[str, Reply]) -> None:
        self.replies = dict(replies)
        self.asked: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head and (part := connection.recv(2**16)):
                head += part
            path = head.split(b" ", 2)[1].decode() if head else ""
            self.asked.append(path)
            reply = self.replies.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            if callable(reply):
                reply(connection)
            else:
                connection.sendall(reply)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def ok(content: bytes, *headers: str, length: int | None = None) -> bytes:
    size = len(content) if length is None else length
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {size}", *headers, "", ""]
    return "\r\n".join(lines).encode() + content


def leads_to(address: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {address}\r\nContent-Length: 0\r\n\r\n".encode()


@contextlib.contextmanager
def serving(replies: Mapping[str, Reply]) -> Iterator[Server]:
    server = Server(replies)
    try:
        yield server
    finally:
        server.close()
