"""AutoWSL's protocol in real containers: no model outlives its budgets, however it tries."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluator.core.formats.record import Attachment, Reason, Record
from evaluator.plugins.samples.format import pack_curves
from tests.benchmarks.autowsl_models import (
    HONEST,
    NOTHING_SAVED,
    PREDICTION_TOO_LONG,
    REFUSED,
    SEES_NOTHING,
    STAGES,
    START_TOO_LONG,
    TRAINING_TOO_LONG,
    model,
)
from tests.repository import Repository

BUNDLE = Path(__file__).parents[2] / "benchmarks" / "autowsl"
START_BUDGET = 3
BUDGET = 1
TOLERANCE = 1.0
"""Seconds after its budget in which a model must be gone."""
STARTING = 5.0
"""Seconds that containers and interpreters may take to start on a busy machine."""
INFO = {
    "task": "ssl",
    "schema": {"c1": "num", "c2": "multi-cat"},
    "start_time_budget": START_BUDGET,
    "time_budget": BUDGET,
    "pred_time_budget": BUDGET,
}
DATA = {
    "input_data/info.json": json.dumps(INFO),
    "input_data/train.data": "c1\tc2\n0.5\ta,b\n\tb\n",
    "input_data/train.solution": "label\n1\n0\n",
    "input_data/test.data": "c1\tc2\n0.5\ta,b\n0.1\tb\n\t\n0.9\ta\n",
    "reference_data/test.solution": "label\n1\n-1\n-1\n1\n",
}
COMPETITION = """\
version: 2
title: Protocol
image: logo.png
terms: terms.md
docker_image: python:3.11-slim
pages: []
tasks:
  - index: 0
    name: Task
    ingestion_program: ingestion_program
    scoring_program: scoring_program
    input_data: input_data
    reference_data: reference_data
phases:
  - {index: 0, name: Main, start: 2020-01-01, tasks: [0], execution_time_limit: 60,
     max_submissions_per_day: 0, max_submissions: 0}
leaderboards:
  - title: Results
    key: results
    columns:
      - {title: AUC, key: auc, index: 0, sorting: desc, precision: 4}
pullbench:
  extra: [training_seconds, training_budget, prediction_start_seconds, prediction_budget]
  curves: true
  limits: {memory: 256 MiB, cpus: 1, pids: 32, output_size: 8 MiB, log_size: 64 KiB}
