"""Columns of each phase, as the sources of its scoring programs show them."""

import json
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.importing.written_keys import written_keys
from tests.importing.sources import COMMAND, V2_FILES, Desk, said, v2, zipped

ANONYMIZE = """\
import sys
with open(sys.argv[2] + "/scores.txt", "w") as f:
    f.write("utility_score:%.4f\\n" % 0.5)
    f.write("rate:%.4f\\n" % 0.25)
"""
ATTACK = """\
import sys
with open(sys.argv[2] + "/scores.txt", "w") as f:
    f.writelines("attack_score:%.4f\\n" % 0.75)
    for i in (1, 3):  # not one's own team
        f.writelines("privacy_score_%d:%.4f\\n" % (i, i / 10))
"""
TWO_BOARDS = """\
title: Two boards
description: Anonymize, then attack.
image: logo.png
competition_docker_image: python:3.11-slim
html: {overview: overview.html, terms: terms.html}
phases:
  1:
    phasenumber: 1
    label: Anonymization
    start_date: 2023-06-12
    is_scoring_only: true
    scoring_program: anonymize.zip
    reference_data: reference.zip
  2:
    phasenumber: 2
    label: Attack
    start_date: 2023-06-28
    is_scoring_only: true
    scoring_program: attack.zip
    reference_data: reference.zip
leaderboard:
  leaderboards:
    A: &A {label: Anonymization, rank: 1}
    B: &B {label: Attack, rank: 2}
  columns:
    utility_score: {leaderboard: *A, label: Utility, rank: 1}
    rate: {leaderboard: *A, label: Rate, rank: 2}
    attack_score: {leaderboard: *B, label: Attack, rank: 1}
    privacy_score_1: {leaderboard: *B, label: Team 1, rank: 2, sort: asc}
    privacy_score_2: {leaderboard: *B, label: Team 2, rank: 3, sort: asc}
    privacy_score_3: {leaderboard: *B, label: Team 3, rank: 4, sort: asc}
"""
PROGRAMS = {
    "anonymize.zip": zipped({"metadata": COMMAND, "score.py": ANONYMIZE}),
    "attack.zip": zipped({"metadata": COMMAND, "score.py": ATTACK}),
}


def test_two_boards_whose_columns_some_phases_write(desk: Desk) -> None:
    """As ipwscup2023: each phase ranks by the column of its own board."""
    done = desk.take_v1(TWO_BOARDS, PROGRAMS)
    assert not done.refused, said(done)
    teams = [f"privacy_score_{number}" for number in (1, 2, 3)]
    assert desk.data()["pullbench"]["phases"] == {
        0: {"columns": ["utility_score", "rate"]},
        1: {"columns": ["attack_score", *teams], "primary": "attack_score"},
    }
    optional = [k for k, c in desk.data()["pullbench"]["columns"].items() if c.get("optional")]
    assert sorted(optional) == teams
    assert "'attack_score' ranks" in said(done, "note")
    repo = desk.repo
    for phase in ("anonymization", "attack"):
        repo.write(f"submissions/new/ann/{phase}/submission.yaml", f"phase: {phase}\n")
        repo.write(f"submissions/new/ann/{phase}/answer.txt", "1\n")
    repo.commit()
    assert not [one for one in repo.problems() if one.severity != "note"], repo.problems()
    task = "new/ann/{0}/{0}/{0}-task"  # by name, for the first phase has ended
    records = repo.run(task.format("anonymization"), task.format("attack"))
    assert {record.status for record in records.values()} == {"finished"}, records
    repo.commit()
    expected = {
        "anonymization": {"utility_score": 0.5, "rate": 0.25},
        "attack": {"attack_score": 0.75, "privacy_score_1": 0.1, "privacy_score_3": 0.3},
    }
    for phase, scores in expected.items():
        board = leaderboard(repo.snapshot(), "new", phase=phase, task=None, now=utc_now())
        assert [(row.rank, dict(row.overall)) for row in board.rows] == [(1, scores)]
        assert board.columns[0].key == next(iter(scores))
    # Without its columns the second phase can never produce a ranked row, and validate says so.
    text = repo.path / "benchmarks/new/competition.yaml"
    lines = text.read_text().partition("\n  phases:")[0]
    text.write_text(lines + "\n")
    (problem,) = [one for one in repo.problems() if "ranked row" in one.message][1:]
    assert problem.key == "phases[1]"
    assert "'utility_score', 'rate'" in problem.message


