"""1.9: `import SOURCE --try` evaluates what a bundle ships, and leaves nothing entered."""

from typing import Any

import pytest

from evaluator.core.formats.schema import dump_yaml
from tests.importing.sources import V2_FILES, Content, Desk, v2, zipped

INGESTION = """\
import shutil
import sys
from pathlib import Path

data, output, submission = map(Path, sys.argv[1:])
sys.path.insert(0, str(submission))
import model

(output / "answer.txt").write_text(str(model.answer()))
"""
SCORE = """\
import json
import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:3])
value = float((source / "res" / "answer.txt").read_text())
(target / "scores.json").write_text(json.dumps({"score": value}))
"""
COMMAND = "command: python3 $program/run.py $input $output $submission_program\n"
FILES: Content = {
    **V2_FILES,
    "scoring_program/score.py": SCORE,
    "ingestion_program/metadata.yaml": COMMAND,
    "ingestion_program/run.py": INGESTION,
}


def bundle(**changes: Any) -> bytes:
    """A bundle whose phases are over, or to come, and which asks questions."""
    task = {"index": 0, "name": "Sums", "scoring_program": "scoring_program",
            "ingestion_program": "ingestion_program"}  # fmt: skip
    phase: dict[str, Any] = {
        "index": 0, "name": "Past", "start": "2001-01-01", "end": "2001-02-01", "tasks": [0],
        "max_submissions": 1, "hide_score_output": True,
    }  # fmt: skip
    later = {"index": 1, "name": "Later", "start": "2199-01-01", "tasks": [1]}
    sheet = {
        "model": {"key": "model", "type": "select", "title": "Model", "selection": "a,b",
                  "is_required": "true", "is_on_leaderboard": "false"},
    }  # fmt: skip
    data = v2(
        docker_image="python:3.11-slim", tasks=[task, {**task, "index": 1, "name": "More"}],
        phases=[phase, later], fact_sheet=sheet,
    )  # fmt: skip
    return dump_yaml({**data, **changes})


@pytest.mark.docker
def test_solutions_and_samples_are_tried_whatever_the_dates(desk: Desk) -> None:
    solutions = [{"index": 0, "tasks": [1], "path": "reference.zip"}]
    broken = "def answer():\n    print('loading')\n    raise ValueError('no weights')\n"
    # As DC-CSV-parsing has it: a result that is left, and an error afterwards.
    half = "import atexit, os\n\n\ndef answer():\n    atexit.register(os._exit, 3)\n    return 9\n"
    files = {
        "competition.yaml": bundle(solutions=solutions),
        **FILES,
        "reference.zip": zipped({"model.py": "def answer():\n    return 7\n"}),
        "starting_kit/sample_code_submission/model.py": broken,
        "solution/more_code_solution/model.py": half,
    }
    inside = {f"bundle/{name}": content for name, content in files.items()}
    beside = {"sample_result_submission.zip": zipped({"answer.txt": "0.25\n"})}
    source = desk.zip({**inside, **beside})
    desk.repo.write("pyproject.toml", "")
    desk.repo.commit()
    done = desk.repo.pullbench("import", source, "--name", "new", "--try")
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "trying 1-reference, 'reference', as code in phase 'Later'" in said
    assert "new/samples/1-reference/later/more: score 7" in said
    assert "'starting_kit/sample_code_submission', as code in phase 'Past'" in said
    assert "| ValueError: no weights" in said
    assert "'sample_result_submission.zip', as results in phase 'Past'" in said
    assert "score 0.25" in said
    # The phase is the one that has the sample's word in a task's name.
    assert "'solution/more_code_solution', as code in phase 'Later'" in said
    assert "solution/later/more: score 9\n    though its ingestion ended with exit code 3" in said
    assert not (desk.repo.path / "submissions").exists()
    assert desk.repo.status == "?? benchmarks/"


def test_without_a_sample_it_is_said(desk: Desk) -> None:
    source = desk.zip({"competition.yaml": bundle(), **FILES})
    desk.repo.write("pyproject.toml", "")
    desk.repo.commit()
    done = desk.repo.pullbench("import", source, "--name", "new", "--try")
    assert done.returncode == 0
    assert "nothing to try: competition.yaml names no solution" in done.stdout + done.stderr
