"""What a workflow's log, which everybody reads, is told."""

from pathlib import Path

import pytest

from evaluator.cli import actions, shown
from evaluator.errors import Actor, Problem
from evaluator.log import inert
from evaluator.planning.plan import PlannedCell
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


def test_a_hidden_leaderboard(small: Repository, in_actions: Path) -> None:
    assert "right 0.125, distance 0.875" in line(small)
    small.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    assert line(small) == "adding/alice/right/main/one: scores are hidden"


def test_a_hidden_column(small: Repository, in_actions: Path) -> None:
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    assert "right 0.125" in line(small)
    assert "0.875" not in line(small)


def test_on_ones_own_machine_everything_is_shown(small: Repository) -> None:
    small.replace(COMPETITION, "key: results\n", "key: results\n    hidden: true\n")
    assert "right 0.125" in line(small)


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("::set-output name=a::b", ": :set-output name=a::b"),
        ("x\n  ::error::y", "x\n  : :error::y"),
        ("a ##[group]b", "a ## [group]b"),
        ("std::vector", "std::vector"),
    ],
)
def test_commands_are_text(text: str, shown_as: str, in_actions: Path) -> None:
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