"""
CHEATS = {**TRAINING_TOO_LONG, **NOTHING_SAVED, **PREDICTION_TOO_LONG, **START_TOO_LONG}
MODELS = {
    "honest": HONEST,
    "stages": STAGES,
    **{f"sees-{name}": model(body) for name, body in SEES_NOTHING.items()},
    **{name: model(body) for name, body in CHEATS.items()},
    **{name: model(body) for name, (body, _) in REFUSED.items()},
}
LINE = re.compile(
    r"^(training|prediction): ([\d.]+) s of \d+ s, after ([\d.]+) s of \d+ s for the start; "
    r"all its processes were gone ([\d.]+) s later$",
    re.MULTILINE,
)


def make_repository(path: Path, models: dict[str, str]) -> Repository:
    repo = Repository(path)
    bundle = "benchmarks/protocol"
    repo.write(f"{bundle}/competition.yaml", COMPETITION)
    for name, content in {**DATA, "logo.png": "-", "terms.md": "-"}.items():
        repo.write(f"{bundle}/{name}", content)
    for program in ("ingestion_program", "scoring_program"):
        shutil.copytree(
            BUNDLE / program,
            repo.path / bundle / program,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for name, source in models.items():
        repo.write(f"submissions/protocol/alice/{name}/submission.yaml", "kind: code\n")
        repo.write(f"submissions/protocol/alice/{name}/model.py", source)
    repo.commit()
    return repo


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    repo = make_repository(tmp_path_factory.mktemp("protocol") / "repo", MODELS)
    made = repo.run(lanes=2)
    return {record.cell.submission: record for record in made.values()}


def told(record: Record) -> str:
    assert record.error is not None
    assert record.error.reason == Reason.REJECTED
    assert record.error.actor == "participant"
    return record.error.message


def halves(record: Record) -> dict[str, tuple[float, float, float]]:
    """Half -> seconds, seconds of its start, seconds until all was gone: as measured inside."""
    step = record.step("ingestion")
    assert step is not None
    found = {half: (float(a), float(b), float(c)) for half, a, b, c in LINE.findall(step.log)}
    # And as measured outside: nothing is kept quiet.
    assert step.wall_seconds < sum(sum(seconds) for seconds in found.values()) + STARTING
    return found


@pytest.mark.docker
@pytest.mark.alone  # the first that wants the records: they are made within its turn
def test_an_honest_model(records: dict[str, Record]) -> None:
    record = records["honest"]
    assert record.error is None
    assert record.scores == {"auc": 1.0}
    assert record.extra["training_budget"] == record.extra["prediction_budget"] == BUDGET
    assert 0 <= record.extra["training_seconds"] < BUDGET
    # 0, if one look at the pipe finds that it has begun and that it is ready.
    assert 0 <= record.extra["prediction_start_seconds"] < START_BUDGET
    assert set(halves(record)) == {"training", "prediction"}


@pytest.mark.docker
def test_a_model_shows_its_stages(records: dict[str, Record]) -> None:
    """100 of an endless number of them."""
    assert records["stages"].error is None
    assert records["stages"].scores == {"auc": 1.0}
    curves = Attachment.of(pack_curves(json.dumps({
        "series": {"auc": {"x": [*range(1, 101)], "y": [0.75] * 100}},
        "x": "stage of the model", "y": "ROC AUC",
    }).encode()))  # fmt: skip
    assert records["stages"].attachments == {"curves.json.gz": curves}
    assert not records["honest"].attachments


@pytest.mark.docker
@pytest.mark.parametrize("half", SEES_NOTHING)
def test_a_half_sees_its_own_data_alone_and_none_before_its_budget(
    records: dict[str, Record], half: str
) -> None:
    record = records[f"sees-{half}"]
    assert record.error is None, record.step("ingestion")
    assert record.scores == {"auc": 1.0}


@pytest.mark.docker
@pytest.mark.parametrize("name", TRAINING_TOO_LONG)
def test_training_ends_with_its_budget(records: dict[str, Record], name: str) -> None:
    message = told(records[name])
    assert re.fullmatch(r"training was stopped after \S+ s; its budget is 1 s", message)
    [(half, (seconds, _, ending))] = halves(records[name]).items()
    assert half == "training"
    assert BUDGET <= seconds + ending < BUDGET + TOLERANCE


@pytest.mark.docker
@pytest.mark.parametrize("name", NOTHING_SAVED)
def test_nothing_survives_but_what_was_saved(records: dict[str, Record], name: str) -> None:
    code = 4 if name == "ever-another-process" else 1
    assert told(records[name]) == (
        f"prediction ended with exit code {code} before it was done; the log says more"
    )
    seconds, _, ending = halves(records[name])["training"]
    assert seconds + ending < BUDGET + TOLERANCE


@pytest.mark.docker
@pytest.mark.parametrize("name", PREDICTION_TOO_LONG)
def test_prediction_ends_with_its_budget(records: dict[str, Record], name: str) -> None:
    message = told(records[name])
    assert re.fullmatch(r"prediction was stopped after \S+ s; its budget is 1 s", message)
    seconds, _, ending = halves(records[name])["prediction"]
    assert BUDGET <= seconds + ending < BUDGET + TOLERANCE


@pytest.mark.docker
@pytest.mark.parametrize("name", START_TOO_LONG)
def test_the_start_has_a_budget_too(records: dict[str, Record], name: str) -> None:
    assert "the budget for it is 3 s" in told(records[name])
    seconds, start, ending = halves(records[name])["training"]
    assert seconds == 0
    assert START_BUDGET <= start + ending < START_BUDGET + TOLERANCE


@pytest.mark.docker
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_said(records: dict[str, Record], name: str) -> None:
    assert told(records[name]).startswith(REFUSED[name][1])


@pytest.mark.parametrize("name", ["sleeps", "waits-for-a-daemon", "goes-on-in-a-thread"])
def test_outside_a_container_nothing_survives_either(tmp_path: Path, name: str) -> None:
    """Where the program is not process 1 it finds orphans as their reaper."""
    for file, content in DATA.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(content)
    for folder in ("output", "submission"):
        (tmp_path / folder).mkdir()

    source = model(TRAINING_TOO_LONG[name])
    (tmp_path / "submission" / "model.py").write_text(source)
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, BUNDLE / "ingestion_program" / "ingestion.py",
         tmp_path / "input_data", tmp_path / "output", tmp_path / "submission"],
        capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert time.monotonic() - began < START_BUDGET + BUDGET + TOLERANCE
    outcome = json.loads((tmp_path / "output" / "outcome.json").read_text())
    assert outcome["reason"].startswith("training was stopped"), done.stderr
    assert not _running(str(tmp_path / "submission"))


def _running(argument: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found
