"""Where profiles of cell types come from, and how bulk samples are made of them."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

PROFILES = Path(__file__).with_name("profiles.tsv")
LINEAGES = {
    "lymphoid": ("B cell", "NK cell", "Cytotoxic T", "Naive cytotoxic T", "Memory T",
                 "Regulatory T"),
    "T": ("Cytotoxic T", "Naive cytotoxic T", "Memory T", "Regulatory T"),
    "CD8": ("Cytotoxic T", "Naive cytotoxic T"),
    "CD4": ("Memory T", "Regulatory T"),
    "myeloid": ("Monocyte", "Dendritic cell"),
}  # fmt: skip
TYPES = (
    "B cell", "NK cell", "Monocyte", "Dendritic cell", "Cytotoxic T", "Naive cytotoxic T",
    "Memory T", "Regulatory T", "Progenitor",
)  # fmt: skip
Mixed = dict[str, tuple[list[float], list[float]]]
"""Feature -> its value in the reference, by cell type, and in the bulk, by sample."""


class Transcriptome:
    """Real expression: two pools of cells make the reference, two others the bulk samples."""

    def __init__(self, types: Sequence[str], count: int) -> None:
        self.types = types
        with PROFILES.open(encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        # Fewer genes are those that differ the most.
        kept = sorted(rows, key=self._spread, reverse=True)[:count]
        self.rows = [row for row in rows if row in kept]

    def _spread(self, row: dict[str, str]) -> float:
        means = [
            math.sqrt(sum(float(row[f"{name}/{pool}"]) for pool in (1, 2)) / 2)
            for name in self.types
        ]
        return max(means) - min(means)

    def mix(self, truth: Sequence[Sequence[float]], noise: float, rng: Random) -> Mixed:
        """Weigh the two pools anew for each sample and type; noise is log-normal with mean one."""
        weights = [[rng.random() for _ in samples] for samples in truth]
        made: Mixed = {}
        for row in self.rows:
            pools = [[float(row[f"{name}/{pool}"]) for pool in (1, 2, 3, 4)] for name in self.types]
            reference = [(first + second) / 2 for first, second, _, _ in pools]
            bulk = []
            for sample in range(len(truth[0])):
                value = 0.0
                for (_, _, one, other), share, weight in zip(pools, truth, weights, strict=True):
                    own = weight[sample]
                    value += share[sample] * (own * one + (1 - own) * other)
                bulk.append(value * math.exp(rng.gauss(0.0, noise) - noise**2 / 2))
            made[row["gene"]] = (reference, bulk)
        return made


class Methylome:
    """A generative model: no real profile is in it.

    Most sites are nearly unmethylated or nearly methylated everywhere. At some, one cell type or
    one lineage is the other way round.
    """

    def __init__(self, types: Sequence[str], count: int) -> None:
        rng = Random("sites")
        units = [*LINEAGES.values(), *((name,) for name in TYPES)]
        self.sites: dict[str, list[float]] = {}
        for number in range(count):
            low = rng.betavariate(2, 18)
            value = low if rng.random() < 0.5 else 1 - low
            changed = rng.choice(units) if rng.random() < 0.5 else ()
            shift = rng.uniform(0.3, 0.9)
            other = value + shift * (1 - 2 * value)
            self.sites[f"site_{number + 1:03}"] = [
                other if name in changed else value for name in types
            ]

    def mix(self, truth: Sequence[Sequence[float]], noise: float, rng: Random) -> Mixed:
        """Two donors make the samples, a third the reference; measured values are beta."""
        made: Mixed = {}
        # The deviation of a beta variate is relative, too: noise 0.1 is a precision of 100.
        precision = 1 / noise**2
        for site, values in self.sites.items():
            reference = [_beta(value, 100, rng) for value in values]
            donors = [[_beta(value, 100, rng) for value in values] for _ in range(2)]
            bulk = []
            for sample in range(len(truth[0])):
                own = donors[sample % 2]
                mean = sum(share[sample] * level for share, level in zip(truth, own, strict=True))
                bulk.append(_beta(mean, precision, rng))
            made[site] = (reference, bulk)
        return made


def _beta(mean: float, precision: float, rng: Random) -> float:
    mean = min(max(mean, 0.005), 0.995)
    return rng.betavariate(mean * precision, (1 - mean) * precision)
