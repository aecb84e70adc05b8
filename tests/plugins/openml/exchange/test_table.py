"""A plain table becomes reported rows with one command, and nothing is lost."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
import yaml

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.leaderboard.tables import to_csv, to_text
from evaluator.plugins.insight.insight import make_plots
from tests.importing.calling import pullbench
from tests.repository import Repository

ROOT = Path(__file__).parents[4]
PAPER = json.loads((ROOT / "tests/benchmarks/ogb_lsc_paper_tables.json").read_text())
TWO = "ogb-lsc-paper-mag240m"


@pytest.fixture
def paper(repo: Repository) -> Repository:
    """The benchmark of the paper's tables of MAG240M, without a row."""
    shutil.copytree(ROOT / "benchmarks" / TWO, repo.path / "benchmarks" / TWO)
    repo.commit("Benchmark")
    return repo


def table(repo: Repository, text: str, *options: str, benchmark: str = TWO) -> tuple[int, str]:
    repo.write("build/table.csv", text)
    file = str(repo.path / "build/table.csv")
    return pullbench(repo.path, "import", "table", file, "--benchmark", benchmark, *options)


def test_a_table_of_the_ogb_lsc_paper_is_one_command(paper: Repository) -> None:
    (rows,) = (rows for key, rows in PAPER.items() if key.startswith("table2_"))
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["Row of the table", "Method", "#Params", "Validation", "Test (%)", "Venue"])
    for place, (name, params, validation, test) in enumerate(rows):
        number = params if params and params[0].isdecimal() else ""
        writer.writerow([f"{place + 1:02}", name, number, validation or "\u2013", test, "KDD Cup"])
    code, said = table(
        paper, stream.getvalue(), "--phase", "Table 2", "--column", "Test (%)=acc",
        "--scale", "acc=0.01", "--scale", "validation=0.01", "--source", "The paper, Table 2",
        "--url", "https://arxiv.org/abs/2103.09430", "--participant", "hu-and-others",
    )  # fmt: skip
    assert code == 0, said
    assert said.splitlines()[-1] == f"submissions/{TWO}/hu-and-others: 12 submissions, 12 rows"
    assert "has no place in ogb-lsc-paper-mag240m for Venue, which stay in row.csv alone" in said
    paper.commit("Results")
    assert paper.problems() == []
    board, committed = (
        leaderboard_at(root, TWO, phase="table-2", task=None, at=None)
        for root in (paper.path, ROOT)
    )
    assert [(row.rank, row.submission.title, row.overall) for row in board.rows] == [
        (row.rank, row.submission.title, row.overall) for row in committed.rows
    ]
    first = board.rows[0].submission
    assert first.reported is not None
    assert (first.reported.source, first.reported.url) == (
        "The paper, Table 2", "https://arxiv.org/abs/2103.09430",
    )  # fmt: skip
    row = (paper.path / first.path / "row.csv").read_text()
    assert row.endswith(",KDD Cup\n")
    # The numbers of parameters are numbers, so that scores are plotted against them.
    plots = make_plots(board)
    assert plots is not None
    (figure,) = (one for one in plots.figures if one.heading == "Score against #Params")
    heads = (line.head for line in figure.lines if isinstance(line.head, Row))
    drawn = {
        head.submission.title: line.values[0]
        for head, line in zip(heads, figure.lines, strict=True)
    }
    assert drawn["R-GAT (NS)"] == 12.3e6
    assert drawn["LabelProp"] == 0


def test_a_method_whose_name_is_chinese_has_an_address_of_its_own(paper: Repository) -> None:
    """Its folder had the name of the phase alone."""
    text = "Row of the table,Method,acc\n1,GNN,0.5\n2,迷路的小叮当,0.4\n"
    code, said = table(paper, text, "--phase", "KDD Cup 2021", "--participant", "ogb-team")
    assert code == 0, said
    folder = paper.path / f"submissions/{TWO}/ogb-team"
    assert sorted(path.name for path in folder.iterdir()) == [
        "kdd-cup-2021-gnn", "kdd-cup-2021-line-3"
    ]  # fmt: skip


LONG = """\
Model;Data set;Right;Right std;Source
Trees;One;1,5;0,25;https://lab.edu/trees
Trees;Two;2,5 ± 0,5;;
Nets;one;out of memory;;A talk
Nets;two;4;;
"""


