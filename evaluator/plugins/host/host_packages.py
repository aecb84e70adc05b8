"""Debian packages that a bundle's Dockerfile installs, and which of them this machine lacks.

The host engines install a bundle's requirements.txt and nothing else. What a Dockerfile installs
beside it, such as R, has to be here already.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator

_COMMAND_END = re.compile(r"&&|\|\||;|\n")
_R_PACKAGE = "r-cran-"


def debian_packages(dockerfile: str) -> Iterator[str]:
    """Yield the packages that ``apt-get install`` brings, in the order in which they come."""
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
    """Return those that neither Debian's package manager nor R has here."""
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
