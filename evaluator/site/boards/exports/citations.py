"""How to cite a benchmark and its submissions: Citation File Format 1.2.0 and BibTeX."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content.settings import Citation

_LATEX = str.maketrans(
    {
        # Without braces that stand alone: BibTeX counts them even after a backslash.
        "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", '"': r"\textquotedbl{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        **{sign: f"\\{sign}" for sign in "&%$#_"},
    }
)  # fmt: skip
_NO_KEY = re.compile(r"[^A-Za-z0-9:.+-]+")
_NO_ADDRESS = re.compile(r"[^A-Za-z0-9:/?#@!$&'()*+,;=._~%-]")
_MAX = 300


def cff(benchmark: Benchmark, *, page: str, forge: str, commit: str | None) -> str:
    """CITATION.cff, with the board's ``page`` if that is known, and what else to cite."""
    data: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "Please cite this benchmark as below, with the commit of the board you mean.",
        "type": "dataset",
        "title": one_line(benchmark.title, _MAX) or benchmark.name,
        "authors": _people(benchmark),
    }
    if description := one_line(f"{benchmark.stand_in} {benchmark.description}", 2 * _MAX):
        data["abstract"] = description
    if page:
        data["url"] = page
    if re.match(r"https?://.", forge):
        data["repository-code"] = forge
    if commit:
        data["commit"] = commit
    cited = cited_by(benchmark)
    if cited.title or cited.doi or cited.url:  # of a paper
        preferred: dict[str, Any] = {
            "type": "generic",
            "title": one_line(cited.title, _MAX) or data["title"],
            "authors": _people(benchmark),
            "year": year(benchmark),
        }
        preferred |= {key: text for key in ("doi", "url") if (text := getattr(cited, key))}
        data["preferred-citation"] = preferred
    # Values are JSON, which is YAML, so that no text can be anything else.
    lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in data.items())
    return "".join(lines)


def _people(benchmark: Benchmark) -> list[dict[str, str]]:
    return [
        {"family-names": family, "given-names": given} if given else {"name": family}
        for family, given in map(_name, authors(benchmark))
    ]


def _name(author: str) -> tuple[str, str]:
    """Family name and given names; the whole and nothing if it does not tell them."""
    family, comma, given = (part.strip() for part in author.partition(","))
    return (family, given) if comma and family and given else (author, "")


def cited_by(benchmark: Benchmark) -> Citation:
    cited: Citation = benchmark.of_plugins.get("citation", Citation())
    return cited


def authors(benchmark: Benchmark) -> list[str]:
    named = [one_line(author, _MAX) for author in cited_by(benchmark).authors]
    return [name for name in named if name] or [
        f"The organisers of {one_line(benchmark.title, _MAX) or benchmark.name}"
    ]


def year(benchmark: Benchmark) -> int:
    return cited_by(benchmark).year or min(phase.start.year for phase in benchmark.phases)


def benchmark_bibtex(benchmark: Benchmark, *, page: str, commit: str | None) -> str:
    cited = cited_by(benchmark)
    title = one_line(cited.title, _MAX) or one_line(benchmark.title, _MAX) or benchmark.name
    state = f"State of the board at commit {commit[:12]}" if commit else ""
    fields = {
        "author": " and ".join(_author(name) for name in authors(benchmark)),
        "title": f"{{{latex(title)}}}",
        "year": str(year(benchmark)),
        "doi": cited.doi,
        "url": _address(cited.url or page),
        "note": f"{latex(one_line(benchmark.stand_in, _MAX))} {state}".strip(),
    }
    return _entry(f"{benchmark.name}-{year(benchmark)}", fields)


def submission_bibtex(row: Row, board: PublicBoard, *, page: str) -> str:
    """An entry of the year in which it came; its content, not a commit, names it.

    Of what is reported: of the benchmark's authors and year, with its source.
    """
    benchmark, submission = board.benchmark, row.submission
    title = one_line(submission.title, _MAX) or submission.name
    came = row.submitted[:4] if re.match(r"[0-9]{4}-", row.submitted) else ""
    title_of_benchmark = latex(one_line(benchmark.title, _MAX))
    contents, reported = row.facts.contents, submission.reported
    names = authors(benchmark) if reported else [submission.participant]
    fields = {
        "author": " and ".join(map(_author, names)),
        "title": f"{{{latex(title)}}}",
        "howpublished": f"{submission.kind.citation} the benchmark {title_of_benchmark}",
        "year": str(year(benchmark)) if reported else came,
        "url": _address(reported.url if reported and reported.url else page),
        "note": (
            f"As stated by {latex(one_line(reported.source, _MAX))}"
            if reported
            else f"Content {latex(contents[0][:16])}"
            if contents
            else ""
        ),
    }
    return _entry(submission.id.replace("/", ":"), fields)


def latex(text: str) -> str:
    return text.translate(_LATEX)


def _author(author: str) -> str:
    family, given = _name(author)
    if given and "," not in given:
        # Braces keep an ``and`` within a name from being two people.
        return f"{{{latex(family)}}}, {{{latex(given)}}}"
    return f"{{{latex(author)}}}"


def _address(url: str) -> str:
    return _NO_ADDRESS.sub(lambda match: "".join(f"%{b:02X}" for b in match[0].encode()), url)


def _entry(name: str, fields: Mapping[str, str]) -> str:
    key = _NO_KEY.sub("-", name)
    if key != name:  # others may have the same now
        key += f"-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
    lines = [f"  {field} = {{{value}}}," for field, value in fields.items() if value]
    return "\n".join((f"@misc{{{key},", *lines, "}\n"))
