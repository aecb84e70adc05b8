"""2.2: the tables of AMLB's reports, from rows of its results."""

import csv
import io

from evaluator.plugins.insight.statistics.outcomes import collect, scale_outcomes
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow
from evaluator.plugins.openml.exports.amlb_reports import Ends, report_tables
from tests.plugins.insight.statistics.test_amlb_report import (
    FOLDS,
    ONE,
    STAND_IN,
    ZERO,
    outcomes_of,
    rows,
)

ENDS = Ends(zero=ZERO, one=ONE, stand_in=STAND_IN)


def table(content: bytes) -> dict[tuple[str, ...], dict[str, str]]:
    lines = csv.DictReader(io.StringIO(content.decode()))
    keys = ("type", "task", "fold")
    return {tuple(line.pop(key) for key in keys if key in line): line for line in lines}


def test_amlbs_published_tables_come_out() -> None:
    """4 hours: the scaled score and the place of each framework on each task."""
    signed = outcomes_of(slip=True, imputed=False)
    made = report_tables(
        [
            AmlbRow(task=task, framework=framework, fold=fold, result=value, metric="")
            for (task, framework), folds in signed.values.items()
            for fold, value in enumerate(folds)
        ],
        ENDS,
    )
    scaled, places = table(made["norm_result_summary.csv"]), table(made["tasks_leaderboard.csv"])
    compared = 0
    for row in rows():
        task, framework = ("", row["task"]), row["framework"]
        assert scaled[task][framework] == (row["norm_score"] or "nan")
        if framework not in (ZERO, STAND_IN):
            assert places[task][framework] == row["rank"]
        compared += 1
    assert compared == 39 * 7
    assert len(table(made["folds_leaderboard.csv"])) == 39 * FOLDS
    assert "models_summary.csv" not in made


def test_folds_and_models() -> None:
    def row(framework: str, fold: int, result: float | None, models: float) -> AmlbRow:
        return AmlbRow(
            task="T", framework=framework, fold=fold, result=result, metric="auc",
            texts={"type": "binary"}, numbers={"models_count": models},
        )  # fmt: skip

    given = [
        row("A", 0, 0.5, 1), row("A", 1, 0.75, 4), row("B", 0, 0.5, 1), row("B", 1, None, 2),
        row("C", 0, 0.25, 9), row("C", 1, 0.5, 9),
    ]  # fmt: skip
    made = report_tables(given, Ends(stand_in="C"))
    assert made["folds_leaderboard.csv"] == (
        b"type,task,fold,a,b,c\nbinary,t,0,1.0,1.0,2.0\nbinary,t,1,1.0,,2.0\n"
    )
    assert made["models_summary.csv"] == b"type,task,a,b,c\nbinary,t,2,2 (1),9\n"
    assert made["result_summary.csv"] == b"type,task,a,b,c\nbinary,t,0.625,0.5 (1),0.375\n"
    assert "norm_result_summary.csv" not in made


def test_ends_that_are_equal_on_every_fold_scale_nothing() -> None:
    rows = [
        AmlbRow(
            task="t", framework=name, fold=0, result=0.5, metric="auc", texts={"type": "binary"}
        )
        for name in "ab"
    ]
    made = report_tables(rows, Ends(zero="a", one="b"))
    assert made["norm_result_summary.csv"] == b"type,task,a,b\n"


def test_scores_are_scaled_with_the_digits_of_results_csv() -> None:
    """What amlb_report made of results.csv of a run here, in scikit-learn 1.2.2 and 1.3.1."""
    results = {
        "constantpredictor": -45.689696728001756, "RandomForest": -44.512256176556804,
        "Stacking": -43.18191319204274, "TunedRandomForest": -44.999259442655486,
    }  # fmt: skip
    given = [
        AmlbRow(
            task="cholesterol", framework=name, fold=0, result=value, metric="neg_rmse",
            texts={"type": "regression"},
        )
        for name, value in results.items()
    ]  # fmt: skip
    made = report_tables(given, Ends(zero="constantpredictor", one="TunedRandomForest"))
    assert made["norm_result_summary.csv"].decode() == (
        "type,task,constantpredictor,randomforest,stacking,tunedrandomforest\n"
        "regression,cholesterol,0,1.70539,3.63239,1\n"
    )


def test_a_study_scales_fold_by_fold_between_two_ends() -> None:
    values: dict[tuple[str, str], list[float | None]] = {
        ("t", "zero"): [0.0, 0.5], ("t", "one"): [1.0, 0.75], ("t", "a"): [0.5, 0.75],
        ("u", "zero"): [0.5, 0.5], ("u", "one"): [0.5, 1.0], ("u", "a"): [0.75, 0.75],
        ("v", "zero"): [0.5, 0.5], ("v", "one"): [1.0, 1.0], ("v", "a"): [None, 1.0],
    }  # fmt: skip
    result = collect(("t", "u", "v"), ("zero", "one", "a"), values)
    scaled = scale_outcomes(result, zero="zero", one="one")
    assert [scaled[task]["a"] for task in ("t", "u", "v")] == [0.75, 0.5, None]
    # Without two ends the means of tasks are scaled, between their worst and their best.
    assert scale_outcomes(result)["t"]["a"] == (0.625 - 0.25) / (0.875 - 0.25)
