"""What jobs and `make` install with: uv, and pip where uv does not come to an end."""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from evaluator import __version__
from evaluator.plugins.scaffold.package import running_wheel

INSTALL = Path(__file__).parents[2] / ".github/actions/setup/install.sh"
WHEEL = f"pullbench-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Interpreter of an environment with pip and the uv of the tests."""
    folder = tmp_path_factory.mktemp("setup") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    (libraries,) = folder.glob("lib/python3*/site-packages")
    shutil.copytree(Path(sysconfig.get_path("purelib")) / "uv", libraries / "uv")
    os.link(Path(sysconfig.get_path("scripts")) / "uv", folder / "bin/uv")
    return folder / "bin/python"


def install(python: Path, folder: Path, digest: str, **variables: str) -> tuple[int, str]:
    (folder / WHEEL).write_bytes(running_wheel())
    (folder / "requirements.txt").write_text(f"./{WHEEL} --hash=sha256:{digest}\n")
    plain = {name: text for name, text in os.environ.items() if not name.startswith("PIP_")}
    done = subprocess.run(
        [INSTALL, python, "--no-deps", "--force-reinstall", "-r", "requirements.txt"],
        cwd=folder, env={**plain, "PIP_CONFIG_FILE": os.devnull, **variables},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("variables", "by_uv"),
    [
        ({}, True),
        ({"PIP_FIND_LINKS": "/nowhere"}, True),
        ({"UV_CACHE_DIR": "/dev/null/none"}, False),
        ({"PIP_INDEX_URL": "https://index.example/simple"}, False),
        ({"PIP_NO_INDEX": "1"}, False),
    ],
)
def test_pip_installs_where_uv_does_not(
    python: Path, tmp_path: Path, variables: dict[str, str], by_uv: bool
) -> None:
    digest = hashlib.sha256(running_wheel()).hexdigest()
    code, said = install(python, tmp_path, digest, **variables)
    assert code == 0, said
    assert ("install.sh: pip installs" not in said) == by_uv, said
    assert (python.parent / "pullbench").exists()
    subprocess.run([python, "-m", "pip", "uninstall", "-qy", "pullbench"], check=True)


def test_neither_installs_what_has_another_digest(python: Path, tmp_path: Path) -> None:
    code, said = install(python, tmp_path, "0" * 64)
    assert code != 0
    assert "install.sh: pip installs" in said
    assert not (python.parent / "pullbench").exists()
