"""One container, from its start to its report.

The clock is ours: a container is killed from outside, with its whole process namespace, so that
no signal handler matters.
"""

import contextlib
import datetime as dt
import os
import re
import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self

from evaluator.core.compute.engine.accounting import Meter
from evaluator.core.compute.engine.confinement import SHARED
from evaluator.core.compute.engine.docker_client import (
    FAULTS,
    APIError,
    DockerClient,
    platform_faults,
)
from evaluator.core.compute.engine.output import is_full
from evaluator.core.compute.engine.resources import gpu_models, no_gpu
from evaluator.core.compute.engine.spec import ExitReport, Mount, ProgramError, RunSpec, StoppedBy
from evaluator.core.compute.engine.watch import Ending, Watch
from evaluator.core.errors import Actor, PlatformError, StoppedError, printable

_KILL_SECONDS = 60
_SIGKILLED = 137
_STARTS = 2
"""Times that a command has to fail where another starts, after it has failed once."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Of images that do not say."""
_HOST = b"[host]"
_LAYERS = re.compile(rb"\b(lowerdir|upperdir|workdir)=[^\s,]+")
_NO_GPU = ("could not select device driver", "nvidia-container-cli")


class Host(Protocol):
    """What a container needs of its engine."""

    watch: Watch
    halt: threading.Event
    """Set once the whole run is interrupted."""

    def kill(self, container: str) -> None: ...

    def finish_removals(self) -> None:
        """Wait until what is left of earlier containers is gone."""

    def can_start(self, spec: RunSpec) -> bool:
        """Whether another command starts in a container of the same kind."""

    def release(self, container: str, meter: Meter, *, ended: bool) -> None:
        """Remove the container: later if it has ended."""


class Container:
    """A container that was created."""

    def __init__(
        self, host: Host, client: DockerClient, spec: RunSpec, container: str, meter: Meter
    ) -> None:
        self._host = host
        self._client = client
        self._spec = spec
        self._id = container
        self._meter = meter
        self._killed = False
        self._started = False

    def __enter__(self) -> Self:
        return self

    @property
    def network(self) -> str:
        return f"{SHARED}{self._id}"

    def __exit__(self, *_: object) -> None:
        if not self._started:
            self._started = True
            self._host.release(self._id, self._meter, ended=True)

    def start(self) -> Self:
        """Start it. Raises ProgramError, and leaves nothing behind then."""
        spec = self._spec
        self._started = True
        with self._release_on_error(), platform_faults("run a container"):
            if spec.exclusive:
                self._host.finish_removals()
            if self._host.halt.is_set():
                raise StoppedError
            self._gpus = gpu_models(spec.gpus)
            self._asked = time.monotonic()
            self._start()
            self._began = time.monotonic()
            self._ending = Ending(self._client, self._id, self._meter.first_process(self._id))
            if self._host.halt.is_set():  # the run ended between its registration and its start
                self._host.kill(self._id)
            self._meter.begin(self._id)
        return self

    def _start(self) -> None:
        spec = self._spec
        for left in reversed(range(_STARTS + 1)):
            try:
                self._client.start(self._id)
            except APIError as error:
                if spec.gpus and any(sign in error.explanation for sign in _NO_GPU):
                    raise no_gpu() from None
                # An engine says in words alone whether the command or its own runtime is at fault,
                # and often in the same. So another command decides, and then the same once more.
                if left and not self._host.can_start(spec):
                    raise
            else:
                return
        raise ProgramError(
            f"the command '{printable(spec.command[0])}' cannot be started in the image "
            f"'{printable(spec.image.name)}'",
            hint=_command_hint(self._client, self._id, spec.command[0]),
            actor=Actor.ORGANISER,
        )

    def kill(self) -> None:
        """End it; ``wait`` then says that we did."""
        self._killed = True
        self._host.kill(self._id)

    def wait(self) -> ExitReport:
        spec, client = self._spec, self._client
        with self._release_on_error(), platform_faults("run a container"):
            left = max(0.01, self._began + spec.seconds - time.monotonic())
            timed_out = not client.wait(self._id, left if spec.seconds else None)
            if timed_out:
                self._host.kill(self._id)
                if not client.wait(self._id, _KILL_SECONDS):
                    raise PlatformError(f"the container {self._id[:12]} cannot be killed")
            ended = time.monotonic()
            seen = client.inspect_container(self._id)
            state = seen["State"]
            log = _without_host(_log(client, self._id, spec.limits.log_size), self._id, spec.mounts)
            cpu_seconds, peak_memory = self._meter.read()
            if self._host.halt.is_set():
                raise StoppedError
        # It has ended, and nobody waits for its remains to go.
        code = int(state["ExitCode"])
        disturbed = self._host.watch.disturbance(self._id, failed=code != 0)
        was_killed = self._ending.was_killed()
        self._ending.close()
        self._host.release(self._id, self._meter, ended=True)
        if disturbed is not None:
            raise _disturbance(f"was {disturbed} by somebody else")
        seconds, at = _times(state, ended - self._began, most=ended - self._asked)
        if code != _SIGKILLED and spec.seconds and seconds < spec.seconds:
            timed_out = False  # it ended in time by itself, and its engine said so late
        limit = spec.limits.memory
        stopped_by: StoppedBy | None = None
        if timed_out:
            stopped_by = "time"
        elif code != 0 and any(map(is_full, spec.outputs.values())):
            stopped_by = "output"
        elif code != 0 and state.get("OOMKilled"):
            if peak_memory is not None and peak_memory + self._meter.unseen < 0.9 * limit:
                raise _disturbance("was ended since this machine has no memory left")
            stopped_by = "memory"
            # It had all of it, though samples may have missed that.
            peak_memory = max(peak_memory or 0, limit)
        elif code == _SIGKILLED and self._killed:
            stopped_by = "caller"
        elif code == _SIGKILLED and (peak_memory or 0) > 0.99 * limit:
            stopped_by = "memory"  # Podman does not say so, and a busy Docker at times
        elif code == _SIGKILLED and was_killed:
            raise _disturbance("was killed by this machine")
        return ExitReport(
            exit_code=None if stopped_by in ("time", "caller") else code,
            stopped_by=stopped_by,
            wall_seconds=seconds,
            cpu_seconds=cpu_seconds,
            peak_memory=peak_memory,
            log=log,
            ended=at,
            gpus=self._gpus,
            entrypoint=shlex.join(seen["Config"].get("Entrypoint") or ()),
        )

    @contextlib.contextmanager
    def _release_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._host.release(self._id, self._meter, ended=False)
            raise


