"""Models that a scoring program asks."""

import json
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.cell import Keys
from evaluator.core.planning.cells import cells
from evaluator.plugins.models.transcript import JUDGES, SUFFIX, unpack
from tests.plugins.models.test_cells import BUNDLE, cell
from tests.providers import VARIABLE, Provider
from tests.repository import Repository

SCORER = "benchmarks/ask/scoring_program/scoring.py"
LIMITS = "limits: {calls: 5, tokens: 4000, money: 0.03}\n"
JUDGE = """    judge:
      PLACE
      step: scoring
      prices: {input: 1, output: 10}
      limits: {calls: 2, tokens: 4000, money: 0.03}
"""
ASKS = """
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def judge(text, model="judge"):
    body = {"model": model, "max_tokens": 20, "messages": [{"role": "user", "content": text}]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urlopen(Request(url, json.dumps(body).encode())) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


said = [judge(f"is {one} {word}?") for one in answers[:2]]
try:
    judge("hello", "echo")
except HTTPError as error:
    print("echo", error.code)
"""


def with_judge(folder: Path, place: str) -> Repository:
    repo = Repository(folder / "repo").with_bundle("models")
    repo.replace(BUNDLE, LIMITS, LIMITS + JUDGE.replace("PLACE", place))
    text = (repo.path / SCORER).read_text()
    begin = text.index("(output /")
    repo.write(SCORER, text[:begin] + ASKS + text[begin:])
    plain = (Path(__file__).parents[3] / "mkdocs.yml").read_text().partition("nav:")[0]
    repo.write("mkdocs.yml", plain)
    repo.write("site/index.md", "# Home\n")
    repo.commit("Judges")
    return repo


def judged(repo: Repository, below: str = "") -> bytes:
    (file,) = (repo.path / below).glob(f"submissions/ask/alice/asks/scores/main/*.{JUDGES}")
    return file.read_bytes()


def keys(repo: Repository) -> Keys:
    (found,) = (
        one.keys for one in cells(repo.snapshot(), utc_now()) if str(one.id) == cell("asks")
    )
    return found


@pytest.mark.parametrize(
    ("path", "old", "new", "is_predicted_again"),
    [
        (BUNDLE, "calls: 2", "calls: 3", False),
        (SCORER, "is {one}", "is this {one}", False),
        (BUNDLE, "calls: 5", "calls: 6", True),
        (BUNDLE, "    judge:\n", "    jury:\n", False),
        ("benchmarks/ask/judges/model.py", "backwards", "in reverse", False),
    ],
)
def test_prompts_and_models_of_judges_are_of_the_score_alone(
    tmp_path: Path, path: str, old: str, new: str, is_predicted_again: bool
) -> None:
    repo = with_judge(tmp_path, "program: judges")
    for name in ("model.py", "metadata.yaml"):
        repo.write(
            f"benchmarks/ask/judges/{name}", (repo.path / "benchmarks/ask/model" / name).read_text()
        )
    before = keys(repo)
    repo.replace(path, old, new)
    after = keys(repo)
    assert after.score != before.score
    assert (after.prediction != before.prediction) == is_predicted_again


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("pullbench:\n", "pullbench:\n  scoring_network: bridge\n", "Take 'scoring_network' out"),
        (
            "reference_data: reference_data}",
            "reference_data: reference_data, ingestion_program: model, "
            "ingestion_only_during_scoring: true}",
            "ask them after the task",
        ),
    ],
)
def test_judges_are_refused_where_nothing_holds_them(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    repo = with_judge(tmp_path, "program: model")
    assert not any(problem.key == "pullbench.models" for problem in repo.problems())
    repo.replace(BUNDLE, old, new)
    hints = [problem.hint for problem in repo.problems() if problem.key == "pullbench.models"]
    assert len(hints) == 1
    assert says in hints[0]


@pytest.mark.docker
def test_a_scoring_program_asks_judges_and_nobody_else_does(tmp_path: Path) -> None:
    repo = with_judge(tmp_path, "program: model")
    repo.replace(
        "submissions/ask/alice/asks/main.py", "chat = ask(",
        'for name in ("judge", "echo"):\n'
        "    try:\n"
        '        ask(os.environ["OPENAI_BASE_URL"] + "/chat/completions", model=name)\n'
        "    except OSError as error:\n"
        "        print(name, error.code)\n"
        "chat = ask(",
    )  # fmt: skip
    repo.commit()
    record = repo.run(cell("asks"))[cell("asks")]
    assert record.scores == {"right": 2}
    assert [step.log.split() for step in record.steps] == [["judge", "400"], ["echo", "400"]]
    head, exchanges = unpack(judged(repo))
    assert head.prediction == record.keys.score
    assert [(one.model, one.request["messages"][0]["content"]) for one in exchanges] == [
        ("judge", "is olleh hello?")
    ] * 2
    files = (repo.path / "submissions/ask/alice/asks/scores/main").glob(f"*.{SUFFIX}")
    assert {one.model for file in files for one in unpack(file.read_bytes())[1]} == {"echo"}
    repo.commit("Scores")
    said = repo.pullbench("leaderboard", "ask", "--format", "json")
    (row,) = json.loads(said.stdout)["rows"]
    assert row["overall"]["models_calls"] == 3, "an entry does not pay for its judges"
    assert repo.pullbench("site").returncode == 0
    page = (repo.path / "build/site/benchmarks/ask/transcripts/index.html").read_text()
    assert "is olleh hello?" in page
    assert "alice/asks, Main, Words, judges" in page
    assert not any((repo.path / "build" / "predictions").rglob("journal.jsonl"))


@pytest.mark.docker
def test_judges_are_answered_again_until_they_are_asked_something_else(
    tmp_path: Path, provider: Provider
) -> None:
    repo = with_judge(tmp_path, f"address: {provider.address}\n      key: {VARIABLE}")
    answer = {"choices": [{"message": {"content": "yes"}}], "usage": {"input_tokens": 3}}
    provider.content = json.dumps(answer).encode()
    repo.run(cell("asks"))
    repo.commit("Scores")
    before = judged(repo)
    assert len(provider.asked) == 2
    done = repo.pullbench("reproduce", "--strict", cell("asks"))
    assert (done.returncode, len(provider.asked)) == (0, 2), done.stdout + done.stderr
    assert judged(repo, "build/reproduced") == before
    repo.replace(SCORER, "is {one}", "is this {one}")
    repo.commit("Another prompt")
    record = repo.run(cell("asks"))[cell("asks")]
    assert (record.error, record.provenance.reused_predictions) == (None, True)
    assert len(provider.asked) == 4, "another prompt is another question"
    assert "is this olleh" in str(unpack(judged(repo))[1])
    repo.replace(SCORER, "is this {one}", "is {one} at {__import__('time').time_ns()}")
    repo.commit("A prompt with a time")
    repo.run(cell("asks"))
    repo.commit("Scores")
    assert len(provider.asked) == 6
    done = repo.pullbench("reproduce", "--strict", cell("asks"))
    assert (done.returncode, len(provider.asked)) == (1, 6)
    assert "no recorded request is like this one: it says" in done.stdout + done.stderr


@pytest.mark.docker
def test_judges_of_a_phase_that_hides_logs_are_not_shown(tmp_path: Path) -> None:
    repo = with_judge(tmp_path, "program: model")
    repo.replace(BUNDLE, "    name: Main\n", "    name: Main\n    hide_score_output: true\n")
    repo.commit()
    record = repo.run(cell("asks"))[cell("asks")]
    assert (record.error, record.scores) == (None, {"right": 2})
    assert [*record.attachments] == [SUFFIX]
