"""Say what the scoring program would refuse, before you open a pull request.

Usage: check.py MODE FOLDER, where MODE is test-dev or another phase      (needs numpy)
"""

import sys
from dataclasses import replace
from pathlib import Path

BUNDLE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BUNDLE / "scoring_program"))

from scoring import read_predictions  # noqa: E402
from task import VALID, read_task  # noqa: E402


def main(mode: str, folder: Path) -> None:
    """Print every problem, and end with 1 where there is one."""
    task = replace(read_task(BUNDLE / "reference_data" / "test-dev"), mode=mode)
    phases = [name for name in task.rows if name != VALID]
    if mode not in phases:
        sys.exit(f"{mode} is no phase; phases are {', '.join(phases)}")
    arrays, problems = read_predictions(folder, task)
    if problems:
        sys.exit("\n".join(problems))
    print(f"{folder}: {', '.join(map(task.file, arrays))} would be scored")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check.py MODE FOLDER")
    main(sys.argv[1], Path(sys.argv[2]))
