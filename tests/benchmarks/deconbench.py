"""What tests of deconbench share: tables, and a repository that holds the benchmark."""

import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.repository import Repository

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks/deconbench"
ENTRIES = ROOT / "submissions/deconbench"
TASKS = {
    "distinct-types": "distinct",
    "noisy": "noisy",
    "related-types": "related",
    "rare-types": "rare",
}
"""Slug of a task -> its folder."""
Matrix = npt.NDArray[np.float64]


def read_table(path: Path) -> tuple[list[str], list[str], Matrix]:
    """Names of the rows, names of the columns, values."""
    header, *rows = (line.split("\t") for line in path.read_text().splitlines())
    return [row[0] for row in rows], header[1:], np.array([row[1:] for row in rows], dtype=float)


def table(corner: str, rows: list[str], columns: list[str], values: Matrix) -> str:
    lines = ["\t".join([corner, *columns])]
    lines += [
        "\t".join([name, *map(repr, row.tolist())]) for name, row in zip(rows, values, strict=True)
    ]
    return "\n".join(lines) + "\n"


def truth(folder: str = "distinct") -> tuple[list[str], list[str], Matrix]:
    """Cell types, samples, and true proportions of a dataset."""
    return read_table(BUNDLE / "reference_data" / folder / "proportions.tsv")


def short(repo: Repository, name: str = "deconbench") -> None:
    """Leave one task in the final phase: each costs two containers."""
    repo.replace(f"benchmarks/{name}/competition.yaml", "tasks: [1, 2, 3, 4]\n", "tasks: [1]\n")


def add_bundle(repo: Repository) -> None:
    shutil.copytree(BUNDLE, repo.path / "benchmarks/deconbench")


def enter(repo: Repository, name: str, files: dict[str, str], benchmark: str = "deconbench") -> str:
    """Write a submission of a participant's own, for quotas; return its cell."""
    folder = f"submissions/{benchmark}/{name}/first"
    kind = "results" if "proportions.tsv" in files else "code"
    repo.write(
        f"{folder}/submission.yaml",
        f"kind: {kind}\nphase: final\nfact_sheet:\n  category: reference-based\n"
        "  language: other\n  method_family: other\n",
    )
    for path, text in files.items():
        repo.write(f"{folder}/{path}", text)
    return f"{benchmark}/{name}/first/final/distinct-types"
