"""What hostile strangers write, and a repository in which they wrote it wherever they can.

Whatever becomes markup carries ``data-owned``, and whatever runs sets ``window.__owned``.
"""

import math
import shutil
import textwrap
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Attachment, CellError, Earlier, Reason, Step
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.planning.cells import Cell
from tests.hostile.cases import TextAttack, cases
from tests.records import record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
RUN = "window.__owned=1;document.title='owned';alert(1)"
TEXTS = {case.name: case.attack.text for case in cases(TextAttack)}
"""Name of the submission -> what its participant writes in it, everywhere."""
NUMBERS = (
    1e308, -1e308, 5e-324, -0.0, 0.0, math.nextafter(math.inf, 0), -math.nextafter(math.inf, 0),
    1e-300, 1 / 3, 123456789012345680.0, 0.1 + 0.2, -1e15,
)  # fmt: skip
URLS = {
    "image": "https://hostile-pages.org/%22%3E%3Cimg%20onerror=x%3E?a='b'&c=d#javascript:x",
    "homoglyph": "https://p\u0430ypal.com/",
    "word": "https://hostile-pages.org/" + "w" * 1900,
}
"""Answers to the question that wants an address, which its check accepts."""
SHEET = {
    "method": ("text", "Method", "", True),
    "family": ("select", "Family", [text[:60].strip() for text in TEXTS.values()], True),
    "page": ("text", "Page", "", True),
    "__proto__": ("text", "Proto", "", False),
}
WORDS = {"__proto__": 1.0, "constructor": -1e308}
"""Numbers beside columns, under names that mean something to a browser."""
BENCHMARK = "benchmarks/adding/competition.yaml"
PHASE = "  - {index: 0, name: Main"
OWNERS = 9


def owner(name: str) -> str:
    """Return the participant of a submission of the corpus."""
    return f"p{list(TEXTS).index(name) % OWNERS}"


def title(name: str) -> str:
    """Return the title of a submission; the schema takes 100 characters."""
    return TEXTS[name][:100].strip()


def corpus(path: Path) -> Repository:
    """Make the repository, evaluated by hand."""
    repository = Repository(path)
    repository.copy_bundle("small")
    repository.copy_bundle("growing")
    for name in ("adding", "echo"):
        shutil.rmtree(repository.path / "submissions" / name)
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    _benchmark(repository)
    for name, text in TEXTS.items():
        folder = f"submissions/adding/{owner(name)}/{name}"
        answers: dict[str, Any] = {
            "method": text, "family": SHEET["family"][2][list(TEXTS).index(name)],
            "__proto__": text[:2000],
        }  # fmt: skip
        if name in URLS:
            answers["page"] = URLS[name]
        written = {"kind": "code", "phase": "main", "name": title(name), "description": text * 2,
                   "fact_sheet": answers}  # fmt: skip
        repository.write(f"{folder}/main.py", "")
        repository.write(f"{folder}/submission.yaml", dump_yaml(written))
    _reported(repository)
    _data_sets(repository)
    repository.commit("Submissions")
    for _ in range(2):  # what the checks of data sets accept opens cells of its own
        for item in repository.plan().missing:
            _write(repository, item.cell)
        repository.commit("Records")
    repository.git("tag", "v1")
    return repository


def _benchmark(repository: Repository) -> None:
    sheet = {
        key: {"key": key, "type": kind, "title": name, "selection": choices,
              "is_on_leaderboard": shown}
        for key, (kind, name, choices, shown) in SHEET.items()
    }  # fmt: skip
    text = (repository.path / BENCHMARK).read_text().replace(PHASE, PHASE.replace("0", "1"))
    before = (
        "phases:\n  - {index: 0, name: Early, start: 2019-01-01, end: 2020-01-01, tasks: [0]}\n"
    )
    text = text.replace("phases:\n", before)
    text = text.replace(
        "\npullbench:\n",
        "\nmake_programs_available: true\nenable_detailed_results: true\n"
        "\npullbench:\n  reported: true\n  questions: {page: {type: url}}\n"
        "  analysis: {}\n",
    )
    extra = dump_yaml({"extra": [*(text[:64] for text in TEXTS.values()), *WORDS]}).decode()
    text = text.replace("  extra: [token]\n", textwrap.indent(extra, "  "))
    repository.write(BENCHMARK, text + dump_yaml({"fact_sheet": sheet}).decode())


def _reported(repository: Repository) -> None:
    for name in ("image", "override", "zalgo", "word"):
        written = {
            "kind": "reported", "phase": "main", "name": title(name), "source": TEXTS[name][:500],
            "source_url": f"https://evil.test/\"'><b data-owned>{name}",
            "scores": {"one": {"right": 1e308, "distance": -0.0}}, "failures": {"two": TEXTS[name]},
        }  # fmt: skip
        written["failures"] = {"two": TEXTS[name][:1000]}
        repository.write(f"submissions/adding/reporter/{name}/submission.yaml", dump_yaml(written))


def _data_sets(repository: Repository) -> None:
    ones = repository.path / "submissions/growing/bob/ones"
    for name in ("script", "override", "zalgo", "word", "controls"):
        folder = repository.path / "submissions/growing/dan" / name
        shutil.copytree(ones, folder)
        written: dict[str, Any] = {
            "kind": "dataset", "name": title(name), "description": TEXTS[name],
            "fact_sheet": {"source": TEXTS[name]},
        }  # fmt: skip
        if name == "override":
            written["retired"] = TEXTS[name]
        repository.write(f"submissions/growing/dan/{name}/submission.yaml", dump_yaml(written))


def _write(repository: Repository, cell: Cell) -> None:
    record = record_of(cell)
    if cell.id.submission not in TEXTS:
        repository.put(record)
        return
    text = TEXTS[cell.id.submission]
    place = list(TEXTS).index(cell.id.submission)
    value = NUMBERS[place % len(NUMBERS)] if place < 2 * len(NUMBERS) else place / 7
    changes: dict[str, Any] = {
        "scores": dict.fromkeys(record.scores, value),
        "extra": {text[:64]: value, **WORDS},
        "steps": [
            Step(step=step, wall_seconds=min(abs(value), 1e12), cpu_seconds=1e12,
                 peak_memory=2**50,
                 exit_code=0, gpus=[text[:80]], log=text * 3)
            for step in ("ingestion", "scoring")
        ],
    }  # fmt: skip
    if place % 4 == 3 and cell.id.task == "two":
        error = CellError(
            actor=Actor.PARTICIPANT, reason=Reason.EXITED, message=text, hint=text,
            step="ingestion",
        )  # fmt: skip
        changes |= {"status": "failed", "scores": {}, "error": error}
    if place % 5 == 0:
        changes["earlier"] = [
            Earlier(score_key="1" * 64, finished="2025-12-01T00:00:00+00:00",
                    scores=dict.fromkeys(record.scores, -value))
        ]  # fmt: skip
    if cell.benchmark.name == "adding" and cell.id.task == "one":
        changes["attachments"] = {"html": _details(repository, cell, text)}
    repository.put(record.replace(**changes))


def _details(repository: Repository, cell: Cell, text: str) -> Attachment:
    page = (
        f"<!doctype html><title>Details</title><h1>Details</h1>{text}\n"
        f'<script>{RUN};top.{RUN}</script><a href="{text}" target=_top>go</a>'
        f"<img src='//evil.test/x' onerror=\"top.{RUN}\">"
    ).encode()
    repository.write(cell.id.attachment_path("html"), page)
    return Attachment.of(page)
