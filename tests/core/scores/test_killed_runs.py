"""Whatever is killed at whatever moment, and then run again, leaves what would be there anyhow."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import Encoder

from tests.ci.steps.conftest import LEDGER, ORGANISER, Forge, entry, make_forge
from tests.repository import Repository, command

TIMES = ("started", "finished", "wall_seconds", "cpu_seconds", "peak_memory")
"""And what else a clock or a meter says."""


@pytest.fixture
def steady(small: Repository) -> Repository:
    """The bundle ``small`` without chance; its two tasks share one prediction."""
    bundle = "benchmarks/adding"
    small.replace(f"{bundle}/ingestion_program/ingestion.py", "random.SystemRandom()", "int")
    small.replace(f"{bundle}/ingestion_program/ingestion.py", "int.randrange(10**9)", "int(7)")
    small.replace(f"{bundle}/competition.yaml", "input_data/two", "input_data/one")
    small.commit("Without chance")
    return small


def copied(repo: Repository, place: Path) -> Repository:
    shutil.copytree(repo.path, place, symlinks=True)
    return Repository(place)


def killed(arguments: list[str], seconds: float) -> bool:
    """Start something and all that it starts, and kill it; whether it had not ended before."""
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return True
        return False


def took(repo: Repository, *arguments: str) -> float:
    """Run the command as a new program, as those that are killed."""
    began = time.monotonic()
    done = subprocess.run(
        command(repo.path, *arguments), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return time.monotonic() - began


def records(repo: Repository) -> dict[str, str]:
    """Return records by cell, without what is another in each run."""
    return {
        cell: json.dumps(untimed(json.loads(Encoder().encode(record))))
        for cell, record in repo.records().items()
    }


def untimed(data: Any) -> Any:
    if isinstance(data, list):
        return [untimed(item) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: "-" if key in TIMES else untimed(value) for key, value in data.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "kills"),
    [
        ("subprocess", 8),
        pytest.param("docker", 5, marks=[pytest.mark.docker, pytest.mark.slow]),
    ],
)
def test_a_killed_and_resumed_run_gives_the_records_of_an_undisturbed_one(
    steady: Repository, tmp_path: Path, environments: Path, engine: str, kills: int
) -> None:
    chance = random.Random(17)  # noqa: S311 - moments
    run = ("run", "--engine", engine, "--jobs", "1")
    undisturbed = copied(steady, tmp_path / "undisturbed").share_environments(environments)
    took(undisturbed, *run)  # environments are made once
    shutil.rmtree(undisturbed.path / "build/predictions")
    undisturbed.git("clean", "-qdf", "submissions")
    seconds = took(undisturbed, *run)
    expected = records(undisturbed)
    assert len(expected) == 5
    reused = [path for path, text in expected.items() if '"reused_predictions": true' in text]
    assert len(reused) == 2, "no predictions are shared"

    steady.share_environments(environments)
    hit = 0
    for _ in range(kills):
        hit += killed(command(steady.path, *run), chance.uniform(0.2, 0.8) * seconds)
        assert records(steady).items() <= expected.items()
    took(steady, *run)
    assert hit
    assert records(steady) == expected
    assert list((steady.path / "build/run").iterdir()) == []


def test_a_run_that_is_killed_between_prediction_and_record_is_continued(
    steady: Repository, tmp_path: Path, environments: Path
) -> None:
    """Its record tells of the code that ran, and when."""
    steady.share_environments(environments)
    steady.replace(
        "benchmarks/adding/scoring_program/scoring.py", "import json\n",
        "import json, os, time\n"
        f"time.sleep(0 if os.path.exists({str(tmp_path / 'go')!r}) else 60)\n",
    )  # fmt: skip
    steady.commit("A scorer that waits")
    cell = "adding/alice/right/main/one"
    with subprocess.Popen(
        command(steady.path, "run", cell, "--engine", "subprocess"), start_new_session=True
    ) as process:
        end = time.monotonic() + 60
        while not list(steady.path.glob("build/predictions/none/??/*")):
            assert time.monotonic() < end
            time.sleep(0.05)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGKILL)
    assert steady.record_paths() == []
    ended = time.time()
    (tmp_path / "go").touch()
    took(steady, "run", cell, "--engine", "subprocess")
    (made,) = steady.records().values()
    assert not made.provenance.reused_predictions
    began = subprocess.run(
        ["date", "-d", made.provenance.started, "+%s"], capture_output=True, check=True
    ).stdout
    assert int(began) < ended
    assert steady.pullbench("commit", "--allow-unisolated").returncode == 0
    # Asked for once more, it is scored once more, and says so.
    took(steady, "run", cell, "--engine", "subprocess")
    (made,) = steady.records().values()
    assert made.provenance.reused_predictions


def ledger(forge: Forge) -> dict[str, str]:
    """Everything that the ledger holds, without times and what is named after them."""
    held = Repository(forge.origin.with_name(f"{forge.origin.stem}-ledger"))
    held.git("fetch", "--quiet", str(forge.origin), LEDGER)
    names = held.git("ls-tree", "-r", "--name-only", "FETCH_HEAD").splitlines()
    files = {name: held.git("show", f"FETCH_HEAD:{name}") for name in names}
    shutil.rmtree(held.path)
    approvals = [name[-21:-5] for name in names if name.startswith("approved/")]

    def timeless(text: str) -> str:
        for number, name in enumerate(approvals):
            text = text.replace(name, f"approval-{number}")
        text = re.sub(r"/[0-9a-f]{2}/approval-", "/approval-", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "time", text)
        return re.sub(r"\d{8}T\d{12}(-[0-9a-f]{16})?", "time", text)

    found: dict[str, str] = {}
    for name, content in files.items():
        place = timeless(name)
        found[place + "+" * sum(one.rstrip("+") == place for one in found)] = timeless(content)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("step", ["receive", "approve"])
def test_a_killed_and_repeated_step_of_a_pull_request_notes_what_an_undisturbed_one_does(
    small: Repository, tmp_path: Path, step: str
) -> None:
    chance = random.Random(23)  # noqa: S311 - moments
    forge = make_forge(tmp_path, small)
    source = forge.open(7, entry("eve"))
    other = tmp_path / "undisturbed"
    shutil.copytree(forge.origin, other / "origin.git")
    theirs = copied(small, other / "ours")
    theirs.git("remote", "set-url", "origin", str(other / "origin.git"))
    calm = Forge(origin=other / "origin.git", ours=theirs, theirs=forge.theirs, folder=other)
    common = (
        "--base", "main", "--head", source.head, "--actor", "eve", "--pull-request", "7",
        "--remote", "origin",
    )  # fmt: skip
    steps: list[tuple[str, ...]] = [("pr", "receive", *common)]
    if step == "approve":
        steps.append(("pr", "approve", *common, "--approver", ORGANISER))
    for arguments in steps:
        seconds = took(calm.ours, *arguments)
    expected = ledger(calm)

    for arguments in steps[:-1]:
        took(forge.ours, *arguments)
    hit = 0
    for _ in range(8):
        hit += killed(command(forge.ours.path, *steps[-1]), chance.uniform(0.2, 1.1) * seconds)
    took(forge.ours, *steps[-1])
    assert hit
    assert ledger(forge) == expected


def test_a_run_that_is_killed_as_it_begins_leaves_nothing_for_good(
    steady: Repository, environments: Path
) -> None:
    """Before it had its lock, too."""
    steady.share_environments(environments)
    left = steady.path / "build/run/killed-before-it-had-a-lock"
    left.mkdir(parents=True)
    took(steady, "run", "echo", "--engine", "subprocess")
    assert not left.exists()
