"""Finds, pulls or builds the image of a bundle."""

import contextlib
import io
import tarfile
import threading
from pathlib import Path
from typing import Any

import docker
import docker.errors

from evaluator.compute.engine.spec import Image, ImageError
from evaluator.errors import Actor, error_name, printable
from evaluator.formats.settings import Settings

CONTEXT_LABEL = "org.pullbench.context"
"""Label of images that we built: content id of their build context."""
LOCAL_PREFIX = "localhost/"
"""Images under this name are never pulled: nobody can claim the name on a registry."""


class Images:
    """Images of one daemon; each is made ready once, whichever thread asks first."""

    def __init__(self, client: Any, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._lock = threading.Lock()
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._ready: dict[tuple[str, str], str] = {}

    def prepare(self, image: Image) -> str:
        """Return the image's id. Raises ImageError."""
        key = (image.name, image.digest)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._ready:
                self._ready[key] = self._make(image)
            return self._ready[key]

    def _make(self, image: Image) -> str:
        name = image.name
        found = self._find(name)
        if found is not None:
            built_from = ((found.get("Config") or {}).get("Labels") or {}).get(CONTEXT_LABEL)
            # An image without our label was pulled or made by hand: the organiser's choice.
            if built_from in (None, image.digest):
                return str(found["Id"])
        elif self._pull(name):
            pulled = self._find(name)
            if pulled is not None:
                return str(pulled["Id"])
        if image.context is None or not (image.context / "Dockerfile").is_file():
            raise ImageError(
                f"the image '{printable(name)}' is not here and cannot be pulled",
                hint="Put a Dockerfile beside competition.yaml, or map the name to another image "
                "under [tool.pullbench.images] in pyproject.toml.",
                actor=Actor.ORGANISER,
            )
        return self._build(name, image.context, image.digest)

    def _find(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = self._client.inspect_image(name)
        except docker.errors.ImageNotFound:
            return None
        return found

    def _pull(self, name: str) -> bool:
        if self._settings.pull == "never" or name.startswith(LOCAL_PREFIX):
            return False
        repository, _, tag = name.partition("@")
        if tag:
            tag = f"@{tag}"
        else:
            head, colon, last = name.rpartition(":")
            repository, tag = (head, last) if colon and "/" not in last else (name, "latest")
        with contextlib.suppress(docker.errors.APIError):
            self._client.pull(repository, tag=tag.removeprefix("@"))
            return True
        return False

    def _build(self, name: str, context: Path, digest: str) -> str:
        """Build with the classic builder, which every engine has."""
        log: list[str] = []
        try:
            for event in self._client.build(
                fileobj=_pack(context),
                custom_context=True,
                tag=name,
                labels={CONTEXT_LABEL: digest},
                network_mode=self._settings.build_network,
                rm=True,
                forcerm=True,
                decode=True,
            ):
                log.append(event.get("stream") or event.get("error") or "")
                if "error" in event:
                    raise ImageError(
                        f"the image '{printable(name)}' cannot be built: "
                        f"{printable(event['error'])}",
                        hint="The end of the build's log:\n"
                        + printable("".join(log)[-2000:], keep_newlines=True),
                        actor=Actor.ORGANISER,
                    )
        except docker.errors.APIError as error:
            raise ImageError(
                f"the image '{printable(name)}' cannot be built ({error_name(error)})",
                hint="`docker build` says more.",
                actor=Actor.ORGANISER,
            ) from None
        built = self._find(name)
        if built is None:
            raise ImageError(f"the build of '{printable(name)}' left no image")
        return str(built["Id"])


def _pack(context: Path) -> io.BytesIO:
    """Tar a folder without owners and times, so that the daemon's build cache can hit."""
    packed = io.BytesIO()

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        return member

    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(context.rglob("*")):
            archive.add(path, str(path.relative_to(context)), recursive=False, filter=plain)
    packed.seek(0)
    return packed
