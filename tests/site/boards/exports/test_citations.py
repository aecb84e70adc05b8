"""Citation files: valid whatever is written into a bundle or a submission."""

import json
from dataclasses import replace
from pathlib import Path

import check_jsonschema
import jsonschema
import pytest
import yaml
from bibtexparser.entrypoint import parse_string

from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.site.boards.exports.citations import (
    benchmark_bibtex,
    cff,
    cited_by,
    latex,
    submission_bibtex,
)
from tests.core.leaderboard.boards import FILES, HEAD, ONE_COLUMN, Entries, make_benchmark

SCHEMA = Path(check_jsonschema.__file__).parent.joinpath(
    "builtin_schemas/vendor/citation-file-format.json"
)
PAPER = """
pullbench:
  citation:
    authors: ["Lovelace, Ada", "The {Engine} & Co"]
    title: "On 100 % of the_things"
    year: 2024
    doi: 10.1234/abc.def
    url: https://doi.org/10.1234/abc.def
"""
HOSTILE = "}, url = {x}}\n@misc{evil, title={\\input{/etc/passwd} %$#_~^&\"'\u202e\x00 and ,"
HOSTILE_TEXTS = (
    HOSTILE,
    "y" * 10_000,
    "- a: [b\n...\n--- !!x",
    "\u2028\x85\ufeff\ud800",
    "{{{",
    "",
)


def check_cff(benchmark: Benchmark, **options: str) -> dict[str, object]:
    given = {"page": "https://s.test/x/", "forge": "https://f.test/o/r", "commit": "c" * 40}
    text = cff(benchmark, **(given | options))
    data: dict[str, object] = yaml.safe_load(text.encode())
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    return data


def test_a_benchmark_is_cited_with_its_commit() -> None:
    data = check_cff(make_benchmark())
    assert data["title"] == "T"
    assert data["authors"] == [{"name": "The organisers of T"}]
    assert data["url"] == "https://s.test/x/"
    assert data["repository-code"] == "https://f.test/o/r"
    assert data["commit"] == "c" * 40
    assert "preferred-citation" not in data


def test_what_is_not_known_is_left_out() -> None:
    data = check_cff(make_benchmark(), page="", forge="git@f.test:o/r", commit="")
    assert not {"url", "repository-code", "commit"} & data.keys()


def test_a_paper_stands_beside_the_benchmark() -> None:
    data = check_cff(make_benchmark(extra=PAPER))
    people = [
        {"family-names": "Lovelace", "given-names": "Ada"}, {"name": "The {Engine} & Co"}
    ]  # fmt: skip
    assert data["authors"] == people
    assert data["preferred-citation"] == {
        "type": "generic", "title": "On 100 % of the_things", "authors": people, "year": 2024,
        "doi": "10.1234/abc.def", "url": "https://doi.org/10.1234/abc.def",
    }  # fmt: skip


def entry_of(text: str) -> tuple[str, dict[str, str]]:
    library = parse_string(text)
    assert not library.failed_blocks
    assert not library.comments
    assert len(library.entries) == 1
    entry = library.entries[0]
    return entry.key, {field.key: field.value for field in entry.fields}


def test_bibtex_of_a_benchmark() -> None:
    key, fields = entry_of(
        benchmark_bibtex(make_benchmark(extra=PAPER), page="https://s.test/", commit="c" * 40)
    )
    assert key == "bench-2024"
    assert fields == {
        "author": r"{Lovelace}, {Ada} and {The \textbraceleft{}Engine\textbraceright{} \& Co}",
        "title": r"{On 100 \% of the\_things}",
        "year": "2024",
        "doi": "10.1234/abc.def",
        "url": "https://doi.org/10.1234/abc.def",
        "note": f"State of the board at commit {'c' * 12}",
    }


def test_bibtex_of_a_submission() -> None:
    board = Entries(make_benchmark()).enter("ada_l", "one", {"a": 1}).board()
    key, fields = entry_of(submission_bibtex(board.rows[0], board, page="https://s.test/a_b%20/"))
    assert key.startswith("bench:ada-l:one-")
    assert fields == {
        "author": r"{ada\_l}",
        "title": "{One}",
        "howpublished": "Entry to the benchmark T",
        "year": "2026",
        "url": "https://s.test/a_b%20/",
        "note": f"Content {'5' * 16}",
    }


def test_keys_differ_where_names_do() -> None:
    keys = set()
    for name in ("a_b", "a-b", "a.b", "a__b"):
        board = Entries(make_benchmark()).enter("ada", name, {"a": 1}).board()
        keys.add(entry_of(submission_bibtex(board.rows[0], board, page=""))[0])
    assert len(keys) == 4


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_text_makes_one_entry_and_a_valid_file(text: str) -> None:
    entries = Entries(make_benchmark(extra=PAPER)).enter("ada", "one", {"a": 1})
    entries.submissions[0] = replace(entries.submissions[0], title=text)
    board = entries.board()
    citation = cited_by(board.benchmark).model_copy(update={"title": text, "authors": [text]})
    benchmark = replace(
        board.benchmark, title=text, description=text, of_plugins={"citation": citation}
    )
    check_cff(benchmark)
    board = replace(board, benchmark=benchmark)
    for made in (
        benchmark_bibtex(benchmark, page="https://s.test/", commit=None),
        submission_bibtex(board.rows[0], board, page="https://s.test/"),
    ):
        entry_of(made)
        assert balanced(made)
        assert len(made) < 4000


def balanced(text: str) -> bool:
    """BibTeX counts braces, those after a backslash too."""
    depth = 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    return depth == 0


def test_latex_prints_what_was_written() -> None:
    assert latex("a_b 50% {x}\\y") == (
        r"a\_b 50\% \textbraceleft{}x\textbraceright{}\textbackslash{}y"
    )


@pytest.mark.parametrize(
    ("citation", "key"),
    [
        ("{doi: https://doi.org/10.1234/x}", "pullbench.citation.doi"),
        ("{url: 'javascript:x'}", "pullbench.citation.url"),
        ("{year: 24}", "pullbench.citation.year"),
        ("{authors: Ada}", "pullbench.citation.authors"),
        ("{author: [Ada]}", "pullbench.citation.author"),
    ],
)
def test_a_wrong_citation_is_a_problem_of_the_organiser(citation: str, key: str) -> None:
    text = HEAD % ("0", "Add", ONE_COLUMN) + f"pullbench: {{citation: {citation}}}\n"
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is None
    assert [(problem.key, problem.actor) for problem in problems] == [(key, "organiser")]
