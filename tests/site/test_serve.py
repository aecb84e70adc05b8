"""``mkdocs serve`` while somebody writes, in a real browser."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from mkdocs.config import load_config
from playwright.sync_api import Browser, expect

from evaluator.site.build import build, mkdocs_plugin
from tests.records import write_records
from tests.repository import Repository
from tests.site.conftest import ROOT
from tests.site.waiting import PATIENCE

CELL = "adding/bob/wrong/main/one"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = Repository(tmp_path_factory.mktemp("serve") / "repo").with_bundle("small")
    shutil.copy(ROOT / "mkdocs.yml", made.path / "mkdocs.yml")
    shutil.copytree(ROOT / "site", made.path / "site")
    made.write("pyproject.toml", "[tool.pullbench]\n")
    write_records(made)
    made.commit("Records")
    return made


@contextlib.contextmanager
def served(repository: Repository, log: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
            cwd=repository.path, stdout=out, stderr=subprocess.STDOUT,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}/"
            end = time.monotonic() + PATIENCE
            while not _answers(address):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


def _answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=10).status_code == 200
    except requests.RequestException:
        return False


@pytest.mark.slow
@pytest.mark.browser
def test_pages_load_boards_work_and_changes_reload(
    browser: Browser, repository: Repository, tmp_path: Path
) -> None:
    page = browser.new_context().new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    log = tmp_path / "log"
    with served(repository, log) as address:
        for path in (
            "", "benchmarks/adding/analysis/", "benchmarks/adding/history/", "people/alice/",
            "benchmarks/adding/submissions/alice/right/", "status/", "readers/",
            "api/v1/index.json",
        ):  # fmt: skip
            answer = page.goto(address + path)
            assert answer is not None
            assert answer.status == 200, path
        page.goto(f"{address}benchmarks/adding/")
        rows = page.locator("table.pullbench tbody tr")
        expect(rows.filter(has_text="alice").first).to_be_visible()
        page.locator(".controls").get_by_role("searchbox").fill("alice")
        expect(rows.filter(has_text="bob")).to_have_count(0)
        page.goto(f"{address}benchmarks/adding/submissions/bob/wrong/")
        expect(page.get_by_text("0.0625")).to_have_count(0)
        record = repository.records()[CELL]
        scores = dict.fromkeys(record.scores, 0.0625)
        repository.put(record.replace(scores=scores))
        expect(page.get_by_text("0.06").first).to_be_visible()
        page.goto(f"{address}benchmarks/adding/")
        repository.replace("benchmarks/adding/competition.yaml", "title: Adding", "title: Summing")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text("Summing")
        page.goto(f"{address}readers/")
        text = (repository.path / "site/readers/index.md").read_text()
        repository.write("site/readers/index.md", text.replace("# ", "# Really ", 1))
        expect(heading).to_contain_text("Really")
    assert faults == []
    warnings = [line for line in log.read_text().splitlines() if "WARNING" in line]
    assert [line for line in warnings if "/favicon.ico" not in line] == []
    assert "Traceback" not in log.read_text()
    assert "not included in the" not in log.read_text()
    page.context.close()


def watched(repository: Repository) -> list[str]:
    config = load_config(str(repository.path / "mkdocs.yml"))
    plugin = config.plugins["pullbench"]
    plugin.on_startup(command="serve", dirty=False)
    plugin.on_config(config)
    return sorted(Path(path).name for path in config.watch)


def test_what_pages_are_made_of_is_watched_while_it_is_not_too_much(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    build.build_site(repository.path)  # in the same process, with the same object of MkDocs
    assert watched(repository) == ["benchmarks", "pyproject.toml", "submissions"]
    monkeypatch.setattr(mkdocs_plugin, "MAX_WATCHED", 3)
    assert watched(repository) == []
    assert "are not watched" in caplog.text
