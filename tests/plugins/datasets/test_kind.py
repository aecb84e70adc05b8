"""The key ``datasets`` of a bundle, and what makes a submission a data set."""

import pytest

from evaluator.core.formats.kinds.kind import usual_kind
from evaluator.core.formats.submission import parse_submission
from evaluator.site.pages.submit import NAME, PARTICIPANT, entries
from tests.repository import Repository

TRANSPOSED = "benchmarks/transposed/competition.yaml"
ROWS = "    become: rows\n"
TASKS = "    become: tasks\n"


@pytest.mark.parametrize(
    ("bundle", "old", "new", "message"),
    [
        ("growing", "    task: 0\n", "", "'task' belongs to 'become: tasks', which needs it"),
        ("transposed", ROWS, ROWS + "    task: 0\n", "'task' belongs to 'become: tasks'"),
        ("growing", "    task: 0\n", "    task: 7\n", "names task 7, which is not there."),
        ("growing", "become: tasks", "become: columns", "'tasks' or 'rows'"),
        ("growing", TASKS, TASKS + "    input_data: ../x\n", "'../x'"),
        ("growing", TASKS, TASKS + "    reference_data: input_data/\n", "is the folder that"),
        ("growing", "name: First", "name: Dataset check", "is kept for the check of data sets."),
        ("transposed", "check_program: check_program", "check_program: none", "'none' is not in"),
        (
            "transposed", "    scoring_program: plain_program\n",
            "    scoring_program: plain_program\n    ingestion_only_during_scoring: true\n",
            "needs an agent, and rows are data sets here.",
        ),
    ],
)  # fmt: skip
def test_mistakes_in_a_bundle(
    repo: Repository, bundle: str, old: str, new: str, message: str
) -> None:
    repo.with_bundle(bundle)
    repo.replace(f"benchmarks/{bundle}/competition.yaml", old, new)
    found = [
        problem for problem in repo.problems() if problem.file.startswith(f"benchmarks/{bundle}/")
    ]
    assert len(found) == 1, found
    assert message in str(found[0])
    assert found[0].actor == "organiser"


def problems_of(repo: Repository, benchmark: str, text: str, *files: str) -> list[str]:
    for file in files:
        repo.write(f"submissions/{benchmark}/dora/mine/{file}", "1\n")
    repo.write(f"submissions/{benchmark}/dora/mine/submission.yaml", text)
    return [problem.message for problem in repo.problems() if "/dora/" in problem.file]


SHEET = "fact_sheet: {source: x}\n"


@pytest.mark.parametrize(
    ("bundle", "text", "files", "messages"),
    [
        ("transposed", f"kind: dataset\n{SHEET}", ["numbers.txt"], []),
        ("transposed", SHEET, ["numbers.txt", "metadata", "main.py"], []),
        (
            "transposed", "kind: code\n", ["main.py"],
            ["is 'code', but this benchmark takes data sets alone."],
        ),
        ("transposed", "kind: dataset\n", ["numbers.txt"], ["must be answered: Source."]),
        (
            "growing", f"kind: dataset\n{SHEET}", ["input_data/x"],
            ["needs the folders 'input_data' and 'reference_data' beside it."],
        ),
        ("growing", SHEET, ["input_data/x", "reference_data/x"], []),
        (
            "growing", "kind: code\nretired: x\n", ["main.py"],
            ["belongs to data sets, and this is 'code'."],
        ),
        (
            "small", "kind: dataset\n", ["x.txt"],
            ["is 'dataset', but this benchmark takes no data sets."],
        ),
    ],
)  # fmt: skip
def test_what_a_data_set_must_be(
    repo: Repository, bundle: str, text: str, files: list[str], messages: list[str]
) -> None:
    repo.with_bundle(bundle)
    benchmark = "adding" if bundle == "small" else bundle
    assert problems_of(repo, benchmark, text, *files) == messages
    if not messages:
        (found,) = (item for item in repo.snapshot().submissions if item.participant == "dora")
        assert found.kind.name == "dataset"


def test_results_alone_does_not_make_data_sets_results(repo: Repository) -> None:
    """So is a transposed benchmark declared where Codabench is to run nothing, either."""
    repo.with_bundle("transposed")
    repo.replace(TRANSPOSED, "execution_time_limit: 5",
                 "execution_time_limit: 5, accepts_only_result_submissions: true")  # fmt: skip
    assert problems_of(repo, "transposed", SHEET, "numbers.txt") == []
    (found,) = (item for item in repo.snapshot().submissions if item.participant == "dora")
    assert found.kind.name == "dataset"


def test_the_form_to_enter_a_data_set_is_valid_as_it_stands(repo: Repository) -> None:
    benchmark = repo.with_bundle("transposed").snapshot().benchmarks["transposed"]
    (phase,) = benchmark.phases
    assert usual_kind(benchmark, phase).name == "dataset"
    form = next(entries(benchmark, phase, None))
    assert form.files == ("your data set, in the form that the benchmark's pages describe",)
    text = form.text.replace('source: ""', "source: dice")
    found, problems = parse_submission(
        ("transposed", PARTICIPANT, NAME), text.encode(), ["numbers.txt"], benchmark
    )
    assert not problems
    assert found is not None
    assert (found.kind.name, found.fact_sheet) == ("dataset", {"source": "dice"})
    assert [question.key for question in benchmark.board_questions] == ["source"]
