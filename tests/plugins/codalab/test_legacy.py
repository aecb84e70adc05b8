"""CodaLab v1.5 and 1.8: what its competition.yaml meant, and Codabench's conversion drops."""

from typing import Any

import pytest
import yaml

from tests.importing.sources import COMMAND, SCORE, V1, Desk, said, v1_files, zipped

BOARD = V1[V1.index("leaderboard:") :]


def with_board(text: str) -> str:
    return V1.replace(BOARD, "") + text


def with_phases(*phases: dict[str, Any], **more: Any) -> str:
    """The small competition with other phases, numbered from 1."""
    data = yaml.safe_load(V1)
    common = {"scoring_program": "program.zip", "reference_data": "reference.zip"}
    data["phases"] = {
        number: {"phasenumber": number, "label": f"P{number}", **common, **phase}
        for number, phase in enumerate(phases, start=1)
    }
    data.update(more)
    return str(yaml.safe_dump(data, sort_keys=False))


def test_the_small_competition(desk: Desk) -> None:
    done = desk.take_v1("# Yellow\n---\n" + V1)
    assert not done.refused, said(done)
    assert desk.data() == {
        "version": 2,
        "title": "Yellow",
        "description": "Say hello.",
        "image": "logo.png",
        "terms": "terms.html",
        "pages": [{"title": "Overview", "file": "overview.html"}],
        "docker_image": "codalab/codalab-legacy:py37",
        "registration_auto_approve": False,
        "tasks": [
            {"index": 0, "name": "First Task", "scoring_program": "program",
             "reference_data": "reference"},
        ],
        "phases": [
            {"index": 0, "name": "First", "start": "2013-06-30T00:00:00+00:00", "tasks": [0],
             "max_submissions_per_day": 999, "max_submissions": 100, "execution_time_limit": 300},
        ],
        "leaderboards": [
            {"index": 0, "title": "Results", "key": "results", "primary_index": 0,
             "submission_rule": "Add",
             "columns": [{"title": "Correct", "key": "correct", "index": 0, "sorting": "desc",
                          "precision": 3}]},
        ],
    }  # fmt: skip
    assert "its comments are gone" in said(done, "note")
    assert "program/metadata" in done.files


@pytest.mark.parametrize("version", ["", "version: 1\n", "version: 1.5\n", 'version: "1.8"\n'])
def test_versions(desk: Desk, version: str) -> None:
    assert not desk.take_v1(version + V1).refused


def test_top_level_keys(desk: Desk) -> None:
    done = desk.take_v1(
        "competition_docker_image: 'me/image:1 latest'\nhas_registration: false\n"
        "enable_forum: false\nallow_public_submissions: false\nenable_detailed_results: true\n"
        "queue: fast\nreward: 100\nadmin_names: a,b\nallow_teams: true\nstart_date: 2013-01-01\n"
        + V1
    )
    data = desk.data()
    assert data["docker_image"] == "me/image:1"
    assert data["registration_auto_approve"] is True
    assert data["forum_enabled"] is False
    assert data["can_participants_make_submissions_public"] is False
    assert data["enable_detailed_results"] is True
    assert (data["queue"], data["reward"]) == ("fast", "100")
    warnings = said(done, "warning").splitlines()
    assert len(warnings) == 2
    assert "admin_names, allow_teams: left out" in warnings[0]
    assert "queue: names a queue of a Codabench server" in warnings[1]


def test_missing_terms_and_logo_are_stood_in_for(desk: Desk) -> None:
    text = V1.replace(", terms: terms.html", ", faq: null").replace("image: logo.png\n", "")
    done = desk.take_v1(text)
    assert not done.refused, said(done)
    assert "no terms" in desk.read(desk.data()["terms"])
    assert desk.data()["image"] == "imported-logo.png"  # the zip has another one
    assert said(done, "warning").count("is missing") == 2
    assert "html.faq: names no file" in said(done, "warning")


