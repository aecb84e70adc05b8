"""What the records of runs say beyond how they ended, which tests/test_bundles.py checks."""

import pytest

from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.formats.record import Record, Step
from tests.repository import Repository

pytestmark = pytest.mark.docker

MIB = 2**20
CELLS = [
    *(f"faults/alice/{name}/main/run" for name in ("busy", "chatty", "exits", "out-of-memory")),
    "endless/alice/stubborn/main/run",
]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """Records of some submissions of ``faulty-submissions``, by name."""
    repo = Repository(tmp_path_factory.mktemp("faults") / "repo").with_bundle("faulty-submissions")
    records = repo.run(*CELLS)
    return {record.cell.submission: record for record in records.values()}


def step(record: Record, name: str = "ingestion") -> Step:
    found = record.step(name)
    assert found is not None
    return found


@pytest.mark.alone  # the first that wants the records: they are made within its turn
def test_cpu_time_and_peak_memory(faults: dict[str, Record]) -> None:
    busy = step(faults["busy"])
    assert busy.cpu_seconds is not None
    assert 0.4 < busy.cpu_seconds < 2.5
    assert busy.peak_memory is not None
    assert 64 * MIB < busy.peak_memory <= 128 * MIB
    assert busy.cpu_seconds * 0.8 < busy.wall_seconds < 60
    greedy = step(faults["out-of-memory"])
    assert greedy.peak_memory is not None
    assert 100 * MIB < greedy.peak_memory <= 130 * MIB


def test_a_kill_from_outside_comes_in_time(faults: dict[str, Record]) -> None:
    stubborn = step(faults["stubborn"])
    assert stubborn.exit_code is None
    assert 3 <= stubborn.wall_seconds < 6


def test_what_a_failure_says(faults: dict[str, Record]) -> None:
    record = faults["exits"]
    assert record.error is not None
    assert record.error.message == "ended with exit code 3"
    assert record.error.hint
    assert step(record).exit_code == 3
    assert "about to leave" in step(record).log
    assert record.step("scoring") is None
    assert record.scores == {}


def test_logs_are_short_and_cannot_act(faults: dict[str, Record]) -> None:
    log = step(faults["chatty"]).log
    assert len(log) <= 4000
    assert log.endswith("the last line\n")
    assert "\\x1b[31mred" in log
    assert all(character.isprintable() or character == "\n" for character in log)


def test_provenance(faults: dict[str, Record]) -> None:
    found = faults["busy"].provenance
    assert found.isolation in {"docker", "gvisor", "podman"}
    assert found.image == "python:3.11-slim"
    assert found.image_id is not None
    assert found.image_id.startswith("sha256:")
    assert found.commit is not None
    assert found.submitted < found.started <= found.finished
    assert found.cpus >= 1
    assert not found.reused_predictions


@pytest.mark.slow
def test_stored_predictions_are_scored_again_without_running_code(small: Repository) -> None:
    cell = "adding/alice/right/main/one"
    first = small.run(cell)[cell]
    assert first.scores == {"right": 1.0, "distance": 0.0}
    small.replace("benchmarks/adding/scoring_program/scoring.py", "abs(found", "7 + abs(found")
    assert "scoring program changed" in small.reasons()[cell]
    second = small.run(cell)[cell]
    assert second.scores == {"right": 1.0, "distance": 7.0}
    assert second.extra["token"] == first.extra["token"]  # a random number of the prediction step
    assert second.provenance.reused_predictions
    assert second.step("ingestion") == first.step("ingestion")
    third = small.run(cell, fresh=True)[cell]
    assert third.extra["token"] != first.extra["token"]
    assert not third.provenance.reused_predictions
    assert third.scores == second.scores


