"""The protocol of deconbench: three forms of a submission, and what its scorer refuses."""

from collections.abc import Callable

import numpy as np
import pytest

from evaluator.core.formats.record import Reason
from tests.benchmarks.deconbench import Matrix, add_bundle, enter, short, table, truth
from tests.repository import Repository

pytestmark = pytest.mark.docker

TYPES, SAMPLES, TRUE = truth()
GOOD = table("cell_type", TYPES, SAMPLES, TRUE)


def changed(row: int, column: int, word: str) -> str:
    """Return the true proportions with another word at one place."""
    lines = [line.split("\t") for line in GOOD.splitlines()]
    lines[row][column] = word
    return "\n".join("\t".join(line) for line in lines) + "\n"


def without(row: int) -> str:
    lines = GOOD.splitlines(keepends=True)
    return "".join(lines[:row] + lines[row + 1 :])


def scaled(sample: int, factor: float) -> str:
    values = TRUE.copy()
    values[:, sample] *= factor
    return table("cell_type", TYPES, SAMPLES, values)


REFUSED = {
    "empty": ("", "proportions.tsv is empty"),
    "binary": ("cell_type\0\n", "proportions.tsv holds a zero byte: it is not text"),
    "corner": (changed(0, 0, "type"), "line 1 begins with 'type'; expected is cell_type or"),
    "few-samples": (
        table("cell_type", TYPES, SAMPLES[:-1], TRUE[:, :-1]),
        "line 1 names 29 samples; expected are 30",
    ),
    "sample": (changed(0, 3, "x"), "line 1 has 'x' where sample sample_03 is expected"),
    "few-rows": (without(2), "there are 4 rows for 5 cell types"),
    "unknown-type": (
        changed(2, 0, "Neutrophil"),
        "line 3: 'Neutrophil' is none of the cell types: B cell, NK cell, Monocyte",
    ),
    "type-twice": (changed(3, 0, "B cell"), "line 4: B cell stands there twice"),
    "short-row": (
        GOOD.replace("\n", "\t0\n").replace("sample_30\t0", "sample_30"),
        "line 2, 'B cell' has 31 values for 30 samples",
    ),
    "nan": (
        changed(4, 2, "NaN"),
        "line 5, 'Dendritic cell', sample sample_02: 'NaN' is not a finite number",
    ),
    "huge": (
        changed(1, 1, "1e999"),
        "line 2, 'B cell', sample sample_01: '1e999' is not a finite number",
    ),
    "code": (
        changed(1, 1, "system('id')"),
        "line 2, 'B cell', sample sample_01: 'system('id')' is not a finite number",
    ),
    "negative": (
        changed(3, 30, "-0.01"),
        "line 4, 'Monocyte', sample sample_30: '-0.01' is negative; a proportion is not",
    ),
    "sum": (
        scaled(4, 0.9),
        "the proportions of sample sample_05 sum to 0.9, not to 1 within 0.001; they are not",
    ),
}


@pytest.fixture
def bench(repo: Repository) -> Repository:
    """The benchmark with one dataset."""
    add_bundle(repo)
    short(repo)
    return repo


@pytest.mark.slow
def test_what_is_malformed_is_refused_with_the_place(bench: Repository) -> None:
    cells = {name: enter(bench, name, {"proportions.tsv": text}) for name, (text, _) in
             REFUSED.items()}  # fmt: skip
    bench.commit()
    records = bench.run()
    for name, cell in cells.items():
        error = records[cell].error
        assert error is not None, name
        assert (error.reason, error.actor) == (Reason.REJECTED, "participant"), (name, error)
        assert REFUSED[name][1] in error.message


@pytest.mark.slow
def test_names_decide_and_only_components_are_matched(bench: Repository) -> None:
    turned = [*TYPES[1:], TYPES[0]]
    moved: Matrix = np.roll(TRUE, -1, axis=0)
    cells = {
        # The same rows in another order, with their names: no error.
        enter(bench, "moved", {"proportions.tsv": table("cell_type", turned, SAMPLES, moved)}),
        # Without names they are matched.
        enter(bench, "parts", {"proportions.tsv": table("component", TYPES, SAMPLES, moved)}),
    }
    wrong = enter(
        bench, "wrong", {"proportions.tsv": table("cell_type", TYPES, SAMPLES, moved)}
    )  # fmt: skip
    rounded = enter(
        bench, "rounded", {"proportions.tsv": table("cell_type", TYPES, SAMPLES, TRUE.round(4))}
    )  # fmt: skip
    bench.commit()
    records = bench.run()
    for cell in cells:
        assert records[cell].scores == pytest.approx(
            {"mae": 0, "rmse": 0, "worst_type_mae": 0}, abs=1e-15
        )
    assert records[wrong].scores["mae"] == pytest.approx(np.abs(moved - TRUE).mean(), abs=1e-12)
    # Within the tolerance, and not normalised.
    found = records[rounded].scores["mae"]
    assert found == pytest.approx(np.abs(TRUE.round(4) - TRUE).mean(), abs=1e-12)
    assert {cell.split("/")[1]: records[cell].extra["matched"] for cell in records} == {
        "moved": 0, "parts": 1, "wrong": 0, "rounded": 0,
    }  # fmt: skip


