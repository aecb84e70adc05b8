"""The Docker engine: prepares images, starts containers, and leaves none behind."""

import contextlib
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.accounting import Meter, make_meter
from evaluator.core.compute.engine.confinement import Confinement
from evaluator.core.compute.engine.container import Container, has_command
from evaluator.core.compute.engine.docker_client import (
    FAULTS,
    APIError,
    DockerClient,
    platform_faults,
)
from evaluator.core.compute.engine.enforcement import UnenforcedError, examine
from evaluator.core.compute.engine.images import Images
from evaluator.core.compute.engine.leftovers import (
    PLACE_LABEL,
    RUN_LABEL,
    remove_run,
    remove_volumes,
    unremoved_runs,
)
from evaluator.core.compute.engine.output import Room
from evaluator.core.compute.engine.resources import Capacity, no_gpu
from evaluator.core.compute.engine.spec import Image, ImageError, Isolation, RunSpec
from evaluator.core.compute.engine.volumes import Holder, Volume, VolumePool
from evaluator.core.compute.engine.watch import Watch
from evaluator.core.errors import Actor, PlatformError, StoppedError, printable
from evaluator.core.formats.settings import Settings
from evaluator.core.log import say

_EXAMINING = threading.Lock()
_EXAMINED: dict[tuple[object, ...], bool | UnenforcedError] = {}


