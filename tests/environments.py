"""Environments of programs on the host that borrow the libraries of the tests."""

import sysconfig
import venv
from pathlib import Path

from evaluator.core.compute.engine.spec import Image
from evaluator.core.formats.content_cache import ContentCache
from evaluator.plugins.host.subprocess_engine import requirements


def lend_libraries(root: Path, benchmark: str) -> None:
    """Make the environment of a repository's benchmark: to install one takes a minute."""
    image = Image(name="any", context=root / "benchmarks" / benchmark, digest="")
    name, listed = requirements(image)
    assert listed, "it has no requirements.txt"
    ContentCache(root / "build/cache/environments", libraries=True).folder(name, _borrow)


def _borrow(folder: Path) -> None:
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
