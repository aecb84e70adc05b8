"""The command in this process: a process of its own costs more than most imports do."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from evaluator.__main__ import main


def pullbench(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code and all that is printed."""
    said = io.StringIO()
    with (
        patch.object(sys, "argv", ["pullbench", "-C", str(folder), *arguments]),
        redirect_stdout(said),
        redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0), said.getvalue()
    raise AssertionError("main always ends with SystemExit")
