"""What the script of the page of plots reads."""

import json
from collections.abc import Sequence

from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import Figure
from evaluator.plugins.insight.plots.form import PlotsData


def index_file(board: BoardEntries, figures: Sequence[Figure]) -> bytes:
    """Names of all submissions, and of each figure's points whose they are and what they say.

    ``submissions`` are lists [participant, name, title]; ``figures`` has, by name, the places of
    the points in that list (``entries``) and their values in words (``says``), in the order of the
    elements.
    """
    data: PlotsData = {
        "version": 1,
        "submissions": [(entry.participant, entry.name, entry.title) for entry in board.entries],
        "figures": {
            figure.name: {
                "entries": [mark.entry for mark in figure.marks],
                "says": [mark.says for mark in figure.marks],
            }
            for figure in figures
        },
    }
    return f"{json.dumps(data, separators=(',', ':'), ensure_ascii=True)}\n".encode()
