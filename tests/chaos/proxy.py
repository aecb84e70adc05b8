"""A proxy on the socket of a Docker engine that breaks some of what passes through it.

``python -m tests.chaos.proxy PLACE ENGINE SEED RATE`` listens at a path until it is ended, and
prints each fault, and each run of pullbench that it hears of. What is done to a request depends
on the seed, on what is asked, and on how often that was asked before: not on which thread is
first. ``PLACE ENGINE FAULT PATTERN TIMES`` does one thing to the first so many requests whose
first line has the pattern.
"""

import contextlib
import json
import random
import re
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

_DELAYS = (0.05, 0.2, 0.5, 1, 4)
"""Seconds. A program of the tests has three."""
KINDS = ("delay", "late", "refuse", "drop", "garble", "cut", "500", "lost 500")
"""The first two go with a number of seconds."""
_BLOCK = 2**16
_ID = re.compile(r"[0-9a-f]{32,}")
_RUN = re.compile(rb'org\.pullbench\.run": ?"([0-9a-f]{32})"')
_CONTENT = re.compile(r"GET .*/(archive|logs)\b")
"""What programs wrote: nothing in Docker's protocol vouches for it, so no byte of it is garbled."""
_SAID = json.dumps({"message": "chaos"}).encode()
_500 = (
    b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_SAID), _SAID)
)


Chooser = Callable[[str, int], tuple[str, random.Random]]
"""From what is asked, and how often it was, to a fault, or to an empty text."""


def by_chance(seed: int, rate: float) -> Chooser:
    """Each kind of fault is as likely."""

    def choose(asked: str, count: int) -> tuple[str, random.Random]:
        chance = random.Random(f"{seed} {asked} {count}")  # noqa: S311 - faults
        fault = chance.choice(KINDS) if chance.random() < rate else ""
        return (f"{fault} {chance.choice(_DELAYS)}" if fault in KINDS[:2] else fault), chance

    return choose


def one_fault(fault: str, pattern: str, times: int) -> Chooser:
    """Do this to the first requests that have the pattern."""
    left = iter(range(times))

    def choose(asked: str, count: int) -> tuple[str, random.Random]:
        hit = re.search(pattern, asked) and next(left, None) is not None
        return (fault if hit else ""), random.Random(count)  # noqa: S311

    return choose


class Proxy:
    """Each request has a connection to itself, on both sides."""

    def __init__(self, engine: str, chooser: "Chooser") -> None:
        self._engine = engine
        self._chooser = chooser
        self._count: Counter[str] = Counter()
        self._runs: set[bytes] = set()
        self._lock = threading.Lock()

    def serve(self, place: str) -> None:
        """Serve for ever."""
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(place)
            listening.listen(128)
            print("listening", flush=True)
            while True:
                client, _ = listening.accept()
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            begun = b""
            while b"\r\n\r\n" not in begun:
                if not (block := client.recv(_BLOCK)):
                    return
                begun += block
            head, _, body = begun.partition(b"\r\n\r\n")
            asked = _ID.sub("ID", head.partition(b"\r\n")[0].decode().rpartition(" ")[0])
            with self._lock:
                self._count[asked] += 1
                fault, chance = self._chooser(asked, self._count[asked])
            if fault:
                print(f"{fault}: {asked[:150]}", flush=True)
            if fault.startswith("delay"):
                time.sleep(float(fault.split()[1]))
            elif fault == "refuse":
                return
            elif fault == "500":
                client.sendall(_500)
                return
            with socket.socket(socket.AF_UNIX) as engine:
                engine.connect(self._engine)
                engine.sendall(head + b"\r\nConnection: close\r\n\r\n" + body)
                sending = threading.Thread(target=self._send, args=(client, engine, body))
                sending.start()
                self._pass_on(engine, client, fault, chance, bool(_CONTENT.match(asked)))
                # Nobody waits for the other half any more.
                for end in (client, engine):
                    with contextlib.suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)
                sending.join()

    def _send(self, client: socket.socket, engine: socket.socket, last: bytes) -> None:
        """Pass on what is asked, and the end of whoever asks."""
        with contextlib.suppress(OSError):
            while True:
                for run in {*_RUN.findall(last)} - self._runs:
                    self._runs.add(run)
                    print(f"run {run.decode()}", flush=True)
                if not (block := client.recv(_BLOCK)):
                    break
                engine.sendall(block)
                last = last[-100:] + block
        with contextlib.suppress(OSError):
            engine.shutdown(socket.SHUT_RDWR)

    def _pass_on(
        self, engine: socket.socket, client: socket.socket, fault: str, chance: random.Random,
        is_content: bool,
    ) -> None:  # fmt: skip
        """Pass on the answer, of which one block meets with the fault."""
        at = chance.choice((0, 0, 1, 2))
        number = 0
        while block := engine.recv(_BLOCK):
            if number == 0 and fault.startswith("late"):
                time.sleep(float(fault.split()[1]))
            if fault in ("drop", "lost 500"):
                client.sendall(_500 if fault == "lost 500" else b"")
                return
            if number == at and fault == "cut":
                client.sendall(block[: chance.randrange(len(block))])
                return
            if number == at and fault == "garble":
                end = block.find(b"\r\n\r\n") if is_content else len(block)
                block = garbled(block, end, chance)
            client.sendall(block)
            number += 1


def garbled(block: bytes, end: int, chance: random.Random) -> bytes:
    """Put bytes that are no text over some of those before ``end``."""
    if end <= 0:
        return block
    start = chance.randrange(end)
    stop = min(end, start + chance.randint(1, 40))
    return block[:start] + bytes(chance.choices(range(128, 256), k=stop - start)) + block[stop:]


if __name__ == "__main__":
    place, engine, *how = sys.argv[1:]
    chooser = (
        by_chance(int(how[0]), float(how[1])) if len(how) == 2
        else one_fault(how[0], how[1], int(how[2]))
    )  # fmt: skip
    Proxy(engine, chooser).serve(place)