@pytest.fixture
def taking(small: Repository) -> Repository:
    """The benchmark ``adding`` of two tasks, which takes results from elsewhere."""
    small.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n", "\npullbench:\n  reported: true\n"
    )
    small.commit("Take results from elsewhere")
    return small


def test_a_line_for_each_task_with_deviations_and_failures(taking: Repository) -> None:
    code, said = table(taking, LONG, benchmark="adding")
    assert code == 0, said
    taking.commit("Results")
    assert taking.problems() == []
    read = yaml.safe_load(
        (taking.path / "submissions/adding/reported/trees/submission.yaml").read_text()
    )
    assert read == {
        "kind": "reported", "name": "Trees", "source": "table.csv",
        "source_url": "https://lab.edu/trees",
        "scores": {"one": {"right": 1.5}, "two": {"right": 2.5}},
        "deviations": {"one": {"right": 0.25}, "two": {"right": 0.5}},
    }  # fmt: skip
    board = leaderboard_at(taking.path, "adding", phase=None, task="two", at=None)
    rows = {row.submission.name: row for row in board.rows}
    assert rows["trees"].tasks["two"].deviations == {"right": 0.5}
    assert " ± 0.5" in to_text(board)
    assert ",0.5," in to_csv(board)
    failed = yaml.safe_load(
        (taking.path / "submissions/adding/reported/nets/submission.yaml").read_text()
    )
    assert failed["failures"] == {"one": "out of memory"}


def test_all_digits_of_a_large_integer_are_kept(taking: Repository) -> None:
    code, said = table(taking, "model,One,Two\nbig,9007199254740991,1\n", benchmark="adding")
    assert code == 0, said
    stated = (taking.path / "submissions/adding/reported/big/submission.yaml").read_text()
    assert yaml.safe_load(stated)["scores"]["one"] == {"right": 9007199254740991}


@pytest.mark.parametrize("rule", ["Add", "Add_And_Delete", "Force_Last", "Force_Best"])
def test_each_row_of_a_table_is_on_the_board_whatever_the_submission_rule(
    taking: Repository, rule: str
) -> None:
    """Reported rows have one participant and are not one person's attempts."""
    taking.replace("benchmarks/adding/competition.yaml", "Force_Latest_Multiple", rule)
    code, said = table(taking, "model,One,Two\nalpha,60,60\nbeta,90,\ngamma,50,50\n",
                       benchmark="adding")  # fmt: skip
    assert code == 0, said
    taking.commit("Results")
    board = leaderboard_at(taking.path, "adding", phase=None, task=None, at=None)
    rows = [(row.rank, row.submission.name) for row in board.rows if row.submission.reported]
    assert rows == [(1, "alpha"), (2, "gamma"), (None, "beta")]


def test_rows_of_a_table_compete_with_each_other_for_win_rates(taking: Repository) -> None:
    taking.replace(
        "benchmarks/adding/competition.yaml", "reported: true",
        "reported: true\n  aggregate: win_rate",
    )  # fmt: skip
    code, said = table(taking, "model,One,Two\nalpha,9,9\nbeta,9,1\ngamma,5,0\nome,0,0\n",
                       "--participant", "paper", benchmark="adding")  # fmt: skip
    assert code == 0, said
    taking.write(
        "submissions/adding/ann/first/submission.yaml",
        "kind: reported\nsource: A\nscores: {one: {right: 4}, two: {right: 0.5}}\n",
    )
    taking.commit("Results")
    board = leaderboard_at(taking.path, "adding", phase=None, task=None, at=None)
    rates = {row.submission.name: row.overall["win_rate"] for row in board.rows if row.overall}
    # Each of the five meets the four others: two wins and a half one of four on a task, and so on.
    assert rates == {"alpha": (3.5 + 4) / 8, "beta": (3.5 + 3) / 8, "first": (1 + 2) / 8,
                     "gamma": (2 + 0.5) / 8, "ome": 0.5 / 8}  # fmt: skip


