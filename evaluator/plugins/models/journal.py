"""What one cell has spent and what was answered, on disk before it is believed.

A reservation is written before a call and settled by its exchange. After a killed process the
exchanges of the journal are answered again for nothing, and a reservation without an exchange
counts as spent: so a cell spends its limits once, however often it begins.
"""

import json
import math
import os
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evaluator.core.errors import printable
from evaluator.core.formats.json_reader import form_reader
from evaluator.plugins.models.keys import Model
from evaluator.plugins.models.requests import Request, RequestRefusedError
from evaluator.plugins.models.transcript import MAX_TRANSCRIPT, Exchange, to_line
from evaluator.plugins.models.usage import MAX_ANSWER

_NAME = "journal.jsonl"
_SHOWN = 200


class Reservation(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a call may come to."""

    number: int
    model: str
    input: int
    output: int
    size: int
    """Bytes that its exchange may take."""

    @property
    def answer_size(self) -> int:
        """Bytes of its answer."""
        return answer_size(self.output)


def answer_size(tokens: int) -> int:
    """What an answer of so many tokens may take: in a stream each is an event of its own."""
    return min(2**14 + 512 * tokens, MAX_ANSWER)


_read_reservation = form_reader(Reservation, max_bytes=2**12)
_read_exchange = form_reader(Exchange, max_bytes=MAX_TRANSCRIPT)


def exchange_of(
    reserved: Reservation,
    request: Request,
    *,
    status: int,
    kind: str,
    content: bytes = b"",
    used: tuple[int, int] | None = None,
) -> Exchange:
    """Settle a call: without what it ``used`` it takes all that was reserved."""
    input_, output = used or (reserved.input, reserved.output)
    return Exchange(
        number=reserved.number, path=request.path, model=request.model, digest=request.digest,
        request=request.content, status=status, content_type=kind,
        answer=content.decode("utf-8", "surrogateescape"), input=input_, output=output,
    )  # fmt: skip


@dataclass
class _Sum:
    calls: int = 0
    tokens: int = 0
    money: float = 0.0


class Journal:
    """Of one cell. Serves all threads; one process has it at a time."""

    def __init__(
        self, folder: Path, models: Mapping[str, Model], recorded: Sequence[Exchange] | None
    ) -> None:
        """With ``recorded`` exchanges nothing is asked: these are answered again."""
        self._models, self._recorded = models, recorded
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._open: dict[int, tuple[Reservation, Request]] = {}
        """Reservations that are not settled, by number."""
        self._lost: list[Reservation] = []
        self.exchanges: list[Exchange] = []
        self._size = 0
        self.divergence = ""
        """What the first request was that no recorded one is like."""
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / _NAME
        if recorded is None:
            self._read()
        self._file = self._path.open("ab")
        known = self.exchanges if recorded is None else recorded
        self._answers: dict[str, list[Exchange]] = defaultdict(list)
        for exchange in sorted(known, key=lambda one: one.number):
            self._answers[exchange.digest].append(exchange)

    def _read(self) -> None:
        """Read what a killed process left, up to a line that it did not finish."""
        content = self._path.read_bytes() if self._path.exists() else b""
        end = content.rfind(b"\n") + 1
        reserved: dict[int, Reservation] = {}
        for line in content[:end].splitlines():
            if line.startswith(b'{"answer"'):
                exchange = _read_exchange(line)
                self.exchanges.append(exchange)
                self._size += len(line) + 1
                reserved.pop(exchange.number, None)  # a refusal has none
            else:
                one = _read_reservation(line)
                reserved[one.number] = one
        self._lost = [*reserved.values()]
        if end < len(content):
            os.truncate(self._path, end)

    def close(self, *, ended: bool) -> None:
        """Take the end of the program, whose last calls nobody waits for, or of this attempt."""
        with self._lock:
            for reservation, request in [*self._open.values()] if ended else ():
                self._keep(exchange_of(reservation, request, status=504, kind="application/json"))
            self._open.clear()
            self._file.close()  # a second time it does nothing

    def begin(self, request: Request) -> Exchange | Reservation:
        """Return what was answered before, or reserve a call. Raises RequestRefusedError."""
        digest = request.digest
        with self._lock:
            turn = self._asked[digest]
            self._asked[digest] += 1
            if turn < len(self._answers[digest]):
                return self._answers[digest][turn]
            if self._recorded is not None:
                message = f"no recorded request is like this one: {self._difference(request)}"
                self.divergence = self.divergence or message
                raise RequestRefusedError(message)
            number = len(self.exchanges) + len(self._open) + len(self._lost)
            reservation = Reservation(
                number=number, model=request.model, input=len(request.body),
                output=request.output,
                # The body once more escaped, and whatever JSON makes of the answer's signs.
                size=2 * len(request.body) + 2 * answer_size(request.output) + 2**10,
            )  # fmt: skip
            if message := self._lack(reservation):
                return self._refuse(request, digest, number, message)
            self._write(reservation)
            self._open[number] = reservation, request
            return reservation

    def settle(self, reservation: Reservation, exchange: Exchange) -> None:
        with self._lock:
            if self._open.pop(reservation.number, None):  # else the program has ended meanwhile
                self._keep(exchange)

    def _keep(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)
        self._size += self._write(exchange)

    def _refuse(self, request: Request, digest: str, number: int, message: str) -> Exchange:
        """Refuse a call; that is recorded, too, while there is room, for it is asked again."""
        refusal = RequestRefusedError(message, status=429)
        exchange = Exchange(
            number=number, path=request.path, model=request.model, digest=digest, request=None,
            status=refusal.status, content_type="application/json",
            answer=refusal.body(request.path).decode(), input=0, output=0, refused=True,
        )  # fmt: skip
        if self._size + self._open_size + 2**12 < MAX_TRANSCRIPT:
            self._keep(exchange)
        return exchange

    @property
    def _open_size(self) -> int:
        return sum(one.size for one, _ in self._open.values())

    def _write(self, line: msgspec.Struct) -> int:
        self._file.write(content := to_line(line))
        self._file.flush()
        os.fsync(self._file.fileno())
        return len(content)

    def spent(self, name: str) -> _Sum:
        """What is spent or reserved of a model."""
        every: list[Exchange | Reservation] = [
            *(one for one in self.exchanges if not one.refused),
            *(one for one, _ in self._open.values()),
            *self._lost,
        ]
        spent = [(one.input, one.output) for one in every if one.model == name]
        return _Sum(
            calls=len(spent),
            tokens=sum(map(sum, spent)),
            money=math.fsum(self._models[name].price(*one) for one in spent),
        )

    def _lack(self, asked: Reservation) -> str:
        """Say what is not left for a call; nothing if it fits."""
        model, spent = self._models[asked.model], self.spent(asked.model)
        limits, room = model.limits, MAX_TRANSCRIPT - self._size - self._open_size
        for what, left, wanted in (
            ("calls", limits.calls - spent.calls, 1),
            ("tokens", limits.tokens - spent.tokens, asked.input + asked.output),
            ("money", limits.money - spent.money, model.price(asked.input, asked.output)),
            ("bytes of a transcript", room, asked.size),
        ):
            if wanted > left:
                return (
                    f"this call may take {wanted:g} {what}, and {max(left, 0):g} are left for "
                    f"{asked.model}; a shorter limit of the answer takes less"
                )
        return ""

    def _difference(self, request: Request) -> str:
        """Say where a request leaves the recorded one that is like it for longest."""
        text = json.dumps(request.content, sort_keys=True)
        nearest, shared = None, -1
        for exchange in self._recorded or ():
            if exchange.refused:
                continue
            other = json.dumps(exchange.request, sort_keys=True)
            pairs = enumerate(zip(text, other, strict=False))
            ends = (place for place, (one, two) in pairs if one != two)
            common = next(ends, min(len(text), len(other)))
            if common > shared:
                nearest, shared = other, common
        if nearest is None:
            return "nothing was recorded"
        if nearest == text:
            return "it was asked more often than it was recorded"
        start = max(0, shared - _SHOWN // 4)
        was, now = (printable(one[start : start + _SHOWN]) for one in (nearest, text))
        return f"it says … {now} … where the nearest says … {was} …"
