"""The issue form of a benchmark: a bundle's questions, as GitHub asks them.

GitHub writes the answers below headings, ``### LABEL``, in the order of the fields. So labels tell
the fields apart, and the same list writes the form and reads an issue.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.ci.policy.entrants import Participants
from evaluator.core.errors import Problem, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.kinds.kind import usual_kind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.git.commands import commit_id, read_blobs
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot, load_snapshot

IssueForm = bool
"""``pullbench: form:`` of a bundle: whether people may enter by an issue on GitHub."""
BENCHMARK = "Benchmark"
"""The first label: an issue that begins with another heading is no entry."""
NAME, PHASE, FILE, TERMS = "name", "phase", "file", "terms_accepted"
SHEET = "fact_sheet."
"""Begins the keys of questions."""
MAX_MIB = 25
"""GitHub's limit on a file that is dropped into an issue."""
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".jsonl")
_PUBLIC = (
    "**What you drop below is public at once**, before anything is scored. Everybody can read and "
    "copy it, also if it is refused. Enter with git if that must not be."
)


@dataclass(frozen=True, kw_only=True)
class Field:
    """One field of a form, and the answer's place in submission.yaml."""

    key: str
    """As problems name it, such as ``phase`` or ``fact_sheet.method``."""
    label: str
    type: str
    """``input``, ``textarea``, ``dropdown`` or ``checkboxes``, as GitHub names them."""
    description: str = ""
    options: tuple[str, ...] = ()
    required: bool = True

    def as_yaml(self, place: int) -> dict[str, Any]:
        attributes: dict[str, Any] = {"label": self.label}
        if self.description:
            attributes["description"] = self.description
        if self.type == "checkboxes":
            attributes["options"] = [
                {"label": option, "required": self.required} for option in self.options
            ]
        elif self.options:
            attributes["options"] = list(self.options)
        # GitHub takes few characters in an id.
        shown: dict[str, Any] = {"type": self.type, "id": f"f{place}", "attributes": attributes}
        if self.type != "checkboxes":
            shown["validations"] = {"required": self.required}
        return shown


def enterable(benchmark: Benchmark) -> list[Phase]:
    return [phase for phase in benchmark.phases if not phase.only_reported]


def fields_of(benchmark: Benchmark, terms: bytes) -> list[Field]:
    """The fields of a benchmark's form, in order; ``terms`` are those of today."""
    phases = enterable(benchmark)
    kind = usual_kind(benchmark, phases[0])
    fields = [
        Field(key="benchmark", label=BENCHMARK, type="dropdown", options=(benchmark.name,)),
        Field(key=NAME, label="Name of your entry", type="input",
              description="It is on the board. Choose another one for each entry."),
        Field(key=FILE, label="Your file", type="textarea", description=_what_to_drop(benchmark)),
    ]  # fmt: skip
    if len(phases) > 1:
        options = tuple(phase.slug for phase in phases)
        fields.insert(1, Field(key=PHASE, label="Phase", type="dropdown", options=options))
    for key, question in kind.sheet(benchmark).questions.items():
        fields.append(_asked(f"{SHEET}{key}", question))
    if benchmark.of_plugins.get("accept_terms"):
        # The digest is part of the answer: it says which terms.
        digest = hashlib.sha256(terms).hexdigest()[:16]
        option = f"I have read {benchmark.path}/{benchmark.terms} ({digest}), and accept it"
        fields.append(Field(key=TERMS, label="Terms", type="checkboxes", options=(option,)))
    return fields


def text_file(benchmark: Benchmark) -> str:
    """Name of the one file of predictions, if people can paste its text; else empty."""
    declared = [item.file for item in benchmark.predictions]
    return declared[0] if len(declared) == 1 and declared[0].endswith(_TEXTS) else ""


def _what_to_drop(benchmark: Benchmark) -> str:
    phase = enterable(benchmark)[0]
    files = "; ".join(usual_kind(benchmark, phase).expected_files(benchmark, phase))
    dropped = (
        f"Drag one file here, of at most {MAX_MIB} MB, and write nothing else. It holds {files}. "
        "Pack several files into one .zip; one file may be as it is, or end in .gz."
    )
    if text_file(benchmark):
        dropped += " Where nothing can be dropped, paste the text of the file: 60,000 characters."
    return dropped


