"""Numbers that organisers hide are searched for in all that leaves a machine.

A real scoring program says them in every way that it has. Real commands take them through a run, a
pull request and a change of the scorer; then everything that was printed, handed over, committed
or put on the site is read. The verbs are listed, so that none comes without being thought of.
"""

import io
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import pyarrow.parquet
import pytest

from evaluator.core.cli import cli
from evaluator.importing.private_parts import make_keys
from tests.commands import pullbench
from tests.repository import BRANCH, Repository
from tests.site.conftest import ROOT

HIDES = {
    "board": ("    key: results\n", "    key: results\n    hidden: true\n"),
    "column": ("key: secret,", "key: secret, hidden: true,"),
    "phase": ("pullbench:\n", "pullbench:\n  phases: {0: {shows: status}}\n"),
    "output": ("tasks: [0],", "tasks: [0], hide_output: true,"),
    "open": ("", ""),
}
"""Benchmark -> what hides something in its bundle."""
BASE, SHOWN, PARTLY = 7316219, 8251127, 6440231
"""What numbers are multiples of: hidden ones, those that are not, and those where output is."""
OUTPUT = re.compile(r"\((extra|log|page|message|rejection)\)")
AS_KEPT, IN_CLEAR = (
    re.compile("(artifact|again)/"),
    re.compile(r"\((score|secret|message|rejection)\)"),
)
"""Without a key scores, which ranks need, and messages lie in records, as `validate` says."""
KINDS = ("", "score", "secret", "extra", "log", "page", "message", "rejection", "")
READ = {"analyze", "collect", "commit", "export", "leaderboard", "log", "overdue", "plan",
        "feedback", "grades", "pr approve", "pr comment", "pr finish", "pr list", "pr receive",
        "reproduce", "results", "run", "site", "validate", "verify"}  # fmt: skip
"""What `feedback` opens is the participant's to see, what `grades` prints the teacher's: see their
tests in tests/plugins. What `pr comment` shows of a log: tests/ci/steps/test_commands.py."""
SAY_NOTHING = {"archive", "attest", "disqualify", "enter", "fact-sheet", "forms", "github setup",
               "init", "keygen", "participants", "pin", "point", "pr download",
               "pr enter", "pr queue", "pr screen", "submit",
               "hand-in", "rerun", "restore", "solutions", "unlock", "unseal", "withdraw",
               "controls"}  # fmt: skip
"""Verbs that read no record, or print no more than how many there are."""
_NUMBERS = (
    re.compile(r"\d+(?:\.\d+)?(?:e\+?\d+)?"), re.compile(r"\d{1,3}(?:[,\u202f]\d{3})+(?!\d)"),
)  # fmt: skip
"""As programs write them, and as people read them."""
_FACTORS = range(20, 20 * 9)
"""Of 60 times the base: those that the scoring program uses."""


@dataclass
class Said:
    """Everything that left the machine, by where it went."""

    texts: dict[str, str] = field(default_factory=dict)

    def find(self, base: int) -> list[str]:
        """Name what holds a number of a base, and of which kind it may be."""
        return [f"{where}: {said}" for where, text in self.texts.items()
                for said in dict.fromkeys(multiples(text, base))]  # fmt: skip


def multiples(text: str, base: int) -> Iterator[str]:
    """Yield what is a number of the base, or one made from such, rounded to six digits or not."""
    rounded = {
        float(f"{60 * base * factor:.{digits}g}"): factor
        for factor in _FACTORS
        for digits in (6, 17)
    }
    for one in (one for pattern in _NUMBERS for one in pattern.findall(text)):
        value = float(re.sub("[,\u202f]", "", one))
        factor = rounded.get(value)
        if factor is not None:
            yield f"{one} ({KINDS[(factor - 8) // 20]})"
        elif base <= value < 1e15 and value % base == 0:
            yield f"{one} (derived)"


def texts_of(name: str, content: bytes) -> str:
    """Return all text of a file; of binary forms what stands in them."""
    if content[:4] == b"PAR1":
        return str(pyarrow.parquet.read_table(io.BytesIO(content)).to_pandas().to_csv())
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(texts_of(each, archive.read(each)) for each in archive.namelist())
    return content.decode("utf-8", "replace")


