"""An importer of results from outside: one object and one line in the registry."""

import json
from pathlib import Path

import click
import pytest

from evaluator.core.plugins import Plugin
from evaluator.importing.importer import ResultsImporter
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow
from evaluator.plugins.openml.exchange.reporting import ReadResults
from tests.importing.calling import pullbench
from tests.plugging import plug_in
from tests.repository import Repository

TABLE = """\
trees   One 0.75
trees   Two failed
nets    One 0.5
nets    Two 0.25
nets    Elsewhere 1
"""


def read(*, source: Path, trust: bool) -> ReadResults:
    """Bring in a plain TABLE: program, task and score on each line."""
    rows = []
    for line in source.read_text().splitlines():
        program, task, score = line.split()
        value = None if score == "failed" else float(score)
        texts = {} if value is not None else {"info": "it did not end"}
        row = AmlbRow(
            task=task, framework=program, fold=0, result=value, metric="right", texts=texts
        )
        rows.append(row)
    words = "a table that somebody trusts" if trust else "a table"
    return ReadResults(rows=rows, source=words, file=source.name, url="https://example.org/table")


PLAIN = ResultsImporter(
    participant="tabler",
    options=(
        click.argument("source", metavar="TABLE", type=click.Path(path_type=Path, exists=True)),
        click.option("--trust", is_flag=True, help="Say that somebody trusts it."),
    ),
    read=read,
)


@pytest.fixture
def taking(small: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The bundle ``small``, whose benchmark ``adding`` takes results from elsewhere."""
    plug_in(monkeypatch, Plugin(offers={"results_importers.plain": f"{__name__}:PLAIN"}))
    small.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n", "\npullbench:\n  reported: true\n"
    )
    small.commit("Take results from elsewhere")
    small.write("build/table.txt", TABLE)
    return small


def test_the_command_offers_it_with_its_options(taking: Repository) -> None:
    code, said = pullbench(taking.path, "import", "--help")
    assert (code, "  plain " in said) == (0, True)
    code, said = pullbench(taking.path, "import", "plain", "--help")
    assert code == 0
    for text in ("Bring in a plain TABLE", "--trust", "--benchmark", "[default: tabler]"):
        assert text in said


def test_what_it_reads_becomes_reported_rows(taking: Repository) -> None:
    table = str(taking.path / "build/table.txt")
    code, said = pullbench(
        taking.path, "import", "plain", table, "--trust", "--benchmark", "adding"
    )
    assert code == 0, said
    assert "left out, since they are no tasks of phase 'Main': Elsewhere" in said
    assert said.splitlines()[-1] == "submissions/adding/tabler: 2 submissions, 5 rows"
    taking.commit("Results")
    assert taking.problems() == []
    done = taking.pullbench("leaderboard", "adding", "--format", "json")
    rows = {row["submission"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["nets"]["kind"] == "reported"
    assert rows["nets"]["source"] == "a table that somebody trusts"
    assert rows["nets"]["overall"]["right"] == 0.375
    assert rows["trees"]["tasks"]["one"]["scores"] == {"right": 0.75}
    assert "it did not end" in json.dumps(rows["trees"]["tasks"]["two"])
    assert not any("tabler" in cell for cell in taking.reasons())


def test_a_benchmark_that_takes_none_gets_none(taking: Repository) -> None:
    table = str(taking.path / "build/table.txt")
    code, said = pullbench(taking.path, "import", "plain", table, "--benchmark", "echo")
    assert (code, "echo takes no results from elsewhere" in said) == (2, True)
    assert not (taking.path / "submissions/echo/tabler").exists()
