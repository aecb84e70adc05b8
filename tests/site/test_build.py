"""The built files, without a browser."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

from evaluator import website
from evaluator.errors import UsageError
from tests.repository import Repository
from tests.site.conftest import ROOT

BENCHMARK = "benchmarks/adding"


def test_every_page_of_a_benchmark_is_there(site: Path) -> None:
    for path in ("", "tasks", "submissions", "pages/overview", "pages/terms",
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
    board = json.loads((site / BENCHMARK / "board.json").read_text())
    assert {row["participant"] for row in board["rows"]} == {"alice", "bob", "mallory"}
    assert (site / BENCHMARK / "board.csv").read_text().startswith("rank,participant,")


def test_a_failure_shows_reason_and_actor(site: Path) -> None:
    page = (site / BENCHMARK / "submissions/bob/wrong/index.html").read_text()
    assert "timed out" in page
    assert "<strong>participant</strong>" in page


def test_nothing_that_was_written_is_markup(site: Path) -> None:
    pages = [path.read_text() for path in site.rglob("*.html")]
    assert any("mallory" in page for page in pages)
    for page in pages:
        assert "<img src=x" not in page
        assert "<script>evil" not in page
        assert 'href="javascript' not in page


def test_a_submission_says_how_to_reproduce_it(site: Path, site_repository: Repository) -> None:
    page = (site / BENCHMARK / "submissions/alice/right/index.html").read_text()
    assert f"git checkout {site_repository.git('rev-parse', 'HEAD')}" in page
    assert "pullbench reproduce adding/alice/right" in page


def test_schemas_accept_the_projects_own_files(site: Path) -> None:
    for name, pattern in (
        ("submission", "submissions/*/*/*/submission.yaml"),
        ("competition", "benchmarks/*/competition.yaml"),
    ):
        schema = json.loads((site / f"schemas/{name}.json").read_text())
        files = list(ROOT.glob(pattern))
        assert files
        for file in files:
            jsonschema.validate(yaml.safe_load(file.read_text()), schema)


def test_a_folder_without_configuration_is_named(repo: Repository) -> None:
    with pytest.raises(UsageError, match="no mkdocs"):
        website.build(repo.path)
