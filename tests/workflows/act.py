"""Runs workflow files with act, in front of a real bare repository and a loopback forge."""

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ACTIONS = Path(__file__).with_name("actions")
BIN = Path(sys.executable).parent
UNKNOWN = re.compile(r"(?m)^ *(deployment: false|cache-mode: [a-z-]+)\n")
"""Keys that GitHub has and act refuses; the rules in tests/workflows/rules.py hold them."""
_GIVEN = re.compile(r"(?m)^ *PULLBENCH_DIGESTS: .*\n")
_UPLOAD, _FETCH = "      - name: Hand over the records\n", "      - name: Fetch the records\n"
_FETCH_PREDICTIONS = "      - name: Fetch the predictions\n"
_OUTPUTS = re.compile(r"(?m)^    outputs: \{\n((?: +d\d+: .*\n)+)")
_KEEP = """      - if: ${{ !cancelled() }}
        run: env | grep -E '^d([0-9]+|score)=.' >"$STAND_IN_OUTPUTS/%s"
        env: {
%s        }
"""
_OF_SCORE = '          dscore: "${{ steps.run.outputs.dscore }}"\n'
_GIVE = """      - run: python -c "$STAND_IN_MERGE" "$STAND_IN_OUTPUTS" >>"$GITHUB_ENV"
"""
_MERGE = (
    "import json, pathlib, sys; files = pathlib.Path(sys.argv[1]).iterdir(); "
    "print('PULLBENCH_DIGESTS=' + json.dumps([dict(line.split('=') for line in "
    "file.read_text().split()) for file in files]))"
)
SITE_KEY = "the-key-of-this-repository's-site-cache"
SECONDS = 400
"""A run that hangs is ended; on a busy machine one may take minutes."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One run of one workflow."""

    code: int
    results: Mapping[str, str]
    """Job -> ``success``, ``failure`` or ``skipped``."""
    log: str
    commands: tuple[str, ...]
    """Workflow commands that the runner took from what steps printed, such as ``::error::x``."""
    artifacts: Path


