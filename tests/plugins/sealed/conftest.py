"""A season whose entries may be sealed: the benchmark ``echo``, and a bare repository beside it."""

import datetime as dt
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.importing.private_parts import make_keys
from tests.repository import Repository

BUNDLE = "benchmarks/echo/competition.yaml"
PREDICTIONS = "id,value\n1,0.5\n2,0.25\n"
CANARY = "id,value\n1,0.5\n2,0.7193\n"
UNTIL = (utc_now() + dt.timedelta(days=30)).replace(microsecond=0)


@dataclass
class Season:
    """The organisers' clone, and what they alone have."""

    repo: Repository
    public: str
    secret: str

    def call(
        self,
        *arguments: str,
        key: bool = False,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[int, str]:
        """Call a command as a job of a workflow does: the variables are all that it has."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PULLBENCH_")
        }
        given = {DATA_IDENTITY: self.secret} if key else {}
        done = self.repo.pullbench(
            *arguments, environment={**environment, "CI": "true", **given, **variables}
        )
        return done.returncode, done.stdout + done.stderr

    def folder(self, content: str = CANARY, sheet: str = "kind: results\n") -> Path:
        folder = self.repo.path.parent / "work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "submission.yaml").write_text(sheet)
        (folder / "predictions.csv").write_text(content)
        return folder

    def submit(
        self,
        participant: str,
        name: str = "one",
        content: str = CANARY,
        sheet: str = "",
        *more: str,
    ) -> tuple[int, str]:
        folder = self.folder(content, sheet or "kind: results\n")
        return self.call(
            "submit", str(folder), "--benchmark", "echo", "--participant", participant,
            "--name", name, "--seal", *more,
        )  # fmt: skip

    def enter(self, participant: str, name: str = "one", content: str = CANARY) -> Path:
        """Submit a sealed entry and merge it; return its file."""
        code, said = self.submit(participant, name, content)
        assert code == 0, said
        self.repo.git("fetch", "-q", "origin")
        self.repo.git("merge", "-q", f"origin/submit/echo/{participant}/{name}")
        self.repo.git("push", "-q", "origin", "main")
        (file,) = (self.repo.path / f"submissions/echo/{participant}/{name}").glob("*.age")
        return file

    def receipt(self, file: Path) -> dict[str, str]:
        path = self.repo.path / f"build/receipts/{file.stem}.json"
        assert path.stat().st_mode & 0o777 == 0o600
        return dict(json.loads(path.read_text()))

    def set_until(self, until: dt.datetime) -> None:
        text = (self.repo.path / BUNDLE).read_text()
        before, _, after = text.partition('until: "')
        self.repo.write(
            BUNDLE, f'{before}until: "{until.isoformat()}{after[after.index(chr(34)) :]}'
        )
        self.repo.commit("Another date")
        self.repo.git("push", "-q", "origin", "main")

    def errors(self) -> list[tuple[str, str]]:
        return [(one.file, one.message) for one in self.repo.problems() if one.severity == "error"]


@pytest.fixture
def season(repo: Repository) -> Season:
    public, secret = make_keys()
    repo.copy_bundle("small")
    shutil.rmtree(repo.path / "submissions")
    repo.replace(BUNDLE, "execution_time_limit: 3}", "execution_time_limit: 30, hide_output: true}")
    text = (repo.path / BUNDLE).read_text()
    seal = f'{{until: "{UNTIL.isoformat()}", to: {public}}}'
    repo.write(BUNDLE, f"{text}  phases: {{0: {{seal: {seal}}}}}\n")
    repo.commit("A season")
    repo.git("init", "-q", "--bare", "../origin.git")
    repo.git("remote", "add", "origin", "../origin.git")
    repo.git("push", "-q", "origin", "main")
    return Season(repo, public, secret)