def test_phases_end_when_the_next_starts(desk: Desk) -> None:
    text = with_phases(
        {"start_date": "2013-06-30 12:00", "auto_migration": True},
        {"start_date": "2013-08-30", "auto_migration": True, "max_submissions": 0},
        {"start_date": "2013-09-30", "execution_time_limit": 500},
        end_date="2014-01-01",
    )
    done = desk.take_v1(text)
    assert not done.refused, said(done)
    phases = desk.data()["phases"]
    assert phases[0]["end"] == phases[1]["start"] == "2013-08-30T00:00:00+00:00"
    assert phases[1]["end"] == phases[2]["start"]
    assert phases[2]["end"] == "2014-01-01T00:00:00+00:00"
    assert "auto_migrate_to_this_phase" not in phases[0]
    assert phases[1]["auto_migrate_to_this_phase"] is True
    assert [phase["execution_time_limit"] for phase in phases] == [300, 300, 500]
    assert phases[1]["max_submissions"] == 1
    assert "0 let nobody submit" in said(done, "warning")


def test_a_phase_that_never_ends(desk: Desk) -> None:
    first = {"start_date": "2013-06-30", "phase_never_ends": True}
    last = {"start_date": "2013-08-30", "phase_never_ends": True}
    done = desk.take_v1(with_phases(first, last, end_date="2014-01-01"))
    assert "end" not in desk.data()["phases"][1]
    assert "'P1' ends when 'P2' starts" in said(done, "warning")


def test_phases_that_start_together(desk: Desk) -> None:
    start = {"start_date": "2013-06-30"}
    done = desk.take_v1(with_phases(start, start, start))
    assert not done.refused, said(done)
    phases = desk.data()["phases"]
    assert [(phase["start"][11:19], phase.get("end", "")[11:19]) for phase in phases] == [
        ("23:59:58", "23:59:59"),
        ("23:59:59", "00:00:00"),
        ("00:00:00", ""),
    ]  # fmt: skip
    assert said(done, "warning").count("was never open") == 2


def test_phases_open_side_by_side_are_tasks(desk: Desk) -> None:
    start = {"start_date": "2013-06-30", "phase_never_ends": True}
    done = desk.take_v1(with_phases(start, start))
    assert not done.refused, said(done)
    data = desk.data()
    assert [phase["tasks"] for phase in data["phases"]] == [[0, 1]]
    assert [task["name"] for task in data["tasks"]] == ["P1", "P2"]
    assert "'P1', 'P2' were open side by side" in said(done, "warning")


def test_parallel_phases_of_1_8_are_tasks(desk: Desk) -> None:
    start = {"start_date": "2019-09-24 17:00:00+00:00"}
    text = with_phases(
        {**start, "label": "Feedback", "is_parallel_parent": True, "max_submissions": 7},
        {**start, "label": "One", "parent_phasenumber": 1, "execution_time_limit": 900},
        {**start, "label": "Two", "parent_phasenumber": 1},
        {"start_date": "2019-12-01", "label": "Final"},
    )
    done = desk.take_v1(text)
    assert not done.refused, said(done)
    data = desk.data()
    assert [(phase["name"], phase["tasks"]) for phase in data["phases"]] == [
        ("Feedback", [0, 1]), ("Final", [2]),
    ]  # fmt: skip
    assert [task["name"] for task in data["tasks"]] == ["One", "Two", "Final Task"]
    assert data["phases"][0]["max_submissions"] == 7
    assert data["phases"][0]["execution_time_limit"] == 900
    assert "it joined the scores of 2 phases" in said(done, "warning")


def test_the_rest_of_a_phase(desk: Desk) -> None:
    text = with_phases(
        {
            "start_date": "2013-06-30", "ingestion_program": "program.zip",
            "ingestion_program_only_during_scoring": True, "input_data": "reference.zip",
            "starting_kit": "kit.zip", "public_data": "kit.zip", "hide_output": True,
            "color": "green", "default_docker_image": "x",
            "datasets": {1: {"name": "D", "url": "https://data.example/d.zip"}},
        },
        {"start_date": "2013-07-30", "is_scoring_only": True},
    )  # fmt: skip
    done = desk.take_v1(text, {"kit.zip": zipped({"README.md": "Hello\n"})})
    assert not done.refused, said(done)
    data = desk.data()
    assert data["tasks"][0]["ingestion_only_during_scoring"] is True
    assert data["tasks"][0]["ingestion_program"] == "program"
    assert data["phases"][0]["starting_kit"] == data["phases"][0]["public_data"] == "kit"
    assert data["phases"][0]["hide_output"] is True
    assert "accepts_only_result_submissions" not in data["phases"][1]
    warnings = said(done, "warning")
    assert "default_docker_image: left out" in warnings
    assert "links to https://data.example/d.zip" in warnings


