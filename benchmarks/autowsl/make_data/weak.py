"""A problem -> a data set with weak labels, disguised. Standard library alone.

Everything random comes from one ``random.Random``: the same seed gives the same bytes.
"""

import datetime as dt
import json
import random
from collections.abc import Sequence
from pathlib import Path

from sources import Cell, Problem

ROWS = 450
"""At most so many; two thirds are for training."""
LABELLED = 0.2
"""Semi-supervised: share of the training rows with a label."""
TOLD = 0.4
"""Positive-unlabelled: share of the positives that are known to be positive."""
FLIPPED = {True: 0.3, False: 0.2}
"""Noisy: share of the labels that are wrong, by true label."""
KINDS = ("ssl", "pu", "noisy")


def weaken(kind: str, answers: Sequence[bool], rng: random.Random) -> list[int]:
    """Labels of the training rows.

    ``ssl``: 1, -1, and 0 where it is not known; ``pu``: 1, and 0 where it is not known; ``noisy``:
    1 and 0, some of them wrong.
    """
    if kind == "pu":
        chosen = _share(answers, rng, {True: TOLD, False: 0.0})
        return [int(place in chosen) for place in range(len(answers))]
    if kind == "noisy":
        chosen = _share(answers, rng, FLIPPED)
        return [int(answer != (place in chosen)) for place, answer in enumerate(answers)]
    chosen = _share(answers, rng, {True: LABELLED, False: LABELLED})
    return [(1 if answer else -1) if place in chosen else 0 for place, answer in enumerate(answers)]


def _share(answers: Sequence[bool], rng: random.Random, share: dict[bool, float]) -> set[int]:
    """Places of that share of each class, and never of none of it."""
    chosen: set[int] = set()
    for side, part in share.items():
        places = [place for place, answer in enumerate(answers) if answer == side]
        count = max(1, round(part * len(places))) if part else 0
        chosen.update(rng.sample(places, min(count, len(places))))
    return chosen


def split(
    answers: Sequence[bool], rng: random.Random, rows: Sequence[int]
) -> tuple[list[int], ...]:
    """Places of training and test rows, each class in proportion, in random order."""
    train: list[int] = []
    test: list[int] = []
    kept = rng.sample(rows, min(ROWS, len(rows)))
    for side in (False, True):
        places = [place for place in kept if answers[place] == side]
        cut = round(len(places) * 2 / 3)
        train += places[:cut]
        test += places[cut:]
    rng.shuffle(train)
    rng.shuffle(test)
    return train, test


def disguise(problem: Problem, rng: random.Random) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Columns as text, and their kinds, under new names, in another order, in other units."""
    names = list(problem.columns)
    rng.shuffle(names)
    columns: dict[str, list[str]] = {}
    schema: dict[str, str] = {}
    for number, name in enumerate(names, start=1):
        kind = problem.schema[name]
        columns[f"c{number}"] = _MAKERS[kind](problem.columns[name], rng)
        schema[f"c{number}"] = kind
    return columns, schema


def _numbers(values: Sequence[Cell], rng: random.Random) -> list[str]:
    known = [float(value) for value in values if value == value]
    width = (max(known) - min(known)) or 1.0
    scale = rng.choice((-1, 1)) * rng.uniform(0.5, 20) / width
    shift = rng.uniform(-10, 10) - scale * min(known)
    return ["" if value != value else f"{scale * float(value) + shift:.5g}" for value in values]


def _coded(words: Sequence[str], rng: random.Random) -> dict[str, str]:
    """A code for each word; the empty one, which is a missing value, stays."""
    different = sorted(set(words) - {""})
    codes = [f"k{number}" for number in range(1, len(different) + 1)]
    rng.shuffle(codes)
    return {"": "", **dict(zip(different, codes, strict=True))}


def _categories(values: Sequence[Cell], rng: random.Random) -> list[str]:
    codes = _coded([str(value) for value in values], rng)
    return [codes[str(value)] for value in values]


def _sets(values: Sequence[Cell], rng: random.Random) -> list[str]:
    lists = [str(value).split(",") for value in values]
    codes = _coded([word for words in lists for word in words], rng)
    return [",".join(sorted(codes[word] for word in words)) for words in lists]


def _times(values: Sequence[Cell], rng: random.Random) -> list[str]:
    # Whole weeks: hours and days of the week keep their meaning.
    shift = dt.timedelta(weeks=rng.randrange(-500, 500))
    return [
        (dt.datetime.fromisoformat(str(value)).replace(tzinfo=None) + shift).isoformat()
        if value
        else ""
        for value in values
    ]


_MAKERS = {"num": _numbers, "cat": _categories, "multi-cat": _sets, "time": _times}


def write(
    problem: Problem, kind: str, rows: Sequence[int], rng: random.Random, inputs: Path, truth: Path
) -> None:
    """Write one data set: what models see, and what they do not."""
    train, test = split(problem.answers, rng, rows)
    columns, schema = disguise(problem, rng)
    labels = weaken(kind, [problem.answers[place] for place in train], rng)
    budget = 10 + 5 * round(len(columns) / 10)
    info = {
        "task": kind,
        "schema": schema,
        "start_time_budget": 5,
        "time_budget": budget,
        "pred_time_budget": budget // 2,
    }
    for folder in (inputs, truth):
        folder.mkdir(parents=True, exist_ok=True)
    _text(inputs / "info.json", json.dumps(info, indent=2))
    for name, places in (("train", train), ("test", test)):
        lines = ["\t".join(columns)]
        lines += ["\t".join(values[place] for values in columns.values()) for place in places]
        _text(inputs / f"{name}.data", "\n".join(lines))
    _text(inputs / "train.solution", "\n".join(["label", *map(str, labels)]))
    answers = [str(int(problem.answers[place])) for place in test]
    _text(truth / "test.solution", "\n".join(["label", *answers]))


def _text(path: Path, text: str) -> None:
    path.write_text(text + "\n", encoding="ascii", newline="\n")
