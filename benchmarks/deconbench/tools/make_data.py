"""Make the data of this benchmark, or of a variant of it. Needs the standard library alone.

Usage: make_data.py --variant transcriptome|methylome|multimodal OUTPUT

Writes a folder for `pullbench init NAME --from deconbench --data OUTPUT`: the inputs and the true
proportions of each task, at their places in the bundle, and the page about the data. The variant
`transcriptome` is what this bundle holds itself. Everything follows from the seeds below.
"""

import argparse
import csv
import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from omics import Methylome, Mixed, Transcriptome

PAGES = Path(__file__).with_name("pages")
DISTINCT = ("B cell", "NK cell", "Monocyte", "Dendritic cell", "Cytotoxic T")
RELATED = ("NK cell", "Cytotoxic T", "Naive cytotoxic T", "Memory T", "Regulatory T")
MANY = (*DISTINCT, "Regulatory T", "Progenitor")
FEATURES = 400
VARIANTS = {
    "transcriptome": (("", Transcriptome, FEATURES),),
    "methylome": (("", Methylome, FEATURES),),
    "multimodal": (
        ("rna:", Transcriptome, FEATURES // 2),
        ("met:", Methylome, FEATURES // 2),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Task:
    """One dataset, before its proportions are drawn."""

    input_folder: str
    truth_folder: str
    concentration: Mapping[str, float]
    """Of the Dirichlet distribution, by cell type."""
    noise: float
    """Standard deviation of the logarithm of a measured value, about."""
    samples: int = 30
    seed: int


def _ranked(name: str, types: Sequence[str], noise: float, seed: int) -> Task:
    return Task(
        input_folder=f"input_data/{name}", truth_folder=f"reference_data/{name}",
        concentration=dict.fromkeys(types, 1.5), noise=noise, seed=seed,
    )  # fmt: skip


TASKS = (
    Task(
        input_folder="starting_kit/practice/input", truth_folder="starting_kit/practice/truth",
        concentration=dict.fromkeys(DISTINCT[:4], 1.5), noise=0.1, samples=20, seed=1,
    ),
    _ranked("distinct", DISTINCT, 0.1, 2),
    _ranked("noisy", DISTINCT, 0.4, 3),
    _ranked("related", RELATED, 0.1, 4),
    Task(
        input_folder="input_data/rare", truth_folder="reference_data/rare",
        concentration={name: 4.0 if index < 4 else 0.15 for index, name in enumerate(MANY)},
        noise=0.2, seed=5,
    ),
)  # fmt: skip


def proportions(task: Task) -> list[list[float]]:
    """Draw proportions, cell types x samples, in six decimals that sum to one exactly."""
    rng = Random(f"proportions {task.seed}")
    columns = []
    for _ in range(task.samples):
        drawn = [rng.gammavariate(alpha, 1.0) for alpha in task.concentration.values()]
        millionths = [round(1e6 * value / sum(drawn)) for value in drawn]
        millionths[millionths.index(max(millionths))] += 10**6 - sum(millionths)
        columns.append([value / 1e6 for value in millionths])
    return [list(row) for row in zip(*columns, strict=True)]


def write_table(path: Path, corner: str, columns: Sequence[str], rows: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow([corner, *columns])
        writer.writerows([name, *values] for name, values in rows.items())


def root_mean_square(made: Mixed) -> float:
    """Of the reference. Blocks of several kinds, divided by it, weigh alike in a sum of squares."""
    squares = [value**2 for known, _ in made.values() for value in known]
    return math.sqrt(sum(squares) / len(squares))


def make_task(task: Task, variant: str, output: Path) -> None:
    types = list(task.concentration)
    truth = proportions(task)
    samples = [f"sample_{number + 1:02}" for number in range(task.samples)]
    bulk, reference = {}, {}
    for prefix, omics, count in VARIANTS[variant]:
        rng = Random(f"{omics.__name__} {task.seed}")
        made = omics(types, count).mix(truth, task.noise, rng)
        scale = root_mean_square(made) if len(VARIANTS[variant]) > 1 else 1.0
        for feature, (known, mixed) in made.items():
            reference[prefix + feature] = [f"{value / scale:.4g}" for value in known]
            bulk[prefix + feature] = [f"{value / scale:.4g}" for value in mixed]
    write_table(output / task.input_folder / "bulk.tsv", "feature", samples, bulk)
    write_table(output / task.input_folder / "reference.tsv", "feature", types, reference)
    rows = {name: [f"{value:.6f}" for value in row] for name, row in zip(types, truth, strict=True)}
    write_table(output / task.truth_folder / "proportions.tsv", "cell_type", samples, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--variant", choices=VARIANTS, required=True)
    parser.add_argument("output", type=Path, help="a folder that is not there yet")
    given = parser.parse_args()
    if given.output.exists():
        sys.exit(f"{given.output} is there already")
    for task in TASKS:
        make_task(task, given.variant, given.output)
    (given.output / "pages").mkdir()
    shutil.copyfile(PAGES / f"{given.variant}.md", given.output / "pages/data.md")


if __name__ == "__main__":
    main()
