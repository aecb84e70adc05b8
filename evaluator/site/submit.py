"""How to enter a phase without git: the forge's own forms, filled in as far as can be known."""

import json
import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evaluator.errors import printable
from evaluator.formats.answer_forms import AnswerForm
from evaluator.formats.bundle import Benchmark
from evaluator.formats.fact_sheet import Question
from evaluator.formats.kinds import Kind
from evaluator.formats.phases import Phase
from evaluator.formats.submission import FILE_NAME

PARTICIPANT, NAME = "YOUR-LOGIN", "MY-ENTRY"
"""What participants replace in a path."""
MAX_ADDRESS = 7000
"""Characters; servers refuse addresses of 8 KiB."""
_MAX_COMMENT = 200
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
"""Words that are no text in YAML."""
ForgeKind = Literal["github", "gitea"]


@dataclass(frozen=True, kw_only=True)
class ForgeAddress:
    """A repository on a forge whose forms are known."""

    root: str
    """Without a slash at the end."""
    kind: ForgeKind
    branch: str

    def new_file(self, folder: str, name: str, content: str) -> str:
        """Address of the form for one new file; without its content where that is too long."""
        filled = self._new(folder, name, content)
        return filled if len(filled) <= MAX_ADDRESS else self._new(folder, name, "")

    def _new(self, folder: str, name: str, content: str) -> str:
        if self.kind == "github":
            query = {"filename": f"{folder}/{name}"}
            start = f"{self.root}/new/{_path(self.branch)}"
        else:
            query = {"filename": name}
            start = f"{self.root}/_new/{_path(self.branch)}/{_path(folder)}"
        if content:
            query["value"] = content
        return f"{start}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"

    def upload(self, folder: str) -> str:
        """Address of the form that takes files and folders."""
        verb = "upload" if self.kind == "github" else "_upload"
        return f"{self.root}/{verb}/{_path(self.branch)}/{_path(folder)}/"

    def pull_request(self, number: int) -> str:
        """Address of a pull request."""
        return f"{self.root}/{'pull' if self.kind == 'github' else 'pulls'}/{number}"

    def source(self, commit: str, path: str) -> str:
        """Address of a file or folder at a commit."""
        verb = "tree" if self.kind == "github" else "src/commit"
        return f"{self.root}/{verb}/{commit}/{_path(path)}"


def forge_address(address: str, branch: str) -> ForgeAddress | None:
    """Return the forge of a repository's address; None where its forms are not known."""
    parts = urllib.parse.urlsplit(address)
    name = parts.path.strip("/").removesuffix(".git")
    host = (parts.hostname or "").split(".")
    if parts.scheme not in {"http", "https"} or name.count("/") < 1 or "gitlab" in host:
        return None
    return ForgeAddress(
        root=f"{parts.scheme}://{parts.netloc}/{name}",
        kind="github" if "github" in host else "gitea",
        branch=branch,
    )


@dataclass(frozen=True, kw_only=True)
class Entry:
    """How to enter one open phase."""

    phase: Phase
    kind: Kind
    """Which is usual here."""
    files: tuple[str, ...]
    """What must stand beside submission.yaml, in words."""
    text: str
    """submission.yaml."""
    new: str
    """Address of the form that is filled in with it; empty without a forge."""
    filled: bool
    """Whether that address holds the text."""


def entries(benchmark: Benchmark, phase: Phase, forge: ForgeAddress | None) -> Iterator[Entry]:
    """Yield every way to enter a phase: with work of the usual kind, with data where they count."""
    datasets = benchmark.datasets
    if datasets is None or datasets.become == "tasks":
        yield entry(benchmark, phase, forge)
    if datasets is not None:
        yield entry(benchmark, phase, forge, "dataset")


def entry(
    benchmark: Benchmark, phase: Phase, forge: ForgeAddress | None, kind: Kind | None = None
) -> Entry:
    """Say how to enter a phase; without a kind, with the usual one."""
    kind = kind or usual_kind(benchmark, phase)
    text = submission_text(benchmark, phase, kind)
    folder = f"submissions/{benchmark.name}/{PARTICIPANT}/{NAME}"
    new = forge.new_file(folder, FILE_NAME, text) if forge else ""
    return Entry(
        phase=phase,
        kind=kind,
        files=tuple(_expected(benchmark, phase, kind)),
        text=text,
        new=new,
        filled="value=" in new,
    )