class World:
    """A deployment: a bare origin, CI's clone, and what its commands say."""

    def __init__(self, folder: Path, seal: str) -> None:
        self.folder = folder
        self.said = Said()
        self.ours = Repository(folder / "ours")
        self._write(f'seal = "{seal}"\n' if seal else "")
        self.ours.commit("Begin")
        self.origin = folder / "origin.git"
        self.ours.git("clone", "--quiet", "--bare", str(self.ours.path), str(self.origin))
        self.ours.git("remote", "add", "origin", str(self.origin))
        self.ours.git("fetch", "--quiet", "origin")

    def _write(self, setting: str) -> None:
        here = self.ours
        here.copy_bundle("canaries")
        template = here.path / "benchmarks/canaries"
        text = (template / "competition.yaml").read_text()
        for name, (old, new) in HIDES.items():
            assert old in text
            shutil.copytree(template, template.with_name(name))
            here.write(f"benchmarks/{name}/competition.yaml", text.replace(old, new, 1))
            base = {"open": SHOWN, "output": PARTLY}.get(name, BASE)
            here.write(f"benchmarks/{name}/reference_data/reversed.txt", str(base)[::-1])
            if name in ("board", "phase", "open"):
                here.write(f"benchmarks/{name}/reference_data/whole.txt", "")
            for entry, who in enumerate(("alice", "bob", "carol", "dora"), start=1):
                self.enter(name, who, entry)
        shutil.rmtree(template)
        shutil.copytree(ROOT / "site", here.path / "site")
        shutil.copy(ROOT / "mkdocs.yml", here.path / "mkdocs.yml")
        here.write("pyproject.toml", f'[tool.pullbench]\norganisers = ["olga"]\n{setting}')

    def enter(self, name: str, who: str, entry: int) -> None:
        place = f"submissions/{name}/{who}/first"
        self.ours.write(f"{place}/submission.yaml", "kind: results\n")
        self.ours.write(f"{place}/entry.txt", f"{entry}\n")

    def call(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> None:
        """Run a command as CI does; all that it says is kept."""
        line = " ".join(arguments)
        place = self.folder / f"said-{len(self.said.texts)}"
        files = {f"GITHUB_{name}": str(place.with_suffix(f".{name}"))
                 for name in ("OUTPUT", "STEP_SUMMARY")}  # fmt: skip
        done = pullbench(["-C", str(self.ours.path), *arguments], {**os.environ, **files})
        assert done.returncode in codes, f"{line}\n{done.stdout}{done.stderr}"
        self.said.texts[line] = done.stdout + done.stderr
        for name, path in files.items():
            if Path(path).exists():
                self.said.texts[f"{line}, {name}"] = Path(path).read_text()

    def take(self, folder: Path, name: str) -> None:
        """Keep what stands in a folder."""
        for path in folder.rglob("*"):
            if path.is_file():
                where = f"{name}/{path.relative_to(folder)}"
                self.said.texts[where] = texts_of(where, path.read_bytes())

    def git(self) -> Said:
        """Return every object of every branch of the origin."""
        done = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"], cwd=self.origin,
            capture_output=True, check=True,
        )  # fmt: skip
        return Said({"git": done.stdout.decode("utf-8", "replace")})


