"""Scores of cells: evaluated, checked, collected, sealed, withdrawn, reproduced."""
