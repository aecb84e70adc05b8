"""Links to a forge's forms, read back, and what they fill in."""

import urllib.parse
from dataclasses import replace

import pytest

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.kinds.kind import KINDS, usual_kind
from evaluator.core.formats.submission import Submission, parse_submission
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import read_snapshot
from evaluator.site.content.forge import MAX_ADDRESS, ForgeAddress, forge_address
from evaluator.site.pages.submission_text import submission_text
from evaluator.site.pages.submit import NAME, PARTICIPANT, entries
from tests.core.leaderboard.boards import make_benchmark
from tests.repository import BUNDLES, Repository
from tests.site.conftest import ROOT

NASTY = "# \"x\" 'y': {a} & <b>\u2028\u202e?=%20+\n kind: code \U0001f600"
SHEET = """
fact_sheet:
  family: {key: family, type: select, title: Family, selection: ["yes", "a, b", other], is_required: "true"}
  free: {key: free, type: text, title: Free text, is_required: "true"}
  deep: {key: deep, type: checkbox, title: Deep, is_required: true}
  aside: {key: aside, type: select, title: Aside, selection: "one,two"}
  "1": {key: "1", type: text, title: Number}
"""  # noqa: E501
GITHUB = "https://github.com/owner/name"


def read(text: str, benchmark: Benchmark, *files: str) -> Submission:
    """Parse a submission.yaml as the project does, with files beside it."""
    found, problems = parse_submission(
        (benchmark.name, "you", "first"), text.encode(), files, benchmark
    )
    assert found is not None, problems
    assert problems == []
    return found


def forge(address: str = GITHUB, branch: str = "main") -> ForgeAddress:
    found = forge_address(address, branch)
    assert found is not None
    return found


def test_githubs_forms_read_back() -> None:
    benchmark = make_benchmark(extra=SHEET)
    made = next(entries(benchmark, benchmark.phases[0], forge()))
    parts = urllib.parse.urlsplit(made.new)
    assert (parts.netloc, parts.path) == ("github.com", "/owner/name/new/main")
    query = urllib.parse.parse_qs(parts.query, strict_parsing=True)
    assert query == {
        "filename": [f"submissions/bench/{PARTICIPANT}/{NAME}/submission.yaml"],
        "value": [made.text],
    }
    assert made.filled
    submission = read(query["value"][0], benchmark, "predictions.csv")
    assert submission.fact_sheet == {"family": "yes", "free": "", "deep": False}
    assert forge().upload("submissions/bench") == (
        "https://github.com/owner/name/upload/main/submissions/bench/"
    )


@pytest.mark.parametrize(
    "address", ["https://codeberg.org/owner/name", "https://git.example.org/sub/owner/name.git/"]
)
def test_giteas_forms_read_back(address: str) -> None:
    benchmark = make_benchmark()
    made = next(entries(benchmark, benchmark.phases[0], forge(address, "trunk/a b")))
    root = address.removesuffix("/").removesuffix(".git")
    folder = f"submissions/bench/{PARTICIPANT}/{NAME}"
    parts = urllib.parse.urlsplit(made.new)
    assert made.new.startswith(f"{root}/_new/trunk/a%20b/{folder}?")
    query = urllib.parse.parse_qs(parts.query, strict_parsing=True)
    assert query == {"filename": ["submission.yaml"], "value": [made.text]}
    read(query["value"][0], benchmark, "predictions.csv")
    assert forge(address).upload("submissions/b") == f"{root}/_upload/main/submissions/b/"
    assert forge(address).source("c" * 40, "a/b c") == f"{root}/src/commit/{'c' * 40}/a/b%20c"


@pytest.mark.parametrize(
    "address",
    ["", "git@github.com:owner/name.git", "https://github.com/owner", "javascript:alert(1)/a/b",
     "https://gitlab.com/owner/name"],
)  # fmt: skip
def test_without_a_forge_whose_forms_are_known_there_are_no_links(address: str) -> None:
    assert forge_address(address, "main") is None
    benchmark = make_benchmark()
    made = next(entries(benchmark, benchmark.phases[0], None))
    assert (made.new, made.filled) == ("", False)
    read(made.text, benchmark, "predictions.csv")


def test_nothing_that_an_organiser_writes_leaves_its_comment_or_value() -> None:
    made = make_benchmark(extra=SHEET)
    sheet = {
        key: Question(
            key=key, type="select", title=NASTY, selection=[NASTY, "b"], is_required=required
        )
        for key, required in ((NASTY, True), ("other", False))
    }
    benchmark = replace(made, title=NASTY, fact_sheet=sheet)
    phase = replace(benchmark.phases[0], name=NASTY)
    text = submission_text(benchmark, phase, usual_kind(benchmark, phase))
    submission = read(text, benchmark, "predictions.csv")
    assert submission.fact_sheet == {NASTY: NASTY}
    link = next(entries(benchmark, phase, forge())).new
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["value"] == [text]
    assert not set(link) & set(" \n<>\"'{}")


