"""A built site with what a hostile stranger may write, and a real browser to look at it."""

import functools
import hashlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import website
from evaluator.errors import Actor
from evaluator.formats.record import CellError, DetailedResults, Reason, to_json
from tests.records import record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "<img src=x onerror=document.title='owned'>{{ 7*7 }}</title><script>evil()</script>"
    "\u202egnirts [x](javascript:evil())"
)
SHEET = """
make_programs_available: true
make_input_data_available: true
reward: A <b>cake</b>
contact_email: organiser@example.org
fact_sheet:
  method: {key: method, type: text, title: Method, selection: "", is_required: "false", is_on_leaderboard: "true"}
  deep: {key: deep, type: checkbox, title: Deep, selection: "", is_required: "false", is_on_leaderboard: "true"}
  private: {key: private, type: text, title: Aside, selection: "", is_required: "false", is_on_leaderboard: "false"}
"""  # noqa: E501


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing: tests do not log requests."""


@pytest.fixture(scope="session")
def site_repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The project's own site sources with the bundle ``small`` and a hostile participant."""
    repository = Repository(tmp_path_factory.mktemp("site") / "repo").with_bundle("small")
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    entry = "submissions/adding/mallory/hostile"
    repository.write(f"{entry}/main.py", "")
    repository.write(
        f"{entry}/submission.yaml",
        f"kind: code\nname: {HOSTILE[:90]!r}\ndescription: {HOSTILE!r}\n"
        f"fact_sheet: {{method: {HOSTILE!r}}}\n",
    )
    repository.write(
        "benchmarks/adding/competition.yaml",
        (repository.path / "benchmarks/adding/competition.yaml").read_text() + SHEET,
    )
    repository.write(
        "submissions/adding/alice/right/submission.yaml",
        "kind: code\nfact_sheet: {method: counting, deep: true, private: not on the board}\n",
    )
    repository.replace("benchmarks/adding/overview.md", "\n", f"\n\n{HOSTILE}\n\n")
    for item in repository.plan().missing:
        columns = item.cell.benchmark.leaderboard.score_keys
        value = 0.25 + len(item.cell.id.submission) / 10
        record = record_of(item.cell, scores=dict.fromkeys(columns, value))
        if item.cell.id.submission == "wrong":
            error = CellError(
                actor=Actor.PARTICIPANT, reason=Reason.TIMED_OUT, message=HOSTILE, step="ingestion"
            )
            record = record.model_copy(update={"status": "failed", "scores": {}, "error": error})
        if item.cell.id.participant == "mallory":
            page = f"<h1>Details</h1>{HOSTILE}<script>top.document.title='owned'</script>".encode()
            kept = DetailedResults(sha256=hashlib.sha256(page).hexdigest(), bytes=len(page))
            extra = {HOSTILE[:60]: 0.125, "seconds": 1234567.5}
            record = record.model_copy(update={"detailed_results": kept, "extra": extra})
            repository.write(item.cell.id.record_path.replace(".json", ".html"), page)
        repository.write(item.cell.id.record_path, to_json(record))
    repository.commit("Records")
    return repository


@pytest.fixture(scope="session")
def site(site_repository: Repository) -> Path:
    return website.build(site_repository.path)


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
