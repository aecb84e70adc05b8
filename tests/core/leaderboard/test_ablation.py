"""What stages are worth, against numbers made by hand."""

import csv
import io
import json
from dataclasses import replace

import pytest

from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.tables import to_csv
from evaluator.site.boards.ablation import ablation_csv, ablations, all_ablations, effect_data
from evaluator.site.boards.exports.board_json import to_data
from tests.core.leaderboard.boards import FAILED, FILES, HEAD, Entries
from tests.core.leaderboard.boards import make_benchmark as plain_benchmark

STAGES = """
pullbench:
  baseline: organiser/reference
  stages:
    - {key: clean, title: Cleaning}
    - {key: model}
    - {key: tune}
"""
TWO_COLUMNS = (
    "      - {title: Loss, key: loss, index: 0, sorting: asc, precision: 2}\n"
    "      - {title: Right, key: right, index: 1, sorting: desc, precision: 2}\n"
)


def staged(tasks: str = "0", more: str = "") -> Benchmark:
    """Return a benchmark in stages; tasks of HEAD have no ingestion program, so one is added."""
    text = HEAD % (tasks, "Force_Latest_Multiple", TWO_COLUMNS) + STAGES + more
    text = text.replace("scoring_program: scoring}", "scoring_program: scoring, "
                        "ingestion_program: scoring}")  # fmt: skip
    found, problems = parse_bundle("bench", text.encode(), FILES)
    assert found is not None, problems
    return found


class Staged(Entries):
    """Submissions of code in stages, with the records of their parts."""

    def bring(self, participant: str, name: str, stages: str, **found: float | str) -> "Staged":
        """Add a submission; ``found`` is, by task and stages as in ``two_clean_model``, its loss.

        What is right is 1 - loss / 100.
        """
        held = tuple(stages.split())
        self.enter(participant, name)
        self.submissions[-1] = replace(self.submissions[-1], kind_name="code", stages=held)
        for key, loss in found.items():
            task, *some = key.split("_")
            slug = "+".join((task, *some))
            scores = loss if isinstance(loss, str) else {"loss": loss, "right": 1 - loss / 100}
            self._record(participant, name, slug, scores, 0, 1)
        return self


def three(benchmark: Benchmark) -> Staged:
    entries = Staged(benchmark)
    entries.bring("organiser", "reference", "", one=40)
    entries.bring(
        "ada", "all", "clean model tune", one=10, one_clean=35, one_model=44, one_tune=40,
        one_model_tune=41, one_clean_tune=30, one_clean_model=12,
    )  # fmt: skip
    entries.bring("ben", "two", "clean model", one=20, one_clean=25, one_model=FAILED)
    entries.bring("cleo", "one", "tune", one=38)
    return entries


