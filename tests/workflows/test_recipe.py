"""The commands of site/runners/self-hosted.md, word for word, on a repository without a forge.

Nothing is evaluated twice, and each step prints the comment that no forge takes.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.workflows.act import BIN
from tests.workflows.scene import GOOD, Scene

PAGE = Path(__file__).parents[2] / "site" / "runners" / "self-hosted.md"
ADDRESS, FOLDER, NUMBER, LOGIN = "https://github.com/OWNER/NAME", "NAME", 12, "alice"


def blocks() -> list[str]:
    """Shell of the section on machines that nobody registers."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split("## Without registering a runner")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


def enter(scene: Scene) -> None:
    """Open the pull request that the page is about."""
    entry = scene.entry(LOGIN)
    files = {f"{entry}/submission.yaml": "kind: code\n", f"{entry}/model.py": GOOD}
    scene.propose(NUMBER, files, LOGIN)


def evaluated(said: str) -> list[str]:
    """Return the cells whose evaluation a command reported."""
    return re.findall(r"(?m)^\[\d+/\d+[^\]]*\] (\S+): ", said)


@pytest.mark.docker
@pytest.mark.slow
def test_the_sequence_without_a_runner(scene: Scene, tmp_path: Path) -> None:
    before, after = blocks()
    enter(scene)
    # One shell, as a person would have; in the middle somebody merges.
    script = (
        f"{{\n{before}}} > {tmp_path}/before\necho\nread -r\n{{\n{after}}} > {tmp_path}/after\n"
    )
    here = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{scene.origin}.insteadOf",
        "GIT_CONFIG_VALUE_0": ADDRESS,
    }
    with subprocess.Popen(
        ["timeout", "480", "bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, text=True,
        env={**os.environ, **here}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as shell:  # fmt: skip
        assert shell.stdin and shell.stdout and shell.stderr
        shell.stdout.readline()
        said = (tmp_path / "before").read_text()
        kept = scene.kept()
        scene.merge(NUMBER)
        shell.stdin.write("\n")
        shell.stdin.close()
        errors = shell.stderr.read()
    assert shell.returncode == 0, errors
    cell = scene.cell(LOGIN)
    assert evaluated(said) == [str(cell)]
    assert len(kept) == 1
    for state in ("received", "queued", "scored"):
        assert f"### pullbench: {state}\n" in said
        assert f"\n{state}: " in said
    comment = said.split("### pullbench: scored")[1]
    assert "<details><summary>Cells: 1 finished</summary>" in comment
    assert "- `alice/slope` enters at rank 1 of 1." in comment
    # What was missing besides, and nothing that was kept.
    assert evaluated((tmp_path / "after").read_text()) == [str(scene.cell("example", "first"))]
    for one in (cell, scene.cell("example", "first")):
        assert scene.record(one).error is None
    clone = tmp_path / FOLDER
    status = ["git", "-C", str(clone), "status", "--porcelain"]
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""
    board = (clone / "build/site/benchmarks/line/index.html").read_text()
    assert "slope" in board
    assert scene.forge.asked == []
