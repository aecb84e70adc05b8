"""Inputs of CodaLab's that depend on other submissions."""

import pytest

from evaluator.plugins.codalab.programs import INPUTS, first_uses
from tests.importing.sources import COMMAND, V1, Desk, said, zipped


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("open(os.path.join(input_dir, 'coopetition', 'coopetition_phase_1.txt'))", "coopetition"),
        ('user = read("input/coopetition/current_user.txt")', "coopetition"),
        ("meta['submitted-by']", "metadata"),
        ('number = int(data["competition-submission"])', "metadata"),
        ("os.path.join(input_dir, 'history')", "history"),
        ("Path(sys.argv[1]) / 'x'; open('input/history/history.txt')", "history"),
        ("scores = input_dir / 'scores' / 'scores.txt'", "scores"),
        ('open(os.path.join(input_path, "scores.txt"))', "scores"),
    ],
)
def test_a_use_is_found(line: str, what: str) -> None:
    assert first_uses(f"import os\n{line}\n{line}\n".encode(), INPUTS) == [(2, f"input/{what}")]


@pytest.mark.parametrize(
    "line",
    [
        "os.path.join(input_dir, 'res', 'metadata')",
        "open(os.path.join(output_dir, 'scores.txt'), 'w')",
        "history = model.fit(input_data, labels).history['loss']",
        "# input/history was CodaLab's",
        "results['scores'] = 1",
    ],
)
def test_what_only_looks_like_one(line: str) -> None:
    assert first_uses(line.encode(), INPUTS) == []


def test_large_files_are_passed_over() -> None:
    assert first_uses(b"coopetition\n" * 2**17, INPUTS) == []


SCORER = "import os, sys\nprint(os.listdir(os.path.join(sys.argv[1], 'coopetition')))\n"


def test_an_import_warns_with_the_line_and_the_reason(desk: Desk) -> None:
    done = desk.take_v1(V1, {"program.zip": zipped({"metadata": COMMAND, "score.py": SCORER})})
    assert not done.refused
    warnings = said(done, "warning")
    assert "program/score.py" in warnings
    assert "line 2 seems to read 'input/coopetition'" in warnings
    assert "A score is a function of the submission and the task alone" in warnings


def test_a_program_for_codabench_is_not_asked(desk: Desk) -> None:
    done = desk.take_v2({"scoring_program/score.py": SCORER})
    assert not done.refused
    assert "coopetition" not in said(done)
