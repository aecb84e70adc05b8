"""Agent and environment at the same time; how each cell ends is in the bundle's expected.json."""

import ctypes
import json
import platform
import signal
import subprocess
from pathlib import Path

import pytest

from evaluator.core.cli import shown
from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record, Step
from evaluator.core.planning.plan import cells_by_name
from evaluator.plugins.parallel import playing
from tests.core.scores.test_running import containers, programs, wait_until
from tests.repository import Repository, command

PLAY, TROUBLE = "play/alice/{}/main/steps", "trouble/alice/{}/main/steps"
NAMES = ("right", "half", "crashes", "looks-around")


def step(record: Record, name: str) -> Step:
    found = record.step(name)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("parallel") / "repo").with_bundle("parallel")


@pytest.fixture(scope="module")
def played(playground: Repository) -> dict[str, Record]:
    repo = playground
    records = repo.run(*(PLAY.format(name) for name in NAMES), lanes=1)
    assert not (repo.path / "build" / "predictions").exists(), "there is nothing to keep"
    return {record.cell.submission: record for record in records.values()}


@pytest.mark.docker
def test_a_thousand_steps(played: dict[str, Record]) -> None:
    assert played["right"].scores == {"right": 1000}
    assert played["half"].scores == {"right": 500}


@pytest.mark.docker
def test_the_scorer_may_score_an_agent_that_crashed(played: dict[str, Record]) -> None:
    record = played["crashes"]
    assert record.scores == {"right": 100}
    assert record.extra["agent_exit_code"] == 3
    assert step(record, "ingestion").exit_code == 3


@pytest.mark.docker
def test_both_sides_are_measured(played: dict[str, Record]) -> None:
    sides = played["right"].steps
    assert [side.step for side in sides] == ["ingestion", "scoring"]
    for side in sides:
        assert side.exit_code == 0
        assert 0.1 < side.wall_seconds < 30
        assert side.cpu_seconds is not None
        assert 0 < side.cpu_seconds < side.wall_seconds + 1
        assert side.peak_memory is not None
        assert 0 < side.peak_memory < 128 * 2**20
    # One after the other they would have waited for one another to the limit of 60 s.
    assert abs(sides[0].wall_seconds - sides[1].wall_seconds) < 5


@pytest.mark.docker
def test_a_cell_played_in_parallel_counts_its_time_once(
    playground: Repository, played: dict[str, Record]
) -> None:
    """On the board, in the line of a run, and in what is drawn of the board's numbers."""
    longest = max(side.wall_seconds for side in played["right"].steps)
    said = playground.pullbench("leaderboard", "play", "--format", "json")
    rows = {row["submission"]: row for row in json.loads(said.stdout)["rows"]}
    assert rows["right"]["tasks"]["steps"]["seconds"] == longest
    (item,) = cells_by_name(
        playground.plan(), playground.snapshot(), [PLAY.format("right")], utc_now()
    )[0]
    assert f"({longest:.1f} s)" in shown.record(item, played["right"])


@pytest.mark.docker
def test_what_the_agent_sees(played: dict[str, Record]) -> None:
    record = played["looks-around"]
    assert record.scores == {"right": 1000}
    assert step(record, "ingestion").log.splitlines() == [
        "app ['ingested_program', 'input_data', 'output', 'program', 'shared']",
        "reference FileNotFoundError",
        "scores 2",  # bytes: into a folder of its own, which is no one's predictions
        "input OSError",
        "metadata OSError",
        "network ['lo']",
        "processes ['1']",
    ]


@pytest.mark.docker
def test_an_agent_that_answers_with_links_gets_nothing(repo: Repository) -> None:
    """They would name the right answers among the scorer's folders: 20 of 20."""
    cell = TROUBLE.format("links-and-removes")
    record = repo.with_bundle("parallel").run(cell)[cell]
    assert record.error is None
    assert (record.scores["right"], record.extra["asked"]) == (0, 20)
    assert record.provenance.isolation == "docker"


