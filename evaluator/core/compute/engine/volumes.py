"""Outputs of containers: volumes in memory, which the kernel bounds for every user.

A volume of Docker's local driver with type tmpfs needs no right of ours. It has a size, and holds
no devices, set-uid programs or executables. It lasts as long as a container has it: an idle one,
the *holder*, which has several, since to start one costs as much as to start a program. Each
volume is used once. A step has a holder to itself; the next takes over what is left of it.

What a program wrote is read through the holder's process if it runs on this machine. Else, or if
something is closed to us, the daemon reads it, as an archive that nobody believes.
"""

import contextlib
import io
import os
import tarfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import docker.errors

from evaluator.core.compute.engine.confinement import FOREIGN, PLACE
from evaluator.core.compute.engine.docker_client import FAULTS, platform_faults
from evaluator.core.compute.engine.local_volumes import LocalVolumes, fill
from evaluator.core.compute.engine.output import Entry, OutputFolder, Room, UnsafeOutputError, walk
from evaluator.core.errors import PlatformError, error_name

_CHUNK = 2**20
_VOLUMES, _FIRST = 24, 6
"""Of one holder, about; and of the first, since a run may have a single cell."""
_MAX_LEFT = 64 * 2**20
"""Bytes in used volumes after which a holder is removed, and they with it."""
_IDLE = 8
"""Idle holders, at most: benchmarks differ in the size of their outputs."""
_RETRIES = 3
"""Further times to read an output that could not be read to its end."""
_KINDS: dict[bytes, Any] = {
    tarfile.REGTYPE: "file",
    tarfile.AREGTYPE: "file",
    tarfile.DIRTYPE: "folder",
    tarfile.SYMTYPE: "link",
    tarfile.LNKTYPE: "hard link",
}


class Holder:
    """An idle container with volumes; used by one step at a time."""

    def __init__(self, client: Any, container: str, rooms: Sequence[Room]) -> None:
        self.client = client
        self.container = container
        self._rooms = rooms
        self.reading = threading.Lock()
        self.local: LocalVolumes | None = None
        self._used: list[Volume] = []
        self._unused: list[Volume] = []

    def open(self) -> None:
        """Look at its volumes once it has started, and open them if it runs here."""
        inspected = self.client.inspect_container(self.container)
        names = {mount["Destination"]: mount["Name"] for mount in inspected["Mounts"]}
        self._unused = [
            Volume(self, names[f"{PLACE}/{number}"], room, number)
            for number, room in enumerate(self._rooms)
        ]
        with contextlib.suppress(OSError):
            pid = inspected["State"]["Pid"]
            self.local = LocalVolumes(pid, self.container, PLACE, self._rooms)

    @property
    def volumes(self) -> "list[Volume]":
        return [*self._used, *self._unused]

    def close(self) -> None:
        if self.local:
            self.local.close()
            self.local = None

    def fits(self, rooms: Sequence[Room]) -> bool:
        return not Counter(rooms) - Counter(volume.room for volume in self._unused)

    def take(self, rooms: Sequence[Room]) -> "list[Volume]":
        for room in rooms:
            volume = next(volume for volume in self._unused if volume.room == room)
            self._unused.remove(volume)
            self._used.append(volume)
        return self._used[-len(rooms) :]

    @property
    def is_spent(self) -> bool:
        """Whether to remove it: it has nothing to give, or holds too much memory."""
        return not self._unused or sum(volume.used for volume in self._used) > _MAX_LEFT

    @property
    def is_alive(self) -> bool:
        """Whether it still holds its volumes. Raises PlatformError."""
        if self.local:
            return self.local.is_alive
        with platform_faults("keep an output"):
            try:
                state = self.client.inspect_container(self.container)["State"]
            except docker.errors.NotFound:
                return False
        return bool(state["Running"])

    def check(self) -> None:
        """Raise PlatformError if it has ended: what it held is lost."""
        if not self.is_alive:
            raise PlatformError("a container that holds outputs was ended from outside")


