from pathlib import Path

import pytest

from evaluator.core.compute import mounts
from evaluator.core.compute.engine.spec import ProgramError
from evaluator.core.compute.mounts import read_command
from evaluator.core.errors import Actor


def command(folder: Path, text: str, scoring: bool = False) -> list[str]:
    (folder / "metadata.yaml").write_text(f"command: {text}\n")
    table = mounts.SCORING_SUBSTITUTIONS if scoring else mounts.INGESTION_SUBSTITUTIONS
    return read_command(folder, "benchmarks/b/program", table, Actor.ORGANISER)


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        (
            "python3 $program/a.py $input $output",
            ["python3", "/app/program/a.py", "/app/input_data", "/app/output"],
        ),
        (
            "a $ingestion_program/x $submission_program",
            ["a", "/app/program/x", "/app/ingested_program"],
        ),
        (
            "a $predictions $tmp $shared $hidden",
            ["a", "/app/output", "/app/output", "/app/shared", "/app/input/ref"],
        ),
        (
            "a --data=$input 'two words' ; rm -rf / | b > c && d `e` $(f)",
            [
                "a",
                "--data=/app/input_data",
                "two words",
                ";",
                "rm",
                "-rf",
                "/",
                "|",
                "b",
                ">",
                "c",
                "&&",
                "d",
                "`e`",
                "$(f)",
            ],
        ),
        ("[a, 'b c', 1]", ["a", "b c", "1"]),
    ],
)
def test_words_and_substitutions(tmp_path: Path, text: str, argv: list[str]) -> None:
    assert command(tmp_path, text) == argv


def test_substitutions_of_the_scoring_step(tmp_path: Path) -> None:
    text = "s $input $predictions $hidden $output $program"
    assert command(tmp_path, text, scoring=True) == [
        "s", "/app/input", "/app/input/res", "/app/input/ref", "/app/output", "/app/program",
    ]  # fmt: skip


def test_metadata_without_ending(tmp_path: Path) -> None:
    (tmp_path / "metadata").write_text("command: a\n")
    assert read_command(tmp_path, "p", (), Actor.PARTICIPANT) == ["a"]


@pytest.mark.parametrize("text", ["", "'open", "''", "[]", "{a: b}", "!!python/name:os.system"])
def test_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        command(tmp_path, text)
    assert caught.value.actor is Actor.ORGANISER
    assert "benchmarks/b/program" in caught.value.message


@pytest.mark.parametrize("made", ["nothing", "link", "folder"])
def test_no_metadata(tmp_path: Path, made: str) -> None:
    if made == "link":
        (tmp_path / "metadata.yaml").symlink_to("/etc/hostname")
    elif made == "folder":
        (tmp_path / "metadata.yaml").mkdir()
    with pytest.raises(ProgramError, match="names no command"):
        read_command(tmp_path, "p", (), Actor.PARTICIPANT)
