"""A repository whose scores are signed, and pullbench at work on it."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.plugins.attest.keys import KeySigner, new_key
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    Predicate,
    Statement,
    encode_statement,
    subject,
)
from tests.records import cells_of, record_of
from tests.repository import Repository

LEDGER = "pullbench-ledger"
FORGE = "https://forge.test/org/bench"
ONE, TWO = "adding/alice/right/main/one", "adding/alice/right/main/two"
SCORES = "submissions/adding/alice/right/scores/main.json"


def make_key() -> tuple[str, str]:
    """Return the public and the secret half of a new key."""
    setting, secret = new_key().splitlines()
    return setting.split('"')[1], secret.split(" = ")[1]


def sign(secret: str, base: str, forge: str = FORGE) -> str:
    """Sign by hand that a commit has the only cell of ``echo``."""
    predicate = Predicate(repository=forge, base=base, at=utc_now(), evaluator="0.1.0")
    path = "submissions/echo/alice/same/scores/main.json"
    statement = Statement(
        subject=[subject(path, "0" * 64)], predicate_type=ACCEPTED, predicate=predicate
    )
    return KeySigner(secret).sign(encode_statement(statement)).decode()


@dataclass
class Deployment:
    """A repository without a remote, whose branch and ledger its own commands move."""

    repo: Repository
    public: str
    secret: str

    def settings(self, *keys: str, forge: str = FORGE, auditor: str = "") -> str:
        """Commit the settings; returns the commit."""
        auditors = f'auditors = ["{auditor}"]\n' if auditor else ""
        self.repo.write(
            "pyproject.toml",
            f'[tool.pullbench]\nforge = "{forge}"\n[tool.pullbench.attest]\n'
            f"keys = {json.dumps(list(keys))}\n{auditors}",
        )
        return self.repo.commit("Settings")

    def collect(
        self, *names: str, score: float = 0.5, secret: str | None = None, logs: str = ""
    ) -> None:
        """Evaluate cells, hand in their records, and collect these."""
        folder = self.repo.path / "build" / "records"
        subprocess.run(["rm", "-rf", str(folder)], check=True)
        handed = Repository(folder)
        for name, cell in cells_of(self.repo).items():
            if name.startswith(names):
                record = record_of(cell)
                scores = dict.fromkeys(record.scores, score)
                steps = [step.replace(log=logs) for step in record.steps]
                handed.put(record.replace(scores=scores, steps=steps))
        subprocess.run(["rm", "-rf", str(folder / ".git")], check=True)
        done = self.repo.pullbench(
            "collect", "--remote", "", "--from", str(folder),
            environment={"PULLBENCH_SIGNING_KEY": self.secret if secret is None else secret},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    def attest(self, secret: str, **verdicts: str) -> None:
        """Sign verdicts of ``reproduce`` by cell."""
        compared = [{"cell": cell, "verdict": said} for cell, said in verdicts.items()]
        comparison = self.repo.write("build/compared.json", json.dumps(compared))
        done = self.repo.pullbench(
            "attest", str(comparison), "--by", "Ada", "--remote", "",
            environment={"PULLBENCH_SIGNING_KEY": secret},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def record(self, name: str) -> Record:
        """Return a record that nobody signed."""
        return record_of(cells_of(self.repo)[name])

    def forge(self, old: str, new: str, path: str = SCORES) -> str:
        """Change a file of the branch by hand; returns the commit."""
        self.repo.replace(path, old, new)
        return self.repo.commit("Nothing special")

    def verify(self, *arguments: str) -> tuple[dict[str, Any], str]:
        """Return what `verify --json` prints, by cell, and what it complains about."""
        done = self.repo.pullbench("verify", *arguments, "--json")
        report = json.loads(done.stdout[done.stdout.index("{") :])
        cells = {cell.pop("cell"): cell for cell in report["cells"]}
        bad = any(cell["state"] in ("altered", "forged") for cell in cells.values())
        assert done.returncode == int(bad or bool(report["faults"])), done.stdout + done.stderr
        return cells, done.stderr

    def states(self, *arguments: str) -> dict[str, str]:
        return {cell: said["state"] for cell, said in self.verify(*arguments)[0].items()}

    def statements(self) -> list[str]:
        """Paths of the statements in the ledger, the oldest first."""
        return self.repo.git("ls-tree", "-r", "--name-only", LEDGER, "statements").splitlines()

    def write_ledger(self, files: dict[str, str | None]) -> None:
        """Commit files to the ledger by hand; None takes one away."""
        self.repo.git("checkout", "--quiet", LEDGER)
        for path, content in files.items():
            if content is None:
                (self.repo.path / path).unlink()
            else:
                self.repo.write(path, content)
        self.repo.commit("A note")
        self.repo.git("checkout", "--quiet", "main")


@pytest.fixture
def deployment(small: Repository) -> Deployment:
    """Keys are listed, and nothing is evaluated yet."""
    deployment = Deployment(small, *make_key())
    deployment.settings(deployment.public)
    return deployment


@pytest.fixture
def signed(deployment: Deployment) -> Deployment:
    """All five cells were collected and signed."""
    deployment.collect("")
    return deployment