def test_phases_hide_what_they_say_they_hide(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The four submissions are the same, so that later ones score the first one's predictions.

    They came in before the first phase had ended.
    """
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-02T00:00:00+00:00")
    done = repo.with_bundle("hidden-output").run(lanes=1)
    records = {cell: repo.record(record.cell) for cell, record in done.items()}
    assert any(record.provenance.reused_predictions for record in records.values())
    logs = {
        record.cell.phase: (step(record).log, step(record, "scoring").log)
        for record in records.values()
    }
    ingestion, scoring = "from the ingestion\n", "from the scorer\n"
    assert logs == {
        "open": (ingestion, scoring),
        "all": ("", ""),
        "ingestion": ("", scoring),
        "scoring": (ingestion, ""),
    }


def test_each_repeat_has_its_own_record(repo: Repository) -> None:
    records = repo.with_bundle("repeats").run()
    assert {cell: record.scores for cell, record in records.items()} == {
        f"repeated/alice/entry/main/task.{number}": {"score": float(number)} for number in range(3)
    }
    assert len({record.keys.score for record in records.values()}) == 3
    assert list(repo.records()) == sorted(records)


def test_a_zipped_program_runs_as_its_folder_does(small: Repository) -> None:
    folder = "benchmarks/adding/scoring_program"
    archive = small.path / "benchmarks/adding/scorer.zip"
    small.git("archive", "--format=zip", f"--output={archive}", f"HEAD:{folder}")
    small.replace(
        "benchmarks/adding/competition.yaml",
        "scoring_program: scoring_program",
        "scoring_program: scorer.zip",
    )
    assert small.problems() == []
    cell = "adding/alice/right/main/two"
    assert small.run(cell)[cell].scores == {"right": 1.0, "distance": 0.0}


def remove_image(name: str) -> None:
    client = connect()
    assert client is not None
    with client:
        client.package.remove_image(name, force=True)


def test_a_bundle_builds_its_image_where_it_is_not_there(
    repo: Repository, request: pytest.FixtureRequest
) -> None:
    repo.copy_bundle("organiser-faults")
    bundle = "benchmarks/absent-image"
    name = "localhost/pullbench-test/built:1"
    repo.replace(f"{bundle}/competition.yaml", "localhost/pullbench-test/absent:1", name)
    repo.write(f"{bundle}/Dockerfile", "FROM python:3.11-slim\nENV BUILT=yes\n")
    repo.write(
        f"{bundle}/scoring_program/metadata.yaml", "command: python3 $program/scoring.py $output\n"
    )
    repo.write(
        f"{bundle}/scoring_program/scoring.py",
        "import os, sys\n"
        "score = len(os.environ['BUILT'])\n"
        "open(sys.argv[1] + '/scores.json', 'w').write(f'{{\"score\": {score}}}')\n",
    )
    request.addfinalizer(lambda: remove_image(name))
    cell = "absent-image/alice/any/main/score"
    assert repo.run(cell)[cell].scores == {"score": 3.0}
    repo.write(f"{bundle}/Dockerfile", "FROM python:3.11-slim\nENV BUILT=again\n")
    assert repo.run(cell)[cell].scores == {"score": 5.0}
    # Docker gives the command to it: python3 python3 /app/program/scoring.py.
    repo.write(f"{bundle}/Dockerfile", 'FROM python:3.11-slim\nENTRYPOINT ["python3"]\n')
    error = repo.run(cell)[cell].error
    assert error is not None
    assert f"The image {name} has the ENTRYPOINT `python3`, which is given the com" in error.hint
    assert "end its Dockerfile with `ENTRYPOINT []`" in error.hint
    repo.write(f"{bundle}/Dockerfile", "FROM python:3.11-slim\nRUN exit 7\n")
    error = repo.run(cell)[cell].error
    assert error is not None
    assert (error.actor, error.reason) == ("organiser", "image cannot be built")
    assert "exit 7" in error.message + error.hint


@pytest.mark.docker
def test_code_runs_in_its_environment_and_is_scored_outside_of_it(
    small: Repository, request: pytest.FixtureRequest
) -> None:
    name = "localhost/pullbench/environment:adding.marked"
    request.addfinalizer(lambda: remove_image(name))
    small.write(
        "benchmarks/adding/environments/marked/Dockerfile", "FROM python:3.11-slim\nENV MARK=x\n"
    )
    small.write(
        "submissions/adding/alice/right/main.py",
        "import os\ndef add(numbers):\n    return sum(numbers) + len(os.environ.get('MARK', ''))\n",
    )
    scoring = "benchmarks/adding/scoring_program/scoring.py"
    text = (small.path / scoring).read_text()
    small.write(scoring, f"import os\nassert 'MARK' not in os.environ\n{text}")
    cell = "adding/alice/right/main/one"
    plain = small.run(cell)[cell]
    assert (plain.scores["right"], plain.provenance.image) == (1, "python:3.11-slim")
    small.write(
        "submissions/adding/alice/right/submission.yaml", "kind: code\nenvironment: marked\n"
    )
    small.commit()
    marked = small.run(cell)[cell]
    assert (marked.status, marked.scores["distance"]) == ("finished", 1), marked.error
    assert marked.provenance.image == name
    assert marked.provenance.image_id not in (None, plain.provenance.image_id)
    assert small.pullbench("commit").returncode == 0, "the branch takes it"


@pytest.mark.docker
@pytest.mark.parametrize("fresh", [False, True])
def test_tasks_that_differ_in_their_scoring_share_one_prediction(
    small: Repository, fresh: bool
) -> None:
    """At once, too: neither takes the predictions away under the other's scoring program."""
    small.replace("benchmarks/adding/competition.yaml", "input_data/two", "input_data/one")
    records = small.run("adding/alice", fresh=fresh, lanes=4)
    assert len(records) == 2
    assert [record.status for record in records.values()] == ["finished", "finished"]
    assert len({record.extra["token"] for record in records.values()}) == 1
