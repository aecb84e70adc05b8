"""Make a small stand-in for PCQM4Mv2: SMILES of molecules, and gaps that depend on their parts.

Needs numpy. Whole numbers alone are drawn and computed with, so that every machine gives the
same bytes. Usage: make_data.py
"""

import csv
from pathlib import Path

import numpy as np

SEED = 3
TRAIN, TEST = 2_000, 600
NOISE = 60
"""Thousandths of an eV, to either side."""

# Unit of a chain -> whether it is conjugated, and what it adds to the gap in thousandths of an eV.
# Each joins what is before and after it, so that any chain of them is a valid SMILES.
UNITS = {
    "C": (False, 0), "CC": (False, 20), "O": (False, 140), "N": (False, -60), "S": (False, -310),
    "C(F)": (False, 90), "C(Cl)": (False, -120), "C(O)": (False, 60), "C(N)": (False, -90),
    "C(C#N)": (False, -40), "C1CCC(CC1)": (False, -30),
    "C=C": (True, 0), "C#C": (True, 250), "C(=O)": (True, -380), "c1ccc(cc1)": (True, -220),
    "c1cnc(cn1)": (True, -450),
}  # fmt: skip
BASE, CONJUGATED = 3_000, 6_000


def gap(units: list[str], noise: int) -> int:
    """Return the gap in thousandths of an eV: long conjugated chains lower it."""
    longest = run = 0
    for unit in units:
        run = run + 1 if UNITS[unit][0] else 0
        longest = max(longest, run)
    parts = sum(UNITS[unit][1] for unit in units) // max(1, len(units) // 2)
    return BASE + CONJUGATED // (1 + longest) + parts + noise


def make() -> list[tuple[str, str]]:
    """Draw different molecules: SMILES and gap in eV, as text."""
    random = np.random.default_rng(SEED)
    names = list(UNITS)
    found: dict[str, int] = {}
    while len(found) < TRAIN + TEST:
        units = [names[at] for at in random.integers(0, len(names), random.integers(2, 12))]
        noise = int(random.integers(-NOISE, NOISE + 1))
        found.setdefault(f"C{''.join(units)}C", gap(units, noise))
    return [(smiles, f"{value // 1000}.{value % 1000:03d}") for smiles, value in found.items()]


def write(path: Path, head: list[str], rows: list[tuple[str, ...]]) -> None:
    """Write a CSV file."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    bundle = Path(__file__).parent
    molecules = make()
    test = molecules[TRAIN:]
    write(bundle / "public_data" / "train.csv", ["smiles", "gap"], molecules[:TRAIN])
    write(bundle / "input_data" / "test.csv", ["smiles"], [(smiles,) for smiles, _ in test])
    write(bundle / "reference_data" / "test.csv", ["gap"], [(value,) for _, value in test])
