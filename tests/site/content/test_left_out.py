"""What cannot be made is left out with a reason; the rest of the site is there."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from evaluator.core.cli import cli
from evaluator.core.errors import PlatformError
from evaluator.core.formats.record import Step
from evaluator.core.leaderboard.board import Board
from evaluator.plugins.insight import insight
from evaluator.site.build import build, data_files, writing
from evaluator.site.content import reading
from evaluator.site.content.left_out import NOTICE
from evaluator.site.pages import benchmark_pages, overview, people
from evaluator.site.pages import submission_pages as shown
from tests.records import cells_of, record_of, write_records
from tests.repository import Repository

pytestmark = pytest.mark.usefixtures("may_leave_out")
ROOT = Path(__file__).parents[3]
BASE = "benchmarks/adding"
CELL_OF_ALICE = "adding/alice/right/main/one"
MINE = f"{BASE}/submissions/alice/right/index.html"


def fails(*_: Any, **__: Any) -> Any:
    raise KeyError("a secret of the host")


@pytest.fixture
def scored(small: Repository) -> Repository:
    small.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    small.write("site/index.md", '# Home\n\n<div data-pullbench="home"></div>\n')
    write_records(small)
    small.commit("Score")
    return small


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "missing"),
    [
        (data_files, "to_parquet", f"{BASE}/phases/main/board.parquet"),
        (data_files, "csv_of_board", f"{BASE}/phases/main/board.csv"),
        (data_files, "view_files", f"{BASE}/phases/main/view"),
        (data_files, "embed_files", f"{BASE}/embed"),
        (data_files, "api_index", "api/v1/index.json"),
        (benchmark_pages, "share_values", f"{BASE}/share"),
        (writing, "home", "index.html"),
        (overview, "cards_of", "benchmarks"),
        (shown, "make_page", f"{BASE}/submissions/alice/right"),
        (people, "_page", "people/alice"),
        (writing, "participant_pages", "people"),
        (insight, "make_plots", f"{BASE}/plots"),
        (insight.BoardInsight, "compute", f"{BASE}/confidence"),
        (build, "write_search", "pagefind"),
        (reading, "histories", "history"),
        (reading, "rescoring", BASE),
    ],
)
def test_a_part_that_fails_is_left_out_and_tried_again(
    scored: Repository, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, missing: str
) -> None:
    before = build.build_site(scored.path)
    assert before.left_out == {}
    whole = contents(before.folder)
    # Nothing has changed but the program, so that pages are rendered which stand there already.
    (scored.path / "build/cache/site/computed/manifest").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(module, name, fails)
        failed = build.build_site(scored.path)
    assert failed.left_out[missing].startswith("KeyError in ")
    assert "secret" not in str(failed.left_out)
    # How certain boards are is computed again where another process failed to.
    assert (contents(failed.folder) == whole) == (name == "compute")
    # Each page that remains is there, or says that it is missing: no link leads to an old one.
    pages_left = {path for path in whole if path.endswith("index.html")}
    assert f"{BASE}/index.html" in contents(failed.folder) or name == "rescoring"
    if name not in ("participant_pages", "rescoring", "histories", "make_plots", "embed_files"):
        assert pages_left <= contents(failed.folder).keys()
    assert not list(failed.folder.rglob("*.new"))
    assert contents(build.build_site(scored.path).folder) == whole


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_page_that_fails_says_so_and_is_not_the_old_one(
    scored: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    build.build_site(scored.path)
    scored.put(record_of(cells_of(scored)[CELL_OF_ALICE], scores={"right": 0.25}))
    scored.commit("Score again")
    with monkeypatch.context() as patched:
        patched.setattr(shown, "make_page", fails)
        failed = build.build_site(scored.path)
    assert NOTICE in (failed.folder / MINE).read_text()
    assert (failed.folder / f"{BASE}/board.parquet").exists()
    again = build.build_site(scored.path)
    assert again.left_out == {}
    assert NOTICE not in (again.folder / MINE).read_text()


def test_what_is_half_written_is_no_file(
    scored: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_: Board) -> Any:
        yield "participant,"
        fails()

    monkeypatch.setattr(data_files, "csv_of_board", half)
    built = build.build_site(scored.path)
    assert not list(built.folder.rglob("board.csv*"))
    assert f"{BASE}/phases/main/board.csv" in built.left_out
    assert all(path.endswith("/board.csv") for path in built.left_out)


def run_site(root: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["-C", str(root), "site", *options])
    assert done.exception is None or isinstance(done.exception, (PlatformError, SystemExit))
    return getattr(done.exception, "exit_code", 0), done.stdout


@pytest.mark.parametrize(
    ("place", "number", "says"),
    [
        ("took", 2**63 - 1, "cells[0].scoring[2] ('one'): Expected `int` <= 1125899906842624"),
        ("took", 10**30, "cells[0].scoring[2]"),
        ("cpus", 10**18, "cpus"),
    ],
)
def test_a_number_that_is_in_git_already_is_left_out(
    scored: Repository, place: str, number: int, says: str
) -> None:
    path = cells_of(scored)[CELL_OF_ALICE].id.scores_path
    data = json.loads((scored.path / path).read_text())
    if place == "took":
        data["cells"][0]["scoring"][2] = number
    else:
        next(iter(data["runs"].values()))["cpus"] = number
    scored.write(path, json.dumps(data))
    scored.commit("A job of an earlier version")
    code, told = run_site(scored.path, "--json")
    assert code == PlatformError.exit_code == 3
    assert says in json.loads(told)["left_out"][path]
    lines = (scored.path / "build/site" / BASE / "board.csv").read_text()
    assert ",bob," in lines
    assert run_site(scored.path)[0] == 3


def test_the_largest_numbers_that_are_possible_are_shown(scored: Repository) -> None:
    cell = cells_of(scored)[CELL_OF_ALICE]
    step = Step(step="scoring", wall_seconds=1e12, cpu_seconds=1e12, peak_memory=2**50, exit_code=0)
    record = record_of(cell, steps=[step], scores={"right": 1.7976931348623157e308})
    largest = {"cpus": 2**20, "memory": 2**50, "submitted": "9999-12-31T23:59:59+00:00"}
    scored.put(record.replace(provenance=record.provenance.replace(**largest)))
    scored.commit("Score again")
    assert build.build_site(scored.path).left_out == {}
