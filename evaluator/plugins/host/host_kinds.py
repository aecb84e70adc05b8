"""The engines that run programs on this machine, without isolation, and the packages they need.

They install a bundle's requirements.txt and nothing else. What a Dockerfile installs beside it,
such as R, has to be here already.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaluator.core.compute.engine.resources import Capacity, host_capacity
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.run_folder import RunFolder
from evaluator.core.formats.settings import Settings
from evaluator.plugins.host.subprocess_engine import SubprocessEngine
from evaluator.plugins.host.warm_engine import WarmEngine

_COMMAND_END = re.compile(r"&&|\|\||;|\n")
_R_PACKAGE = "r-cran-"


class HostKind:
    """Programs run on this machine as the user who started the run."""

    isolates = False

    def __init__(self, engine: type[SubprocessEngine]) -> None:
        self._engine = engine

    def isolation(self, _: Settings) -> Isolation:
        return "none"

    def capacity(self) -> Capacity:
        return host_capacity()

    def missing_packages(self, dockerfile: str) -> list[str]:
        return missing_packages(debian_packages(dockerfile))

    def make(self, settings: Settings, folder: RunFolder, environments: Path) -> SubprocessEngine:
        return self._engine(environments, settings.retries, folder.temporary())


SUBPROCESS = HostKind(SubprocessEngine)
WARM = HostKind(WarmEngine)


def debian_packages(dockerfile: str) -> Iterator[str]:
    for line in dockerfile.replace("\\\n", " ").splitlines():
        keyword, _, commands = line.strip().partition(" ")
        if keyword.upper() != "RUN":
            continue
        for command in _COMMAND_END.split(commands):
            words = shlex.split(command, comments=True)
            if words[:1] in (["apt-get"], ["apt"]) and "install" in words:
                yield from (
                    word.partition("=")[0]
                    for word in words[words.index("install") + 1 :]
                    if not word.startswith("-")
                )


def missing_packages(packages: Iterable[str]) -> list[str]:
    return [name for name in packages if not (_is_installed(name) or _is_in_r(name))]


def _is_installed(package: str) -> bool:
    if shutil.which("dpkg-query") is None:
        return False
    done = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", "--", package],
        capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode == 0 and done.stdout == b"installed"


def _is_in_r(package: str) -> bool:
    """Whether R itself, or one of its packages, was installed in another way."""
    if shutil.which("Rscript") is None:
        return False
    if not package.startswith(_R_PACKAGE):
        return package in ("r-base", "r-base-core")
    name = package.removeprefix(_R_PACKAGE)
    test = f'quit(status = !requireNamespace("{name}", quietly = TRUE))'
    done = subprocess.run(["Rscript", "-e", test], capture_output=True, check=False)
    return name.isalnum() and done.returncode == 0
