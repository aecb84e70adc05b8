import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.formats.cell import (
    PREDICTION_PARTS,
    SCORE_PARTS,
    CellId,
    TaskKeys,
    attachment_of,
    cell_keys,
    cell_of_part,
    changed_parts,
    digest,
    place_of,
    place_of_logs,
)
from tests.records import PARTS

# Frozen. When one of these fails, every record in every repository would become stale: raise
# KEY_VERSION only where that is meant.
PREDICTION = "019381bff0ff34be5d93f23b87f70a5a2f78052dea96096fd79583c0d5bfcccb"
SCORE = "20e0f24f633c4af5403d1ecd5d68802c1639627898e46c80cbeba837c0cda338"


def test_literal_keys() -> None:
    keys = cell_keys(PARTS)
    assert keys.prediction == PREDICTION
    assert keys.score == SCORE


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from([*PARTS]), st.text(max_size=4) | st.from_regex("[0-9a-f]{4}")),
    st.integers(0, 20),
    st.none() | st.just("a,b"),
)
def test_keys_of_a_task_are_those_of_all_parts(
    changes: dict[str, str], repeat: int, stages: str | None
) -> None:
    parts = {**PARTS, **changes, "repeat": str(repeat)}
    task = {name: parts[name] for name in parts if name not in ("submission", "repeat")}
    made = TaskKeys(task).of(parts["submission"], repeat, stages)
    expected = cell_keys(parts if stages is None else {**parts, "stages": stages})
    assert (made.prediction, made.score) == (expected.prediction, expected.score)
    assert made.parts == expected.parts


def test_literal_digest() -> None:
    assert digest([]) == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    assert (
        digest({"b": "ä", "a": [1, None]})
        == "fbf0280c9fc785694e484afdb0dee668d9a7a3ccf2ba70147051d550e5d35d39"
    )


@pytest.mark.parametrize("part", PREDICTION_PARTS)
def test_what_predictions_depend_on_changes_both_keys(part: str) -> None:
    keys = cell_keys({**PARTS, part: "x"})
    assert keys.prediction != PREDICTION
    assert keys.score != SCORE


@pytest.mark.parametrize("part", SCORE_PARTS)
def test_what_only_scores_depend_on_keeps_the_predictions(part: str) -> None:
    keys = cell_keys({**PARTS, part: "x"})
    assert keys.prediction == PREDICTION
    assert keys.score != SCORE


def test_parts_do_not_run_together() -> None:
    one = cell_keys({**PARTS, "scoring_program": "ab", "reference_data": "c"})
    other = cell_keys({**PARTS, "scoring_program": "a", "reference_data": "bc"})
    assert one.score != other.score


def test_changed_parts() -> None:
    assert changed_parts(PARTS, PARTS) == ()
    new = {**PARTS, "columns": "x", "submission": "y"}
    assert changed_parts(PARTS, new) == ("submission", "columns")


@pytest.mark.parametrize("repeat", [None, 0, 12])
def test_paths_name_cells(repeat: int | None) -> None:
    cell = CellId(
        benchmark="b", participant="p", submission="s.1", phase="main", task="t", repeat=repeat
    )
    assert cell_of_part(cell.part_path) == cell
    assert [attachment_of(path) for path in cell.attachment_paths[:2]] == [(cell, "html")] * 2
    assert place_of(cell.scores_path) == place_of_logs(cell.logs_path) == cell.place
    assert cell.place.cell("t", repeat) == cell
    assert str(cell) == "b/p/s.1/main/t" + ("" if repeat is None else f".{repeat}")


@pytest.mark.parametrize(
    "path",
    [
        "submissions/b/p/s/scores/main/t.txt",
        "submissions/b/p/s/scores/main/.json",
        "submissions/b/p/s/scores/main/t.x.json",
        "submissions/b/p/s/scores/t.txt",
        "submissions/b/p/s/scores/.json",
        "submissions/b/p/s/scores/.logs.json",
        "submissions/b/p/s/scores/main/deep/t.json",
        "submissions/b/p/s/scores/opened/seal.json",
        "submissions/b/p/s/code/main.json",
        "benchmarks/b/p/s/scores/main.json",
    ],
)
def test_not_the_path_of_scores(path: str) -> None:
    assert cell_of_part(path) is None
    assert place_of(path) is None
    assert place_of_logs(path) is None


def test_a_file_of_logs_is_none_of_scores() -> None:
    assert place_of("submissions/b/p/s/scores/main.logs.json") is None
    assert place_of_logs("submissions/b/p/s/scores/main.json") is None


def test_paths_and_cells_are_one_to_one() -> None:
    """Two files that name one cell would let a second record hide behind the first."""
    for stem in ("t.00", "t.0_1", "t.²", "t.٣", ".0"):
        assert cell_of_part(f"submissions/b/p/s/scores/main/{stem}.json") is None, stem
