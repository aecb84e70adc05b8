"""Runs the same programs on the host, without isolation: for trusted local use alone.

Limits on time, memory and output hold; nothing else does. A program that names its folders
by Codabench's container paths instead of its arguments cannot run here.
"""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from evaluator.compute.engine.spec import (
    ExitReport,
    Image,
    ImageError,
    Isolation,
    ProgramError,
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
        self._running: set[subprocess.Popen[bytes]] = set()
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
        environment = self._environment(spec.image)
        with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
            return self._run(spec, environment, Path(scratch))

    def _run(self, spec: RunSpec, environment: Path, scratch: Path) -> ExitReport:
        paths = _arrange(spec, scratch / "app")
        log = scratch / "log"
        (scratch / "tmp").mkdir()
        request = {
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
                **spec.environment,
            },
            "seconds": spec.seconds,
            "memory": spec.limits.memory,
            "output": str(spec.output.path),
            "output_size": spec.output.size,
            "log": str(log),
        }
        answer = self._supervise(request)
        if "unstartable" in answer:
            raise ProgramError(
                f"the command '{printable(spec.command[0])}' cannot be started: "
                f"{printable(answer['unstartable'])}",
                hint="Correct the command in the program's metadata.yaml.",
                actor=Actor.ORGANISER,
            )
        code = answer["exit_code"]
        failed = code not in (None, 0) and answer["stopped_by"] is None
        return ExitReport(
            exit_code=code,
            stopped_by="output" if failed and spec.output.is_full() else answer["stopped_by"],
            wall_seconds=answer["wall_seconds"],
            cpu_seconds=answer["cpu_seconds"],
            peak_memory=answer["peak_memory"],
            log=_tail(log, spec.limits.log_size),
        )

    def _supervise(self, request: dict[str, object]) -> dict[str, Any]:
        process = subprocess.Popen(
            [sys.executable, "-I", str(_SUPERVISOR), json.dumps(request)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with self._lock:
            if self._stopped:
                process.kill()
            self._running.add(process)
        try:
            out, err = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        if self._stopped:
            raise StoppedError
        try:
            answer: dict[str, Any] = json.loads(out)
        except ValueError:
            raise PlatformError(
                f"the supervisor died: {printable(err.decode(errors='replace'))[-500:]}"
            ) from None
        return answer

    def stop(self) -> None:
        """Kill all supervisors; the kernel kills their programs with them."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Stop; environments stay for the next run."""
        self.stop()


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
