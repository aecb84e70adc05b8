"""What is public is a type, so that mypy refuses a leak."""

import ast
from pathlib import Path
from typing import get_type_hints

from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.site.boards.exports.board_json import to_data

PACKAGE = Path(__file__).parents[3] / "evaluator"
RANKED_OR_PUBLISHED_THERE = {
    "core/leaderboard/published.py", "core/leaderboard/snapshot_boards.py",
    "site/content/history.py", "site/content/rescoring.py", "site/content/reading.py",
}  # fmt: skip
"""Modules that may know a board with what is hidden; each ranks boards, or publishes them."""


def modules() -> dict[str, ast.Module]:
    files = {file.relative_to(PACKAGE).as_posix(): file for file in PACKAGE.rglob("*.py")}
    return {
        name: ast.parse(file.read_text())
        for name, file in files.items()
        if "/templates/" not in name
    }


def test_readers_of_boards_cannot_be_given_a_private_one() -> None:
    """No exporter, figure, statistic, page, feed or comment can even name the private type."""
    naming = {
        name
        for name, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module == "evaluator.core.leaderboard.board"
        for item in node.names
        if item.name in ("Board", "make_board", "rank")
    }
    assert naming <= RANKED_OR_PUBLISHED_THERE
    assert get_type_hints(to_data)["board"] is PublicBoard
    assert get_type_hints(publish) == {"board": Board, "return": PublicBoard}


def test_publish_alone_makes_a_public_board_and_few_commands_show_what_is_hidden() -> None:
    makers, showing, asking = set(), set(), set()
    for name, module in modules().items():
        for node in ast.walk(module):
            if not isinstance(node, ast.Call):
                continue
            called, *given = map(ast.unparse, (node.func, *node.args))
            if called == "PublicBoard" or (called.endswith("cast") and "PublicBoard" in given[0]):
                makers.add(name)
            if called == "unhidden":
                showing.add(name)
            if called in ("leaderboard_at", "results") and "hidden" in {
                k.arg for k in node.keywords
            }:
                asking.add(name)
    assert makers == {"core/leaderboard/published.py"}
    assert showing == {
        "core/leaderboard/snapshot_boards.py", "plugins/logs/records.py",
        # They judge what is hidden, and show none of it.
        "ci/scores/unsealing.py", "ci/scores/validation.py", "plugins/controls/evaluation.py",
    }  # fmt: skip
    assert asking == {
            "api.py", "core/cli/boards.py", "plugins/courses/verbs.py", "plugins/openml/verbs.py",
        }  # fmt: skip