def test_a_text_that_is_too_long_for_an_address_is_left_to_the_page() -> None:
    benchmark = make_benchmark()
    sheet = {
        f"question-{n}": Question(key=f"question-{n}", type="text", title="why " * 40)
        for n in range(60)
    }
    benchmark = replace(benchmark, fact_sheet=sheet)
    made = next(entries(benchmark, benchmark.phases[0], forge()))
    assert not made.filled
    assert len(made.new) < MAX_ADDRESS
    assert "filename=" in made.new
    read(made.text, benchmark, "predictions.csv")


@pytest.mark.parametrize("slug", ["2024", "01", "on", "main"])
def test_phases_are_named_as_text(slug: str) -> None:
    made = make_benchmark()
    phase = replace(made.phases[0], slug=slug)
    benchmark = replace(made, phases=(phase,))
    assert (
        read(
            submission_text(benchmark, phase, usual_kind(benchmark, phase)), benchmark, "x.csv"
        ).phase
        == slug
    )


def all_benchmarks(folder: Repository) -> list[Benchmark]:
    """Return those of the project and of the tests' bundles, as far as they can be read."""
    return list(read_snapshot(read_tree(open_repository(folder.path))).benchmarks.values())


@pytest.mark.parametrize(
    "bundle", ["small", "agent-alone", "parallel", "protocol", "hidden-output", "undeclared-kind"]
)
def test_every_kind_of_benchmark_is_filled_in_validly(bundle: str, repo: Repository) -> None:
    assert (BUNDLES / bundle).is_dir()
    benchmarks = all_benchmarks(repo.with_bundle(bundle))
    assert benchmarks
    for benchmark in benchmarks:
        for phase in benchmark.phases:
            made = next(entries(benchmark, phase, forge()))
            files = [item.file for item in benchmark.predictions] or ["main.py"]
            if any("metadata.yaml" in file for file in made.files):
                files.append("metadata.yaml")
            submission = read(made.text, benchmark, *files)
            assert (submission.phase, submission.kind) == (phase.slug, made.kind)
            assert made.files


ANSWERS = {"url": "https://host.edu/x", "email": "me@host.edu", "number": "6.7M"}


def test_the_projects_own_benchmarks_are_filled_in_validly() -> None:
    taken = read_snapshot(read_tree(open_repository(ROOT)))
    for benchmark in taken.benchmarks.values():
        made = next(entries(benchmark, benchmark.phases[0], forge()))
        assert made.filled
        text = made.text
        for key, form in benchmark.answer_forms.items():  # which nobody can fill in for others
            assert f'{key}: ""' in text
            text = text.replace(f'{key}: ""', f"{key}: {ANSWERS[form]}")
        phase = benchmark.phases[0]
        if phase.only_reported:  # its scores and their source are the answers
            values = ", ".join(
                f"{column.key}: 1"
                for column in benchmark.boards[phase.slug].columns
                if not column.ranks
            )
            tasks = ", ".join(f"{task.slug}: {{{values}}}" for task in phase.tasks)
            text += f"source: Table 1\nscores: {{{tasks}}}\n"
        read(text, benchmark, "model.py", *(item.file for item in benchmark.predictions))


def test_files_that_are_declared_are_named() -> None:
    taken = read_snapshot(read_tree(open_repository(ROOT)), only="diabetes-progression")
    benchmark = taken.benchmarks["diabetes-progression"]
    made = next(entries(benchmark, benchmark.phases[0], None))
    assert made.kind.name == "results"
    assert made.files[0].startswith("predictions.csv: CSV with the columns ")


def test_whoever_brings_data_is_told_how(repo: Repository) -> None:
    repo.with_bundle("growing")
    benchmark = repo.snapshot().benchmarks["growing"]
    code, data = entries(benchmark, benchmark.phases[0], forge())
    assert (code.kind.name, data.kind.name) == ("code", "dataset")
    assert data.files == (
        "input_data/, which programs see",
        "reference_data/, which the scoring program alone sees",
    )
    files = ("input_data/numbers.txt", "reference_data/sum.txt", "submission.yaml")
    assert read(data.text, benchmark, *files).kind.name == "dataset"
    assert "Source (required)" in data.text
    assert "Method" not in data.text
    assert read(code.text, benchmark, "main.py", "submission.yaml").kind.name == "code"


def test_a_form_to_fill_in_names_them(small: Repository) -> None:
    benchmark = small.snapshot().benchmarks["adding"]
    assert "environment" not in submission_text(benchmark, benchmark.phases[0], KINDS["code"])
    small.write("benchmarks/adding/environments/other/Dockerfile", "FROM python:3.11-slim\n")
    benchmark = small.snapshot().benchmarks["adding"]
    text = submission_text(benchmark, benchmark.phases[0], KINDS["code"])
    assert "# environment: other  # in place of the usual image; one of: other\n" in text
    assert "environment" not in submission_text(benchmark, benchmark.phases[0], KINDS["results"])
