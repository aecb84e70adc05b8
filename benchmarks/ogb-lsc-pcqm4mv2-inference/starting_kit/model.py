"""A linear model of counts of units in a SMILES, and of its longest conjugated chain."""

import json
import re
from pathlib import Path

UNITS = (
    "c1ccc(cc1)", "c1cnc(cn1)", "C1CCC(CC1)", "C(C#N)", "C(Cl)", "C(=O)", "C(F)", "C(O)", "C(N)",
    "C=C", "C#C", "C", "O", "N", "S",
)  # fmt: skip
CONJUGATED = {"c1ccc(cc1)", "c1cnc(cn1)", "C(=O)", "C=C", "C#C"}
UNIT = re.compile("|".join(map(re.escape, UNITS)))


def features(smiles: str) -> list[float]:
    """Return 1, shares of the units, and what a longer conjugated chain takes away."""
    units = UNIT.findall(smiles)
    longest = run = 0
    for unit in units:
        run = run + 1 if unit in CONJUGATED else 0
        longest = max(longest, run)
    return [1.0, 1 / (1 + longest), *(units.count(unit) / len(units) for unit in UNITS)]


class Model:
    """Reads weights.json beside this file."""

    def __init__(self) -> None:
        self.weights = json.loads(Path(__file__).with_name("weights.json").read_text())

    def predict(self, smiles: list[str]) -> list[float]:
        """Predict gaps in eV."""
        rows = map(features, smiles)
        return [sum(w * x for w, x in zip(self.weights, row, strict=True)) for row in rows]
