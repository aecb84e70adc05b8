"""Two boards of CodaLab behind one scoring program, which writes the columns of one of them."""

from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.plugins.codalab.branches import keys_in_phase
from tests.importing.sources import COMMAND, Desk, said, zipped

BUNDLE = """\
title: Two boards
description: Hide, then seek.
image: logo.png
competition_docker_image: python:3.11-slim
html: {overview: overview.html, terms: terms.html}
phases:
  1: {phasenumber: 1, label: One, start_date: 2023-06-12, is_scoring_only: true,
      scoring_program: program.zip, reference_data: first.zip}
  2: {phasenumber: 2, label: Two, start_date: 2023-06-28, is_scoring_only: true,
      scoring_program: program.zip, reference_data: second.zip}
leaderboard:
  leaderboards:
    A: &A {label: Hiders, rank: 1}
    B: &B {label: Seekers, rank: 2}
  columns:
    privacy: {leaderboard: *A, label: Privacy, rank: 1}
    speed: {leaderboard: *A, label: Speed, rank: 2}
    utility: {leaderboard: *B, label: Utility, rank: 1}
    cost: {leaderboard: *B, label: Cost, rank: 2, sort: asc}
"""
SCORER = """\
import os, sys
ref, res = os.path.join(sys.argv[1], "ref"), os.path.join(sys.argv[1], "res")
{before}
def main():
    with open(os.path.join(sys.argv[2], "scores.txt"), "w") as f:
        if {condition}:
            f.write("utility: 0.75\\n")
            if os.path.exists(os.path.join(res, "cheap.txt")):
                f.write("cost: 2\\n")
        else:
            f.write("privacy: 0.5\\n")
            f.write("speed: 3\\n")
if __name__ == "__main__":
    main()
"""
WAYS = {
    "a file of the data": ("", 'os.path.exists(os.path.join(ref, "people.csv"))'),
    "its variable": ('path = os.path.join(ref, "people.csv")', "os.path.isfile(path)"),
    "a setting": ('mode = open(os.path.join(ref, "mode.txt")).read()', 'mode == "seeking"'),
    "the other": (
        'mode = open(os.path.join(ref, "mode.txt")).read()', 'not mode.startswith("hiding")',
    ),
    "nothing to see": ("", "len(os.listdir(ref)) == 2"),
}  # fmt: skip


def import_two(desk: Desk, before: str, condition: str) -> Any:
    program = zipped(
        {"metadata": COMMAND, "score.py": SCORER.format(before=before, condition=condition)}
    )
    done = desk.take_v1(
        BUNDLE,
        {
            "program.zip": program,
            "first.zip": zipped({"mode.txt": "hiding"}),
            "second.zip": zipped({"mode.txt": "seeking", "people.csv": "1,2\n"}),
        },
    )
    assert not done.refused, said(done)
    return done


@pytest.mark.parametrize("way", WAYS)
def test_each_phase_ranks_by_its_own_board(desk: Desk, way: str) -> None:
    done = import_two(desk, *WAYS[way])
    assert desk.data()["pullbench"]["phases"] == {
        0: {"columns": ["privacy", "speed"]},
        1: {"columns": ["utility", "cost"], "primary": "utility"},
    }
    assert desk.data()["pullbench"]["columns"]["cost"]["optional"] is True
    assert ("does not show which" in said(done, "warning")) == (way == "nothing to see")


def test_submissions_of_both_phases_are_ranked_and_none_chooses_its_column(desk: Desk) -> None:
    import_two(desk, *WAYS["a file of the data"])
    repo = desk.repo
    for phase, names in (("one", ("plain",)), ("two", ("plain", "cheap"))):
        for name in names:
            folder = f"submissions/new/ann/{name}-{phase}"
            repo.write(f"{folder}/submission.yaml", f"phase: {phase}\n")
            # What would make the other branch write, were it chosen by what is handed in.
            repo.write(f"{folder}/people.csv", "1\n")
            repo.write(f"{folder}/{name}.txt", "1\n")
    repo.commit()
    records = repo.run(
        "new/ann/plain-one/one/one-task", "new/ann/plain-two/two/two-task",
        "new/ann/cheap-two/two/two-task",
    )  # fmt: skip
    assert {record.status for record in records.values()} == {"finished"}, records
    repo.commit()
    for phase, primary, value in (("one", "privacy", 0.5), ("two", "utility", 0.75)):
        board = leaderboard(repo.snapshot(), "new", phase=phase, task=None, now=utc_now())
        assert board.columns[0].key == primary
        assert {row.rank for row in board.rows} <= {1, 2}
        assert {row.overall[primary] for row in board.rows} == {value}


def test_a_column_that_ranks_is_never_optional(desk: Desk) -> None:
    """Else a participant could suppress it, and be ranked by another."""
    import_two(desk, "", 'os.path.exists(os.path.join(res, "mine.txt"))')
    extension = desk.data()["pullbench"]
    optional = {key for key, more in extension["columns"].items() if more.get("optional")}
    assert optional == {"speed", "cost"}
    assert extension["phases"][1]["primary"] == "utility"


@pytest.mark.parametrize(
    ("source", "certain"),
    [
        ('print("a: 1")\nprint("b: 1")\n', "ab"),
        ('if x:\n    print("a: 1")\nprint("b: 1")\n', "b"),
        ('if x:\n    print("a: 1")\n    print("b: 1")\n', "ab"),  # asks whether folders are there
        ('if x:\n    print("a: 1")\nelse:\n    print("a: 2")\n    print("b: 1")\n', "a"),
        ('def f():\n  if x:\n    print("a: 1")\n    return\n  print("b: 1")\nf()\n', ""),
        ('def f():\n    print("a: 1")\nif x:\n    f()\nprint("b: 1")\n', "b"),
        ('if __name__ == "__main__":\n    print("a: 1")\nfor i in x:\n    print("b: 1")\n', "ab"),
        ('try:\n    print("a: 1")\nexcept OSError:\n    print("b: 1")\n', "a"),
        ('match x:\n    case 1:\n        print("a: 1")\nprint("b: 1")\n', "b"),
        ('s = {"a": 1} if x else {"b": 1}\n', ""),
        ('def f():\n    f()\n    print("a: 1")\nf()\nprint "b: 1"\n', "ab"),  # Python 2
        ('def f():\n    f()\n    print("a: 1")\nf()\nprint("b: 1")\n', "ab"),
    ],
)  # fmt: skip
def test_what_is_written_under_a_condition(source: str, certain: str) -> None:
    written = keys_in_phase(source.encode(), ("a", "b"), 0, [set()])
    assert written.certain == set(certain)
    assert written.any == {"a", "b"}


def test_deep_and_strange_sources_are_read_as_text() -> None:
    for source in ("(" * 5000 + '"a: 1"', "x = " + "-" * 100_000 + '1\nprint("a: 1")', '\0"a: 1"'):
        assert keys_in_phase(source.encode(), ("a",), 0, [set()]).any <= {"a"}
