"""The Docker engine: every isolation on, nothing optional.

No network, read-only root, no capability, no new privileges, a user without rights, limits on
processes, memory, CPU, output, log and time. The clock is ours: a container is killed from
outside, with its whole process namespace, so that no signal handler matters.
"""

import contextlib
import datetime as dt
import math
import os
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import docker
import docker.errors
import requests.exceptions
from docker.types import DeviceRequest, LogConfig, Mount, Ulimit
from docker.utils import kwargs_from_env

from evaluator.compute.engine.accounting import Meter, make_meter
from evaluator.compute.engine.images import Images
from evaluator.compute.engine.output import Watcher
from evaluator.compute.engine.spec import (
    ExitReport,
    Image,
    Isolation,
    ProgramError,
    RunSpec,
    StoppedBy,
    StoppedError,
)
from evaluator.errors import Actor, PlatformError, printable
from evaluator.formats.settings import Settings

RUN_LABEL = "org.pullbench.run"
"""Label of our containers: which run they belong to, so that a later one can clear up."""
_NOBODY = "65534:65534"
_KILL_SECONDS = 60
_FAULTS = (docker.errors.DockerException, requests.exceptions.RequestException, OSError)


def connect() -> Any | None:
    """Return a client of the daemon that answers, else None."""
    try:
        client = docker.APIClient(version="auto", timeout=30, **_from_environment())
        client.ping()
    except _FAULTS:
        return None
    return client


def _from_environment() -> dict[str, Any]:
    return dict(kwargs_from_env())


