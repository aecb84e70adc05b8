"""A submission.yaml to begin with: the organiser's questions, with their answers as comments."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping

from evaluator.core.errors import printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.fact_sheet import FACT_SHEET, AnswerForm, Question
from evaluator.core.formats.kinds.kind import SubmissionKind
from evaluator.core.formats.phases import Phase

_MAX_COMMENT = 200
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
"""Words that are no text in YAML."""


def submission_text(
    benchmark: Benchmark, phase: Phase, kind: SubmissionKind, terms: bytes = b""
) -> str:
    """A valid submission.yaml, choices as comments; addresses are left empty."""
    sheet = kind.sheet(benchmark)
    lines = [
        f"# Entry to {_comment(benchmark.title)}, phase {_comment(phase.name)}",
        f"kind: {kind.name}  # {kind.meaning(benchmark, phase)}",
        "name: My entry  # the title on the board",
        f"phase: {_scalar(phase.slug)}",
        *([_environments(benchmark)] if benchmark.environments and kind.runs_code else []),
        'description: ""  # shown on the page of the submission',
        *terms_lines(benchmark, terms),
    ]
    if sheet.questions:
        lines += ["fact_sheet:" + ("" if sheet.title == FACT_SHEET else f"  # the {sheet.title}")]
        for key, question in sheet.questions.items():
            lines += _question(key, question, sheet.forms.get(key))
    return "\n".join(lines) + "\n"


def terms_lines(benchmark: Benchmark, terms: bytes) -> list[str]:
    """The line that accepts the terms of a benchmark, where it asks for one."""
    if not benchmark.of_plugins.get("accept_terms"):
        return []
    path = _comment(f"{benchmark.path}/{benchmark.terms}")
    digest = hashlib.sha256(terms).hexdigest()[:16]
    return [f'terms_accepted: "{digest}"  # you accept {path}: read it first']


def _environments(benchmark: Benchmark) -> str:
    names = _comment(", ".join(benchmark.environments))
    first = benchmark.environments[0]
    return f"# environment: {first}  # in place of the usual image; one of: {names}"


_FORMS: Mapping[AnswerForm, str] = {
    "url": "an address, https://...", "email": "an e-mail address",
    "number": "a number, such as 6700000 or 6.7M",
}  # fmt: skip


def _question(key: str, question: Question, form: AnswerForm | None) -> Iterator[str]:
    """Yield the lines of a question; an optional one is a comment until it is answered."""
    required = question.is_required
    yield f"  # {_comment(question.title or key)}{' (required)' if required else ''}"
    if question.type == "select":
        yield f"  # one of: {_comment(', '.join(question.choices))}"
    elif question.type == "checkbox":
        yield "  # true or false"
    elif form is not None:
        yield f"  # {_FORMS[form]}"
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
