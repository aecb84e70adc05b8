"""A built site with what a hostile stranger may write, and a real browser to look at it."""

import base64
import contextlib
import datetime as dt
import functools
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.record import Attachment, CellError, Earlier, Reason, Step
from evaluator.site.build import build
from evaluator.site.build.output import COMPUTED
from evaluator.site.content import left_out
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.reading import read_site
from tests.records import STEPS, failed, record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "<img src=x onerror=document.title='owned'>{{ 7*7 }}</title><script>evil()</script>"
    "\u202egnirts [x](javascript:evil())"
)
LATEX = r"The loss is $\frac{1}{N}\sum_i |y_i - \hat{y}_i|$. $\text{<img src=x onerror=evil()>}$"
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SHOWN = (
    f"![of the bundle](figures/dot.png) ![embedded](data:image/png;base64,{DOT}) "
    "![from elsewhere](https://pictures.example.org/a.png)"
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


def site_of(
    root: Path, now: dt.datetime | None = None
) -> tuple[list[BenchmarkContent], Deployment]:
    return read_site(root, now or utc_now(), Cache(root / COMPUTED))


@pytest.fixture(scope="session", autouse=True)
def leaving_out() -> Iterator[list[None]]:
    """While this is empty, builds in tests leave nothing out: a defect is no missing page."""
    allowed: list[None] = []

    @contextlib.contextmanager
    def checked() -> Iterator[dict[str, str]]:
        with left_out.listing() as listed:
            yield listed
        assert allowed or not listed, listed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "listing", checked)
        yield allowed


@pytest.fixture
def may_leave_out(leaving_out: list[None]) -> Iterator[None]:
    """For tests of what a build leaves out, where they look at the list themselves."""
    leaving_out.append(None)
    yield
    leaving_out.clear()


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
        (repository.path / "benchmarks/adding/competition.yaml")
        .read_text()
        .replace("[token]", json.dumps([HOSTILE[:60], "seconds"]))
        + SHEET,
    )
    repository.write(
        "submissions/adding/alice/right/submission.yaml",
        "kind: code\nfact_sheet: {method: counting, deep: true, private: not on the board}\n",
    )
    repository.replace(
        "benchmarks/adding/overview.md", "\n", f"\n\n{HOSTILE}\n\n{LATEX}\n\n{SHOWN}\n"
    )
    repository.write("benchmarks/adding/figures/dot.png", base64.b64decode(DOT))
    for item in repository.plan().missing:
        columns = item.cell.benchmark.leaderboard.score_keys
        value = 0.25 + len(item.cell.id.submission) / 10
        record = record_of(item.cell, scores=dict.fromkeys(columns, value), steps=STEPS)
        if item.cell.id.submission == "wrong":
            error = CellError(
                actor=Actor.PARTICIPANT, reason=Reason.TIMED_OUT, message=HOSTILE, step="ingestion"
            )
            step = Step(step="ingestion", wall_seconds=60, log="out of patience <b>")
            record = record.replace(status="failed", scores={}, error=error, steps=[step])
        if item.cell.id.participant == "mallory":
            page = f"<h1>Details</h1>{HOSTILE}<script>top.document.title='owned'</script>".encode()
            kept = Attachment.of(page)
            extra = {HOSTILE[:60]: 0.125, "seconds": 1234567.5}
            record = record.replace(attachments={"html": kept}, extra=extra)
            repository.write(item.cell.id.attachment_path("html"), page)
        if item.cell.id.submission in {"right", "hostile"} and item.cell.id.task == "one":
            # The benchmark was changed after these were scored.
            was = {
                "right": {"right": 0.125, "distance": 2.0},
                "hostile": {"right": 1.75, "distance": 3.0},
            }
            record = record.replace(
                earlier=[
                    Earlier(
                        score_key=digit * 64,
                        finished=f"2025-12-0{digit}T00:00:00+00:00",
                        scores={
                            key: value / int(digit)
                            for key, value in was[item.cell.id.submission].items()
                        },
                    )
                    for digit in ("2", "1")
                ]
            )
        repository.put(record)
    repository.commit("Records")
    return repository


@pytest.fixture(scope="session")
def site(site_repository: Repository) -> Path:
    return build.build_site(site_repository.path).folder


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own site, every benchmark with it."""
    root = tmp_path_factory.mktemp("own") / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root)], check=True)
    try:
        return build.build_site(root).folder
    except UsageError as error:
        said = str(error)
    # Not from there: its traceback would keep a process of the build, and that the browser's pipe.
    pytest.fail(said, pytrace=False)


@pytest.fixture(scope="session")
def own_address(own_site: Path) -> Iterator[str]:
    with serving(own_site) as found:
        yield found


SECRETS = (7316.2194, 8251.1247, 6440.2173, 3917.1444)
"""Score, earlier score, other number and seconds that no page may print, however rounded."""


@pytest.fixture(scope="session")
def sealed_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose leaderboards are hidden, of records that tell all they can."""
    repository = Repository(tmp_path_factory.mktemp("sealed") / "repo").with_bundle("small")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    shutil.copytree(ROOT / "site", repository.path / "site")
    for name in ("adding", "echo"):
        repository.replace(
            f"benchmarks/{name}/competition.yaml", "    key: results\n",
            "    key: results\n    hidden: true\n",
        )  # fmt: skip
    # A number under no column is shown where the bundle asks for it.
    repository.replace(
        "benchmarks/adding/competition.yaml", "extra: [token]", "extra: [token, more]"
    )
    score, earlier, extra, seconds = SECRETS
    for item in repository.plan().missing:
        columns = item.cell.benchmark.leaderboard.score_keys
        record = record_of(item.cell, scores=dict.fromkeys(columns, score))
        page = f"<p>{score}</p>".encode()
        told = f"the score is {score}"
        record = record.replace(
            extra={"more": extra},
            earlier=[
                Earlier(score_key="1" * 64, scores=dict.fromkeys(columns, earlier), finished="t")
            ],
            attachments={"html": Attachment.of(page)},
            steps=[Step(step="scoring", wall_seconds=seconds, log=told)],
        )
        if item.cell.id.submission == "wrong":
            error = CellError(
                actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, message=told, step="scoring"
            )
            record = record.replace(status="failed", scores={}, error=error)
        if item.cell.id.submission == "right" and item.cell.id.task == "one":
            # The plan's reason of such a cell repeats the message.
            record = failed(record, Actor.PLATFORM)
            error = CellError(
                actor=Actor.PLATFORM, reason=Reason.PLATFORM_FAULT, message=told, step="scoring"
            )
            record = record.replace(error=error)
        repository.put(record)
        repository.write(item.cell.id.attachment_path("html"), page)
    repository.commit("Records")
    return build.build_site(repository.path).folder


@contextlib.contextmanager
def serving(site: Path) -> Iterator[str]:
    """Serve a site; yields its address."""
    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    with serving(site) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a desktop, whose scripts must not fail."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