@pytest.mark.parametrize(
    ("top", "phase", "rule"),
    [
        ({}, {}, "Add"),
        ({"force_submission_to_leaderboard": True}, {}, "Force_Last"),
        ({"force_submission_to_leaderboard": True, "disallow_leaderboard_modifying": True}, {},
         "Force_Last"),
        ({"disallow_leaderboard_modifying": True}, {}, "Add"),
        ({"force_submission_to_leaderboard": True},
         {"force_best_submission_to_leaderboard": True}, "Force_Best"),
        ({"force_best_submission_to_leaderboard": True}, {}, "Force_Best"),
        ({}, {"leaderboard_management_mode": "hide_results"}, "Force_Last"),
    ],
)  # fmt: skip
def test_submission_rules(
    desk: Desk, top: dict[str, Any], phase: dict[str, Any], rule: str
) -> None:
    desk.take_v1(with_phases({"start_date": "2013-06-30", **phase}, **top))
    board = desk.data()["leaderboards"][0]
    assert board["submission_rule"] == rule
    assert board.get("hidden", False) is ("leaderboard_management_mode" in phase)


COMPUTED = """\
leaderboard:
  leaderboards:
    R: &R {label: Results, rank: 1}
  column_groups:
    dice: &DICE {label: Dice, rank: 1}
    other:
  columns:
    rank_mean:
      {leaderboard: *R, label: Mean rank, rank: 9, selection_default: 1,
       computed: {operation: Avg, fields: "a, b"}}
    rank_weighted:
      {leaderboard: *R, label: Weighted, rank: 8, sort: asc,
       computed: {operation: Avg, fields: [a, b], weights: {a: 2, b: 1}}}
    mrr: {leaderboard: *R, rank: 7, computed: {operation: MRR, fields: "a,b"}}
    most: {leaderboard: *R, rank: 6, computed: {operation: Max, fields: "a,b"}}
    strange: {leaderboard: *R, rank: 5, computed: {operation: Median, fields: "a,b"}}
    b: {leaderboard: *R, label: B, rank: 2, column_group: other, sort: asc, hidden: true}
    a: {leaderboard: *R, label: A, rank: 1, column_group: *DICE, numeric_format: "4"}
"""


def test_columns_made_from_ranks(desk: Desk) -> None:
    done = desk.take_v1(with_board(COMPUTED))
    assert not done.refused, said(done)
    board = desk.data()["leaderboards"][0]
    columns = {column["key"]: column for column in board["columns"]}
    assert list(columns) == ["a", "b", "most", "mrr", "rank_weighted", "rank_mean"]
    assert board["primary_index"] == columns["rank_mean"]["index"] == 5
    assert columns["a"]["precision"] == 4
    assert columns["b"]["hidden"] is True
    assert (columns["most"]["computation"], columns["most"]["computation_indexes"]) == (
        "max",
        [0, 1],
    )
    assert columns["rank_mean"]["sorting"] == "asc"
    assert desk.data()["pullbench"]["columns"] == {
        "a": {"group": "Dice"},
        "b": {"group": "other"},
        "mrr": {"ranks": {"operation": "mrr", "fields": ["a", "b"], "ties": "dense"}},
        "rank_weighted": {
            "ranks": {"operation": "weighted_rank", "fields": ["a", "b"], "ties": "dense",
                      "weights": [2.0, 1.0]},
        },
        "rank_mean": {"ranks": {"operation": "avg_rank", "fields": ["a", "b"], "ties": "dense"}},
    }  # fmt: skip
    assert "'Median' of 2 fields is not known" in said(done, "warning")
    # What is an average of ranks is taken for one of values, unless its title says so.
    notes = said(done, "note")
    assert (
        "rank_weighted: is made of ranks, as CodaLab's Avg is; its title says 'Weighted'" in notes
    )
    assert "rank_mean: is made of ranks" not in notes


def test_without_a_default_the_first_by_rank_ranks(desk: Desk) -> None:
    desk.take_v1(with_board(COMPUTED.replace(", selection_default: 1", "")))
    assert desk.data()["leaderboards"][0]["primary_index"] == 0


