"""`pullbench init --template challenge`: a table of labels becomes a closed challenge."""

import csv
import json
import os
import random
import shutil
from typing import Any

import pytest
from sklearn import metrics

from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.formats.submission import parse_submission
from evaluator.plugins.scaffold.benchmark import CHALLENGE, METRICS, TEMPLATES
from evaluator.plugins.sealed.sealing import seal_entry
from tests.challenge import NAME, write
from tests.repository import Repository

ENTRY = f"submissions/{NAME}/alice/one"
OF_SKLEARN = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1_macro": lambda true, given: metrics.f1_score(true, given, average="macro"),
    "mean_absolute_error": metrics.mean_absolute_error,
    "root_mean_squared_error": lambda true, given: metrics.mean_squared_error(true, given) ** 0.5,
    "r2": metrics.r2_score,
}


def labels(metric: str) -> list[dict[str, str]]:
    chance = random.Random(7)  # noqa: S311 - no secret
    classes = metric in ("accuracy", "balanced_accuracy", "f1_macro")
    return [
        {
            "id": f"row-{number}", "x": f"{chance.random():.3f}",
            "label": chance.choice("abc") if classes else f"{chance.gauss(0, 3):.3f}",
        }
        for number in range(60)
    ]  # fmt: skip


def begin(repo: Repository, rows: list[dict[str, str]], *options: str) -> Any:
    table = write(repo.path.parent / "labels.csv", rows)
    return repo.pullbench("init", NAME, "--template", "challenge", "--labels", str(table), *options)


def keys(repo: Repository) -> dict[str, str]:
    lines = (repo.path.parent / f"{NAME}-private/keys.txt").read_text().splitlines()
    found = (line.split(": ") for line in lines)
    return {half: word.split()[1] for half, word in found if word.startswith("secret")}


