"""Copies bytes between loopback and a Unix socket. Holds no key, and reads nothing of them.

Runs in a container with any Python since 3.8. Alone it listens for a program. With a command it
runs that, and carries what the gateway asks to the port on which it listens.
"""

import asyncio
import sys
from typing import Tuple  # noqa: UP035 - an image may have Python 3.8

SOCKET = "/gateway/socket"
PORT, MODEL_PORT = 8080, 8000
OFFERED = 8
Ends = Tuple[asyncio.StreamReader, asyncio.StreamWriter]  # noqa: UP006


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def join(one: Ends, other: Ends) -> None:
    await asyncio.gather(copy(one[0], other[1]), copy(other[0], one[1]))
    one[1].close()
    other[1].close()


async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await join((reader, writer), await asyncio.open_unix_connection(SOCKET))
    except OSError:
        writer.close()


async def offer() -> None:
    """Carry one request after the other, each over a connection that was open before it came."""
    while True:
        reader, writer = await asyncio.open_unix_connection(SOCKET)
        first = await reader.read(65536)
        if first:
            inner = await asyncio.open_connection("127.0.0.1", MODEL_PORT)
            inner[1].write(first)
            await join((reader, writer), inner)
        writer.close()


async def main(command: list[str]) -> None:
    if not command:
        server = await asyncio.start_server(accept, "127.0.0.1", PORT)
        (await asyncio.open_unix_connection(SOCKET))[1].close()  # says that it listens
        await server.serve_forever()
    program = await asyncio.create_subprocess_exec(*command)
    ended = asyncio.ensure_future(program.wait())
    while not ended.done():
        try:
            (await asyncio.open_connection("127.0.0.1", MODEL_PORT))[1].close()
            break
        except OSError:
            await asyncio.sleep(0.05)
    else:
        return
    offers = [asyncio.ensure_future(offer()) for _ in range(OFFERED)]
    await asyncio.wait([ended, *offers], return_when=asyncio.FIRST_COMPLETED)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