def usual_kind(benchmark: Benchmark, phase: Phase) -> Kind:
    """Return the kind that a phase is made for."""
    if benchmark.ranks_datasets:
        return "dataset"
    if phase.only_results:
        return "results"
    runs = any(task.ingestion_program or task.parallel for task in phase.tasks)
    return "code" if runs else "results"


def _expected(benchmark: Benchmark, phase: Phase, kind: Kind) -> Iterator[str]:
    if kind == "dataset":
        yield from _parts(benchmark)
        return
    results = [
        f"{item.file}: CSV with the columns "
        + ", ".join(f"{name} ({kind})" for name, kind in item.columns.items())
        + (f", {item.rows:,} rows" if item.rows else "")
        for item in benchmark.predictions
    ]
    if kind == "code" and benchmark.stages:
        folders = ", ".join(f"{stage.key}/" for stage in benchmark.stages)
        yield (
            f"a folder for each stage that you bring, of {folders}; in the form that the "
            "benchmark's pages describe"
        )
    elif kind == "code" and any(task.ingestion_program for task in phase.tasks):
        yield "your code, in the form that the benchmark's pages describe"
    elif kind == "code":
        yield "metadata.yaml with the command that runs your code, and the code"
    if kind == "results":
        yield from results or ["your predictions, in the form that the benchmark's pages describe"]
    elif results and kind == "code":
        yield from (f"or, with kind: results, {item}" for item in results)


def _parts(benchmark: Benchmark) -> Iterator[str]:
    """Yield what a data set consists of."""
    rules = benchmark.datasets
    if rules is None or rules.become == "rows":
        yield "your data set, in the form that the benchmark's pages describe"
        return
    yield f"{rules.input_data.rstrip('/')}/, which programs see"
    yield f"{rules.reference_data.rstrip('/')}/, which the scoring program alone sees"


def submission_text(benchmark: Benchmark, phase: Phase, kind: Kind) -> str:
    """Return a submission.yaml with what may be chosen as comments.

    It is valid as it stands, unless the benchmark asks for addresses, which are left empty.
    """
    forms = {} if kind == "dataset" else benchmark.answer_forms
    lines = [
        f"# Entry to {_comment(benchmark.title)}, phase {_comment(phase.name)}",
        f"kind: {kind}  # {_meaning(kind, benchmark, phase)}",
        "name: My entry  # the title on the board",
        f"phase: {_scalar(phase.slug)}",
        'description: ""  # shown on the page of the submission',
    ]
    questions = benchmark.questions(kind)
    if questions:
        lines += ["fact_sheet:" + ("  # the datasheet" if kind == "dataset" else "")]
        for key, question in questions.items():
            lines += _question(key, question, forms.get(key))
    return "\n".join(lines) + "\n"


def _meaning(kind: Kind, benchmark: Benchmark, phase: Phase) -> str:
    if kind == "dataset" and benchmark.ranks_datasets:
        return "is checked, then every method is tried on it"
    if kind == "dataset":
        return "is checked, then every program is tried on it"
    if phase.only_results:
        return "predictions, scored as they are"
    return "code is run; results are predictions, scored as they are"


def _question(key: str, question: Question, form: AnswerForm | None) -> Iterator[str]:
    """Yield the lines of a question; an optional one is a comment until it is answered."""
    required = question.is_required
    yield f"  # {_comment(question.title or key)}{' (required)' if required else ''}"
    if question.type == "select":
        yield f"  # one of: {_comment(', '.join(question.choices))}"
    elif question.type == "checkbox":
        yield "  # true or false"
    elif form is not None:
        yield "  # an address, https://..." if form == "url" else "  # an e-mail address"
    answer = {"select": question.choices[:1] or ("",), "checkbox": ("false",), "text": ('""',)}
    value = answer[question.type][0]
    shown = _scalar(value) if question.type == "select" else value
    yield f"  {'' if required else '# '}{_scalar(key)}: {shown}"


def _comment(text: str) -> str:
    """One line of a stranger's text, which ends no comment."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= _MAX_COMMENT else line[: _MAX_COMMENT - 1] + "…"


def _scalar(text: str) -> str:
    """Text as YAML; in quotes where it could be read as anything else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    # JSON's escapes are YAML's, but for pairs of surrogates; and YAML wants more of them.
    return "".join(
        character if character.isprintable() else _escape(character)
        for character in json.dumps(text, ensure_ascii=False)
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _path(path: str) -> str:
    return urllib.parse.quote(path)
