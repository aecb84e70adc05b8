"""Outputs of containers: volumes in memory, which the kernel bounds for every user.

A volume of Docker's local driver with type tmpfs needs no right of ours. It has a size, and holds
no devices, set-uid programs or executables. It lasts as long as a container has it: an idle one,
the *holder*, which has several, since to start one costs as much as to start a program. Each
volume is used once.

What a program wrote is read through the holder's process if it runs on this machine. Else, or if
something is closed to us, the daemon reads it, as an archive that nobody believes.
"""

import contextlib
import io
import os
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.confinement import FOREIGN, PLACE
from evaluator.core.compute.engine.docker_client import (
    FAULTS,
    DockerClient,
    NotFoundError,
    platform_faults,
)
from evaluator.core.compute.engine.local_volumes import LocalVolumes, fill
from evaluator.core.compute.engine.output import (
    OutputEntry,
    OutputFolder,
    Room,
    UnsafeOutputError,
    walk,
)
from evaluator.core.errors import PlatformError

_CHUNK = 2**20
_CELLS = 8
"""That a holder has volumes for, at most."""
_MAX_LEFT = 64 * 2**20
"""Bytes in used volumes after which a holder is removed, and they with it."""
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
    """An idle container with volumes."""

    def __init__(self, client: DockerClient, container: str, rooms: Sequence[Room]) -> None:
        self.client = client
        self.container = container
        self._rooms = rooms
        self.local: LocalVolumes | None = None
        self.volumes: list[Volume] = []
        self.unused: list[Volume] = []
        self.in_use = 0
        self._used: list[Volume] = []

    def open(self) -> None:
        """Look at its volumes once it has started, and open them if it runs here."""
        inspected = self.client.inspect_container(self.container)
        names = {mount["Destination"]: mount["Name"] for mount in inspected["Mounts"]}
        self.volumes = [
            Volume(self, names[f"{PLACE}/{number}"], room, number)
            for number, room in enumerate(self._rooms)
        ]
        self.unused = list(self.volumes)
        with contextlib.suppress(OSError):
            pid = inspected["State"]["Pid"]
            self.local = LocalVolumes(pid, self.container, PLACE, self._rooms)

    def close(self) -> None:
        if self.local:
            self.local.close()
            self.local = None

    def take(self, volume: "Volume") -> None:
        self.unused.remove(volume)
        self.in_use += 1

    def give_back(self, volume: "Volume") -> None:
        self.in_use -= 1
        self._used.append(volume)

    @property
    def is_full(self) -> bool:
        return sum(volume.used for volume in self._used) > _MAX_LEFT

    @property
    def is_alive(self) -> bool:
        """Whether it still holds its volumes. Raises PlatformError."""
        if self.local:
            return self.local.is_alive
        with platform_faults("keep an output"):
            try:
                state = self.client.inspect_container(self.container)["State"]
            except NotFoundError:
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
        self.holder = holder
        self._reading = threading.Lock()
        self._number = number
        self._path = f"{PLACE}/{number}"
        self._read_bytes = room.size
        self._entries = 0
        """That were read of it, when it was read last."""

    @property
    def _folder(self) -> int | None:
        local = self.holder.local
        return local.folders[self._number] if local else None

    @property
    def used(self) -> int:
        free = self.free()
        return self._read_bytes if free is None else self.room.size - free[0]

    def free(self) -> tuple[int, int] | None:
        if self._folder is None:
            return None
        status = os.fstatvfs(self._folder)
        return status.f_bfree * status.f_frsize, status.f_ffree

    def fill(self, folder: Path) -> None:
        with platform_faults("copy predictions"):
            # Only root may give files to others, who may want to change their rights, too.
            if self._folder is not None and os.geteuid() == 0:
                fill(self._folder, folder, FOREIGN)
                return
            content = _pack(folder, FOREIGN)
            self.holder.client.put_archive(self.holder.container, self._path, content)
        self._read_bytes = sum(path.stat().st_size for path in folder.rglob("*"))

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator[OutputEntry]]:
        holder = self.holder
        with self._reading:
            if self._folder is not None and _is_readable(self._folder):
                yield walk(self._folder)
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

    @contextlib.contextmanager
    def _open(self) -> Iterator[Iterator[OutputEntry]]:
        """Read what the daemon sends. Raises _UnsentError, _BrokenError, tarfile.TarError."""
        self._entries = 0
        with contextlib.ExitStack() as stack:
            try:
                answer = stack.enter_context(
                    self.holder.client.archive(self.holder.container, self._path)
                )
            except FAULTS as error:
                raise _UnsentError from error
            stream = stack.enter_context(io.BufferedReader(_Stream(answer), _CHUNK))
            yield self._read(
                stack.enter_context(tarfile.open(fileobj=stream, mode="r|", bufsize=_CHUNK))
            )

    def _always_breaks(self) -> bool:
        """Whether it ends early at the same place each time: a bad connection breaks anywhere."""
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

    def _read(self, archive: tarfile.TarFile) -> Iterator[OutputEntry]:
        total = 0
        for member in archive:
            self._entries += 1
            path = tuple(member.name.split("/")[1:])  # without the folder itself
            if not path:
                continue
            content = archive.extractfile(member) if member.isreg() else None
            total += member.size
            yield OutputEntry(path, _KINDS.get(member.type, "special file"), member.size, content)
        self._read_bytes = total


