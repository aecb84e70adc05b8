"""The commands of site/runners/self-hosted.md, on a repository without a forge."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.workflows.act import BIN
from tests.workflows.scene import Scene

PAGE = Path(__file__).parents[2] / "site" / "runners" / "self-hosted.md"


def blocks() -> list[str]:
    """Shell of the section on machines that nobody registers."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split("## Without registering a runner")[1]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


@pytest.mark.docker
def test_without_a_forge(scene: Scene, tmp_path: Path) -> None:
    before, after = blocks()
    scene.enter(12)
    address, folder = "https://github.com/OWNER/NAME", "NAME"
    assert before.startswith(f"git clone {address} && cd {folder}\n")
    assert "PULLBENCH_ACTOR=alice" in before
    steps = before.replace(address, f"file://{scene.origin} {folder}").replace("alice", "ann")

    def shell(script: str, where: Path) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=where, text=True, timeout=480,
            env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    said = shell(steps, tmp_path)
    assert "received" in said
    assert "scored" in said
    assert len(scene.kept()) == 1
    scene.merge(12)
    # In the same shell, as a person would.
    exports = "".join(re.findall(r"(?m)^export .*\n", steps))
    shell(exports + after, tmp_path / folder)
    assert scene.record(scene.cell()).error is None
    # What was missing besides, too.
    assert scene.record(scene.cell("example", "first")).error is None
    board = (tmp_path / folder / "build/site/benchmarks/line/index.html").read_text()
    assert "slope" in board
    assert scene.forge.asked == []
