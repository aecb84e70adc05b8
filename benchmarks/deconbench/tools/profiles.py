"""Pool real cells into expression profiles: tools/profiles.tsv.

Usage: profiles.py H5AD, where H5AD is scanpy/datasets/10x_pbmc68k_reduced.h5ad of the package
scanpy 1.10.4. Needs h5py and numpy. The result is committed; nobody has to run this again.
"""

import csv
import hashlib
import random
import sys
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np

SHA256 = "e71d41e737c941559b7c57c9243bdb3d2c889c2adfdf00e3422ac6b46783676f"
TYPES = {
    "B cell": "CD19+ B",
    "NK cell": "CD56+ NK",
    "Monocyte": "CD14+ Monocyte",
    "Dendritic cell": "Dendritic",
    "Cytotoxic T": "CD8+ Cytotoxic T",
    "Naive cytotoxic T": "CD8+/CD45RA+ Naive Cytotoxic",
    "Memory T": "CD4+/CD45RO+ Memory",
    "Regulatory T": "CD4+/CD25 T Reg",
    "Progenitor": "CD34+",
}
POOLS = 4
GENES = 400


def read_cells(path: Path) -> tuple[np.ndarray, list[str], list[str]]:
    """Expression on the linear scale (cells x genes), the genes, and the label of each cell."""
    with h5py.File(path) as file:
        data, indices, starts = (file[f"raw.X/{key}"][:] for key in ("data", "indices", "indptr"))
        genes = [str(row[0], "ascii") for row in file["raw.var"][:]]
        labels = [str(text, "ascii") for text in file["uns/bulk_labels_categories"][:]]
        own = [labels[code] for code in file["obs"][:]["bulk_labels"]]
    cells = np.zeros((len(own), len(genes)))
    for row, (start, end) in enumerate(pairwise(starts)):
        cells[row, indices[start:end]] = np.expm1(data[start:end])
    return cells, genes, own


def main(path: Path) -> None:
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{path}: it is another file than that of scanpy 1.10.4")
    cells, genes, own = read_cells(path)
    rng = random.Random(0)
    pools = {}
    for name, label in TYPES.items():
        members = [row for row, given in enumerate(own) if given == label]
        rng.shuffle(members)
        for pool in range(POOLS):
            pools[f"{name}/{pool + 1}"] = cells[members[pool::POOLS]].mean(axis=0)
    means = np.array([
        np.mean([pools[f"{name}/{pool + 1}"] for pool in range(POOLS)], axis=0) for name in TYPES
    ])  # fmt: skip
    # The genes that tell types apart, in the order of the file.
    spread = np.sqrt(means).max(axis=0) - np.sqrt(means).min(axis=0)
    chosen = sorted(np.argsort(-spread, kind="stable")[:GENES])
    with Path(__file__).with_name("profiles.tsv").open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["gene", *pools])
        for gene in chosen:
            writer.writerow([genes[gene], *(f"{values[gene]:.4g}" for values in pools.values())])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
