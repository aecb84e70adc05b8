"""Raw columns -> a matrix of numbers, learnt on the training rows."""

import datetime as dt
import math
from collections import Counter

import numpy as np

MOST = 25  # values of one column that get a column of their own


class Features:
    def __init__(self, schema):
        self.schema = schema
        self.values = {}

    def fit(self, X):
        for name, kind in self.schema.items():
            if kind in ("cat", "multi-cat"):
                counts = Counter(word for cell in X[name] for word in words(cell, kind))
                self.values[name] = [word for word, _ in counts.most_common(MOST)]
        raw = self._raw(X)
        with np.errstate(all="ignore"):
            self.mean = np.nan_to_num(np.nanmean(raw, axis=0))
            self.scale = np.nan_to_num(np.nanstd(raw, axis=0))
        self.scale[self.scale < 1e-9] = 1.0
        return self

    def transform(self, X):
        scaled = (self._raw(X) - self.mean) / self.scale
        missing = np.isnan(scaled)
        return np.clip(np.where(missing, 0.0, scaled), -5, 5)

    def _raw(self, X):
        columns = []
        for name, kind in self.schema.items():
            if kind == "num":
                columns.append(X[name])
            elif kind == "time":
                columns.extend(zip(*map(moment, X[name]), strict=True))
            else:
                cells = [set(words(cell, kind)) for cell in X[name]]
                columns.extend(
                    [float(value in cell) for cell in cells] for value in self.values[name]
                )
        return np.array(columns, dtype=float).T


def words(cell, kind):
    return [word for word in cell.split(",") if word] if kind == "multi-cat" else [cell]


def moment(text):
    if not text:
        return (math.nan,) * 5
    when = dt.datetime.fromisoformat(text)
    hour, day = 2 * math.pi * when.hour / 24, 2 * math.pi * when.timetuple().tm_yday / 365.25
    return (math.sin(hour), math.cos(hour), math.sin(day), math.cos(day), float(when.weekday()))
