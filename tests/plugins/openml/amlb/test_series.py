"""A small definition of time series, from its file to scores, by AMLB's metrics."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_pinball_loss

from tests.plugins.openml.amlb.files import Definitions

STEPS, HORIZON, SEASON = 24, 3, 4
LEVELS = (0.1, 0.5, 0.9)
DEFINITION = f"""
- name: synthetic
  folds: 2
  max_runtime_seconds: 30
  cores: 1
  quantile_levels: [0.1, 0.5, 0.9]
  dataset:
    path: '{{user}}/long.csv'
    type: timeseries
    freq: D
    forecast_horizon_in_steps: {HORIZON}
    seasonality: {SEASON}
    target: y
"""
# As AMLB's own modules of time series: a script of its own, which reads the files.
OUTER = """
def run(dataset, config):
    from frameworks.shared.caller import run_in_venv
    data = dict(train_path=dataset.train.path, test_path=dataset.test.path,
        target=dataset.target.name, id_column=dataset.id_column,
        timestamp_column=dataset.timestamp_column, seasonality=dataset.seasonality,
        prediction_length=dataset.forecast_horizon_in_steps)
    return run_in_venv(__file__, "exec.py", input_data=data, dataset=dataset, config=config)
"""
INNER = """
import numpy as np
import pandas as pd
from frameworks.shared.callee import call_run, result
from frameworks.shared.utils import load_timeseries_dataset

def run(dataset, config):
    train, test = load_timeseries_dataset(dataset)
    assert test[dataset.target].nunique() == 1 or test[dataset.target].isna().all(), "no truth here"
    found = []
    for item in test[dataset.id_column].unique():
        past = train[train[dataset.id_column] == item][dataset.target].to_numpy()
        found += [past[-dataset.seasonality + step] for step in range(dataset.prediction_length)]
    found = np.asarray(found)
    quantiles = pd.DataFrame({str(q): found + 2 * (q - 0.5) for q in config.quantile_levels})
    return result(output_file=config.output_predictions_file, predictions=found,
        truth=test[dataset.target].to_numpy(), optional_columns=quantiles, models_count=1)

if __name__ == "__main__":
    call_run(run)
"""
# The last value, without quantiles: metrics of quantiles are then not there.
MODEL = """
class Model:
    def fit(self, X, y):
        self.last = y.groupby(X["item_id"].to_numpy()).last()

    def predict(self, X):
        return X["item_id"].map(self.last).to_numpy()
"""


def long_table() -> pd.DataFrame:
    """Two series whose names sort otherwise as numbers than as text."""
    days = pd.date_range("2026-01-01", periods=STEPS).strftime("%Y-%m-%d")
    return pd.DataFrame(
        [
            {"item_id": item, "timestamp": day, "y": 10 + item % 7 + step % SEASON + step**1.5 / 9}
            for item in (10, 9)
            for step, day in enumerate(days)
        ]
    )


def expected(fold: int) -> dict[str, float]:
    """AMLB's metrics of the seasonal forecast, from their definitions."""
    end = STEPS if fold == 0 else STEPS - (fold + 1) * HORIZON
    truth, said, scale = [], [], []
    for item in ("10", "9"):
        y = long_table().query(f"item_id == {item}")["y"].to_numpy()[:end]
        past = y[:-HORIZON]
        truth.append(y[-HORIZON:])
        said.append(past[-SEASON:][:HORIZON])
        scale.append(np.abs(past[SEASON:] - past[:-SEASON]).mean())
    y, p, s = np.array(truth), np.array(said), np.array(scale)[:, None]
    off = np.abs(y - p)
    pinball = np.array([
        [[mean_pinball_loss([a], [b + 2 * (q - 0.5)], alpha=q) for q in LEVELS]
         for a, b in zip(one, other, strict=True)]
        for one, other in zip(y, p, strict=True)
    ]).mean(axis=2)  # fmt: skip
    return {
        "mase": float((off / s).mean()), "mape": float((off / y).mean()),
        "smape": float((2 * off / (y + p)).mean()), "wape": float(off.sum() / y.sum()),
        "mse": float((off**2).mean()), "rmse": float((off**2).mean() ** 0.5),
        "mql": 2 * float(pinball.mean()), "wql": 2 * float(pinball.sum() / y.sum()),
        "sql": 2 * float((pinball / s).mean()),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.docker
def test_a_definition_of_time_series_is_evaluated_by_amlbs_metrics(tmp_path: Path) -> None:
    repo = Definitions(tmp_path)
    long_table().to_csv(repo.user / "long.csv", index=False)
    repo.define(DEFINITION)
    for name, files in {
        "seasonal": {"__init__.py": OUTER, "exec.py": INNER}, "last": {"model.py": MODEL},
    }.items():  # fmt: skip
        repo.write(f"submissions/mine/ann/{name}/submission.yaml", "kind: code\n")
        for file, text in files.items():
            repo.write(f"submissions/mine/ann/{name}/{file}", text)
    repo.commit()
    records = repo.run()
    assert {record.status for record in records.values()} == {"finished"}, records
    assert len(records) == 4
    for fold in (0, 1):
        wanted = expected(fold)
        found = records[f"mine/ann/seasonal/final/synthetic.{fold}"].scores
        assert found["result"] == pytest.approx(-wanted["mase"])
        assert {key: found[key] for key in wanted} == pytest.approx(wanted)
        plain = records[f"mine/ann/last/final/synthetic.{fold}"].scores
        assert {"mql", "wql", "sql"} & set(plain) == set()
        assert plain["mase"] > 0
    meta = json.loads(
        (repo.path / "benchmarks/mine/input_data/synthetic/1/dataset.json").read_text()
    )
    assert (meta["metrics"][0], meta["quantile_levels"]) == ("mase", list(LEVELS))
