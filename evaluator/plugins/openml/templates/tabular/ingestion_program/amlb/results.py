"""predictions.csv: one column of probabilities for each class, sorted, then ``predictions``.

The scoring program adds the truth. Numbers are written so that they are read back unchanged.
"""

from typing import Any

import numpy as np
import pandas as pd


class NoResultError(Exception):
    """A framework ended without a result."""


def save_predictions(
    dataset: Any, output_file: str, predictions: Any = None, truth: Any = None,
    probabilities: Any = None, probabilities_labels: Any = None, optional_columns: Any = None,
    target_is_encoded: bool = False, preview: bool = False,
) -> None:  # fmt: skip
    """Write what a framework predicted. ``truth`` is taken and not used: it is a stand-in here."""
    if predictions is None:
        raise NoResultError("there are no predictions")
    values = np.asarray(_dense(predictions)).reshape(-1)
    table = pd.DataFrame(index=range(len(values)))
    encoder = dataset.target.label_encoder
    order: list[int] | None = None
    if probabilities is not None:
        array = np.asarray(_dense(probabilities), dtype=float)
        labels = [str(label) for label in _labels(probabilities_labels, encoder, array)]
        if array.ndim != 2 or array.shape != (len(values), len(labels)):
            raise ValueError(
                f"probabilities have shape {array.shape}, for {len(values)} predictions and "
                f"{len(labels)} labels"
            )
        order = sorted(range(len(labels)), key=lambda column: labels[column])
        table = pd.DataFrame(array[:, order], columns=[labels[column] for column in order])
    if target_is_encoded:
        if probabilities_labels is not None and order is not None:
            place = {old: new for new, old in enumerate(order)}
            values = np.asarray([place[int(value)] for value in values])
        values = encoder.inverse_transform(values)
    table["predictions"] = values
    if optional_columns is not None:
        extra = pd.DataFrame(optional_columns)
        table = pd.concat([table, extra.reset_index(drop=True)], axis=1)
    table.to_csv(output_file, index=False)


def save_result(dataset: Any, result: dict[str, Any]) -> dict[str, Any]:
    """Save what ``frameworks.shared.callee.result`` was given; return the rest of it."""
    if result.get("error_message"):
        raise NoResultError(str(result["error_message"]))
    if result.get("output_file"):
        save_predictions(
            dataset, result["output_file"],
            **{
                key: result.get(key)
                for key in ("predictions", "probabilities", "probabilities_labels",
                            "optional_columns")
            },
            target_is_encoded=bool(result.get("target_is_encoded")),
        )  # fmt: skip
    others = result.get("others") or {}
    kept = {
        key: result.get(key) for key in ("models_count", "training_duration", "predict_duration")
    }
    return {**kept, **others}


def _dense(data: Any) -> Any:
    data = data.toarray() if hasattr(data, "toarray") else data
    return data.to_numpy() if isinstance(data, (pd.DataFrame, pd.Series)) else data


def _labels(given: Any, encoder: Any, array: np.ndarray) -> list[Any]:
    if given is not None and len(given):
        return list(given)
    if encoder.classes is None:
        raise ValueError("probabilities belong to classification")
    return list(encoder.classes)
