"""The benchmark of agents: its tasks come from a seed, and its answers from the transcripts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import command
from tests.test_commands_of_pages import clone

ROOT = Path(__file__).parents[2]
BENCHMARK = ROOT / "benchmarks/agents"
SCORES = sorted(ROOT.glob("submissions/agents/organisers/*/scores"))


def test_the_tasks_are_made_from_a_seed(tmp_path: Path) -> None:
    for folder in ("input_data", "reference_data", "screen"):
        (tmp_path / folder).mkdir()
    shutil.copy(BENCHMARK / "make_data.py", tmp_path)
    subprocess.run([sys.executable, tmp_path / "make_data.py"], check=True)
    for file in ("input_data/tasks.jsonl", "reference_data/answers.json", "screen/answers.json"):
        assert (tmp_path / file).read_bytes() == (BENCHMARK / file).read_bytes()
    answers = (BENCHMARK / "reference_data/answers.json").read_bytes()
    assert (BENCHMARK / "controls/oracle/answers.json").read_bytes() == answers


def test_the_kit_and_the_entries_ask_in_the_same_way() -> None:
    kit = (BENCHMARK / "starting_kit/sample_submission/agent.py").read_text()
    asking = kit[kit.index("def ask(") : kit.index("def solve(")]
    entries = [folder.parent / "agent.py" for folder in SCORES]
    assert len(entries) == 4
    assert all(asking in entry.read_text() for entry in entries)


@pytest.mark.docker
def test_scores_and_transcripts_are_equal_without_a_network(tmp_path: Path) -> None:
    clone(ROOT, tmp_path / "clone")
    alone = ["unshare", "-n"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*alone, *command(tmp_path / "clone", "reproduce", "--strict", "agents")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 identical" in done.stdout + done.stderr
    for scores in SCORES:
        again = tmp_path / "clone/build/reproduced" / scores.relative_to(ROOT) / "final"
        files = sorted(path.name for path in (scores / "final").iterdir())
        assert [name.partition(".")[2] for name in files] == [
            "samples.jsonl.gz", "transcript.jsonl.gz",
        ]  # fmt: skip
        for name in files:
            assert (again / name).read_bytes() == (scores / "final" / name).read_bytes()
