"""Environments of programs on the host that borrow the libraries of the tests."""

import sysconfig
import venv
from pathlib import Path

from evaluator.compute.engine.spec import Image
from evaluator.compute.engine.subprocess_engine import SubprocessEngine


def lend_libraries(root: Path, benchmark: str) -> None:
    """Make the environment of a repository's benchmark: to install one takes a minute."""
    image = Image(name="any", context=root / "benchmarks" / benchmark, digest="")
    folder, requirements = SubprocessEngine(root / "build/cache/environments").place(image)
    assert requirements, "it has no requirements.txt"
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
