"""Make the demonstration's data sets: those of submissions/cometh, and that of the starting kit.

Usage: make_datasets.py OUTPUT, which gets submissions/ and starting_kit/. Needs the benchmark
deconbench beside this one, for its generator. Everything follows from the seeds below; the
submission.yaml files are written by hand.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parents[1] / "deconbench/tools"))
from make_data import VARIANTS, Task, make_task  # noqa: E402
from omics import Methylome, Transcriptome  # noqa: E402

FEATURES, SAMPLES = 120, 20
VARIANTS["rna"] = (("", Transcriptome, FEATURES),)
VARIANTS["dna"] = (("", Methylome, FEATURES),)
VARIANTS["kit"] = (("", Methylome, 50),)


def even(*types: str) -> Mapping[str, float]:
    return dict.fromkeys(types, 1.5)


LYMPHOID = ("B cell", "NK cell", "Cytotoxic T", "Memory T")
DATASETS = {
    # participant/name: variant, concentration, noise, seed
    "judy/blood": ("rna", even("B cell", "Monocyte", "NK cell", "Dendritic cell"), 0.15, 101),
    "judy/t-cells": (
        "rna", even("Cytotoxic T", "Naive cytotoxic T", "Memory T", "Regulatory T"), 0.15, 102,
    ),
    "karl/methylome": ("dna", even(*LYMPHOID, "Monocyte"), 0.1, 103),
    "laura/rare-types": (
        "rna",
        {"B cell": 4.0, "NK cell": 4.0, "Monocyte": 4.0, "Dendritic cell": 0.2, "Progenitor": 0.2},
        0.2, 104,
    ),
}  # fmt: skip
REFUSED = "laura/percentages"


def make(folder: Path, variant: str, mix: Mapping[str, float], noise: float, seed: int,
         samples: int = SAMPLES) -> None:  # fmt: skip
    task = Task(
        input_folder=".", truth_folder=".", concentration=mix, noise=noise, samples=samples,
        seed=seed,
    )  # fmt: skip
    make_task(task, variant, folder)


def as_percentages(folder: Path) -> None:
    """Write the proportions as many a spreadsheet has them."""
    file = folder / "proportions.tsv"
    header, *lines = (line.split("\t") for line in file.read_text().splitlines())
    rows = [[name, *(f"{100 * float(word):.2f}" for word in words)] for name, *words in lines]
    file.write_text("".join("\t".join(row) + "\n" for row in (header, *rows)))


def main(output: Path) -> None:
    if output.exists():
        sys.exit(f"{output} is there already")
    for name, (variant, mix, noise, seed) in DATASETS.items():
        make(output / "submissions" / name, variant, mix, noise, seed)
    make(output / "submissions" / REFUSED, "dna", even(*LYMPHOID), 0.1, 105)
    as_percentages(output / "submissions" / REFUSED)
    make(output / "starting_kit", "kit", even(*LYMPHOID[:3]), 0.1, 106, samples=5)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
