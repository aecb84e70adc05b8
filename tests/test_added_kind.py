"""A submission kind from outside: one class and one line in the registry."""

import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.fact_sheet import Question, Sheet
from evaluator.core.formats.kinds.code import Code
from evaluator.core.formats.kinds.kind import KINDS, Candidate, Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import SubmissionFile
from evaluator.core.plugins import Plugin
from evaluator.site.build import build
from tests.importing.calling import pullbench
from tests.plugging import plug_in
from tests.records import write_records
from tests.repository import Repository

ROOT = Path(__file__).parents[1]
WEIGHTS = "weights.txt"
MODEL = "submissions/adding/dora/model"
PROGRAM = """\
from pathlib import Path

def add(numbers):
    weight = int(Path(__file__).with_name("weights.txt").read_text())
    return sum(weight * number for number in numbers)
"""


class Model(Code):
    """A program with its weights."""

    name = "model"
    asked_first = True
    mark = "brings weights"
    invitation = "Bring a model to the phase"
    anchor = "-model"

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        return Recognised(reason="it holds weights") if WEIGHTS in files else None

    def check(self, candidate: Candidate) -> None:
        super().check(candidate)
        if WEIGHTS not in candidate.files:
            candidate.document.report((), f"needs the file '{WEIGHTS}' beside it.", "Add it.")

    def check_others(self, kind: SubmissionKind, candidate: Candidate) -> None:
        if WEIGHTS in candidate.files:
            candidate.document.report(("kind",), "is no model, but brings weights.")

    def sheet(self, benchmark: Benchmark) -> Sheet:
        asked = Question(key="parameters", type="text", title="Parameters", is_required=True)
        return Sheet(title="model card", questions={"parameters": asked})

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        return False

    def is_offered(self, benchmark: Benchmark) -> bool:
        return benchmark.name == "adding"

    def takes(self, phase: Phase) -> str:
        return "models"

    def meaning(self, benchmark: Benchmark, phase: Phase) -> str:
        return "is run with its weights"

    def expected_files(self, benchmark: Benchmark, phase: Phase) -> Iterator[str]:
        yield f"main.py, and {WEIGHTS}"


KIND = Model()


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, Plugin(offers={f"kinds.{Model.name}": f"{__name__}:KIND"}))


@pytest.fixture
def with_model(small: Repository) -> Repository:
    """The bundle ``small`` with a model that does not say what it is."""
    small.write(f"{MODEL}/submission.yaml", "fact_sheet: {parameters: one}\n")
    small.write(f"{MODEL}/main.py", PROGRAM)
    small.write(f"{MODEL}/{WEIGHTS}", "1\n")
    small.commit("Enter a model")
    return small


def test_its_files_tell_it_and_it_is_planned(with_model: Repository) -> None:
    assert with_model.problems() == []
    (model,) = (one for one in with_model.snapshot().submissions if one.participant == "dora")
    assert model.kind is KINDS["model"]
    assert {cell for cell in with_model.reasons() if "dora" in cell} == {
        "adding/dora/model/main/one", "adding/dora/model/main/two",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("submission.yaml", "kind: model\n", "fact_sheet.parameters: must be answered"),
        ("submission.yaml", "kind: code\n", "kind: is no model, but brings weights."),
        ("submission.yaml", "kind: modell\n",
         "should be 'code', 'results', 'reported', 'dataset', 'sealed' or 'model'"),
        (WEIGHTS, None, "needs the file 'weights.txt' beside it."),
    ],
)  # fmt: skip
def test_it_is_judged_by_its_own_rules(
    with_model: Repository, path: str, content: str | None, message: str
) -> None:
    with_model.write(f"{MODEL}/submission.yaml", "{kind: model, fact_sheet: {parameters: one}}\n")
    if content is None:
        (with_model.path / MODEL / path).unlink()
    else:
        with_model.write(f"{MODEL}/{path}", content)
    with_model.commit()
    assert message in "\n".join(map(str, with_model.problems()))


@pytest.mark.docker
def test_it_is_run_and_scored(with_model: Repository) -> None:
    records = with_model.run("adding/dora/model")
    assert len(records) == 2
    for record in records.values():
        assert record.status == "finished", record.error
        assert record.scores == {"right": 1.0, "distance": 0.0}


def test_it_is_shown_by_its_own_words(with_model: Repository) -> None:
    shutil.copytree(ROOT / "site", with_model.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", with_model.path / "mkdocs.yml")
    write_records(with_model)
    with_model.commit("Records")
    built = build.build_site(with_model.path).folder / "benchmarks/adding"
    assert "brings weights" in (built / "index.html").read_text()
    page = (built / "submissions/dora/model/index.html").read_text()
    assert '<h2 id="fact-sheet">Model card</h2>' in page
    assert "<dt>Parameters</dt><dd>one</dd>" in page
    form = (built / "submit/index.html").read_text()
    assert "<td>code or results, and models</td>" in form
    assert '<h2 id="main-model">Bring a model to the phase Main</h2>' in form
    assert "kind: model  # is run with its weights" in form
    assert "fact_sheet:  # the model card" in form
    assert "<li>main.py, and weights.txt</li>" in form
    _, said = pullbench(with_model.path, "leaderboard", "adding", "--format", "json")
    rows = {row["participant"]: row["kind"] for row in json.loads(said)["rows"]}
    assert rows["dora"] == "model"
    assert rows["alice"] == "code"


def test_the_schema_names_it() -> None:
    kinds = SubmissionFile.model_json_schema()["properties"]["kind"]["anyOf"][0]["enum"]
    assert "model" in kinds