@pytest.mark.docker
@pytest.mark.parametrize(
    "metric",
    [
        pytest.param(one, marks=() if one in ("accuracy", "r2") else pytest.mark.slow)
        for one in METRICS
    ],
)
def test_a_table_becomes_a_closed_challenge_that_scores_as_scikit_learn_does(
    repo: Repository, metric: str
) -> None:
    rows = labels(metric)
    done = begin(repo, rows, "--metric", metric)
    assert done.returncode == 0, done.stderr
    private = repo.path.parent / f"{NAME}-private"
    assert private.stat().st_mode & 0o777 == 0o700
    assert not [one for one in repo.problems() if one.severity == "error"]
    chance = random.Random(8)  # noqa: S311 - no secret
    given = [{"id": row["id"], "label": chance.choice(rows)["label"]} for row in rows]
    write(repo.path / ENTRY / "predictions.csv", given)
    repo.write(f"{ENTRY}/submission.yaml", "kind: results\nphase: public\n")
    repo.commit("A challenge and an entry")
    environment = {**os.environ, DATA_IDENTITY: keys(repo)["public"]}
    done = repo.pullbench("run", f"{NAME}/alice", environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = json.loads((repo.path / ENTRY / "scores/public.json").read_text())["cells"]
    half, other = (
        [*csv.DictReader((private / f"{name}/labels.csv").read_text().splitlines())]
        for name in ("public", "final")
    )
    assert sorted(row["id"] for row in (*half, *other)) == sorted(row["id"] for row in rows)
    assert len(half) == len(other) == 30
    by_id = {row["id"]: row["label"] for row in given}
    kind = str if metric in ("accuracy", "balanced_accuracy", "f1_macro") else float
    true, predicted = zip(
        *((kind(row["label"]), kind(by_id[row["id"]])) for row in half), strict=True
    )
    assert line["scores"][metric] == round(OF_SKLEARN[metric](true, predicted), 3)
    assert "scoring" not in line and line["seconds"] == 0  # a time may tell labels, too
    done = repo.pullbench("leaderboard", NAME)
    assert "alice" in done.stdout


def test_the_repository_holds_no_label_and_no_key(repo: Repository) -> None:
    rows = [{**row, "label": f"canary-{n}-{n * 7919 % 997}"} for n, row in enumerate(labels("r2"))]
    done = begin(repo, rows)
    assert done.returncode == 0, done.stderr
    commonest = rows[0]["label"]  # all are equally common, and the baseline says one
    secret = [row["label"] for row in rows if row["label"] != commonest] + [*keys(repo).values()]
    for path in repo.path.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            content = path.read_bytes()
            assert not [one for one in secret if one.encode() in content], path
    again = begin(repo, rows)
    assert again.returncode == 2
    assert "is there already" in again.stderr


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, ("--target", "y"), "has no one column 'y'"),
        ({"id": "row-1"}, (), "has the id 'row-1' twice"),
        ({"label": "tall"}, ("--metric", "r2"), "has a label that r2 cannot compare"),
        (None, (), "has 3 rows"),
    ],
)
def test_a_table_that_makes_no_challenge_is_refused(
    repo: Repository, change: dict[str, str] | None, options: tuple[str, ...], message: str
) -> None:
    rows = labels("r2")
    rows = rows[:3] if change is None else [*rows[:-1], {**rows[-1], **change}]
    done = begin(repo, rows, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (repo.path / "benchmarks" / NAME).exists()
    assert not (repo.path.parent / f"{NAME}-private").exists()


def test_the_challenge_that_was_lived_in_scores_as_the_template_does() -> None:
    """But for the names of its columns and its metric."""
    template = TEMPLATES / CHALLENGE / "files/scoring_program"
    ours = TEMPLATES.parents[3] / "benchmarks/digits-challenge/scoring_program"
    assert sorted(one.name for one in template.iterdir()) == sorted(
        one.name for one in ours.iterdir()
    )
    values = {"@ID@": "id", "@TARGET@": "digit", "@METRIC@": "accuracy"}
    for file in template.iterdir():
        text = file.read_text()
        for name, value in values.items():
            text = text.replace(name, value)
        assert (ours / file.name).read_text() == text


def test_labels_and_the_template_belong_together(repo: Repository) -> None:
    done = repo.pullbench("init", NAME, "--template", "challenge")
    assert done.returncode == 2
    assert "--labels" in done.stderr


@pytest.mark.docker
def test_entries_may_be_sealed_once_the_comment_is_a_key(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They score as plain ones do, in the phase that takes them over, too."""
    done = begin(repo, labels("accuracy"), "--metric", "accuracy")
    assert done.returncode == 0, done.stderr
    bundle = f"benchmarks/{NAME}/competition.yaml"
    text = (repo.path / bundle).read_text()
    end = text.partition("    end: ")[2].splitlines()[0]
    text = text.replace("      # seal: ", "      seal: ")
    repo.write(bundle, text.replace(end, '"2020-01-02"').replace('start: "20', 'start: "19', 1))
    shutil.rmtree(repo.path / f"submissions/{NAME}")
    chance = random.Random(8)  # noqa: S311 - no secret
    rows = [{"id": row["id"], "label": chance.choice("abc")} for row in labels("accuracy")]
    content = write(repo.path.parent / "predictions.csv", rows).read_bytes()
    plain = {"submission.yaml": b"kind: results\nphase: public\n", "predictions.csv": content}
    snapshot = repo.snapshot()
    entry, problems = parse_submission(
        (NAME, "alice", "one"), plain["submission.yaml"], [*plain], snapshot.benchmarks[NAME]
    )
    assert entry is not None, problems
    for who, files in (("alice", seal_entry(snapshot, entry, plain)), ("bob", plain)):
        for name, file in files.items():
            repo.write(f"submissions/{NAME}/{who}/one/{name}", file)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    repo.commit()
    assert not [one for one in repo.problems() if one.severity == "error"]
    environment = {**os.environ, DATA_IDENTITY: " ".join(keys(repo).values())}
    done = repo.pullbench("run", f"{NAME}/alice", f"{NAME}/bob", environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 finished" in done.stdout, done.stdout
    entries = repo.path / "submissions" / NAME
    for phase in ("public", "final"):
        sealed, other = (
            json.loads((entries / who / f"one/scores/{phase}.json").read_text())
            for who in ("alice", "bob")
        )
        assert sealed["cells"][0]["scores"] == other["cells"][0]["scores"]
        assert sealed["cells"][0]["scores"]
