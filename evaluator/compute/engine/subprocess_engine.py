"""Runs the same programs on the host, without isolation: for trusted local use alone.

Limits on time, memory and output hold; nothing else does. A program that names its folders
by Codabench's container paths instead of its arguments cannot run here.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from evaluator.compute.engine.gpus import gpu_models, no_gpu
from evaluator.compute.engine.spec import (
    ExitReport,
    Image,
    ImageError,
    Isolation,
    ProgramError,
    Running,
    RunSpec,
    StoppedError,
)
from evaluator.errors import Actor, PlatformError, printable

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_REQUIREMENTS = "requirements.txt"


class SubprocessEngine:
    """One virtual environment for each requirements.txt, kept between runs."""

    isolation: Isolation = "none"
    name = "subprocess (no isolation)"

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._running: set[_Process] = set()
        self._stopped = False

    def prepare(self, image: Image) -> str | None:
        """Make the virtual environment; there is no image id."""
        self._environment(image)
        return None

    def _environment(self, image: Image) -> Path:
        file = image.context / _REQUIREMENTS if image.context else None
        text = file.read_bytes() if file and file.is_file() else b""
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        name = hashlib.sha256(version.encode() + b"\0" + text).hexdigest()[:16]
        folder = self._cache / name
        with self._lock:
            if not (folder / "bin" / "python").exists():
                self._make(folder, text)
        return folder

    def _make(self, folder: Path, requirements: bytes) -> None:
        self._cache.mkdir(parents=True, exist_ok=True)
        # Scripts of a virtual environment name its folder, so that it is made where it stays
        # and marked as whole by its python, which comes last.
        shutil.rmtree(folder, ignore_errors=True)
        unfinished = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(unfinished, ignore_errors=True)
        made = subprocess.run(
            [sys.executable, "-m", "venv", str(unfinished)], capture_output=True, check=False
        )
        if made.returncode != 0:
            raise PlatformError(
                "cannot make a virtual environment: "
                + printable(made.stderr.decode(errors="replace"))[-500:],
                hint="Install Python's venv module (python3-venv on Debian).",
            )
        if requirements.strip():
            listing = unfinished / _REQUIREMENTS
            listing.write_bytes(requirements)
            done = subprocess.run(
                [str(unfinished / "bin" / "python"), "-m", "pip", "install", "--quiet",
                 "--disable-pip-version-check", "-r", str(listing)],
                capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode != 0:
                raise ImageError(
                    "the requirements.txt of the bundle cannot be installed: "
                    + printable(done.stderr.decode(errors="replace"))[-1000:],
                    hint="Try `pip install -r requirements.txt` in a fresh environment.",
                    actor=Actor.ORGANISER,
                )
        # bin/python is a link to the interpreter: it holds no path of the environment.
        unfinished.rename(folder)

    def run(self, spec: RunSpec) -> ExitReport:
        """Run one program and all its children to their end."""
        return self.start(spec).wait()

    def start(self, spec: RunSpec) -> Running:
        """Start one program."""
        gpus = gpu_models(spec.gpus)
        if len(gpus) < spec.gpus:
            raise no_gpu(f"{len(gpus)} of {spec.gpus} GPUs")
        environment = self._environment(spec.image)
        with self._lock:
            if self._stopped:
                raise StoppedError
            process = _Process(self, spec, environment, gpus)
            self._running.add(process)
        return process

    def forget(self, process: "_Process") -> bool:
        """Take note that a program has ended; whether the whole run was interrupted."""
        with self._lock:
            self._running.discard(process)
            return self._stopped

    def stop(self) -> None:
        """Stop all supervisors, and so their programs."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            process.kill()

    def close(self) -> None:
        """Stop; environments stay for the next run."""
        self.stop()