def live(world: World) -> None:
    """Take the numbers on every way that there is."""
    ours = world.ours
    world.call("validate")
    world.call("run", "--engine", "docker")
    world.call("commit", "--remote", "origin")
    ours.git("fetch", "--quiet", "origin")
    ours.git("checkout", "--quiet", "--force", "-B", "pull", f"origin/{BRANCH}")
    for name in HIDES:
        world.enter(name, "erin", 5)
    head = ours.commit("Enter")
    ours.git("push", "--quiet", "origin", f"{head}:refs/pull/1/head")
    ours.git("checkout", "--quiet", "--force", "-B", BRANCH, f"origin/{BRANCH}")
    pull = ("--base", BRANCH, "--head", head, "--pull-request", "1")
    world.call("validate", *pull, "--actor", "erin")
    world.call("pr", "receive", *pull, "--actor", "erin")
    world.call("pr", "approve", *pull, "--actor", "erin", "--approver", "olga")
    artifact = world.folder / "artifact"
    world.call("run", *pull, "--engine", "docker", "--output", str(artifact))
    world.take(artifact, "artifact")
    world.call("pr", "finish", *pull, "--from", str(artifact))
    world.call("pr", "list", "--json")
    for name in HIDES:
        ours.replace(f"benchmarks/{name}/scoring_program/scoring.py", "VERSION = 1", "VERSION = 2")
    ours.commit("Change the scorer")
    ours.git("tag", "v2")
    ours.git("push", "--quiet", "origin", BRANCH)
    world.call("plan")
    world.call("plan", "--json")
    again = world.folder / "again"
    world.call("run", "--engine", "docker", "--output", str(again))
    world.take(again, "again")
    world.call("collect", "--from", str(again))
    ours.git("fetch", "--quiet", "origin")
    ours.git("reset", "--quiet", "--hard", f"origin/{BRANCH}")
    world.call("reproduce", "--engine", "docker")
    world.call("overdue")
    world.call("verify", "--json")
    for name in HIDES:
        for form in ("table", "csv", "json"):
            world.call("leaderboard", name, "--format", form)
        world.call("leaderboard", name, "--at", "v2")
        world.call("log", name)
        world.call("results", name)
        world.call("results", name, "--json")
        world.call("results", name, "--format", "amlb", codes=(0, 2))
        study = world.folder / "study" / name
        world.call("analyze", name, "--out", str(study), codes=(0, 2))
        world.take(study, f"study/{name}")
        bundle = world.folder / f"{name}.zip"
        world.call("export", name, "--as-is", "--output", str(bundle))
        world.said.texts[bundle.name] = texts_of(bundle.name, bundle.read_bytes())
    world.call("site")
    world.take(ours.path / "build/site", "site")


RECIPIENT, _ = make_keys()


@pytest.fixture(scope="module", params=["clear", "sealed"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    made = World(tmp_path_factory.mktemp(request.param),
                 RECIPIENT if request.param == "sealed" else "")  # fmt: skip
    live(made)
    return made


def verbs(command: click.Command = cli, name: str = "") -> Iterator[str]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from verbs(found, f"{name} {each}".strip())
    else:
        yield name


def test_every_verb_is_thought_of() -> None:
    """Add a new one to `live`, where it reads records."""
    imports = {name for name in verbs() if name.startswith(("import ", "suite "))}
    assert set(verbs()) - imports == READ | SAY_NOTHING


@pytest.mark.docker
@pytest.mark.slow
def test_no_hidden_number_leaves_the_machine(world: World) -> None:
    found = world.said.find(BASE)
    found += [one for one in world.said.find(PARTLY) if OUTPUT.search(one)]
    if "clear" in world.folder.name:
        found = [one for one in found if not (AS_KEPT.match(one) and IN_CLEAR.search(one))]
    assert found == [], "\n".join(found)


@pytest.mark.docker
@pytest.mark.slow
def test_no_hidden_number_lies_in_git(world: World) -> None:
    found = world.git().find(BASE)
    found += [one for one in world.git().find(PARTLY) if OUTPUT.search(one)]
    if "clear" in world.folder.name:
        found = [one for one in found if not IN_CLEAR.search(one)]
    assert found == [], "\n".join(found)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "kind"),
    [
        ("run --engine docker", "secret"), ("site/benchmarks/open/index.html", "secret"),
        ("site/api/v1/open/main.json", "score"), ("site/benchmarks/open/board.csv", "score"),
        ("site/benchmarks/open/submissions/alice/first/index.html", "log"),
        ("site/benchmarks/open/submissions/alice/first/index.html", "extra"),
        ("site/benchmarks/open/submissions/alice/first/details/main/one.html", "page"),
        ("site/benchmarks/open/submissions/carol/first/index.html", "message"),
        ("site/benchmarks/open/submissions/dora/first/index.html", "rejection"),
        ("artifact/submissions/open/erin/first/scores/main.logs.json", "log"),
        ("leaderboard open --format csv", "score"), ("log open", "log"),
        ("results open --json", "secret"), ("pr finish", "score"),
    ],
)  # fmt: skip
def test_what_is_not_hidden_is_found(world: World, where: str, kind: str) -> None:
    """The tests above would pass where nothing is said, or nothing is searched."""
    assert any(one.startswith(where) and f"({kind})" in one for one in world.said.find(SHOWN))
