"""Bundles as other platforms hand them out, made in a temporary folder."""

import base64
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.errors import Problem
from evaluator.core.formats.schema import dump_yaml
from evaluator.importing.importer import Imported, ImportRequest, import_benchmark
from evaluator.importing.pinned import content_digest
from evaluator.importing.placing import DataPlace
from evaluator.importing.verb import IMPORTERS
from tests.repository import Repository

Content = Mapping[str, str | bytes]
SCORE = "import sys\nprint(sys.argv)\n"
COMMAND = "command: python3 $program/score.py $input $output\n"

BOARD: dict[str, Any] = {
    "title": "Results",
    "key": "results",
    "columns": [{"title": "Score", "key": "score", "index": 0}],
}


def v2(**changes: Any) -> dict[str, Any]:
    """A small competition.yaml of version 2; a value of None takes a key out."""
    data: dict[str, Any] = {
        "version": 2,
        "title": "Adding up",
        "image": "logo.png",
        "terms": "terms.md",
        "pages": [{"title": "Overview", "file": "overview.md"}],
        "tasks": [{"index": 0, "name": "Sums", "scoring_program": "scoring_program",
                   "reference_data": "reference_data"}],
        "phases": [{"index": 0, "name": "Main", "start": "2020-01-01", "tasks": [0]}],
        "leaderboards": [BOARD],
    }  # fmt: skip
    data.update(changes)
    return {key: value for key, value in data.items() if value is not None}


LOGO = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
V2_FILES: Content = {
    "logo.png": LOGO,
    "terms.md": "Anyone may enter.\n",
    "overview.md": "# Overview\n",
    "scoring_program/metadata.yaml": COMMAND,
    "scoring_program/score.py": SCORE,
    "reference_data/sum.txt": "3\n",
}

V1 = """\
title: Yellow
description: Say hello.
image: logo.png
html: {overview: overview.html, terms: terms.html}
phases:
  1:
    phasenumber: 1
    label: First
    start_date: 2013-06-30
    scoring_program: program.zip
    reference_data: reference.zip
leaderboard:
  leaderboards:
    RESULTS: &RESULTS {label: Results, rank: 1}
  columns:
    correct: {leaderboard: *RESULTS, label: Correct, rank: 1, numeric_format: 3}
"""


def zipped(files: Content, **more: Any) -> bytes:
    """A zip; names ending with a slash are folders."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, **more}.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def v1_files() -> dict[str, str | bytes]:
    return {
        "logo.png": LOGO,
        "overview.html": "<p>Hello</p>",
        "terms.html": "<p>Terms</p>",
        "program.zip": zipped({"metadata": COMMAND, "score.py": SCORE}),
        "reference.zip": zipped({"truth.txt": "1\n"}),
    }


class Desk:
    """Where a test puts sources and imports them."""

    def __init__(self, folder: Path, repo: Repository) -> None:
        self.folder = folder
        self.repo = repo

    def zip(self, files: Content, name: str = "bundle.zip") -> str:
        path = self.folder / name
        path.write_bytes(zipped(files))
        return str(path)

    def directory(self, files: Content, name: str = "bundle") -> str:
        for file, content in files.items():
            path = self.folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(self.folder / name)

    def take(
        self, source: str, *, name: str | None = "new", force: bool = False, **options: Any
    ) -> Imported:
        request = ImportRequest(
            root=self.repo.path, name=name, force=force, tell=print,
            data=DataPlace(folder=None, digest=content_digest),
        )  # fmt: skip
        words = {"source": source, "sha256": None, "files": None, **options}
        return import_benchmark(IMPORTERS["bundle"], request, words)

    def take_v2(self, more: Content | None = None, **changes: Any) -> Imported:
        """Import version 2 with changed keys, and more files; None takes a file out."""
        return self.take(self.zip({**self.v2_files(**changes), **(more or {})}))

    def v2_files(self, **changes: Any) -> Content:
        """Files of version 2 with changed keys."""
        return {"competition.yaml": dump_yaml(v2(**changes)), **V2_FILES}

    def take_v1(self, text: str, more: Content | None = None) -> Imported:
        return self.take(self.zip({"competition.yaml": text, **v1_files(), **(more or {})}))

    def data(self, name: str = "new") -> Any:
        import yaml

        return yaml.safe_load(self.read("competition.yaml", name))

    def read(self, path: str, name: str = "new") -> str:
        return (self.repo.path / "benchmarks" / name / path).read_bytes().decode()


def said(done: Imported, severity: str = "") -> str:
    """What an import said, a line each."""
    chosen = [item for item in done.problems if not severity or item.severity == severity]
    return "\n".join(map(line, chosen))


def line(problem: Problem) -> str:
    return f"{problem.severity}: {problem}"


@pytest.fixture
def desk(tmp_path: Path, repo: Repository) -> Desk:
    """A folder with what importers read, and a repository that they write to."""
    folder = tmp_path / "sources"
    folder.mkdir()
    return Desk(folder, repo)
