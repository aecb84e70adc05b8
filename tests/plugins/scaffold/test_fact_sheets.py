"""The templates of fact sheets, as an organiser pastes them and as participants meet them."""

from collections.abc import Mapping

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.plugins.scaffold.benchmark import fact_sheets, questions
from evaluator.site.pages.submission_text import submission_text
from tests.importing.sources import Desk, said
from tests.repository import Repository

ANSWERS: dict[str, str | bool] = {"checkbox": True, "text": "It is so."}


def pasted(repo: Repository, printed: str) -> Repository:
    """Paste what the command printed into a bundle that takes data sets, or programs alone."""
    repo.copy_bundle("growing")
    path = "benchmarks/growing/competition.yaml"
    if printed.startswith("fact_sheet:"):
        repo.replace(
            path, "fact_sheet:\n  method: {key: method, type: text, title: Method}\n", printed
        )
    else:
        questions = printed.removeprefix("pullbench:\n  datasets:\n")
        question = "source: {key: source, type: text, title: Source, is_required: true}"
        repo.replace(path, f"    sheet:\n      {question}\n", questions)
    repo.commit()
    return repo


def questions_of(repo: Repository, kind: str) -> Mapping[str, Question]:
    return KINDS[kind].sheet(repo.snapshot().benchmarks["growing"]).questions


def answers_to(questions: Mapping[str, Question]) -> dict[str, str | bool]:
    return {
        key: question.choices[0] if question.type == "select" else ANSWERS[question.type]
        for key, question in questions.items()
        if question.is_required
    }


@pytest.mark.parametrize(("name", "kind"), [("algorithm", "code"), ("data", "dataset")])
def test_what_is_printed_is_asked(repo: Repository, name: str, kind: str) -> None:
    done = repo.pullbench("fact-sheet", name)
    assert done.returncode == 0, done.stderr
    pasted(repo, done.stdout)
    # The bundle is sound; its former entries do not answer what is asked now.
    problems = repo.problems()
    assert {problem.actor for problem in problems} == {Actor.PARTICIPANT}
    assert all("must be answered" in str(problem) or "is not a question" in str(problem)
               for problem in problems)  # fmt: skip
    questions = questions_of(repo, kind)
    assert len(questions) >= 15
    assert {question.type for question in questions.values()} == {"checkbox", "text", "select"}
    entry = "alice/right" if kind == "code" else "bob/ones"
    repo.write(
        f"submissions/growing/{entry}/submission.yaml",
        dump_yaml({"kind": kind, "fact_sheet": answers_to(questions)}),
    )
    repo.commit()
    assert [problem for problem in repo.problems() if entry in problem.file] == []
    assert f"growing/{entry}" in {one.id for one in repo.snapshot().submissions}


@pytest.mark.parametrize("name", fact_sheets())
def test_questions_have_the_keys_of_codabench_and_no_others(name: str) -> None:
    data = read_yaml(questions(name).encode(), "x.yaml", Actor.ORGANISER).data
    found = data["fact_sheet"] if name == "algorithm" else data["pullbench"]["datasets"]["sheet"]
    for key, written in found.items():
        # Exactly Codabench's six keys, and flags as it writes them.
        assert set(written) == {
            "key", "type", "title", "selection", "is_required", "is_on_leaderboard",
        }  # fmt: skip
        assert written["key"] == key
        assert {written["is_required"], written["is_on_leaderboard"]} <= {"true", "false"}
        assert all(isinstance(choice, str) for choice in written["selection"])
        assert len(set(written["selection"])) == len(written["selection"])
        Question.model_validate(written)
    assert sum(question["is_on_leaderboard"] == "true" for question in found.values()) <= 5


def test_the_algorithm_sheet_goes_to_codabench_and_back(desk: Desk) -> None:
    repo = pasted(desk.repo, questions("algorithm"))
    asked = questions_of(repo, "code")
    done = repo.pullbench("export", "growing", "--as-is", "--output", str(desk.folder / "1.zip"))
    assert done.returncode == 0, done.stderr
    assert "fact_sheet" not in done.stdout + done.stderr
    back = desk.take(str(desk.folder / "1.zip"), name="again")
    assert not back.refused, said(back)
    assert "fact_sheet" not in said(back)
    repo.commit()
    assert repo.snapshot().benchmarks["again"].fact_sheet == asked
    written = (repo.path / "benchmarks/again/competition.yaml").read_text()
    assert questions("algorithm") in written


def test_the_form_that_participants_get_is_valid_as_it_stands(repo: Repository) -> None:
    pasted(repo, questions("algorithm"))
    benchmark = repo.snapshot().benchmarks["growing"]
    repo.write(
        "submissions/growing/alice/right/submission.yaml",
        submission_text(benchmark, benchmark.phases[0], KINDS["code"]),
    )
    repo.commit()
    assert [p for p in repo.problems() if "alice" in p.file] == []


def test_a_name_that_is_none(repo: Repository) -> None:
    done = repo.pullbench("fact-sheet", "../../secrets")
    assert done.returncode == 2
    assert "algorithm" in done.stderr