class Act:
    """A forge's runner: an event goes in, jobs run, and what they printed comes out."""

    def __init__(
        self, folder: Path, origin: Path, *, forge: str, repository: str, python: Path = BIN
    ) -> None:
        """``forge`` is the address of the REST interface; ``python`` the runner's programs."""
        self._python = python
        self._folder = folder
        self._origin = origin
        self._forge = forge
        self._repository = repository
        self._numbers = itertools.count(1)
        self.pages = folder / "pages"
        self.app = ""
        """Client ID of the GitHub App whose token pushes to main; empty for none."""
        self.signing_key = ""
        """Secret PULLBENCH_SIGNING_KEY."""
        self.data_key = ""
        """Secret PULLBENCH_DATA_IDENTITY of the environment ``scoring``."""
        self.seal_key = ""
        """Secret PULLBENCH_IDENTITY of the environment ``publish``."""

    def run(
        self,
        event: str,
        payload: Mapping[str, Any],
        workflow: str,
        *,
        meanwhile: str = "true",
        environment: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run a workflow of the base branch, as GitHub does for events with its rights.

        ``meanwhile`` is a shell command that happens after cells were evaluated, before their
        job hands over the records. ``environment`` is what the runner sets besides.
        """
        here = self._folder / f"run-{next(self._numbers)}"
        work = here / "work"
        work.mkdir(parents=True)
        self._git("clone", "--quiet", "--branch", "main", str(self._origin), str(work))
        cache = self._folder / "cache"
        cache.mkdir(exist_ok=True)
        path = f".github/workflows/{workflow}.yml"
        text = (work / path).read_text(encoding="utf-8")
        (work / path).write_text(_for_act(text), encoding="utf-8")
        ours = (work / ".github/actions").rglob("action.yml")
        text += "".join(action.read_text(encoding="utf-8") for action in ours)
        (here / "payload.json").write_text(json.dumps(payload), encoding="utf-8")
        artifacts, outputs = here / "artifacts", here / "outputs"
        outputs.mkdir()
        variables = {
            "GITHUB_REPOSITORY": self._repository,
            # What it would install is there already, so nothing is looked up.
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **({"PIP_NO_DEPS": "1"} if self._python == BIN else {}),
            "PULLBENCH_FORGE_API": self._forge,
            "STAND_IN_ARTIFACTS": artifacts,
            "STAND_IN_CACHE": cache,
            "STAND_IN_MEANWHILE": meanwhile,
            "STAND_IN_MERGE": _MERGE,
            "STAND_IN_OUTPUTS": outputs,
            "STAND_IN_ORIGIN": f"file://{self._origin}",
            "STAND_IN_PAGES": self.pages,
            **(environment or {}),
        }
        command: list[str | Path] = [
            BIN / "act", event, "--workflows", path, "--eventpath", here / "payload.json",
            "--pull=false", "--rebuild=false", "--no-cache-server", "--action-offline-mode",
            "--no-skip-checkout", "--json", "--platform", "ubuntu-latest=-self-hosted",
            "--secret", "GITHUB_TOKEN=the-token-of-this-job",
            "--secret", f"PULLBENCH_SITE_KEY={SITE_KEY}",
            "--secret", f"PULLBENCH_SIGNING_KEY={self.signing_key}",
            "--secret", f"PULLBENCH_DATA_IDENTITY={self.data_key}",
            "--secret", f"PULLBENCH_IDENTITY={self.seal_key}",
            *(("--var", f"PULLBENCH_APP={self.app}", "--secret", "PULLBENCH_APP_KEY=its-key")
              if self.app else ()),
            *(f"--env={name}={value}" for name, value in variables.items()),
            *(f"--local-repository={action}={ACTIONS / name}" for action, name in _uses(text)),
        ]  # fmt: skip
        done = subprocess.run(
            command, cwd=work, env=self._environment(here), capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
        return _read(done, artifacts)

    def _environment(self, here: Path) -> dict[str, str]:
        """Nobody's own settings, and the tests' Python in front."""
        home = here / "home"
        home.mkdir()
        kept = ("DOCKER_HOST", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "TMPDIR")
        return {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "HOME": str(home),
            "PATH": f"{self._python}{os.pathsep}{os.environ['PATH']}",
        }

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], check=True, capture_output=True)


def _for_act(text: str) -> str:
    """Return a workflow without what act has not.

    Of a matrix it keeps the outputs of the job that ends first; GitHub keeps those of all.
    """
    if _UPLOAD in text:
        assert len(_GIVEN.findall(text)) == 2  # of `score`, and of what takes all records
        text = _GIVEN.sub("", text)
        (outputs,) = _OUTPUTS.findall(text)
        cells, score, rest = text.split(_UPLOAD)
        keep_cells = _KEEP % ("${{ matrix.name }}", outputs)
        keep_score = _KEEP % ("score", _OF_SCORE)
        text = f"{cells}{keep_cells}{_UPLOAD}{score}{keep_score}{_UPLOAD}{rest}"
        for fetch in (_FETCH, _FETCH_PREDICTIONS):
            text = text.replace(fetch, _GIVE + fetch)
    return UNKNOWN.sub("", text)


def _uses(text: str) -> set[tuple[str, str]]:
    parts = re.finditer(r"(actions/([a-z-]+))(?:/[a-z]+)?(@[0-9a-f]{40})", text)
    return {(f"{found[1]}{found[3]}", found[2]) for found in parts}


def _read(done: subprocess.CompletedProcess[str], artifacts: Path) -> Ran:
    results: dict[str, str] = {}
    lines: list[str] = []
    commands: list[str] = []
    for line in (done.stdout + done.stderr).splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        lines.append(f"[{entry.get('job', '')}] {entry['msg'].rstrip()}")
        if "command" in entry and entry["command"] != "summary":
            commands.append(entry["msg"].strip())
        if "jobResult" in entry:
            results[entry["jobID"]] = entry["jobResult"]
    return Ran(
        code=done.returncode, results=results, log="\n".join(lines), commands=tuple(commands),
        artifacts=artifacts,
    )  # fmt: skip
