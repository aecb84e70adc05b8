"""The built files, without a browser."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

from evaluator.core.errors import UsageError
from evaluator.site.build import build
from evaluator.site.content.reading import installation
from evaluator.site.pages import benchmark_pages
from evaluator.site.pages.sharing import reproduction
from evaluator.site.pages.submission_pages import submission_pages
from tests.repository import Repository
from tests.site.conftest import ROOT, site_of
from tests.site.test_people import SITE

BENCHMARK = "benchmarks/adding"


def test_every_page_of_a_benchmark_is_there(site: Path) -> None:
    for path in ("", "tasks", "submissions", "submit", "pages/overview", "pages/terms",
                 "submissions/alice/right", "submissions/mallory/hostile"):  # fmt: skip
        assert (site / BENCHMARK / path / "index.html").is_file(), path
    assert not (site / "benchmarks/_").exists()


def test_mkdocs_build_strict_gives_the_same(
    site: Path, site_repository: Repository, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "b")],
        cwd=site_repository.path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ours = {path.relative_to(site): path for path in site.rglob("*") if path.is_file()}
    theirs = {p.relative_to(tmp_path / "b"): p for p in (tmp_path / "b").rglob("*") if p.is_file()}
    assert ours.keys() == theirs.keys()
    # gzip writes the time into its header
    differ = [
        str(name)
        for name in ours
        if ours[name].read_bytes() != theirs[name].read_bytes() and name.suffix != ".gz"
    ]
    assert differ == []


def test_the_board_as_data(site: Path) -> None:
    board = json.loads((site / "api/v1/adding/main.json").read_text())
    assert {row["participant"] for row in board["rows"]} == {"alice", "bob", "mallory"}
    assert (site / BENCHMARK / "board.csv").read_text().startswith("rank,participant,")


def test_a_failure_shows_reason_and_actor(site: Path) -> None:
    page = (site / BENCHMARK / "submissions/bob/wrong/index.html").read_text()
    assert "timed out" in page
    assert "<strong>participant</strong>" in page


def test_nothing_that_was_written_is_markup(site: Path) -> None:
    # Detailed results are pages of strangers as they are, behind a policy: see test_details.
    files = [path for path in site.rglob("*.html") if "details" not in path.parts]
    pages = [path.read_text() for path in files]
    assert any("mallory" in page for page in pages)
    for page in pages:
        assert "<img src=x" not in page
        assert "<script>evil" not in page
        assert 'href="javascript' not in page


def test_a_title_cannot_turn_the_score_beside_it_around(site: Path) -> None:
    card = (site / "index.html").read_text()
    assert re.search(r"<bdi>[^<]*\u202e[^<]*</bdi></th>", card)


def test_answers_stand_on_the_board(site: Path) -> None:
    page = (site / BENCHMARK / "index.html").read_text()
    assert '<td class="answer">counting</td>\n<td class="answer">yes</td>' in page
    assert "not on the board" not in page
    assert (
        "not on the board" in (site / BENCHMARK / "submissions/alice/right/index.html").read_text()
    )
    board = json.loads((site / "api/v1/adding/main.json").read_text())
    assert [question["key"] for question in board["fact_sheet"]] == ["method", "deep"]
    head = (site / BENCHMARK / "board.csv").read_text().splitlines()[0]
    assert head.endswith(",fact_sheet:method,fact_sheet:deep")


def test_other_numbers_of_the_scorer_stand_on_the_submissions_page(site: Path) -> None:
    page = (site / BENCHMARK / "submissions/mallory/hostile/index.html").read_text()
    assert "Other numbers of the scoring program:" in page[page.index('id="task-one"') :]
    assert "<dd>1.23457e+06</dd>" in page
    others = (site / BENCHMARK / "submissions/alice/right/index.html").read_text()
    assert "Other numbers" not in others


def test_programs_and_data_that_the_organiser_makes_available(site: Path) -> None:
    page = (site / BENCHMARK / "about/index.html").read_text()
    for path in ("ingestion_program", "scoring_program", "input_data/one", "input_data/two"):
        assert f"<code>benchmarks/adding/{path}</code>" in page
    assert "organiser@example.org" in page
    assert "A &lt;b&gt;cake&lt;/b&gt;" in page
    assert "Programs and data" not in (site / "benchmarks/echo/about/index.html").read_text()


@pytest.mark.parametrize(
    ("flags", "linked", "framed"),
    [
        ({}, True, True),
        ({"in_leaderboard": False}, False, True),
        ({"in_submission_panel": False}, True, True),
        ({"in_leaderboard": False, "in_submission_panel": False}, False, False),
    ],
)
def test_where_detailed_results_are_shown(
    site_repository: Repository, tmp_path: Path, flags: dict[str, bool], linked: bool, framed: bool
) -> None:
    site_repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "copy"))
    file = tmp_path / "copy/benchmarks/adding/competition.yaml"
    lines = [f"show_detailed_results_{key}: {str(on).lower()}\n" for key, on in flags.items()]
    file.write_text(file.read_text() + "".join(lines))
    contents, deployment = site_of(tmp_path / "copy")
    content = next(item for item in contents if item.benchmark.name == "adding")
    board = next(iter(benchmark_pages.benchmark_pages(content, deployment))).html
    assert ("#detailed-results-one" in board) == linked
    mine = next(
        page.render() for page in submission_pages(content, deployment) if "mallory" in page.path
    )
    assert ("<iframe" in mine.html) == framed


def test_a_submission_says_how_to_reproduce_it(site: Path, site_repository: Repository) -> None:
    page = (site / BENCHMARK / "submissions/alice/right/index.html").read_text()
    assert f"git checkout {site_repository.git('rev-parse', 'HEAD')}" in page
    assert "pullbench reproduce adding/alice/right" in page


def test_the_commands_begin_with_the_clone_and_install_what_workflows_do() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / ".github").rglob("*")}
    site = replace(
        SITE,
        forge="https://forge.example/a/b.git",
        commit="c0ffee",
        installation=installation(files),
    )
    assert reproduction(site, "adding/alice/right").splitlines() == [
        "git clone https://forge.example/a/b.git", "cd b", "git checkout c0ffee",
        "python3 -m venv .venv && . .venv/bin/activate",
        "pip install --require-hashes -r .github/locks/take-part.txt",
        "pip install --no-deps -r .github/requirements.txt",
        "pullbench reproduce adding/alice/right",
    ]  # fmt: skip
    assert installation(files - {".github/requirements.txt"}) == ()


def test_schemas_accept_the_projects_own_files(site: Path) -> None:
    for name, pattern in (
        ("submission", "submissions/*/*/*/submission.yaml"),
        ("competition", "benchmarks/*/competition.yaml"),
    ):
        schema = json.loads((site / f"schemas/{name}.json").read_text())
        files = list(ROOT.glob(pattern))
        assert files
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        for file in files:
            validator(schema).validate(yaml.load(file.read_text(), yaml.CSafeLoader))


def test_the_schema_of_a_board_is_that_of_the_files(site: Path) -> None:
    schema = json.loads((site / "schemas/board.json").read_text())
    files = list((site / "api/v1").glob("*/*.json"))
    assert len(files) == 4  # whole, and their first rows
    for file in files:
        board = json.loads(file.read_text())
        jsonschema.validate(board, schema)
        tasks = [task for row in board["rows"] for task in row["tasks"].values()]
        assert tasks
        for task in tasks:
            assert task.keys() == schema["$defs"]["TaskData"]["properties"].keys()
        assert board.keys() == schema["properties"].keys()


def test_a_folder_without_configuration_is_named(repo: Repository) -> None:
    with pytest.raises(UsageError, match="no mkdocs"):
        build.build_site(repo.path)