def _asked(key: str, question: Question) -> Field:
    label = printable(" ".join((question.title or key.removeprefix(SHEET)).split()))
    choices = tuple(dict.fromkeys(question.choices))
    required = question.is_required
    if question.type == "checkbox":  # required: answered by yes or by no
        return Field(key=key, label=label, type="checkboxes", options=("Yes",), required=False)
    # GitHub keeps the word for itself.
    if choices and "none" not in map(str.casefold, choices):
        return Field(key=key, label=label, type="dropdown", options=choices, required=required)
    asked = f"One of: {', '.join(choices)}" if choices else ""
    return Field(key=key, label=label, type="input", description=asked, required=required)


def form_path(benchmark: str) -> str:
    return f".github/ISSUE_TEMPLATE/enter-{benchmark}.yml"


def form_text(benchmark: Benchmark, terms: bytes, forge: str) -> bytes:
    """The form as YAML; ``forge`` is the repository's address, or empty."""
    title = printable(" ".join(benchmark.title.split()))
    start = f"{forge.rstrip('/')}/blob/HEAD/{benchmark.path}" if forge else benchmark.path
    about = f"{_PUBLIC}\n\nIts pages and its terms: {start}"
    return b"# Written by `pullbench forms` from the bundle: change that, and run it again.\n" + (
        dump_yaml({
            "name": f"Enter {title}"[:200],
            "description": "An entry by a form: you need no git",
            "title": "Entry",
            "body": [
                {"type": "markdown", "attributes": {"value": about}},
                *(one.as_yaml(place) for place, one in enumerate(fields_of(benchmark, terms))),
            ],
        })
    )  # fmt: skip


def with_form(snapshot: Snapshot) -> Iterator[Benchmark]:
    return (one for one in snapshot.benchmarks.values() if one.of_plugins.get("form"))


def terms_of(snapshot: Snapshot, benchmark: Benchmark) -> bytes:
    path = f"{benchmark.path}/{benchmark.terms}"
    return snapshot.tree.read([path]).get(path, b"")


def forms_of(snapshot: Snapshot) -> Mapping[str, bytes]:
    """Path -> text of each form that the bundles ask for."""
    forge = snapshot.settings.forge
    return {
        form_path(one.name): form_text(one, terms_of(snapshot, one), forge)
        for one in with_form(snapshot) if not _fault(one)
    }  # fmt: skip


def write_forms(start: Path) -> list[str]:
    """Write the forms of a repository's benchmarks; returns the paths of those that are new."""
    snapshot = load_snapshot(start)
    written = []
    for path, content in forms_of(snapshot).items():
        file = snapshot.tree.root / path
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            written.append(path)
    return written


def check_forms(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    """Report forms that cannot be, and those that ask something else than their bundles."""
    asked = [
        one for one in with_form(snapshot)
        if not prefixes or f"{one.path}/".startswith(prefixes)
    ]  # fmt: skip
    wanted = forms_of(snapshot) if asked else {}
    for benchmark in asked:
        path, fault, severity = form_path(benchmark.name), _fault(benchmark), "error"
        if fault is None and (there := _read_form(snapshot.tree, path)) != wanted[path]:
            state = "is not there" if there is None else "asks what the bundle asked before"
            fault = f"is set, and {path} {state}", "Run `pullbench forms`, and commit it."
            severity = "warning" if there is None else "error"  # a copied bundle has none yet
        if fault:
            yield benchmark.problem("pullbench.form", *fault, severity=severity)


def _read_form(tree: Tree, path: str) -> bytes | None:
    """A form as it is in the working tree or in a commit: trees list no file of workflows."""
    repo = tree.repository
    if not repo.bare and tree.commit == commit_id(repo, None):
        file = tree.root / path
        return file.read_bytes() if file.is_file() else None
    blob = repo.git.ask("rev-parse", "--verify", "--quiet", f"{tree.commit}:{path}")
    return next(read_blobs(repo, [blob])) if blob else None


def _fault(benchmark: Benchmark) -> tuple[str, str] | None:
    """Why a benchmark can have no form, and what to do."""
    if not enterable(benchmark):
        return "is set, and no phase takes entries", "Leave it out."
    if any("seal" in phase.of_plugins for phase in benchmark.phases):
        return (
            "is set, and a phase has 'seal': a file that is dropped into an issue is public at "
            "once, so that no form can take what is sealed",
            "Leave one of them out.",
        )
    some: Participants | None = benchmark.of_plugins.get("participants")
    if some and some.domains:
        return (
            "is set, and 'participants' has 'domains': an issue has no signature with an address",
            "Leave one of them out.",
        )
    labels = [one.label for one in fields_of(benchmark, b"")]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        return f"is set, and two fields would have the label '{twice}'", "Rename the question."
    return None