def test_several_boards_are_groups(desk: Desk) -> None:
    board = """\
leaderboard:
  leaderboards:
    SECOND: &S {label: Second, rank: 2}
    FIRST: &F {label: First, rank: 1}
  column_groups:
    g: &G {label: G}
  hidden_columns: [z]
  columns:
    z: {leaderboard: *S, rank: 1, selection_default: 5}
    y: {leaderboard: FIRST, rank: 2}
    x: {leaderboard: First, rank: 1, column_group: *G}
"""
    done = desk.take_v1(with_board(board))
    assert not done.refused, said(done)
    data = desk.data()
    assert [column["key"] for column in data["leaderboards"][0]["columns"]] == ["x", "y", "z"]
    assert data["leaderboards"][0]["primary_index"] == 0
    assert data["leaderboards"][0]["columns"][2]["hidden"] is True
    assert data["pullbench"]["columns"] == {
        "x": {"group": "First / G"},
        "y": {"group": "First", "optional": True},
        "z": {"group": "Second", "optional": True},
    }
    assert "2 boards are now groups of columns of one" in said(done, "note")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (with_board(""), "leaderboard.columns: is missing"),
        (with_board(COMPUTED.replace('"a, b"', '"a, absent"')), "names 'absent', which is no"),
        (with_board(COMPUTED.replace("{a: 2, b: 1}", "[1]")), "must give one number for each"),
        (V1.replace("start_date: 2013-06-30", "start_date: soon"), "must be a date"),
        # 1.7: by the keys of the file that the organiser has, with the lines in which they stand.
        (
            V1.replace("program.zip", "absent.zip"),
            "yaml:10: phases[1].scoring_program: 'absent.zip' is not in the bundle",
        ),
        (V1.replace("terms.html", "absent.html"), "yaml:4: html.terms: 'absent.html' is not"),
        (V1.replace("overview.html", "no.html"), "yaml:4: html.overview: 'no.html' is not in"),
        (
            V1.replace("{leaderboard: *RES", "{sort: up, leaderboard: *RES"),
            "yaml:16: leaderboard.columns.correct.sort: input should be 'asc' or 'desc'",
        ),
        (V1.replace("title: Yellow\n", ""), "title: is missing"),
    ],
)  # fmt: skip
def test_refused_with_the_reason(desk: Desk, text: str, reason: str) -> None:
    done = desk.take_v1(text)
    assert done.refused
    assert reason in said(done, "error")


def test_a_limit_of_phases_at_the_top(desk: Desk) -> None:
    done = desk.take_v1(f"max_submissions_per_day: 3\n{V1}")
    assert not done.refused, said(done)
    (warning,) = [line for line in said(done, "warning").splitlines() if "per_day" in line]
    assert "yaml:1: max_submissions_per_day: is a key of the entries of 'phases'" in warning
    assert "Who may approve" not in said(done)


def test_zips_in_programs_and_data_are_unpacked_as_codalab_did(desk: Desk) -> None:
    inner = zipped({"x.txt": "1\n"})
    program: dict[str, str | bytes] = {
        "only/metadata": COMMAND,
        "only/score.py": SCORE,
        "only/lib.zip": inner,
    }
    done = desk.take_v1(
        V1,
        {
            "program.zip": zipped(program),
            "reference.zip": zipped({"truth.txt": "1\n", "more.zip": inner, "deep/no.zip": inner}),
        },
    )  # fmt: skip
    assert not done.refused, said(done)
    assert {"program/metadata", "program/lib/x.txt", "program/lib.zip"} <= done.files
    assert {"reference/more/x.txt", "reference/deep/no.zip"} <= done.files
    assert "reference/deep/no/x.txt" not in done.files


def test_a_directory_of_the_unpacked_competition(desk: Desk) -> None:
    files = {**v1_files(), "competition.yaml": V1, "program/metadata": COMMAND,
             "program/score.py": SCORE, "reference/truth.txt": "1\n"}  # fmt: skip
    del files["program.zip"], files["reference.zip"]
    done = desk.take(desk.directory(files))
    assert not done.refused, said(done)
    assert "program.zip: is not in the bundle; 'program' is, and is used" in said(done, "warning")
