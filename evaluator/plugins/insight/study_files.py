"""A study as files: figures, the data behind each, and all of it for programs."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from evaluator.core.formats.plain_text import inert
from evaluator.plugins.insight.plots.study_figures import (
    Drawings,
    box_figure,
    critical_difference_figure,
    failure_figure,
)
from evaluator.plugins.insight.statistics.confidence import Confidence, comparisons, confidence_csv
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.study import Study
from evaluator.plugins.insight.study_form import (
    AnalysisData,
    ChangeData,
    ConfidenceData,
    FriedmanData,
    OtherTests,
)
from evaluator.site.content.forms import filled
from evaluator.site.content.insight import Missing

CRITICAL = "critical-difference"
MAX_JOINED = 50
"""Methods that a critical-difference diagram can still show."""
_DRAW: tuple[tuple[str, str, Callable[[Study], Drawings]], ...] = (
    (CRITICAL, "Mean ranks", critical_difference_figure),
    ("box-plots", "Scaled scores", box_figure),
    ("failures", "Failures", failure_figure),
)
DATA_OF = {
    CRITICAL: ("mean-ranks.csv", "pairs.csv"),
    "box-plots": ("box-plots.csv", "scores.csv"),
    "failures": ("failures.csv",),
}
"""Figure -> files of what it is drawn from."""


def drawings(study: Study) -> Iterator[tuple[str, str, Drawings]]:
    drawn = {CRITICAL: True, "box-plots": study.boxes, "failures": study.failures}
    for name, heading, draw in _DRAW:
        if drawn[name]:
            yield name, heading, draw(study)


def confidence_files(certainty: Confidence, study: Study | Missing) -> dict[str, bytes]:
    """What is known of a board's order, and for papers what other tests say."""
    data = ConfidenceData(comparisons=list(comparisons(certainty)), tests=None)
    files = {"confidence.csv": confidence_csv(certainty).encode()}
    if isinstance(study, Study):
        analysis, tables = to_data(study), dict(_tables(study))
        data["tests"] = OtherTests(
            friedman=analysis["friedman"], critical_difference=analysis["critical_difference"],
            groups=analysis["groups"],
        )  # fmt: skip
        files |= {name: _csv(*tables[name]).encode() for name in DATA_OF[CRITICAL]}
        if len(study.methods) <= MAX_JOINED:
            drawn = critical_difference_figure(study)[0]
            files[f"{CRITICAL}.svg"] = drawn.svg(CRITICAL, alone=True).encode()
    return {"confidence.json": msgspec.json.encode(data, order="sorted"), **files}


def study_files(study: Study) -> dict[str, bytes]:
    """All files by name. The same study makes the same bytes."""
    result = {
        f"{name}.svg": drawn[0].svg(name, alone=True).encode() for name, _, drawn in drawings(study)
    }
    result |= {name: _csv(*table).encode() for name, table in _tables(study)}
    data = msgspec.json.encode(to_data(study), order="sorted")
    result["analysis.json"] = msgspec.json.format(data, indent=2) + b"\n"
    return result


def to_data(study: Study) -> AnalysisData:
    test, nemenyi = study.friedman, study.nemenyi
    tables = {
        name: [dict(zip(head, line, strict=True)) for line in lines]
        for name, (head, lines) in _tables(study)
    }
    return {
        "title": study.title,
        "phase": study.phase,
        "column": study.material.column.key,
        "lower_is_better": study.material.column.sorting == "asc",
        "tasks": list(study.outcomes.tasks),
        "folds": study.outcomes.folds,
        "compared_on": "folds" if study.outcomes.by_fold else "tasks",
        "methods": {method: study.name(method) for method in study.methods},
        "left_out": dict(study.material.left_out),
        "imputation": {
            "rule": study.rule if study.stand_in else "none",
            "stand_in": study.stand_in or "",
            "folds": dict(study.outcomes.imputed),
            "cells": [
                {"task": task, "method": method, "folds": list(folds)}
                for (task, method), folds in study.outcomes.filled.items()
            ],
        },
        "scale": {"zero": study.zero, "one": study.one},
        "basis": list(basis(study)),
        "findings": list(findings(study)),
        "friedman": filled(
            FriedmanData, test, statistic=_number(test.statistic), p=_number(test.p)
        ) if test else None,
        "critical_difference": _number(nemenyi.critical_difference) if nemenyi else None,
        "groups": [list(group) for group in nemenyi.groups] if nemenyi else [],
        "against": [
            {
                "title": other.title,
                "changes": [
                    filled(ChangeData, one, median_before=_number(one.median_before),
                           median_after=_number(one.median_after))
                    for one in other.changes
                ],
            }
            for other in study.against
        ],
        "mean_ranks": tables["mean-ranks.csv"],
        "pairs": tables["pairs.csv"],
        "scores": tables["scores.csv"],
        "box_plots": tables["box-plots.csv"],
        "failures": tables["failures.csv"],
    }  # fmt: skip


_Lines = tuple[Sequence[str], list[list[Any]]]


def _tables(study: Study) -> Iterator[tuple[str, _Lines]]:
    sign = -1 if study.material.column.sorting == "asc" else 1
    yield "mean-ranks.csv", (
        ("method", "name", "mean_rank", "within_a_thousandth_of_the_best"),
        [[m, study.name(m), _number(r), study.champions[m]] for m, r in study.means.items()],
    )  # fmt: skip
    p = study.nemenyi.p if study.nemenyi else {}
    yield "pairs.csv", (
        ("method", "other", "wins", "ties", "losses", "nemenyi_p"),
        [
            [a, b, duel.wins, duel.ties, duel.losses, _number(p.get((a, b), p.get((b, a))))]
            for a in study.methods for b in study.methods if a != b
            for duel in [study.duels[a, b]]
        ],
    )  # fmt: skip
    yield "scores.csv", (
        ("on", "method", study.material.column.key, "scaled", "rank", "imputed"),
        [
            [block, m, _number(None if values[m] is None else sign * (values[m] or 0.0)),
             _number(study.scaled[block][m]), _number(study.ranks[block][m]),
             study.outcomes.imputed_in(block, m)]
            for block, values in study.table.items() for m in study.methods
        ],
    )  # fmt: skip
    yield "box-plots.csv", (
        ("method", "count", "low", "q1", "median", "q3", "high", "below", "above"),
        [
            [m, b.count, *map(_number, (b.low, b.q1, b.median, b.q3, b.high)), b.below, b.above]
            for m in study.methods if (b := study.boxes.get(m))
        ],
    )  # fmt: skip
    yield "failures.csv", (
        ("method", "kind", "count"),
        [[m, kind, n] for m, kinds in study.failures.items() for kind, n in kinds.items()],
    )  # fmt: skip
    if study.against:
        heads = ("method", "tasks", "better", "equal", "worse", "median_before", "median_after")
        yield "budgets.csv", (
            ("against", *heads),
            [
                [other.title, *(_number(value) for value in asdict(change).values())]
                for other in study.against for change in other.changes
            ],
        )  # fmt: skip


def _number(value: Any) -> Any:
    """Round floats to ten digits, beyond which machines differ."""
    return float(f"{value:.10g}") if isinstance(value, float) else value


def _csv(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(inert, head))
    writer.writerows(["" if value is None else inert(value) for value in line] for line in lines)
    return stream.getvalue()