def _disturbance(happening: str) -> PlatformError:
    return PlatformError(
        f"a container {happening}",
        hint="Nobody but pullbench may end or pause its containers; is there memory enough for all "
        "that runs at once?",
    )


def _command_hint(client: DockerClient, container: str, command: str) -> str:
    # Old bundles call ``python``, and newer images have python3 alone.
    with contextlib.suppress(*FAULTS):
        if command == "python" and has_command(client, container, "python3"):
            return "The image has 'python3': write that in the program's metadata.yaml."
    return "Correct the command in the program's metadata.yaml, or the image."


def has_command(client: DockerClient, container: str, command: str) -> bool:
    variables = client.inspect_container(container)["Config"]["Env"] or ()
    path = next((text[5:] for text in variables if text.startswith("PATH=")), _PATH)
    return any(client.has_path(container, f"{folder}/{command}") for folder in path.split(":"))


def _log(client: DockerClient, container: str, size: int) -> bytes:
    tail = b""
    for chunk in client.logs(container, stdout=True, stderr=True):
        tail = (tail + chunk)[-size:]
    return tail


def _without_host(log: bytes, container: str, mounts: Sequence[Mount]) -> bytes:
    """Replace what /proc says of this machine: a mount's path begins at any folder above."""
    parts = [mount.source.resolve().parts for mount in mounts]
    paths = {"/" + "/".join(names[n:]) for names in parts for n in range(1, len(names) - 1)}
    for text in sorted(paths, key=len, reverse=True):
        for written in (text, text.replace(" ", "\\040")):
            log = log.replace(os.fsencode(written), _HOST)
    with_id = rf"(?<![^\s:,=])[^\s:,=]*{container[:12]}[0-9a-f]*"
    return _LAYERS.sub(rb"\1=" + _HOST, re.sub(with_id.encode(), _HOST, log))


def _times(state: dict[str, Any], fallback: float, *, most: float) -> tuple[float, float]:
    """Duration and end by the daemon's clock; ``fallback`` if that was set meanwhile."""
    try:
        began, ended = (_timestamp(state[key]) for key in ("StartedAt", "FinishedAt"))
    except (KeyError, ValueError):
        return fallback, time.time()
    return ended - began if 0 <= ended - began <= most else fallback, ended


def _timestamp(text: str) -> float:
    date, _, fraction = text.rstrip("Z").partition(".")
    seconds = dt.datetime.fromisoformat(date).replace(tzinfo=dt.UTC).timestamp()
    return seconds + float(f"0.{fraction or 0}")
