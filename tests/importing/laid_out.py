"""Folds of an imported benchmark as programs see them, whatever form they are stored in."""

from pathlib import Path

from evaluator.core.formats.table_folds import INPUTS, REFERENCE, TABLE, lay_out


def fold_folders(bundle: Path, task: str, fold: int) -> tuple[Path, Path]:
    """Return the input and the reference data of a fold."""
    reference = bundle / "reference_data" / task
    if not (reference / TABLE).exists():
        return bundle / "input_data" / task / str(fold), reference / str(fold)
    target = bundle.parents[1] / "build/laid-out" / bundle.name / task / str(fold)
    if not target.exists():
        lay_out(reference, fold, target)
    return target / INPUTS, target / REFERENCE
