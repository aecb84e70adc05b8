"""An environment as an installation makes it: what pullbench needs, and what some extras need.

Its libraries are those that the tests have, file for file: nothing is fetched.
"""

import os
import re
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement


def needed(name: str) -> set[str]:
    """Names of what a distribution needs without extras, and of what that needs in turn."""
    found: set[str] = set()
    waiting = [Requirement(name)]
    while waiting:
        one = waiting.pop()
        for extra in ("", *sorted(one.extras)):
            key = f"{_normal(one.name)}[{extra}]"
            if key in found:
                continue
            found.add(key)
            for text in metadata.requires(one.name) or []:
                further = Requirement(text)
                if further.marker is None or further.marker.evaluate({"extra": extra}):
                    waiting.append(further)
    return {key.partition("[")[0] for key in found}


def plain_environment(folder: Path, wheel: Path, *extras: str) -> Path:
    """Make it with a wheel of pullbench; returns the folder of its programs."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    source = Path(sysconfig.get_path("purelib"))
    (target,) = folder.glob("lib/python3*/site-packages")
    for name in needed(f"pullbench[{','.join(extras)}]") - {"pullbench"}:
        for file in metadata.files(name) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                place = target / file
                place.parent.mkdir(parents=True, exist_ok=True)
                if not place.exists():
                    os.link(source / file, place)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "bin/python",
        "install",
        "--quiet",
    ]
    subprocess.run([*pip, "--no-deps", wheel], check=True, capture_output=True)
    return folder / "bin"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