def test_columns_of_a_parent_phase_whose_program_is_left_out(desk: Desk) -> None:
    """As AutoDL: children hide what their parent writes, and play while they are scored."""
    child = {
        "start_date": "2019-04-14", "parent_phasenumber": 1, "is_scoring_only": True,
        "ingestion_program_only_during_scoring": True, "ingestion_program": "program.zip",
        "scoring_program": "child.zip", "reference_data": "reference.zip",
        "hidden_columns": "set1_score, set2_score, ave_score",
    }  # fmt: skip
    text = json.dumps(
        {
            "title": "Parallel", "image": "logo.png", "description": "x",
            "html": {"overview": "overview.html", "terms": "terms.html"},
            "phases": {
                1: {"phasenumber": 1, "label": "All", "start_date": "2019-04-14",
                    "is_parallel_parent": True, "is_scoring_only": True,
                    "scoring_program": "program.zip", "hidden_columns": "score, Duration"},
                2: {"phasenumber": 2, "label": "One", **child},
                3: {"phasenumber": 3, "label": "Two", **child},
            },
            "leaderboard": {"columns": {
                "score": {"rank": 2}, "set1_score": {"rank": 3}, "set2_score": {"rank": 4},
                "ave_score": {"rank": 1, "selection_default": 1, "computed":
                              {"operation": "Avg", "fields": "set1_score, set2_score"}},
                "Duration": {"rank": 7},
            }},
        }
    )  # fmt: skip
    writer = 'f.write("score: " + str(s) + "\\n")\nf.write("Duration: %f\\n" % t)\n'
    done = desk.take_v1(text, {"child.zip": zipped({"metadata": COMMAND, "score.py": writer})})
    assert not done.refused, said(done)
    assert desk.data()["pullbench"]["phases"] == {
        0: {"columns": ["score", "Duration"], "primary": "score"}
    }
    (phase,) = desk.data()["phases"]
    assert "accepts_only_result_submissions" not in phase
    assert desk.data()["tasks"][0]["ingestion_only_during_scoring"] is True


def test_a_phase_of_scoring_only_has_no_ingestion_program(desk: Desk) -> None:
    text = TWO_BOARDS.replace("    scoring_program", "    ingestion_program: program.zip\n"
                              "    scoring_program", 1)  # fmt: skip
    done = desk.take_v1(text, PROGRAMS)
    assert "ingestion_program" not in desk.data()["tasks"][0]
    assert "it never ran" in said(done, "note")


def columns(*keys: str) -> list[dict[str, Any]]:
    return [{"title": key, "key": key, "index": index} for index, key in enumerate(keys)]


def test_columns_whose_writer_cannot_be_known_are_optional(desk: Desk) -> None:
    """As DC-CSV-parsing, whose program puts the names of its scores together."""
    source = 'scores = {"rows_" + level: 1, "time_" + level: 2}\n'
    board = {"title": "R", "key": "r", "columns": columns("rows_easy", "time_easy", "rows_hard")}
    desk.take_v2({"scoring_program/score.py": source}, leaderboards=[board])
    assert desk.data()["pullbench"] == {
        "columns": {"time_easy": {"optional": True}, "rows_hard": {"optional": True}}
    }


def test_a_version_2_file_stays_to_the_byte_before_what_is_added(desk: Desk) -> None:
    content = dump_yaml(v2(leaderboards=[{"title": "R", "key": "r", "columns": columns("a", "b")}]))
    content = b"# What stands here stays.\r\n" + content.replace(b"\n", b"\r\n")
    done = desk.take(desk.zip({"competition.yaml": content, **V2_FILES}))
    written = (desk.repo.path / "benchmarks/new/competition.yaml").read_bytes()
    assert written.startswith(content)
    assert written[len(content) :].startswith(b"\r\npullbench:\r\n")
    assert "at its end" in said(done, "note")


def test_a_version_2_file_whose_program_writes_all_is_unchanged(desk: Desk) -> None:
    content = dump_yaml(v2(leaderboards=[{"title": "R", "key": "r", "columns": columns("a", "b")}]))
    source = 'json.dump({"a": 1, "b": 2}, open(sys.argv[2] + "/scores.json", "w"))\n'
    files = {"competition.yaml": content, **V2_FILES, "scoring_program/score.py": source}
    desk.take(desk.zip(files))
    assert (desk.repo.path / "benchmarks/new/competition.yaml").read_bytes() == content


def test_sources_made_to_take_for_ever_do_not() -> None:
    """A source of a megabyte and a key of 64 characters: what is looked at is bounded."""
    long = b'x = "' + b":" * 500_000 + b'"\n'
    holes = b"".join(b'y = "' + b"_%s" * count + b'_" + z\n' for count in (3, 30, 600))
    written = written_keys([long, holes, b'"score": 1\n'], ["score", "_" * 63 + "!"])
    assert written.certain == {"score"}
