"""Finds, pulls or builds the image of a bundle."""

import io
import re
import tarfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.docker_client import DockerClient, NotFoundError
from evaluator.core.compute.engine.patience import Patience, SilentServerError, is_unanswered
from evaluator.core.compute.engine.spec import Image, ImageError
from evaluator.core.errors import Actor, error_name, printable
from evaluator.core.formats.settings import Settings
from evaluator.core.log import long_step

CONTEXT_LABEL = "org.pullbench.context"
"""Label of images that we built: content id of their build context."""
LOCAL_PREFIX = "localhost/"
"""Images under this name are never pulled: nobody can claim the name on a registry."""
_LINES, _WIDTH = 20, 100
"""Of the log of a failed build; and of the instruction that failed."""
_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_FROM = re.compile(r"\s*FROM\s+(\S+)(?:\s+AS\s+(\S+))?\s*", re.IGNORECASE)


class Images:
    """Images of one daemon; each is made ready once, by the thread that asks first."""

    def __init__(self, client: DockerClient, settings: Settings, halt: threading.Event) -> None:
        self._client = client
        self._patience = Patience(settings.retries, halt)
        self._ready: dict[tuple[str, str], str] = {}

    def prepare(self, image: Image) -> str:
        """The image's id. Raises ImageError, PlatformError."""
        key = (image.name, image.digest)
        if key not in self._ready:
            self._ready[key] = self._patience.make(key, lambda: self._make(image))
        return self._ready[key]

    def _make(self, image: Image) -> str:
        name = image.name
        is_built = image.context is not None and (image.context / "Dockerfile").is_file()
        image_data = self._find(name)
        if image_data is not None:
            built_from = ((image_data.get("Config") or {}).get("Labels") or {}).get(CONTEXT_LABEL)
            # An image without our label was pulled or made by hand: the organiser's choice.
            if built_from in (None, image.digest):
                return str(image_data["Id"])
        elif not name.startswith(LOCAL_PREFIX):
            try:
                self._pull(name)
            except SilentServerError:
                if not is_built:
                    raise
            pulled = self._find(name)
            if pulled is not None:
                return str(pulled["Id"])
        if image.context is None or not is_built:
            raise ImageError(
                f"the image '{printable(name)}' is not here and cannot be pulled",
                hint="Put a Dockerfile beside competition.yaml, or map the name to another image "
                "under [tool.pullbench.images] in pyproject.toml.",
                actor=Actor.ORGANISER,
            )
        return self._build(name, image.context, image.digest)

    def _find(self, name: str) -> dict[str, Any] | None:
        try:
            return self._client.inspect_image(name)
        except NotFoundError:
            return None

    def _pull(self, name: str) -> bool:
        """Pull an image; False if there is none of that name. Raises SilentServerError."""
        import docker.errors

        try:
            with long_step(f"the image '{name}' is being pulled"):
                events = list(self._client.package.pull(name, stream=True, decode=True))
                if any("error" in event for event in events):
                    raise _no_registry(name)  # a missing image is reported before it begins
        except docker.errors.APIError as error:
            if error.is_client_error():
                return False
            raise _no_registry(name) from error
        return True

    def _pull_bases(self, name: str, context: Path) -> None:
        """Pull the base images of a Dockerfile: a build does not say why it cannot."""
        stages = {"scratch"}
        for line in (context / "Dockerfile").read_text(errors="replace").splitlines():
            match = _FROM.fullmatch(line)
            if match is None:
                continue
            base, stage = match[1], match[2]
            is_local = base.casefold() in stages or "$" in base or base.startswith(LOCAL_PREFIX)
            stages.add((stage or base).casefold())
            if not is_local and self._find(base) is None and not self._pull(base):
                raise ImageError(
                    f"the image '{printable(name)}' is built on '{printable(base)}', which cannot "
                    "be pulled",
                    hint="Correct the FROM line of the Dockerfile.",
                    actor=Actor.ORGANISER,
                )

    def _build(self, name: str, context: Path, digest: str) -> str:
        """Build with the classic builder, which every engine has."""
        import docker.errors

        self._pull_bases(name, context)
        log: list[str] = []
        failure = None
        try:
            with long_step(f"the image '{name}' is being built") as at:
                events = self._client.package.build(
                    fileobj=_pack(context), custom_context=True, tag=name, rm=True, forcerm=True,
                    labels={CONTEXT_LABEL: digest}, decode=True,
                    network_mode="host",  # of organisers' Dockerfiles, never participants' code
                )  # fmt: skip
                for event in events:  # all of them: the package closes no answer that is left early
                    if "error" in event:
                        failure = _failed_build(name, event, "".join(log))
                    output = event.get("stream") or ""
                    if output.startswith("Step "):
                        log.clear()
                        at(_shortened(output))
                    log.append(output)
        except docker.errors.APIError as error:
            if not error.is_client_error():
                raise
            output = str(error.explanation)  # of the Dockerfile alone, before anything is run
            about = output if output.startswith("dockerfile parse error") else error_name(error)
            raise ImageError(
                f"the image '{printable(name)}' cannot be built ({printable(about)[:300]})",
                hint="`docker build` says more.",
                actor=Actor.ORGANISER,
            ) from None
        if failure:
            raise failure
        built = self._find(name)
        if built is None:
            raise ImageError(f"the build of '{printable(name)}' left no image")
        return str(built["Id"])


def _no_registry(name: str) -> SilentServerError:
    return SilentServerError(
        f"the registry of the image '{printable(name)}' does not answer",
        hint="The next plan tries it again; `docker pull` on the runner says more.",
    )


def _failed_build(name: str, event: Mapping[str, Any], log: str) -> ImageError | SilentServerError:
    """Make the error of a build; ``log`` is that of its last step."""
    if is_unanswered(log):
        return SilentServerError(
            f"a server that the build of '{printable(name)}' installs from does not answer",
            hint="The next plan tries it again; `docker build` on the runner says more.",
        )
    code = (event.get("errorDetail") or {}).get("code")
    text = printable(_COLOUR.sub("", log), keep_newlines=True)
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith((" ---> ", "Removing "))]
    step = f" in {_shortened(lines.pop(0))}" if lines else ""
    because = f"exit code {code}{step}" if code else f"{printable(event['error'])}{step}"
    return ImageError(
        f"the image '{printable(name)}' cannot be built: {because}",
        hint="\n".join(["The end of the build's log:", *lines[-_LINES:]] if lines else []),
        actor=Actor.ORGANISER,
    )


def _shortened(line: str) -> str:
    text = " ".join(printable(line).split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


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
