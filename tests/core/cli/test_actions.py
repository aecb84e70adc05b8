"""What a log, which everybody may read, is told: the same wherever it is written."""

from pathlib import Path

import pytest

from evaluator.core.cli import actions, shown
from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.log import inert
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.scores.uploads import digest_of
from tests.records import cells_of, record_of
from tests.repository import Repository

COMPETITION = "benchmarks/adding/competition.yaml"


@pytest.fixture
def in_actions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
    return tmp_path / "output"


def line(repo: Repository) -> str:
    cell = cells_of(repo)["adding/alice/right/main/one"]
    scores = dict(zip(cell.benchmark.leaderboard.score_keys, (0.125, 0.875), strict=True))
    planned = PlannedCell(cell=cell, state="new", reason="no record yet")
    return shown.record(planned, record_of(cell, scores=scores))


@pytest.fixture(params=["", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "GITEA_ACTIONS", "TF_BUILD"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as on one's own machine, or as on a CI service that says so."""
    if request.param:
        monkeypatch.setenv(request.param, "true")


def test_what_is_not_hidden_is_printed(small: Repository, anywhere: None) -> None:
    assert "right 0.125, distance 0.875 (0.2 s)" in line(small)


def test_no_log_has_a_score_of_a_hidden_leaderboard(small: Repository, anywhere: None) -> None:
    small.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    assert line(small) == "adding/alice/right/main/one: scores are hidden"


def test_no_log_has_a_score_of_a_hidden_column(small: Repository, anywhere: None) -> None:
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    assert "right 0.125" in line(small)
    assert "0.875" not in line(small)


def test_no_log_has_a_failure_that_repeats_what_is_hidden(
    small: Repository, anywhere: None
) -> None:
    small.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    cell = cells_of(small)["adding/alice/right/main/one"]
    error = CellError(
        actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, message="right is 0.875", step="scoring"
    )
    made = record_of(cell).replace(status="failed", scores={}, error=error)
    planned = PlannedCell(cell=cell, state="new", reason="no record yet")
    assert shown.record(planned, made).splitlines() == [
        f"{cell.id}: failed, malformed scores [organiser must act]",
        "    The organiser hides the details and can say more.",
        f"    More: pullbench log {cell.id}",
    ]


def test_a_hidden_leaderboard_is_printed_for_who_asks(small: Repository) -> None:
    small.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    for cell in cells_of(small).values():
        if cell.id.benchmark == "adding":
            scores = {"right": 0.125, "distance": 0.875}
            small.put(record_of(cell, scores=scores))
    for form in ("table", "csv", "json"):
        said = small.pullbench("leaderboard", "adding", "--format", form)
        assert "alice" in said.stdout, said.stderr
        assert "0.1" not in said.stdout
        said = small.pullbench("leaderboard", "adding", "--format", form, "--hidden")
        assert "0.1" in said.stdout
        assert "0.8" in said.stdout


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("::set-output name=a::b", ": :set-output name=a::b"),
        ("x\n  ::error::y", "x\n  : :error::y"),
        ("a ##[group]b", "a ## [group]b"),
        ("##vso[task.setvariable variable=a]b", "## vso[task.setvariable variable=a]b"),
        ("##teamcity[buildStop]", "## teamcity[buildStop]"),
        ("section_start:1:a\r\x1b[0Kb", r"section_start:1:a\r\x1b[0Kb"),
        ("travis_fold:start:a\r", r"travis_fold:start:a\r"),
        ("std::vector ## title", "std::vector ## title"),
    ],
)
def test_commands_of_every_ci_service_are_text(text: str, shown_as: str, anywhere: None) -> None:
    assert inert(text) == shown_as


def test_an_annotation_cannot_be_ended(
    in_actions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    actions.show(
        [Problem(file="a,line=1::x\n.yaml", message="50%\n::error::owned", actor=Actor.PARTICIPANT)]
    )
    commands = [text for text in capsys.readouterr().out.splitlines() if text.startswith("::")]
    (command,) = commands
    assert command.startswith("::error file=a%2Cline=1%3A%3Ax")
    assert "50%25" in command


def test_an_output_cannot_set_another(in_actions: Path) -> None:
    actions.set_outputs({"matrix": {"include": []}, "text": "a\nother<<end\nb\nend\n"})
    lines = in_actions.read_text().splitlines()
    name, delimiter = lines[0].split("<<")
    assert (name, lines[1], lines[2]) == ("matrix", '{"include":[]}', delimiter)
    assert lines.count(lines[3].split("<<")[1]) == 1


@pytest.mark.docker
@pytest.mark.parametrize(("machine", "code"), [({}, 0), ({"DOCKER_HOST": "tcp://127.0.0.1:1"}, 3)])
def test_a_job_says_what_it_hands_over(
    small: Repository, tmp_path: Path, machine: dict[str, str], code: int
) -> None:
    """However it ends, and by an output of its own: others could replace what it uploads."""
    place, output = tmp_path / "records", tmp_path / "output"
    job = {"CI": "true", "PULLBENCH_JOB": "gpu-large-17", "GITHUB_OUTPUT": str(output)}
    words = ("run", "adding/alice/right/main/one", "--output", str(place))
    done = small.pullbench(*words, environment={**job, **machine})
    assert done.returncode == code, done.stderr
    name, digest = output.read_text().splitlines()[:2]
    assert name.startswith("d17<<")
    assert digest == digest_of(place)
    (place / "submissions/adding/alice/right/scores").mkdir(parents=True, exist_ok=True)
    (place / "submissions/adding/alice/right/scores/other.json").touch()
    assert digest != digest_of(place)