EQUAL = "program <- function(bulk, reference) matrix(0.2, 5, 30)\n"
NAMED = """program <- function(bulk, reference) {
  stopifnot(dim(bulk) == c(400, 30), rownames(bulk) == rownames(reference))
  matrix(0.2, 5, 30, dimnames = list(colnames(reference), NULL))
}
"""
BY_HELPER = """source("helper.R", local = TRUE)
program <- function(bulk, reference) matrix(share, ncol(reference), ncol(bulk))
"""
FAILING = {
    "none": ({"model.R": ""}, "this one holds none"),
    "two": ({"program.R": "", "program.py": ""}, "this one holds program.R and program.py"),
    "mode": ({"program": "#!/bin/sh\n"}, "program may not be executed: git update-index"),
    "r-nothing": ({"program.R": "x <- 1\n"}, "program.R has no function program(bulk"),
    "r-text": (
        {"program.R": "program <- function(bulk, reference) 'a'\n"},
        "returned something else than a numeric matrix: character",
    ),
    "py-nothing": ({"program.py": "x = 1\n"}, "program.py has no function program(bulk"),
    "exit": ({"program.py": "raise SystemExit(3)\n"}, "the submission ended with exit code 3"),
}


@pytest.mark.slow
def test_a_program_that_fails_says_why(bench: Repository) -> None:
    cells = {name: enter(bench, name, files) for name, (files, _) in FAILING.items()}
    bench.commit()
    records = bench.run()
    for name, cell in cells.items():
        error = records[cell].error
        assert error is not None, name
        assert (error.reason, error.actor) == (Reason.EXITED, "participant"), (name, error)
        assert FAILING[name][1] in records[cell].steps[0].log, name


@pytest.mark.slow
def test_each_form_gets_the_tables_and_answers(bench: Repository) -> None:
    forms: dict[str, dict[str, str]] = {
        "r-named": {"program.R": NAMED},
        "r-parts": {"helper.R": "share <- 0.2\n", "program.R": BY_HELPER},
        "r-nan": {"program.R": EQUAL.replace("0.2", "NaN")},
        "py-named": {"helper.py": "SHARE = 0.2\n", "program.py": (
            "from helper import SHARE\n"
            "def program(bulk, reference):\n"
            "    assert bulk.values.shape == (400, 30) and bulk.rows == reference.rows\n"
            "    return {name: [SHARE] * len(bulk.columns) for name in reference.columns}\n")},
        "py-parts": {"program.py": (
            "import numpy\n"
            "def program(bulk, reference):\n"
            "    return numpy.full((len(reference.columns), len(bulk.columns)), 0.2)\n")},
        "shell": {"program": (
            "#!/bin/sh\nread -r header < \"$1\"\nread -r types < \"$2\"\n"
            "{ echo \"$header\" | sed s/feature/cell_type/\n"
            "  echo \"$types\" | tr '\\t' '\\n' | tail -n +2 | while read -r name; do\n"
            "    printf '%s' \"$name\"; printf '\\t0.2%.0s' $(seq 30); echo\n"
            "  done; } > \"$3\"\n")},
    }  # fmt: skip
    cells = {name: enter(bench, name, files) for name, files in forms.items()}
    (bench.path / "submissions/deconbench/shell/first/program").chmod(0o755)
    bench.commit()
    records = bench.run()
    error = records[cells.pop("r-nan")].error
    assert error is not None
    assert "line 2, '1', sample sample_01: 'NaN' is not a finite number" in error.message
    for name, cell in cells.items():
        assert records[cell].error is None, (name, records[cell])
        assert records[cell].scores["mae"] == pytest.approx(np.abs(0.2 - TRUE).mean(), abs=1e-12)
        assert records[cell].extra["matched"] == name.endswith("parts"), name


def test_the_page_by_cell_type(bench: Repository) -> None:
    shown: Callable[[float], str] = "{:.4f}".format
    cell = enter(bench, "mine", {"proportions.tsv": table("cell_type", TYPES, SAMPLES, TRUE)})
    bench.commit()
    assert bench.run()[cell].error is None
    page = (
        bench.path / "submissions/deconbench/mine/first/scores/final/distinct-types.html"
    ).read_text()
    for name, row in zip(TYPES, TRUE, strict=True):
        mean = shown(float(row.mean()))
        assert f"<tr><td>{name}</td><td>{mean}</td><td>{mean}</td><td>0.0000</td></tr>" in page