class _Process:
    """A program under its supervisor."""

    def __init__(
        self, engine: SubprocessEngine, spec: RunSpec, environment: Path, gpus: tuple[str, ...]
    ) -> None:
        self._engine = engine
        self._spec = spec
        self._gpus = gpus
        self._folder = tempfile.TemporaryDirectory(prefix="pullbench-")
        scratch = Path(self._folder.name)
        self._log = scratch / "log"
        self._complaints = scratch / "complaints"
        request = json.dumps(_request(spec, environment, scratch, self._log))
        with self._complaints.open("wb") as complaints:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_SUPERVISOR), request],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints,
                start_new_session=True,  # ^C in a terminal is ours to handle, not the supervisor's
            )  # fmt: skip

    def kill(self) -> None:
        """Tell the supervisor to end the program."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def wait(self) -> ExitReport:
        """Wait for the supervisor's report."""
        spec = self._spec
        with self._folder:
            try:
                with self._process:
                    answer = self._answer()
            finally:
                interrupted = self._engine.forget(self)
            if interrupted:
                raise StoppedError
            if answer is None:
                complaints = self._complaints.read_text(errors="replace")
                raise PlatformError(f"the supervisor died: {printable(complaints)[-500:]}")
            if "unstartable" in answer:
                raise ProgramError(
                    f"the command '{printable(spec.command[0])}' cannot be started: "
                    f"{printable(answer['unstartable'])}",
                    hint="Correct the command in the program's metadata.yaml.",
                    actor=Actor.ORGANISER,
                )
            code = answer["exit_code"]
            failed = code not in (None, 0) and answer["stopped_by"] is None
            full = failed and any(folder.is_full() for folder in spec.outputs)
            return ExitReport(
                exit_code=code,
                stopped_by="output" if full else answer["stopped_by"],
                wall_seconds=answer["wall_seconds"],
                cpu_seconds=answer["cpu_seconds"],
                peak_memory=answer["peak_memory"],
                log=_tail(self._log, spec.limits.log_size),
                ended=answer["ended"],
                gpus=self._gpus,
            )

    def _answer(self) -> dict[str, Any] | None:
        if self._process.stdout is None:
            return None
        try:
            answer: dict[str, Any] = json.loads(self._process.stdout.read())
        except ValueError:
            return None
        return answer


def _request(spec: RunSpec, environment: Path, scratch: Path, log: Path) -> dict[str, object]:
    """Make what the supervisor reads."""
    paths = _arrange(spec, scratch / "app")
    (scratch / "tmp").mkdir()
    return {
        "command": [_on_host(part, paths) for part in spec.command],
        "workdir": _on_host(spec.workdir, paths),
        "environment": {
            "PATH": f"{environment / 'bin'}:{os.environ.get('PATH', os.defpath)}",
            "VIRTUAL_ENV": str(environment),
            "HOME": str(scratch / "tmp"),
            "TMPDIR": str(scratch / "tmp"),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            "OMP_NUM_THREADS": str(max(1, int(spec.limits.cpus))),
            "OPENBLAS_NUM_THREADS": str(max(1, int(spec.limits.cpus))),
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(spec.gpus))),
            **spec.environment,
        },
        "seconds": spec.seconds,
        "memory": spec.limits.memory,
        "outputs": [[str(folder.path), folder.size] for folder in spec.outputs],
        "log": str(log),
    }


def _arrange(spec: RunSpec, root: Path) -> dict[str, Path]:
    """Lay the mounts out as links below ``root``; container path -> host path."""
    root.mkdir()
    paths: dict[str, Path] = {}
    for mount in spec.mounts:
        place = root / mount.target.removeprefix("/app/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(mount.source, target_is_directory=True)
        paths[mount.target] = place
    paths["/app"] = root
    return paths


def _on_host(text: str, paths: dict[str, Path]) -> str:
    """Replace the container's /app in one argument."""
    root = paths["/app"]
    if text == "/app" or text.startswith("/app/"):
        return str(root) + text[4:]
    return text.replace("=/app/", f"={root}/")


def _tail(file: Path, size: int) -> bytes:
    with file.open("rb") as log:
        log.seek(max(0, file.stat().st_size - size))
        return log.read(size)