@pytest.mark.docker
@pytest.mark.alone
def test_a_deaf_scorer_is_stopped_after_a_crash(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "GRACE_SECONDS", 1)
    cell = TROUBLE.format("crashes")
    record = repo.with_bundle("parallel").run(cell)[cell]
    assert record.error is not None
    assert record.error.message == "ended with exit code 1"
    assert "no idea" in step(record, "ingestion").log
    assert 0.8 < step(record, "scoring").wall_seconds < 5
    assert step(record, "scoring").exit_code is None


@pytest.mark.slow
@pytest.mark.docker
def test_a_changed_scorer_plays_again(repo: Repository) -> None:
    cell = TROUBLE.format("fine")
    repo.with_bundle("parallel").run(cell)
    repo.replace("benchmarks/trouble/reference_data/game.json", "20", "10")
    assert "reference data changed" in repo.reasons()[cell]
    record = repo.run(cell)[cell]
    assert record.scores == {"right": 10}
    assert not record.provenance.reused_predictions
    assert [side.step for side in record.steps] == ["ingestion", "scoring"]


@pytest.mark.slow
@pytest.mark.docker
def test_a_command_that_cannot_be_started(repo: Repository) -> None:
    cell = TROUBLE.format("fine")
    repo.with_bundle("parallel")
    for side, actor in (("ingestion", "organiser"), ("scoring", "organiser")):
        path = f"benchmarks/trouble/{side}_program/metadata.yaml"
        repo.replace(path, "python3", "no-such-program")
        error = repo.run(cell)[cell].error
        assert error is not None
        assert (error.reason, error.actor) == ("program cannot be run", actor)
        repo.git("checkout", "--quiet", path)


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("exclusive", ["false", "true"])
@pytest.mark.parametrize("taken_by", ["the main thread", "another thread"])
def test_an_interruption_ends_both_sides(repo: Repository, exclusive: str, taken_by: str) -> None:
    """In a lane, and where a benchmark wants the machine alone.

    On a busy machine it is often a thread that just begins which gets the signal. Whoever waits
    sends a second one.
    """
    repo.with_bundle("parallel")
    competition = "benchmarks/trouble/competition.yaml"
    repo.replace(competition, "execution_time_limit: 4", "execution_time_limit: 3600")
    repo.replace(competition, "pullbench:\n", f"pullbench:\n  exclusive: {exclusive}\n")
    with subprocess.Popen(
        command(repo.path, "run", TROUBLE.format("both-hang"), "--engine", "docker"),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            wait_until(lambda: len(programs(repo)) == 2, seconds=300)
            threads = sorted(int(path.name) for path in Path(f"/proc/{process.pid}/task").iterdir())
            thread = process.pid if taken_by == "the main thread" else threads[-1]
            send_signal(process.pid, thread, signal.SIGINT)
            wait_until(lambda: len(programs(repo)) < 2, seconds=300)
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate()
        finally:
            process.kill()
    assert process.returncode == 130, complaint
    assert "Traceback" not in complaint
    assert repo.record_paths() == []
    assert containers(repo) == []


def send_signal(process: int, thread: int, number: int) -> None:
    """Send a signal to one thread of a process."""
    tgkill = {"x86_64": 234, "aarch64": 131}[platform.machine()]
    assert ctypes.CDLL(None).syscall(tgkill, process, thread, number) == 0


@pytest.mark.slow
def test_without_containers(repo: Repository, environments: Path) -> None:
    """The subprocess engine plays too; folders are the arguments of both commands."""
    repo.with_bundle("parallel").share_environments(environments)
    fine, stalls, scorer = (TROUBLE.format(n) for n in ("fine", "stalls", "scorer-crashes"))
    right = PLAY.format("right")
    records = repo.run(fine, stalls, scorer, right, engine="subprocess", lanes=2)
    assert records[right].scores == {"right": 1000}
    assert records[fine].scores == {"right": 20}
    endings = [records[cell].error for cell in (stalls, scorer)]
    assert [error and (error.reason, error.actor, error.step) for error in endings] == [
        ("timed out", "participant", "ingestion"),
        ("scoring program failed", "organiser", "scoring"),
    ]
    for cell in (stalls, scorer):
        assert [side.step for side in records[cell].steps] == ["ingestion", "scoring"]
        assert step(records[cell], "ingestion").exit_code is None
