"""Lay out the working folder of a task, run the entry's agent.sh in it, and hand it over.

Usage: ingestion.py INPUT OUTPUT ENTRY
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

WORK = Path("/tmp/work")
MOUNTS = {"program", "ingested_program", "input_data", "input", "output", "shared", "data"}


def copy(source: Path, target: Path) -> None:
    """Copy files, without the folders that pullbench has in /app."""

    def ours(folder: str, names: list[str]) -> set[str]:
        return MOUNTS & set(names) if folder == "/app" else set()

    shutil.copytree(source, target, ignore=ours, ignore_dangling_symlinks=True, dirs_exist_ok=True)


def main(source: Path, output: Path, entry: Path) -> None:
    task = json.loads((source / "task.json").read_text())
    WORK.mkdir()
    for folder in (Path(task["workdir"]), source / "files"):
        if folder.is_dir():
            copy(folder, WORK)
    environment = {**os.environ, **task["env"], "TASK": task["name"]}
    agent = ["bash", str(entry / "agent.sh"), str(source / "instruction.md")]
    code = subprocess.run(agent, cwd=WORK, env=environment).returncode
    try:
        copy(WORK, output / "work")
    except (OSError, shutil.Error) as error:
        sys.exit(f"the working folder cannot be handed over: {error}")
    sys.exit(code)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
