"""Data that are not those that a benchmark's name promises: every page and file says so."""

import csv
import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from evaluator.site.build import build
from tests.repository import Repository
from tests.site.conftest import ROOT

BUNDLE = "benchmarks/adding/competition.yaml"
SENTENCE = "Made by a script & small."
DATA = f'pullbench:\n  data: {{stand-in: "{SENTENCE}"}}\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = Repository(tmp_path_factory.mktemp("stand_in") / "repo").with_bundle("small")
    repository.write("site/index.md", "# Boards\n\n<!-- pullbench: boards -->\n")
    repository.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[0])
    repository.replace(BUNDLE, "pullbench:\n", DATA)
    repository.commit()
    return build.build_site(repository.path).folder


@pytest.mark.parametrize(
    "page",
    [
        "benchmarks", "benchmarks/adding", "benchmarks/adding/about", "benchmarks/adding/embed",
    ],
)  # fmt: skip
def test_cards_boards_and_frames_say_what_the_data_are(site: Path, page: str) -> None:
    text = (site / page / "index.html").read_text()
    assert "Adding (stand-in data)" in text
    assert SENTENCE.replace("&", "&amp;") in text
    assert "Echo (stand-in data)" not in text


def test_citations_say_what_the_data_are(site: Path) -> None:
    folder = site / "benchmarks/adding"
    cff = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert cff["title"] == "Adding (stand-in data)"
    assert SENTENCE in cff["abstract"]
    bibtex = (folder / "citation.bib").read_text()
    assert "Adding (stand-in data)" in bibtex
    assert SENTENCE.replace("&", r"\&") in bibtex
    entry = (folder / "submissions/alice/right/citation.bib").read_text()
    assert "Adding (stand-in data)" in entry


def test_tables_say_that_the_data_are_a_stand_in(site: Path) -> None:
    folder = site / "benchmarks/adding"
    lines = list(csv.DictReader((folder / "board.csv").read_text().splitlines()))
    assert {line["data"] for line in lines} == {"stand-in"}
    assert "data" not in (site / "benchmarks/echo/board.csv").read_text().splitlines()[0]
    metadata = pq.read_schema(folder / "board.parquet").metadata
    assert metadata[b"title"] == b"Adding (stand-in data)"
    published = json.loads((site / "api/v1/adding/main.json").read_text())
    assert published["title"] == "Adding (stand-in data)"


def test_what_search_finds_says_that_the_data_are_a_stand_in(site: Path) -> None:
    read = (gzip.decompress(file.read_bytes()).decode() for file in site.rglob("*.pf_fragment"))
    hits = [json.loads(text[text.index("{") :])["meta"] for text in read]
    of_adding = [hit for hit in hits if hit["address"].startswith("benchmarks/adding/")]
    assert {hit["kind"] for hit in of_adding} >= {"Benchmark", "Submission"}
    named = [hit for hit in of_adding if "Adding" in hit["title"] + hit["where"]]
    assert len(named) > 4
    assert all("Adding (stand-in data)" in hit["title"] + hit["where"] for hit in named)


@pytest.mark.parametrize(
    ("data", "key", "said"),
    [
        ("stand-in", "pullbench.data", "must be {stand-in: A sentence that says what the data"),
        ("{stand-in: ''}", "pullbench.data.stand-in", "at least 1 character"),
        ("{standin: Made.}", "pullbench.data.standin", "is not a known key"),
        ("{}", "pullbench.data.stand-in", "is missing"),
    ],
)
def test_what_data_are_is_said_in_a_sentence(
    tmp_path: Path, data: str, key: str, said: str
) -> None:
    repository = Repository(tmp_path / "repo").with_bundle("small")
    repository.replace(BUNDLE, "pullbench:\n", f"pullbench:\n  data: {data}\n")
    problems = {one.key: one for one in repository.problems() if one.file == BUNDLE}
    assert said in problems[key].message
    assert problems[key].actor == "organiser"


def test_boards_here_on_other_data_than_their_names_promise_say_so() -> None:
    said = {
        file.parent.name
        for file in ROOT.glob("benchmarks/*/competition.yaml")
        if "data" in (yaml.safe_load(file.read_text()).get("pullbench") or {})
    }
    assert said == {
        "autograph", "autowsl", "cometh", "deconbench", "ogb-lsc-mag240m", "ogb-lsc-pcqm4mv2",
        "ogb-lsc-pcqm4mv2-inference", "ogb-lsc-wikikg90mv2",
    }  # fmt: skip