def _is_readable(folder: int) -> bool:
    """Whether all in it can be read by us: a program may have closed something to others."""
    try:
        for _ in walk(folder):
            pass
    except UnsafeOutputError:
        return False
    return True


class VolumePool:
    """Holders of one engine, from which steps that run at once take volumes; serves all threads."""

    def __init__(self, remove: Callable[[Holder], None]) -> None:
        self._remove = remove
        self._holders: list[Holder] = []
        self._lock, self._making = threading.Lock(), threading.Lock()
        self._waiting = self._made = 0
        self._cells = _CELLS

    @contextlib.contextmanager
    def outputs(
        self, rooms: Sequence[Room], later: Sequence[Room], make: Callable[[Sequence[Room]], Holder]
    ) -> Iterator[list[Volume]]:
        """Lend volumes; ``later`` is what the same cell will ask for next."""
        volumes = self._take(rooms) or self._wait(rooms, later, make)
        try:
            yield volumes
        finally:
            self._give_back(volumes)

    def _wait(
        self, rooms: Sequence[Room], later: Sequence[Room], make: Callable[[Sequence[Room]], Holder]
    ) -> list[Volume]:
        """Make a holder, for all cells that wait, and for twice as many as there were."""
        with self._lock:
            self._waiting += 1
        try:
            with self._making:
                while not (volumes := self._take(rooms)):
                    cells = min(self._cells, max(self._waiting, 2 * self._made))
                    self._made += cells
                    holder = make([*rooms, *later] * cells)
                    with self._lock:
                        self._holders.append(holder)
                return volumes
        finally:
            with self._lock:
                self._waiting -= 1

    def _take(self, rooms: Sequence[Room]) -> list[Volume]:
        """Take volumes of any holders; forget those that ended meanwhile, as with their engine."""
        while True:
            with self._lock:
                unused = [volume for holder in self._holders for volume in holder.unused]
                volumes: list[Volume] = []
                for room in rooms:
                    volume = next((volume for volume in unused if volume.room == room), None)
                    if volume is None:
                        return []
                    unused.remove(volume)
                    volumes.append(volume)
                for volume in volumes:
                    volume.holder.take(volume)
            ended = [volume for volume in volumes if not volume.holder.is_alive]
            if not ended:
                return volumes
            for volume in ended:
                volume.holder.unused.clear()
            self._give_back(volumes)

    def _give_back(self, volumes: Sequence[Volume]) -> None:
        """Remove holders that are used up or too full: then each cell has one of its own."""
        with self._lock:
            for volume in volumes:
                holder = volume.holder
                holder.give_back(volume)
                if holder.unused and holder.is_full:
                    holder.unused.clear()
                    self._cells = 1
                if not holder.unused and not holder.in_use and holder in self._holders:
                    self._holders.remove(holder)
                    self._remove(holder)


class _BrokenError(Exception):
    """The engine does not send the rest of an archive."""


class _UnsentError(Exception):
    """The engine sends no archive."""


class _Stream(io.RawIOBase):
    """An answer whose faults are told from those of what is in it."""

    def __init__(self, answer: HTTPResponse) -> None:
        self._answer = answer

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return self._answer.readinto(buffer)
        except FAULTS:
            raise _BrokenError from None


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