class DockerEngine:
    """One for a run.

    A container without network costs less than one with Docker's network ``none``: for that the
    daemon starts a copy of itself to set up what is then left empty, 0.15 s each. With
    ``network_disabled`` the runtime alone makes a fresh network namespace in which loopback is
    all there is. That the namespace is fresh is the runtime's default and no promise of Docker's
    interface, so that each run looks before it relies on it (``examine``).
    """

    def __init__(
        self,
        client: DockerClient,
        settings: Settings,
        run_id: str,
        place: str = "",
        empty: Path | None = None,
    ) -> None:
        """``empty`` is an empty folder of the run; without it containers share files."""
        self.isolation = isolation_of(client, settings)
        self._settings = settings
        with platform_faults("ask the Docker engine what it is"):
            self._info: dict[str, Any] = client.info()
        self.name = f"{self.isolation} (engine {self._info.get('ServerVersion', '?')})"
        self._client = client
        self._patient = DockerClient()
        self.halt = threading.Event()
        self._images = Images(client, settings, self.halt)
        self._labels = {RUN_LABEL: run_id, PLACE_LABEL: place}
        self._is_podman = client.is_podman
        self._confinement = Confinement(
            runtime=settings.runtime, labels=self._labels, is_podman=self._is_podman, empty=empty
        )
        self.shares_files = False
        self._overlaid: dict[object, bool] = {}
        self._lock = threading.Lock()
        self._overlaying = threading.Lock()
        self._sweeper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sweeper")
        self._running: set[str] = set()
        self._holders: set[Holder] = set()
        self._volumes = VolumePool(self._retire)
        self.capacity = capacity_of(self._info)
        self.watch = Watch(self._patient, self._labels)
        self._waiting = threading.Lock()
        self._is_lost = False
        self._check_runtime()

    def _check_runtime(self) -> None:
        wanted, default = self._settings.runtime, self._info.get("DefaultRuntime")
        # Podman lists all that it would know, and starts its default one whatever it is asked.
        if self._is_podman and wanted != default:
            raise PlatformError(
                f"Podman runs containers with '{default}', and not with '{wanted}'",
                hint=f"Set [tool.pullbench] runtime to what Podman has, or start its service with "
                f"`podman --runtime {wanted} system service`.",
            )
        if wanted not in (self._info.get("Runtimes") or {}):
            raise PlatformError(
                f"the Docker engine has no runtime '{wanted}'",
                hint='Install it, or set [tool.pullbench] runtime = "runc".',
            )
        options = self._info.get("SecurityOptions") or ()
        if self.isolation != "gvisor" and not any("name=seccomp" in option for option in options):
            raise PlatformError(
                f"{self.name} cannot filter the system calls of programs",
                hint="Its kernel needs seccomp; `docker info` lists it. Send these cells to a "
                "machine whose engine has it.",
            )

    def _check_filters(self) -> None:
        """Raise PlatformError if no filter keeps links away; gVisor follows them itself."""
        if self.isolation != "docker":
            raise PlatformError(
                f"{self.name} cannot forbid links, and a participant's could lead the scoring "
                "program to any file: tasks whose agent and environment run at once are not run",
                hint="Send them to a queue whose runners have Docker and "
                '[tool.pullbench] runtime = "runc".',
            )

    def prepare(self, image: Image) -> str:
        with platform_faults("make the image ready"):
            image_id = self._images.prepare(image)
            if empty := self._confinement.empty:  # asked before the first cell has a lane
                beside = empty.with_name("beside")  # no overlay has a folder twice
                beside.mkdir(exist_ok=True)
                self._is_shared(beside, image_id)
            return image_id

    def outputs(
        self,
        image: Image,
        rooms: Sequence[Room],
        scratch: Path,  # noqa: ARG002 - of engines without volumes
        later: Sequence[Room] = (),
    ) -> AbstractContextManager[Sequence[Volume]]:
        image_id = self.prepare(image)
        return self._volumes.outputs(rooms, later, partial(self._make_holder, image, image_id))

    def _make_holder(self, image: Image, image_id: str, rooms: Sequence[Room]) -> Holder:
        with platform_faults("make outputs"):
            client = self._patient
            container = self._confinement.create_holder(
                client, image_id, rooms, network_disabled=self._network_is_fast(image_id)
            )
            holder = Holder(client, container, rooms)
            with self._lock:
                self._holders.add(holder)
            try:
                client.start(container)
            except APIError:
                has_sleep = has_command(client, container, "sleep")
                self._retire(holder)
                if has_sleep:
                    raise
                raise ImageError(
                    f"the image '{printable(image.name)}' has no command 'sleep', which keeps the "
                    "outputs of its programs",
                    hint="Add it, or take an image that has one.",
                    actor=Actor.ORGANISER,
                ) from None
            holder.open()
        return holder

    def _remove_later(self, container: str) -> None:
        self._sweeper.submit(self._client.remove_container, container)

    def _retire(self, holder: Holder) -> None:
        self._sweeper.submit(self._remove_holder, holder)

    def _remove_holder(self, holder: Holder) -> None:
        with self._lock:
            self._holders.discard(holder)
        holder.close()
        self._client.remove_container(holder.container)
        if self._is_podman:
            remove_volumes(self._client, (volume.source for volume in holder.volumes))

    def create(self, spec: RunSpec) -> Container:
        if not spec.links:
            self._check_filters()
        if spec.gpus and self._is_podman:
            raise no_gpu("no GPU that Podman hands out through Docker's interface")
        self.prepare(spec.image)
        with platform_faults("run a container"):
            self.watch.begin()
            meter = make_meter(self._patient, self._info, self._labels[RUN_LABEL])
            id_ = self._create(self._patient, spec, meter.parent)
            with self._lock:  # before it starts, so that ``stop`` finds it
                self._running.add(id_)
            return Container(self, self._patient, spec, id_, meter)

    def _create(
        self, client: DockerClient, spec: RunSpec, parent: str | None, entrypoint: str | None = None
    ) -> str:
        image_id = self.prepare(spec.image)
        is_fast = self._network_is_fast(image_id)
        mounts = [
            replace(mount, is_plain=mount.is_plain or self._is_shared(mount.source, image_id))
            for mount in spec.mounts
        ]
        return self._confinement.create(
            client, replace(spec, mounts=mounts), image_id, cgroup_parent=parent,
            entrypoint=entrypoint, network_disabled=spec.network == "none" and is_fast,
        )  # fmt: skip

    def _is_shared(self, source: Path, image_id: str) -> bool:
        """Whether containers see the host's inodes; asked for each file system or single file."""
        is_nameable = source.is_dir() and not set(':,\\"') & set(str(source))
        key = source.stat().st_dev if is_nameable else source
        with self._overlaying:
            if key not in self._overlaid:
                self._overlaid[key] = is_nameable and self._confinement.can_overlay(
                    self._client, source, image_id, self._remove_later
                )
                if not self._overlaid[key]:
                    self.shares_files = True
                    say(
                        f"the engine mounts no overlay of {source}, so that containers share "
                        "its files: one cell runs at a time"
                    )
            return not self._overlaid[key]

    def can_start(self, spec: RunSpec) -> bool:
        try:
            container = self._create(self._client, replace(spec, command=["0"]), None, "sleep")
        except APIError:
            return False
        try:
            self._client.start(container)
        except APIError:
            return False
        finally:
            self._client.remove_container(container)
        return True

    def recover(self) -> bool:
        if self._answers():
            return False
        with self._waiting:  # one says so
            if self._is_lost or self._answers():
                return not self._is_lost
            seconds = self._settings.engine_wait
            end = time.monotonic() + seconds
            say(f"the Docker engine does not answer; waiting for it, for at most {seconds} s")
            while not self._answers():
                if self.halt.wait(0.5):
                    raise StoppedError
                if time.monotonic() > end:
                    self._is_lost = True
                    return False
            say("the Docker engine answers again")
            return True

    def _answers(self) -> bool:
        try:
            # An engine that ends still serves who is connected, and nobody else.
            with DockerClient(timeout=10) as client:
                _ = client.is_podman  # asks
        except FAULTS:
            return False
        return True

    def _network_is_fast(self, image_id: str) -> bool:
        """Whether it isolates without network set-up; asked once. Raises PlatformError."""
        engine = (self._info.get("ID"), self._info.get("ServerVersion"), self._settings.runtime)
        with _EXAMINING:
            if engine not in _EXAMINED:
                try:
                    _EXAMINED[engine] = examine(
                        self._client, self._confinement, image_id, self._remove_later
                    )
                except UnenforcedError as error:
                    _EXAMINED[engine] = error
            answer = _EXAMINED[engine]
        if isinstance(answer, UnenforcedError):
            raise answer.with_traceback(None)
        return answer

    def kill(self, container: str) -> None:
        self.watch.expect_kill(container)
        with contextlib.suppress(*FAULTS):  # it may have ended by itself just now
            self._client.kill(container)

    def release(self, container: str, meter: Meter, *, ended: bool) -> None:
        with self._lock:
            self._running.discard(container)
        if ended:
            self._sweeper.submit(self._sweep, container, meter)
        else:
            self._sweep(container, meter)

    def finish_removals(self) -> None:
        self._sweeper.submit(lambda: None).result()

    def _sweep(self, container: str, meter: Meter) -> None:
        self._client.remove_container(container)
        self.watch.forget(container)
        meter.close()

    def stop(self) -> None:
        with self._lock:
            self.halt.set()
            running = list(self._running)
        for container in running:
            self.kill(container)

    def close(self) -> bool:
        self.stop()
        self._sweeper.shutdown(cancel_futures=True)  # several go at once below
        self.watch.close()
        is_removed = False
        with contextlib.suppress(PlatformError):  # an interruption left nobody who waits for them
            is_removed = self.remove_run(self._labels[RUN_LABEL])
        for holder in self._holders:
            holder.close()
        self._patient.close()
        self._client.close()
        return is_removed

    def unremoved_runs(self) -> set[str]:
        return unremoved_runs(self._client, self._labels[PLACE_LABEL])

    def remove_run(self, run_id: str) -> bool:
        return remove_run(self._client, run_id)


def isolation_of(client: DockerClient, settings: Settings) -> Isolation:
    if settings.runtime == "runsc":
        return "gvisor"
    return "podman" if client.is_podman else "docker"


def capacity_of(info: Mapping[str, Any]) -> Capacity:
    return Capacity(cpus=info.get("NCPU") or 1, memory=info.get("MemTotal") or 2**63)
