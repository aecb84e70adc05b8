"""A board's analysis: what goes in, what is said, and files that repeat byte for byte."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping

import pytest

from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.plugins.insight.plots.svg import WIDE
from evaluator.plugins.insight.statistics.conclusions import conclusions
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.study import Study, make_study
from evaluator.plugins.insight.study_files import DATA_OF, study_files, to_data
from evaluator.site.content.insight import Missing
from tests.core.leaderboard.boards import FAILED, FILES, HEAD, ONE_COLUMN, Entries, make_benchmark

TASKS = ("One", "Two", "Three", "Four", "Five", "Six")
SVG = "{http://www.w3.org/2000/svg}"
ASC = ONE_COLUMN.replace("desc", "asc")


def many(columns: str = ONE_COLUMN, extra: str = "", count: int = 6) -> Benchmark:
    """A benchmark with up to six tasks."""
    entries = "".join(
        f"  - {{index: {i}, name: {name}, scoring_program: scoring}}\n"
        for i, name in enumerate(TASKS[:count])
    )
    start = HEAD.index("  - {index: 0, name: One")
    end = HEAD.index("phases:")
    text = (HEAD[:start] + entries + HEAD[end:]) % (
        ", ".join(map(str, range(count))), "Force_Latest_Multiple", columns,
    ) + extra  # fmt: skip
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is not None, problems
    return benchmark


def study(entries: Entries, *others: Entries) -> Study:
    found = make_study(entries.board(), tuple(other.board() for other in others))
    assert isinstance(found, Study), found
    return found


def values(*numbers: float | str) -> list[Mapping[str, float] | str]:
    return [n if isinstance(n, str) else {"a": n} for n in numbers]


def separated(columns: str = ONE_COLUMN, extra: str = "", sign: int = 1) -> Entries:
    """Four methods, in the same order on each of six tasks but for one swap."""
    entries = Entries(many(columns, extra))
    for name, base in (("best", 0.9), ("good", 0.8), ("fair", 0.7), ("poor", 0.1)):
        numbers = [sign * (base + 0.01 * i) for i in range(6)]
        if name in ("best", "good"):
            numbers[5] = sign * (0.85 if name == "best" else 0.95)
        entries.enter("ada", name, *values(*numbers))
    return entries


@pytest.mark.parametrize(("columns", "sign"), [(ONE_COLUMN, 1), (ASC, -1)])
def test_what_separates_and_what_does_not(columns: str, sign: int) -> None:
    found = study(separated(columns, sign=sign))
    assert found.methods == ("ada/best", "ada/good", "ada/fair", "ada/poor")
    assert list(found.means.values()) == pytest.approx([7 / 6, 11 / 6, 3, 4])
    assert found.friedman is not None
    assert found.friedman.differs
    assert found.nemenyi is not None
    assert found.nemenyi.critical_difference == pytest.approx(1.9148, abs=1e-3)
    said = list(findings(found))
    assert said[0] == conclusions(separated(columns, sign=sign).board())
    assert "not significantly better than \u2068Good\u2069 over 6 tasks" in said[0]
    assert not any("Friedman" in one or "Nemenyi" in one for one in said), "one verdict alone"
    assert any("wins 5, ties 0 and loses 1 times" in sentence for sentence in said)
    order = "higher" if sign == 1 else "lower"
    assert f"4 methods are compared by A ({order} is better) on 6 tasks" in next(basis(found))
    scores = list(csv.DictReader(io.StringIO(study_files(found)["scores.csv"].decode())))
    assert float(scores[0]["a"]) == sign * 0.9  # as the board has it
    assert {float(row["scaled"]) for row in scores if row["method"] == "ada/poor"} == {0}


def test_no_difference_is_not_called_equality() -> None:
    entries = Entries(many(count=3))
    entries.enter("ada", "x", *values(1, 2, 3)).enter("ada", "y", *values(2, 3, 1))
    entries.enter("ada", "z", *values(3, 1, 2))
    found = study(entries)
    assert found.nemenyi is None
    said = list(findings(found))
    assert found.friedman is not None and found.friedman.p == 1
    assert "critical" not in " ".join(said)


@pytest.mark.parametrize("impute", ["constant", "none"])
def test_a_failure_counts_as_declared(impute: str) -> None:
    extra = (
        f"pullbench: {{analysis: {{constant: ada/const, reference: ada/rf, impute: {impute}}}}}\n"
    )
    entries = Entries(many(count=3, extra=extra))
    entries.enter("ada", "const", *values(0.5, 0.5, 0.5)).enter("ada", "rf", *values(0.7, 0.9, 0.6))
    entries.enter("bob", "own", *values(0.9, FAILED, 0.8)).enter(
        "bob", "less", *values(0.3, 0.6, 0.6)
    )
    found = study(entries)
    assert found.failures == {"bob/own": {"time": 1}}
    two = found.ranks["two"]
    if impute == "constant":
        assert found.outcomes.imputed == {"bob/own": 1}
        assert two == {"ada/const": 3.5, "ada/rf": 1.0, "bob/own": 3.5, "bob/less": 2.0}
        assert found.scaled["two"]["bob/own"] == 0
        said = " ".join(basis(found))
        assert "By the rule 'constant' a failed or missing result counts here" in said
        assert "Const reached on the same task and repeat. Filled in so: 1 (Own 1)." in said
    else:
        assert two["bob/own"] == 4.0
        assert found.scaled["two"]["bob/own"] is None
        assert "ranks last; none is filled in" in " ".join(basis(found))
    assert found.scaled["one"]["bob/own"] == pytest.approx(2)
    assert (found.zero, found.one) == ("ada/const", "ada/rf")


def test_folds_of_one_task_say_nothing_of_other_tasks() -> None:
    entries = Entries(make_benchmark(extra="pullbench: {repeats: 4}\n"))
    for name, base in (("x", 0.5), ("y", 0.6), ("z", 0.7)):
        entries.enter("ada", name, [{"a": base + 0.01 * fold} for fold in range(4)])
    found = study(entries)
    assert list(found.table) == [f"one, fold {fold}" for fold in range(4)]
    assert "not independent" in " ".join(basis(found))


def test_a_failed_fold_is_one_of_its_task() -> None:
    extra = "pullbench: {repeats: 2, analysis: {constant: ada/c}}\n"
    entries = Entries(many(count=3, extra=extra))
    for name, base in (("c", 0.5), ("y", 0.6), ("z", 0.7)):
        entries.enter("ada", name, *([{"a": base}, {"a": base + 0.1}] for _ in range(3)))
    entries.enter("ada", "w", *([{"a": 0.9}, FAILED] for _ in range(3)))  # type: ignore[arg-type]
    found = study(entries)
    assert found.table["one"]["ada/w"] == pytest.approx(0.75)  # 0.9, and 0.6 of the constant
    assert found.failures == {"ada/w": {"time": 3}}


def test_why_there_is_none() -> None:
    one = Entries(make_benchmark())
    for name in "xyz":
        one.enter("ada", name, {"a": 0.5})
    assert "over repeats. Here 1 task ran once." in str(make_study(one.board()))
    few = Entries(many()).enter("ada", "x", *values(*range(6)))
    assert make_study(few.board()) == Missing(
        "There are results of 1 methods; a comparison needs 3."
    )
    hidden = Entries(make_benchmark(extra="    hidden: true\n"))
    assert make_study(hidden.board()) == Missing("The results of this board are not public.")


def test_another_phase_is_compared() -> None:
    found = study(separated(), separated(sign=2))
    (other,) = found.against
    assert next((c.method, c.tasks, c.better) for c in other.changes) == ("ada/best", 6, 6)
    assert "24 are better there and 0 worse" in " ".join(findings(found))
    assert b"ada/best,6,6,0,0," in study_files(found)["budgets.csv"]


def test_files_repeat_and_hold_what_the_page_names() -> None:
    found = study(separated())
    files = study_files(found)
    assert files == study_files(study(separated()))
    for figure, data in DATA_OF.items():
        assert (f"{figure}.svg" in files) == (figure != "failures" or bool(found.failures))
        assert set(data) <= set(files)
    read = json.loads(files["analysis.json"])
    assert read == json.loads(json.dumps(to_data(found)))
    assert read["groups"] == [["ada/best", "ada/good", "ada/fair"], ["ada/fair", "ada/poor"]]
    assert read["mean_ranks"][0]["mean_rank"] == pytest.approx(7 / 6, abs=1e-9)
    assert len(read["pairs"]) == 12


HOSTILE = "</title><script>evil()</script>&\x00\u202e" + "x" * 60


def test_figures_are_accessible_and_inert() -> None:
    entries = separated()
    entries.submissions[0] = entries.submissions[0].__class__(
        **{**vars(entries.submissions[0]), "title": HOSTILE}
    )
    files = study_files(study(entries))
    drawn = [name for name in files if name.endswith(".svg")]
    assert {"critical-difference.svg", "box-plots.svg"} <= set(drawn)
    for name in drawn:
        root = ET.fromstring(files[name])  # noqa: S314 -- written here
        tags = {element.tag for element in root.iter()}
        assert not {f"{SVG}script", f"{SVG}image", f"{SVG}a", f"{SVG}foreignObject"} & tags
        labels = (root.get("aria-labelledby") or "").split()
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert labels == [title.get("id"), description.get("id")]
        assert title.text
        assert description.text
        assert root.get("role") == "img"
        size = root.get("font-size", "0")
        assert all(float(t.get("font-size", size)) >= 11 for t in root.iter(f"{SVG}text"))
        width, height = map(float, (root.get("viewBox") or "").split()[2:])
        assert width == WIDE
        assert all(0 <= float(t.get("y", "0")) <= height for t in root.iter(f"{SVG}text"))
        assert not any(key.startswith("on") for e in root.iter() for key in e.attrib)
