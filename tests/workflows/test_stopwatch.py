"""From an empty folder and a table of labels to a scored entry that nobody can look up."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.repository import Repository
from tests.workflows.act import BIN
from tests.workflows.forge import ADDRESS, LoopbackForge
from tests.workflows.scene import ORGANISER, PARTICIPANT, Scene, use_what_is_installed
from tests.workflows.test_story import comment, everything

ROWS = [(f"row-{n:02}", n, ("calm", f"storm-{n * 7919 % 997:03}")[n % 2]) for n in range(40)]
ORGANISE = [
    "pullbench init tides --repository tides --template challenge --labels ../labels.csv"
    f" --forge {ADDRESS} --organiser {ORGANISER}",
    "git -C tides init --quiet --initial-branch=main",
    "git -C tides add --all",
    "git -C tides commit --quiet --message 'A challenge'",
    "git clone --quiet --bare tides origin.git",  # gh repo create, with --push
]
BY_FORGE = ["pullbench github setup", "gh secret set PULLBENCH_DATA_IDENTITY --env scoring"]
"""Need the forge's own servers: tests/workflows/test_setup.py tries the first."""
ENTER = [
    "git clone --quiet file://$PWD/origin.git entrant",
    f"pullbench -C entrant enter tides --as {PARTICIPANT}/first",
    f"cd entrant && pullbench submit submissions/tides/{PARTICIPANT}/first --benchmark tides"
    f" --participant {PARTICIPANT}",
]


def typed(line: str, folder: Path) -> str:
    names = {
        f"GIT_{role}_{key}": "you" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_TOKEN")}
    done = subprocess.run(
        ["bash", "-euc", line], cwd=folder,
        env={**kept, **names, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.docker
def test_few_commands_lead_from_labels_to_a_scored_pull_request(
    tmp_path: Path, forge: LoopbackForge
) -> None:
    began, folder = time.monotonic(), tmp_path / "empty"
    folder.mkdir()
    labels = "".join(f"{row},{size},{label}\n" for row, size, label in ROWS)
    (tmp_path / "labels.csv").write_text(f"id,size,label\n{labels}")
    for line in ORGANISE:
        typed(line, folder)
        if "init tides" in line:
            use_what_is_installed(folder / "tides")
    scene = Scene(tmp_path / "scene", forge, Repository(folder / "tides"))
    scene.origin = scene.act._origin = folder / "origin.git"
    keys = (folder / "tides-private/keys.txt").read_text()
    scene.act.data_key = keys.partition("public: secret ")[2].split()[0]
    for line in ENTER:
        typed(line, folder)
    heads = typed("git -C origin.git for-each-ref --format='%(refname)'", folder).split()
    (branch,) = (name for name in heads if PARTICIPANT in name)
    head = typed(f"git -C origin.git rev-parse {branch}", folder).strip()
    typed(f"git -C origin.git update-ref refs/pull/1/head {head}", folder)
    forge.open_pull(1, head=head, login=PARTICIPANT, title="Enter", branch=branch)
    ran = scene.pull("opened", "evaluate")
    assert ran.results["score"] == ran.results["finish"] == "success", ran.log
    print(f"from an empty folder to a score: {time.monotonic() - began:.0f} s, ", end="")
    commands = len(" && ".join(ORGANISE + BY_FORGE + ENTER).split(" && "))
    print(f"{commands} commands")
    assert commands <= 12
    assert forge.states(head)[-1] == "success"
    assert "accuracy" in comment(scene).lower()
    secret = [label.encode() for _, _, label in ROWS if label != "calm"]
    for said in everything(scene, ran):
        assert not [label for label in secret if label in said]