class DockerEngine:
    """One for a run; each thread has a client of its own.

    A container without network costs less than one with Docker's network ``none``: for that the
    daemon starts a copy of itself to set up what is then left empty, 0.15 s each. With
    ``network_disabled`` the runtime alone makes a fresh network namespace in which loopback is
    all there is. That the namespace is fresh is the runtime's default and no promise of Docker's
    interface, so that each run looks before it relies on it (``_disabled_is_isolated``).
    """

    def __init__(self, client: Any, settings: Settings, run_id: str) -> None:
        self.isolation: Isolation = "gvisor" if settings.runtime == "runsc" else "docker"
        self._settings = settings
        self._info: dict[str, Any] = client.info()
        self.name = f"{self.isolation} (engine {self._info.get('ServerVersion', '?')})"
        self._client = client
        self._images = Images(client, settings)
        self._labels = {RUN_LABEL: run_id}
        self._local = threading.local()
        self._lock = threading.Lock()
        self._sweeper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sweeper")
        self._probing = threading.Lock()
        self._fast_network: bool | None = None
        self._running: set[str] = set()
        self._stopped = False
        self._check_runtime()

    def _check_runtime(self) -> None:
        known = self._info.get("Runtimes") or {}
        if self._settings.runtime not in known:
            raise PlatformError(
                f"the Docker engine has no runtime '{self._settings.runtime}'",
                hint='Install it, or set [tool.pullbench] runtime = "runc".',
            )

    def prepare(self, image: Image) -> str | None:
        """Find, pull or build an image."""
        with _platform_faults("make the image ready"):
            return self._images.prepare(image)

    def run(self, spec: RunSpec) -> ExitReport:
        """Run one container to its end."""
        image_id = self.prepare(spec.image) or ""
        with _platform_faults("run a container"):
            return self._run(spec, image_id)

    def _run(self, spec: RunSpec, image_id: str) -> ExitReport:
        client = self._lane_client()
        meter = make_meter(client, self._info, f"pullbench_{uuid.uuid4().hex}")
        container = self._create(client, spec, image_id, meter.parent)
        watcher = None
        timed_out = False
        try:
            self._register(container)
            began = time.monotonic()
            _start(client, container, spec)
            meter.started(container)
            if not spec.output.bounded:
                watcher = Watcher(spec.output, lambda: _kill(self._client, container))
            if not _wait(client, container, spec.seconds):
                timed_out = True
                _end(client, container)
            wall = time.monotonic() - began
            state = client.inspect_container(container)["State"]
            log = _log(client, container, spec.limits.log_size)
            overfull = watcher.finish() if watcher else False
            cpu_seconds, peak_memory = meter.read()
        except BaseException:
            self._sweep(container, meter)
            raise
        # It has ended, and nobody waits for its remains to go.
        self._sweeper.submit(self._sweep, container, meter)
        if self._stopped:
            raise StoppedError
        failed = int(state["ExitCode"]) != 0
        stopped_by: StoppedBy | None = None
        if timed_out:
            stopped_by = "time"
        elif overfull or (failed and spec.output.is_full()):
            stopped_by = "output"
        elif failed and state.get("OOMKilled"):
            stopped_by = "memory"
        return ExitReport(
            exit_code=None if timed_out else int(state["ExitCode"]),
            stopped_by=stopped_by,
            wall_seconds=_duration(state, wall),
            cpu_seconds=cpu_seconds,
            peak_memory=peak_memory,
            log=log,
        )

    def _register(self, container: str) -> None:
        """Make a container known to ``stop``, before it starts."""
        with self._lock:
            if self._stopped:
                raise StoppedError
            self._running.add(container)

    def _sweep(self, container: str, meter: Meter) -> None:
        with self._lock:
            self._running.discard(container)
        with contextlib.suppress(*_FAULTS):  # the next run removes what stays
            self._client.remove_container(container, force=True, v=True)
        meter.close()

    def _create(self, client: Any, spec: RunSpec, image_id: str, parent: str | None) -> str:
        limits = spec.limits
        # Mounts, not ``binds``: that is a mapping by source, and one folder of identical content
        # may stand at two targets.
        mounts = [
            Mount(mount.target, str(mount.source), type="bind", read_only=not mount.writable)
            for mount in spec.mounts
        ]
        scratch = min(limits.memory // 2, 2**30)
        host = client.create_host_config(
            mounts=mounts,
            network_mode=spec.network,
            runtime=self._settings.runtime,
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            pids_limit=limits.pids,
            mem_limit=limits.memory,
            memswap_limit=limits.memory,
            nano_cpus=int(min(limits.cpus, self._info.get("NCPU") or 1) * 1e9),
            tmpfs={"/tmp": f"rw,nosuid,nodev,noexec,mode=1777,size={scratch}"},  # noqa: S108
            shm_size=scratch,
            ulimits=[
                Ulimit(name="nofile", soft=4096, hard=4096),
                Ulimit(name="core", soft=0, hard=0),
                Ulimit(name="fsize", soft=limits.output_size, hard=limits.output_size),
            ],
            log_config=LogConfig(
                type="json-file", config={"max-size": str(2 * limits.log_size), "max-file": "1"}
            ),
            cgroup_parent=parent,
            device_requests=(
                [DeviceRequest(count=spec.gpus, capabilities=[["gpu"]])] if spec.gpus else None
            ),
        )
        threads = str(max(1, math.floor(limits.cpus)))
        environment = {
            "HOME": "/tmp",  # noqa: S108 - the container's own
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            # Libraries count the host's cores, not the quota, and then throttle one another.
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            **spec.environment,
        }
        created = client.create_container(
            image_id,
            command=list(spec.command),
            user=_NOBODY if os.geteuid() == 0 else f"{os.geteuid()}:{os.getegid()}",
            working_dir=spec.workdir,
            environment=environment,
            labels=self._labels,
            host_config=host,
            **self._network(spec, image_id),
        )
        return str(created["Id"])

    def _network(self, spec: RunSpec, image_id: str) -> dict[str, Any]:
        """Arguments of create_container that give it its network."""
        if spec.network != "none":
            return {"network_disabled": False}
        with self._probing:
            if self._fast_network is None:
                self._fast_network = self._disabled_is_isolated(image_id)
        return {"network_disabled": self._fast_network}

    def _disabled_is_isolated(self, image_id: str) -> bool:
        """Look from inside a container whether loopback is its only interface."""
        try:
            created = self._client.create_container(
                image_id,
                entrypoint=["cat"],
                command=["/proc/net/dev"],
                user=_NOBODY,
                labels=self._labels,
                network_disabled=True,
                host_config=self._client.create_host_config(
                    network_mode="none", read_only=True, cap_drop=["ALL"],
                    security_opt=["no-new-privileges"], pids_limit=4, mem_limit=2**26,
                    runtime=self._settings.runtime,
                ),
            )["Id"]  # fmt: skip
            try:
                self._client.start(created)
                self._client.wait(created)
                lines = self._client.logs(created).decode().splitlines()
            finally:
                self._client.remove_container(created, force=True, v=True)
        except _FAULTS:
            return False  # an image without ``cat``: the slower way is as safe
        return [line.partition(":")[0].strip() for line in lines[2:]] == ["lo"]

    def _lane_client(self) -> Any:
        client = getattr(self._local, "client", None)
        if client is None:
            client = docker.APIClient(version="auto", timeout=600, **_from_environment())
            self._local.client = client
        return client

    def stop(self) -> None:
        """Kill all containers that run."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for container in running:
            _kill(self._client, container)

    def close(self) -> None:
        """Kill and remove everything."""
        self.stop()
        self._sweeper.shutdown()


def remove_leftovers(client: Any, run_id: str) -> int:
    """Remove the containers of a run that died. Returns how many there were."""
    found = client.containers(all=True, quiet=True, filters={"label": f"{RUN_LABEL}={run_id}"})
    for container in found:
        with contextlib.suppress(docker.errors.APIError):
            client.remove_container(container["Id"], force=True, v=True)
    return len(found)


@contextlib.contextmanager
def _platform_faults(doing: str) -> Iterator[None]:
    """Whatever Docker, the network or the disk does wrong is the platform's fault."""
    try:
        yield
    except _FAULTS as error:
        raise PlatformError(
            f"could not {doing}: {printable(str(error))[:500]}",
            hint="Is the Docker engine well? `docker info` tells.",
        ) from error


def _start(client: Any, container: str, spec: RunSpec) -> None:
    try:
        client.start(container)
    except docker.errors.APIError as error:
        text = str(error.explanation or error)
        signs = ("executable file not found", "no such file or directory", "permission denied")
        if any(sign in text for sign in signs) and "mount" not in text:
            raise ProgramError(
                f"the command '{printable(spec.command[0])}' cannot be started in the image "
                f"'{printable(spec.image.name)}'",
                hint="Correct the command in the program's metadata.yaml, or the image.",
                actor=Actor.ORGANISER,
            ) from None
        raise


def _wait(client: Any, container: str, seconds: int) -> bool:
    """Wait for the end; False where the limit came first."""
    try:
        # Without a limit a container may run for ever, and so may the request.
        client.wait(container, timeout=seconds or None)
    except (requests.exceptions.ReadTimeout, requests.exceptions.ConnectionError) as error:
        # requests reports a time-out while reading a chunked answer as a broken connection.
        if seconds and "timed out" in str(error).lower():
            return False
        raise
    return True


def _kill(client: Any, container: str) -> None:
    with contextlib.suppress(*_FAULTS):  # it may have ended by itself just now
        client.kill(container, signal="SIGKILL")


def _end(client: Any, container: str) -> None:
    _kill(client, container)
    if not _wait(client, container, _KILL_SECONDS):
        raise PlatformError(f"the container {container[:12]} cannot be killed")


def _log(client: Any, container: str, size: int) -> bytes:
    kept = b""
    for chunk in client.logs(container, stdout=True, stderr=True, stream=True):
        kept = (kept + chunk)[-size:]
    return kept


def _duration(state: dict[str, Any], fallback: float) -> float:
    """Seconds between the daemon's two time stamps, which have nanoseconds."""
    try:
        began, ended = (_timestamp(state[key]) for key in ("StartedAt", "FinishedAt"))
    except (KeyError, ValueError):
        return fallback
    return max(0.0, ended - began)


def _timestamp(text: str) -> float:
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = dt.datetime.fromisoformat(whole).replace(tzinfo=dt.UTC).timestamp()
    return seconds + float(f"0.{fraction or 0}")
