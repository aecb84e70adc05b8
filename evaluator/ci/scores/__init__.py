"""Scores on their way to a branch: checked, kept in the ledger, committed, withdrawn."""