def test_a_table_has_the_columns_of_its_phase(taking: Repository) -> None:
    competition = "benchmarks/adding/competition.yaml"
    taking.replace(
        competition, "reported: true", "reported: true\n  phases: {0: {columns: [right]}}"
    )
    text = "Method,Task,Right,Distance\nTrees,One,1,3\nTrees,Two,0,4\n"
    code, said = table(taking, text, benchmark="adding")
    assert code == 0, said
    assert "has no place in adding for Distance, which stay in row.csv alone" in said
    code, said = table(taking, text, "--scale", "distance=2", benchmark="adding")
    assert code != 0
    assert "'distance' is no column of adding in 'Main'" in said
    code, said = table(taking, "Method,Distance\nTrees,3\n", benchmark="adding")
    assert "Its columns are right; say which is which" in " ".join(said.split())
    taking.commit("Results")
    assert taking.problems() == []


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("Method,Right\nA,1\n", (), "table.csv:2: does not say of which task of 'Main' it is"),
        ("Method,One,Two\nA,1%,2\n", (), "table.csv:2: '1%' is in percent"),
        ("Method,One\nA,1\nB,0.5 or so\n", (), "table.csv:3: '0.5 or so' is no number for right"),
        ("Method,One\n,1\n", (), "table.csv:2: names no method"),
        ("Method,Elsewhere\nA,1\n", (), "no column of the table is a column of adding"),
        ("Method,One,one\nA,1,2\n", (), "the columns 'One' and 'one' mean the same"),
        ("Method,One,Note,Note\nA,1,b,c\n", (), "table.csv is no table: it has 'Note' twice"),
        ("Method,One\nA,1,2\n", (), "line 2 has not as many fields as the first"),
        ("Method,X\nA,1\n", ("--column", "X=wrong"), "'wrong' is no column, question or other"),
        ("Method,One\nA,1\n", ("--scale", "wrong=2"), "'wrong' is no column of adding"),
        ("Method,Task,Right\nA,Three,1\n", (), "table.csv:2: 'Three' is no task of phase 'Main'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_line_and_nothing_is_written(
    taking: Repository, text: str, options: tuple[str, ...], message: str
) -> None:
    code, said = table(taking, text, *options, benchmark="adding")
    assert code != 0
    assert message in said
    assert not (taking.path / "submissions/adding/reported").exists()


README = """# A race

| # | Record time | Val. BPB | Description | Date | Log | Who |
| - | - | :-: | - | - | - | - |
1 | 45 minutes | 0.5012 | [llm.c](https://a.org/c) baseline | 05/28/24 | [log](records/1.txt) | @a
2 | 31.4 minutes | 0.5123 | **Tuned** learning `rate` | 06/06/24 | [log](records/2.txt) | @b
3 | 24.9 minutes | 0.6 | a \\| b ![plot](x.png) | 10/04/24 | none | @c_d_

| Other | table |
|---|---|
| 1 | 2 |
"""


def readme(repo: Repository, *options: str) -> tuple[int, str]:
    file = repo.write("build/README.md", README)
    at = "https://example.org/race/blob/main/README.md"
    return pullbench(
        repo.path, "import", "table", str(file), "--benchmark", TWO, "--phase", "Table 2",
        "--url", at, *options,
    )  # fmt: skip


def test_the_table_of_a_readme(paper: Repository) -> None:
    code, said = readme(
        paper, "--line", "3", "--column", "Description=method", "--column", "Val. BPB=acc",
        "--column", "Record time=validation", "--column", "#=row", "--column", "Log link=url",
        "--participant", "race",
    )  # fmt: skip
    assert code == 0, said
    assert paper.problems() == []
    entries = [
        yaml.safe_load(path.read_text())
        for path in sorted(paper.path.glob(f"submissions/{TWO}/race/*/submission.yaml"))
    ]
    place = "https://example.org/race/blob/main/"
    assert [(one["name"], *one["scores"].values(), one["source_url"]) for one in entries] == [
        ("a | b", {"validation": 24.9, "acc": 0.6}, f"{place}README.md"),
        ("llm.c baseline", {"validation": 45, "acc": 0.5012}, f"{place}records/1.txt"),
        ("Tuned learning rate", {"validation": 31.4, "acc": 0.5123}, f"{place}records/2.txt"),
    ]
    assert "no place in ogb-lsc-paper-mag240m for Date, Log, Who, Description link" in said


def test_a_page_with_several_tables_asks_which(paper: Repository) -> None:
    code, said = readme(paper)
    assert code == 2
    assert "README.md has 2 tables, with headings in lines 3, 9" in said
    code, said = readme(paper, "--line", "4")
    assert code == 2
    assert "no table whose headings are in line 4" in said
