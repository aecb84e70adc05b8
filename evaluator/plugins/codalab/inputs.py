"""Inputs about other submissions that CodaLab gave to scoring programs, and no cell can have.

CodaLab v1.5 (codalab/apps/web/tasks.py:350-490) put beside ``input/ref`` and ``input/res``: the
board as it stood (``scores``), likes, downloads and scores of everybody (``coopetition``), an empty
list (``history``), and who submitted when as the how manieth (``metadata``). Neither is part of a
cell's content: with them the same submission would have another score tomorrow, and nothing would
say that the one in the record is stale.
"""

import re
from collections.abc import Mapping

from evaluator.core.importers.folder import Folder

MAX_SOURCE = 2**20
"""Bytes of a source file that is looked at."""
MAX_LINE = 2000
SOURCES = (".py", ".sh", ".r", ".m", ".pl", ".jl")
INPUTS = {
    "input/coopetition": re.compile(r"coopetition|[\"'/]current_user\.txt"),
    "input/metadata": re.compile(
        r"[\"'](?:submitted-(?:by|at)|competition-(?:submission|phase)|automatic-submission)\b"
    ),
    "input/history": re.compile(r"input(?:\w*\s*[,/]\s*[\"']|\w*/)history\b"),
    "input/scores": re.compile(r"input(?:\w*\s*[,/]\s*[\"']|\w*/)scores(?:\.txt)?[\"'/]"),
}
_REASONS = {
    "input/coopetition": "what others submitted, liked and downloaded",
    "input/metadata": "who submitted, when, and how often before",
    "input/history": "a list of earlier submissions, which CodaLab left empty",
    "input/scores": "the board as it stands",
}


def check_inputs(folder: Folder, path: str) -> None:
    """Warn where a scoring program of CodaLab's reads what depends on other submissions."""
    for name in folder.below(path):
        if not name.lower().endswith(SOURCES):
            continue
        for line, what in first_uses(folder.read(name), INPUTS):
            folder.notes.warn(
                name,
                f"line {line} seems to read '{what}', {_REASONS[what]}: it is not there",
                "A score is a function of the submission and the task alone, so that it can be "
                "made again. Let the program do without; ranks and quotas are pullbench's.",
            )


def first_uses(content: bytes, patterns: Mapping[str, re.Pattern[str]]) -> list[tuple[int, str]]:
    """Line and name of each pattern at its first use, comments left out."""
    if len(content) > MAX_SOURCE:
        return []
    first_use: dict[str, int] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        code = line[:MAX_LINE].partition("#")[0]
        for what, pattern in patterns.items():
            if what not in first_use and pattern.search(code):
                first_use[what] = number
    return [(line, what) for what, line in first_use.items()]