class Volume(OutputFolder):
    """One output of one container."""

    def __init__(self, holder: Holder, name: str, room: Room, number: int) -> None:
        super().__init__(name, room)
        self._holder = holder
        self._number = number
        self._path = f"{PLACE}/{number}"
        self._read_bytes = room.size
        self._entries = 0
        """That were read of it, when it was read last."""

    @property
    def _folder(self) -> int | None:
        local = self._holder.local
        return local.folders[self._number] if local else None

    @property
    def used(self) -> int:
        """Bytes that it may hold, as far as is known."""
        free = self.free()
        return self._read_bytes if free is None else self.room.size - free[0]

    def free(self) -> tuple[int, int] | None:
        if self._folder is None:
            return None
        status = os.fstatvfs(self._folder)
        return status.f_bfree * status.f_frsize, status.f_ffree

    def fill(self, folder: Path) -> None:
        with self._holder.reading, platform_faults("copy predictions"):
            # Only root may give files to others, who may want to change their rights, too.
            if self._folder is not None and os.geteuid() == 0:
                fill(self._folder, folder, FOREIGN)
                return
            content = _pack(folder, FOREIGN)
            self._holder.client.put_archive(self._holder.container, self._path, content)
        self._read_bytes = sum(path.stat().st_size for path in folder.rglob("*"))

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator[Entry]]:
        holder = self._holder
        with holder.reading:
            if self._folder is not None and _is_readable(self._folder):
                yield self._walk(self._folder)
                holder.check()
                return
            try:
                with self._open() as entries:
                    yield entries
            except (tarfile.TarError, _BrokenError, _UnsentError):
                holder.check()
                if self._always_breaks():
                    raise UnsafeOutputError("the engine cannot read it") from None
                raise PlatformError(
                    "the engine did not send an output to its end",
                    hint="Is the Docker engine well? `docker info` tells.",
                ) from None
            holder.check()  # a volume that nobody holds any more is empty when it is read

    def _walk(self, folder: int) -> Iterator[Entry]:
        try:
            yield from walk(folder)
        except OSError as error:  # nobody but its holder could change it since
            raise UnsafeOutputError(
                f"something in it cannot be read ({error_name(error)})"
            ) from None

    @contextlib.contextmanager
    def _open(self) -> Iterator[Iterator[Entry]]:
        """Read what the daemon sends.

        Raises _UnsentError; _BrokenError, tarfile.TarError, also while it is read.
        """
        self._entries = 0
        try:
            chunks, _ = self._holder.client.get_archive(
                self._holder.container, self._path, chunk_size=_CHUNK
            )
        except FAULTS as error:
            raise _UnsentError from error
        # Leaving it ends the connection: what is still to come is not wanted.
        with (
            contextlib.closing(chunks),
            io.BufferedReader(_Stream(chunks), _CHUNK) as stream,
            tarfile.open(fileobj=stream, mode="r|", bufsize=_CHUNK) as archive,
        ):
            yield self._read(archive)

    def _always_breaks(self) -> bool:
        """Whether it ends early at the same place whenever it is read: then its content does that.

        A bad connection breaks anywhere.
        """
        place = self._entries
        return all(self._breaks() and self._entries == place for _ in range(_RETRIES))

    def _breaks(self) -> bool:
        left = self.room.size
        try:
            with self._open() as entries:
                for entry in entries:
                    left -= entry.size
                    if left < 0 or self._entries > self.room.files:
                        break  # what reads it would not read on, either
        except (tarfile.TarError, _BrokenError):
            return True
        except _UnsentError:
            pass
        return False

    def _read(self, archive: tarfile.TarFile) -> Iterator[Entry]:
        total = 0
        for member in archive:
            self._entries += 1
            path = tuple(member.name.split("/")[1:])  # without the folder itself
            if not path:
                continue
            content = archive.extractfile(member) if member.isreg() else None
            total += member.size
            yield Entry(path, _KINDS.get(member.type, "special file"), member.size, content)
        self._read_bytes = total


def _is_readable(folder: int) -> bool:
    """Whether all in it can be read by us: a program may have closed something to others."""
    try:
        for _ in walk(folder):
            pass
    except OSError:
        return False
    return True


class VolumePool:
    """Holders of one engine; serves all threads."""

    def __init__(self, remove: Callable[[Holder], None]) -> None:
        self._remove = remove
        self._idle: list[Holder] = []
        self._made: set[tuple[Room, ...]] = set()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def outputs(
        self, rooms: Sequence[Room], make: Callable[[Sequence[Room]], Holder]
    ) -> Iterator[list[Volume]]:
        holder = self._take(rooms)
        if holder is None:
            volumes = _VOLUMES if tuple(rooms) in self._made else _FIRST
            self._made.add(tuple(rooms))
            holder = make([*rooms] * -(-volumes // len(rooms)))
        try:
            yield holder.take(rooms)
        finally:
            self._give_back(holder)

    def _take(self, rooms: Sequence[Room]) -> Holder | None:
        """Return an idle holder; remove those that ended meanwhile, as with their engine."""
        while True:
            with self._lock:
                holder = next((idle for idle in self._idle if idle.fits(rooms)), None)
                if holder is not None:
                    self._idle.remove(holder)
            if holder is None or holder.is_alive:
                return holder
            self._remove(holder)

    def _give_back(self, holder: Holder) -> None:
        with self._lock:
            if not holder.is_spent:
                self._idle.append(holder)
                holder = self._idle.pop(0) if len(self._idle) > _IDLE else holder
                if holder in self._idle:
                    return
        self._remove(holder)


class _BrokenError(Exception):
    """The engine does not send the rest of an archive."""


class _UnsentError(Exception):
    """The engine sends no archive."""


class _Stream(io.RawIOBase):
    """Pieces as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            while not self._left and (chunk := next(self._chunks, None)) is not None:
                self._left = memoryview(chunk)
        except FAULTS:
            raise _BrokenError from None
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def _pack(folder: Path, owner: int) -> Iterator[bytes]:
    """Make an archive of a folder of ours, in which ``owner`` may write everywhere."""
    for path in sorted(folder.rglob("*")):
        info = tarfile.TarInfo(path.relative_to(folder).as_posix())
        info.uid = info.gid = owner
        if path.is_dir():
            info.type, info.mode = tarfile.DIRTYPE, 0o777
            yield info.tobuf(tarfile.PAX_FORMAT)
            continue
        status = path.stat()
        info.size, info.mode = status.st_size, status.st_mode & 0o777 | 0o666
        yield info.tobuf(tarfile.PAX_FORMAT)
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
        yield bytes(-info.size % tarfile.BLOCKSIZE)
    yield bytes(2 * tarfile.BLOCKSIZE)