def numbers(
    board: PublicBoard, column: str = "loss"
) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Value and change by submission and ``variant stage``."""
    (item,) = [one for one in all_ablations(board) if one.column.key == column]
    return {
        row.row.submission.name: {
            f"{one.variant} {one.stage}".strip(): (one.value, one.change) for one in row.effects
        }
        for row in item.rows
    }


def test_gains_and_losses_of_a_loss() -> None:
    assert numbers(three(staged()).board()) == {
        "all": {
            "together": (10, 30),
            "alone clean": (35, 5), "alone model": (44, -4), "alone tune": (40, 0),
            "without clean": (41, -31), "without model": (30, -20), "without tune": (12, -2),
        },
        # With two, to leave out one is to have the other alone.
        "two": {
            "together": (20, 20),
            "alone clean": (25, 15), "alone model": (None, None),
            "without clean": (None, None), "without model": (25, -5),
        },
        # With one, nothing is left without it but the organiser's own pipeline.
        "one": {"together": (38, 2), "alone tune": (38, 2), "without tune": (40, -2)},
        "reference": {"together": (40, 0)},
    }  # fmt: skip


def test_where_more_is_better_the_signs_are_the_same() -> None:
    found = numbers(three(staged()).board(), "right")["all"]
    assert found["alone clean"] == pytest.approx((0.65, 0.05))
    assert found["alone model"] == pytest.approx((0.56, -0.04))
    assert found["without clean"] == pytest.approx((0.59, -0.31))


def test_a_failure_says_why_and_spoils_its_own_cell_alone() -> None:
    (item,) = ablations(three(staged()).board())
    ben = next(row for row in item.rows if row.row.submission.participant == "ben")
    assert [(one and (one.state, one.reason)) for one in ben.alone] == [
        ("finished", ""), ("failed", "timed out"), None,
    ]  # fmt: skip
    assert (ben.row.rank, ben.row.state) == (2, "finished")


def test_ranks_know_nothing_of_parts() -> None:
    entries = three(staged())
    assert entries.ranks() == [(1, "all"), (2, "two"), (3, "one"), (4, "reference")]
    board = entries.board()
    assert [task.slug for task in board.tasks] == ["one"]
    assert all(set(row.tasks) == {"one"} for row in board.rows)
    assert to_csv(board).splitlines()[0] == "rank,participant,submission,title,status,loss,right"


def test_over_several_tasks_it_is_the_mean() -> None:
    entries = Staged(staged("0, 1"))
    entries.bring("organiser", "reference", "", one=40, two=20)
    entries.bring(
        "ada", "two", "clean model", one=10, two=10, one_clean=30, two_clean=22, one_model=38,
    )  # fmt: skip
    found = ablations(entries.board())
    assert [item.task.slug if item.task else "" for item in found] == ["", "one", "two"]
    ada = {
        item.task.slug if item.task else "": {
            f"{one.variant} {one.stage}".strip(): (one.state, one.value, one.change)
            for row in item.rows
            if row.row.submission.participant == "ada"
            for one in row.effects
        }
        for item in found
    }
    assert ada[""]["together"] == ("finished", 10, 20)
    assert ada[""]["alone clean"] == ("finished", 26, 4)
    assert ada[""]["without model"] == ("finished", 26, -16)
    # One task has not run: there is no mean, and what has run stands.
    assert ada[""]["alone model"] == ("missing", None, None)
    assert ada["one"]["alone model"] == ("finished", 38, 2)
    assert ada["two"]["alone model"] == ("missing", None, None)


def test_without_a_baseline_there_are_losses_and_no_gains() -> None:
    benchmark = replace(staged(), baseline="")
    found = numbers(three(benchmark).board())
    assert found["all"]["alone clean"] == (35, None)
    assert found["all"]["without clean"] == (41, -31)
    assert found["one"]["without tune"] == (None, None)


def test_a_baseline_that_brings_stages_is_no_reference() -> None:
    benchmark = replace(staged(), baseline="ada/all")
    (item,) = ablations(three(benchmark).board())
    assert item.reference is None
    assert not any(row.is_reference for row in item.rows)


def test_stale_parts_have_no_value() -> None:
    entries = three(staged())
    stale = frozenset(cell for cell in entries.records if cell.task == "one+clean")
    found = numbers(entries.board(stale=stale))
    assert found["all"]["alone clean"] == (None, None)
    assert found["all"]["without clean"] == (41, -31)


def test_hidden_boards_tell_nothing() -> None:
    benchmark = staged()
    hidden = replace(benchmark, leaderboard=replace(benchmark.leaderboard, hidden=True))
    board = three(hidden).board()
    assert all_ablations(board) == ()
    assert to_data(board)["ablation"] == []
    status = three(benchmark).board()
    status = replace(status, phase=replace(status.phase, shows="status"))
    assert effect_data(status) == []


def test_a_hidden_column_is_not_told() -> None:
    benchmark = staged()
    loss, right = benchmark.leaderboard.columns
    columns = (replace(loss, hidden=True), right)
    sealed = replace(benchmark, leaderboard=replace(benchmark.leaderboard, columns=columns))
    data = to_data(three(sealed).board())
    assert {one["column"] for one in data["ablation"]} == {"right"}
    (item,) = ablations(three(sealed).board())
    assert item.column.key == "right"


def test_data_say_the_same() -> None:
    board = three(staged()).board()
    data = to_data(board)
    assert data["stages"] == [
        {"key": "clean", "title": "Cleaning"}, {"key": "model", "title": "model"},
        {"key": "tune", "title": "tune"},
    ]  # fmt: skip
    first = data["ablation"][1]
    assert first == {
        "participant": "ada", "submission": "all", "reference": False, "task": "one",
        "column": "loss", "variant": "alone", "stage": "clean", "stages": ["clean"],
        "status": "finished", "value": 35, "change": 5,
    }  # fmt: skip
    lines = list(csv.DictReader(io.StringIO(ablation_csv(board))))
    assert len(lines) == len(data["ablation"]) == 2 * (7 + 5 + 3 + 1)
    without = next(line for line in lines if line["variant"] == "without")
    assert (without["stages"], without["value"], without["change"]) == (
        "model+tune",
        "41.0",
        "-31.0",
    )
    assert json.loads(json.dumps(data)) == data


def test_other_benchmarks_have_none() -> None:
    entries = Entries(plain_benchmark()).enter("ada", "entry", {"a": 1.0})
    data = to_data(entries.board())
    assert (data["stages"], data["ablation"]) == ([], [])
    assert Task.variants(entries.benchmark.tasks[0], ()) == ()
