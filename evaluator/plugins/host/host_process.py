"""One program on the host under its supervisor, from its start to its report."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from evaluator.core.compute.engine.output import is_full
from evaluator.core.compute.engine.spec import ExitReport, ProgramError, RunSpec
from evaluator.core.compute.run_folder import remove_tree
from evaluator.core.errors import Actor, PlatformError, StoppedError, printable

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
Request = dict[str, Any]
"""What a supervisor reads."""


class Supervised(Protocol):
    """A program whose supervisor was started."""

    def kill(self) -> None:
        """Make the supervisor end the program; from any thread."""

    def answer(self) -> dict[str, Any] | None:
        """Wait for the supervisor's report; None if it died."""

    def complaint(self) -> str:
        """Its output before it died."""


Launch = Callable[[Request, Path], Supervised]
"""Starts a supervisor with a request, and a folder for what it says."""


class Child:
    """A supervisor that is our own process."""

    def __init__(self, request: Request, scratch: Path) -> None:
        self._complaints = scratch / "complaints"
        with self._complaints.open("wb") as complaints:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_SUPERVISOR), json.dumps(request)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints,
                start_new_session=True,  # ^C in a terminal is ours to handle, not the supervisor's
            )  # fmt: skip

    def kill(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def answer(self) -> dict[str, Any] | None:
        with self._process:
            if self._process.stdout is None:
                return None
            return read_answer(self._process.stdout.read())

    def complaint(self) -> str:
        return self._complaints.read_text(errors="replace")


def read_answer(content: bytes) -> dict[str, Any] | None:
    try:
        answer: dict[str, Any] = json.loads(content)
    except ValueError:
        return None
    return answer


class HostProcess:
    """A program under its supervisor. ``forget`` is called at its end, and says if the run ends."""

    network = "host"

    def __init__(
        self,
        forget: Callable[["HostProcess"], bool],
        spec: RunSpec,
        environment: Path,
        gpus: tuple[str, ...],
        launch: Launch,
        temporary: Path | None = None,
    ) -> None:
        self._forget = forget
        self._spec = spec
        self._gpus = gpus
        self._scratch = scratch = Path(tempfile.mkdtemp(prefix="pullbench-", dir=temporary))
        self._log = scratch / "log"
        request = make_request(spec, environment, scratch, self._log)
        self._supervised = launch(request, scratch)

    def kill(self) -> None:
        self._supervised.kill()

    def wait(self) -> ExitReport:
        spec = self._spec
        try:
            try:
                answer = self._supervised.answer()
            finally:
                interrupted = self._forget(self)
            if interrupted:
                raise StoppedError
            if answer is None:
                complaint = ChildProcessError(self._supervised.complaint()[-500:])
                raise PlatformError("the supervisor died") from complaint
            if "unstartable" in answer:
                raise ProgramError(
                    f"the command '{printable(spec.command[0])}' cannot be started: "
                    f"{printable(answer['unstartable'])}",
                    hint="Correct the command in the program's metadata.yaml.",
                    actor=Actor.ORGANISER,
                )
            code = answer["exit_code"]
            failed = code not in (None, 0) and answer["stopped_by"] is None
            full = failed and any(map(is_full, spec.outputs.values()))
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
        finally:
            remove_tree(self._scratch)


def make_request(spec: RunSpec, environment: Path, scratch: Path, log: Path) -> Request:
    """Lay a program's folders out below ``scratch``, and make what its supervisor reads."""
    paths = _arrange(spec, scratch / "app")
    (scratch / "tmp").mkdir()
    return {
        "command": [_on_host(part, paths) for part in spec.command],
        "workdir": _on_host(spec.workdir, paths),
        "environment": {**variables(spec, environment, scratch / "tmp"), **spec.environment},
        "seconds": spec.seconds,
        "memory": spec.limits.memory,
        "outputs": [[output.source, output.room.size] for output in spec.outputs.values()],
        "log": str(log),
    }


def variables(spec: RunSpec, environment: Path, home: Path) -> dict[str, str]:
    return {
        "PATH": f"{environment / 'bin'}:{os.environ.get('PATH', os.defpath)}",
        "VIRTUAL_ENV": str(environment),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        **spec.resources,
        "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(spec.gpus))),
    }


def _arrange(spec: RunSpec, root: Path) -> dict[str, Path]:
    """Lay the mounts out as links below ``root``; container path -> host path."""
    root.mkdir()
    paths: dict[str, Path] = {}
    sources = {mount.target: mount.source for mount in spec.mounts}
    sources |= {target: Path(output.source) for target, output in spec.outputs.items()}
    for target, source in sources.items():
        place = root / target.removeprefix("/app/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(source, target_is_directory=True)
        paths[target] = place
    paths["/app"] = root
    return paths


def _on_host(text: str, paths: dict[str, Path]) -> str:
    root = paths["/app"]
    if text == "/app" or text.startswith("/app/"):
        return str(root) + text[4:]
    return text.replace("=/app/", f"={root}/")


def _tail(file: Path, size: int) -> bytes:
    with file.open("rb") as log:
        log.seek(max(0, file.stat().st_size - size))
        return log.read(size)
