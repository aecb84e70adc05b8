"""What an attack.yaml may say; README.md shows one of each family."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from evaluator.core.errors import Actor
from evaluator.core.formats.schema import read_yaml

HERE = Path(__file__).parent
A = TypeVar("A", bound="Attack")
Verb = Literal["validate", "receive", "approve"]
Way = Literal["artifact", "inbox", "commit"]


class Part(BaseModel):
    """Frozen; unknown keys are errors. Blanks around texts are kept: some attack with them."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Attack(Part):
    """What all families have."""

    attack: Annotated[str, Field(min_length=20)]
    """One or two plain sentences: what the attacker does and hopes for."""
    outcome: Literal["refused", "contained", "harmless"]


class Refusal(Part):
    """A problem that is named to whoever opened the pull request."""

    file: str | None = None
    """Path of the problem; any, where it is left out."""
    says: Annotated[str, Field(min_length=5)]
    """Part of its message."""


class Raw(Part):
    """An entry of a tree as git's own commands would not write it."""

    path: str
    mode: str = "100644"
    content: str = ""


class Commit(Part):
    """One commit of the head; what is not named is as in the first parent."""

    name: str = ""
    """By which later ones name it as a parent."""
    parents: list[str] = []
    """Names of commits, or ``main`` or ``main~1``; by default the commit before, or main."""
    files: dict[str, str] = {}
    delete: list[str] = []
    """Files, or whole folders."""
    links: dict[str, str] = {}
    submodules: list[str] = []
    executable: list[str] = []
    """Of the files that are there."""
    raw: list[Raw] = []
    """Written last and in this order, beside an entry of the same name if there is one."""


class PullRequestAttack(Attack):
    by: str = "mallory"
    """Login of whoever opens it."""
    settings: str = ""
    """Lines for ``[tool.pullbench]`` of the base branch."""
    base: dict[str, str] = {}
    """Files that the base branch has beforehand."""
    entry: str = "mallory"
    """Participant of the honest submission that it holds, too; empty for none."""
    commits: list[Commit] = []
    """Of the head, the last one is its tip; in their place an attack.py."""
    judged_by: Annotated[list[Verb], Field(min_length=1)] = ["validate", "receive", "approve"]
    """Each of them must come to the same."""
    refused: list[Refusal] = []
    """Each is there, and no other problem."""
    unchanged: list[str] = []
    """Paths that the merge of a harmless one leaves as they are on the base branch."""


class RecordAttack(Attack):
    handed_in: Annotated[list[Way], Field(min_length=1)] = ["artifact", "inbox", "commit"]
    """By a job of CI, by a worker, and by somebody's own commit of what a run left."""
    changes: dict[str, Any] = {}
    """JSON merge patch over the honest line of mallory's cell."""
    run: dict[str, Any] = {}
    """The same over what the file says of its run, and"""
    file: dict[str, Any] = {}
    """over the rest of the file."""
    replace: dict[str, str] = {}
    """Then text of it by other text, for what JSON should not hold."""
    content: str | None = None
    """In its place."""
    path: str | None = None
    """Where it is handed in, if not where that record belongs."""
    beside: dict[str, str] = {}
    """Further files, from the root of what is handed in."""
    left_out: str = ""
    """Part of what is said; the record is not that of this plan."""
    malformed: str = ""
    """Part of what is said; nothing of ours writes such a file."""
    record: dict[str, Any] = {}
    """What the record on the branch holds where it is harmless, as far as it matters."""


class Ending(Part):
    """How a cell ends."""

    status: Literal["finished", "failed"]
    reason: str | None = None
    actor: Actor | None = None
    step: Literal["ingestion", "scoring"] | None = None
    says: str = ""
    """Part of the message."""
    scores: dict[str, float] = {}
    """Of its columns and the other numbers, those that matter."""
    at_most: dict[str, float] = {}


class ContainerAttack(Attack):
    bundle: str = "vault"
    """Folder of tests/bundles."""
    benchmark: str = "vault"
    submission: dict[str, Any] = {"kind": "code"}
    """Its submission.yaml; the other files are in ``files/``."""
    ends: Annotated[dict[str, Ending], Field(min_length=1)]
    """By ``phase/task``."""
    canaries: list[str] = []
    """Words that must be in no record, page or log, plain or encoded; the vault's always are."""


class BenchmarkAttack(Attack):
    benchmark: str
    """Folder of benchmarks/."""
    submission: dict[str, Any] = {"kind": "code"}
    ends: dict[str, Ending] = {}
    """By ``phase/task``: these cells are run. Without any, an attack.py says what becomes of it."""
    says: str = ""
    """Part of what an attack.py returns."""


class TextAttack(Attack):
    text: Annotated[str, Field(min_length=1)]


FAMILIES: dict[str, type[Attack]] = {
    "pull_requests": PullRequestAttack,
    "records": RecordAttack,
    "containers": ContainerAttack,
    "benchmarks": BenchmarkAttack,
    "texts": TextAttack,
}


@dataclass(frozen=True)
class Case(Generic[A]):
    """One folder of the corpus."""

    folder: Path
    family: type[A]

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def attack(self) -> A:
        """Read attack.yaml; whatever is wrong with it is an AssertionError that says where."""
        file = self.folder / "attack.yaml"
        document = read_yaml(file.read_bytes(), str(file), Actor.ORGANISER)
        assert not document.problems, [str(problem) for problem in document.problems]
        return self.family.model_validate(document.data)

    @property
    def program(self) -> Callable[..., Any] | None:
        """Return the function ``attack`` of the folder's attack.py, if there is one."""
        file = self.folder / "attack.py"
        if not file.exists():
            return None
        spec = importlib.util.spec_from_file_location(f"attack_{self.name}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found: Callable[..., Any] = module.attack
        return found

    def files(self, folder: str = "files") -> dict[str, bytes]:
        """Return by path what lies below a folder of the attack."""
        top = self.folder / folder
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for path in sorted(top.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }


def cases(family: type[A]) -> list[Case[A]]:
    """Every attack of a family, found by its folder."""
    (name,) = (name for name, model in FAMILIES.items() if model is family)
    folders = sorted(path for path in (HERE / name).iterdir() if path.name != "__pycache__")
    return [Case(folder, family) for folder in folders]


def name_of(case: object) -> str:
    """Give a test its folder's name."""
    assert isinstance(case, Case)
    return case.name
