"""Runs the same programs on the host, without isolation: for trusted local use alone.

Limits on time, memory and output hold; nothing else does. A program that names its folders
by Codabench's container paths instead of its arguments cannot run here.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Self

from evaluator.core.compute.engine.output import (
    OutputEntry,
    OutputFolder,
    Room,
    walk,
)
from evaluator.core.compute.engine.patience import Patience, SilentServerError, is_unanswered
from evaluator.core.compute.engine.resources import gpu_models, host_capacity, no_gpu
from evaluator.core.compute.engine.spec import (
    Created,
    Image,
    ImageError,
    Isolation,
    Running,
    RunSpec,
)
from evaluator.core.compute.run_folder import scratch_folder
from evaluator.core.errors import Actor, PlatformError, StoppedError, printable
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.log import long_step
from evaluator.plugins.host.host_process import Child, HostProcess, Launch

_REQUIREMENTS = "requirements.txt"


class SubprocessEngine:
    """One virtual environment for each requirements.txt, cached between runs."""

    isolation: Isolation = "none"
    name = "subprocess (no isolation)"
    shares_files = False
    """So that lanes stay: programs are not kept from one another in any case."""

    def __init__(self, cache: Path, retries: int = 2, temporary: Path | None = None) -> None:
        """``temporary`` is where programs have their folders; None is the system's."""
        self.temporary = temporary
        self.capacity = host_capacity()
        self._cache = ContentCache(cache, libraries=True)
        self._environments: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._running: set[HostProcess] = set()
        self._halt = threading.Event()
        self._patience = Patience(retries, self._halt)

    def prepare(self, image: Image) -> str | None:
        self._environment(image)
        return None  # there is no image

    def _environment(self, image: Image) -> Path:
        """The virtual environment of an image; it is verified or made once a run."""
        name, text = requirements(image)
        if name not in self._environments:
            self._environments[name] = self._patience.make(
                name,
                lambda: self._cache.folder(name, lambda folder: _make_environment(folder, text)),
            )
        return self._environments[name]

    @contextlib.contextmanager
    def outputs(
        self,
        image: Image,  # noqa: ARG002 - of engines with containers
        rooms: Sequence[Room],
        scratch: Path,
        later: Sequence[Room] = (),  # noqa: ARG002 - as image
    ) -> Iterator[Sequence[OutputFolder]]:
        with scratch_folder(scratch) as folder:
            yield [HostFolder(folder / str(number), room) for number, room in enumerate(rooms)]

    def create(self, spec: RunSpec) -> Created:
        self.prepare(spec.image)
        return _Later(self, spec)

    def start(self, spec: RunSpec) -> Running:
        gpus = gpu_models(spec.gpus)
        if len(gpus) < spec.gpus:
            raise no_gpu(f"{len(gpus)} of {spec.gpus} GPUs")
        environment = self._environment(spec.image)
        launch = self._launch(spec, environment)
        with self._lock:
            if self._halt.is_set():
                raise StoppedError
            process = HostProcess(self.forget, spec, environment, gpus, launch, self.temporary)
            self._running.add(process)
        return process

    def _launch(self, spec: RunSpec, environment: Path) -> Launch:  # noqa: ARG002 - of others
        return Child

    def forget(self, process: HostProcess) -> bool:
        """Note that a program has ended; returns whether the run was interrupted."""
        with self._lock:
            self._running.discard(process)
            return self._halt.is_set()

    def recover(self) -> bool:
        return False  # it is never away

    def unremoved_runs(self) -> Collection[str]:
        return ()  # all that a run has is below its folders

    def remove_run(self, run_id: str) -> bool:  # noqa: ARG002 - of engines that have more
        return True

    def stop(self) -> None:
        with self._lock:
            self._halt.set()
            running = list(self._running)
        for process in running:
            process.kill()

    def close(self) -> bool:
        """Stop; environments stay for the next run."""
        self.stop()
        return True


def requirements(image: Image) -> tuple[str, bytes]:
    file = image.context / _REQUIREMENTS if image.context else None
    text = file.read_bytes() if file and file.is_file() else b""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return hashlib.sha256(version.encode() + b"\0" + text).hexdigest()[:16], text


def _make_environment(folder: Path, listed: bytes) -> None:
    venv = subprocess.run(
        [sys.executable, "-m", "venv", str(folder)], capture_output=True, check=False
    )
    if venv.returncode != 0:
        raise PlatformError(
            f"cannot make a virtual environment: venv ended with exit code {venv.returncode}",
            hint="Install Python's venv module (python3-venv on Debian).",
        ) from _complaint(venv)
    if not listed.strip():
        return
    listing = folder / _REQUIREMENTS
    listing.write_bytes(listed)
    with long_step("what the bundle's requirements.txt names is being installed"):
        done = subprocess.run(
            [str(folder / "bin" / "python"), "-m", "pip", "install",
             "--disable-pip-version-check", "-r", str(listing)],
            capture_output=True, check=False,
        )  # fmt: skip
    if done.returncode == 0:
        return
    log = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
    if is_unanswered(log):
        raise SilentServerError(
            "the index that the bundle's requirements.txt is installed from does not answer",
            hint="Try again later; `pip download` says more.",
        ) from _complaint(done)
    raise ImageError(
        "the requirements.txt of the bundle cannot be installed: pip ended with exit code "
        f"{done.returncode}",
        hint="`pip install -r requirements.txt` in a fresh environment says more.",
        actor=Actor.ORGANISER,
    ) from _complaint(done)


def _complaint(done: "subprocess.CompletedProcess[bytes]") -> ChildProcessError:
    """End of its output; it names folders of the machine, so that no record may hold it."""
    return ChildProcessError(
        printable(done.stderr.decode(errors="replace"), keep_newlines=True)[-1000:]
    )


class _Later:
    """A program to start; before its start there is nothing to remove."""

    def __init__(self, engine: SubprocessEngine, spec: RunSpec) -> None:
        self._engine = engine
        self._spec = spec

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def start(self) -> Running:
        return self._engine.start(self._spec)


class HostFolder(OutputFolder):
    """A folder of this machine. Nothing but the supervisor's looks bounds it."""

    def __init__(self, path: Path, room: Room) -> None:
        super().__init__(str(path), room)
        self._path = path
        path.mkdir(parents=True)

    def fill(self, folder: Path) -> None:
        shutil.copytree(folder, self._path, dirs_exist_ok=True)
        for path in (self._path, *self._path.rglob("*")):
            path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator[OutputEntry]]:
        folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield walk(folder)
        finally:
            os.close(folder)
